// The spectra come from a plain mixed-radix transform, in double for float and in double-double for double.
#include "base/convolution_tables.h"

#include <algorithm>
#include <optional>

#include "base/complex_of.h"
#include "base/numbers.h"

namespace skipper {
namespace {

/// Roots of order n, each a product of two of about sqrt(n) that are evaluated.
class ManyRoots {
 public:
  explicit ManyRoots(Index n) {
    while (fine_ * fine_ < n) fine_ *= 2;
    for (Index i = 0; i < fine_; ++i) low_.push_back(root_in<DoubleDouble>(i, n));
    for (Index i = 0; i < n; i += fine_) high_.push_back(root_in<DoubleDouble>(i, n));
  }
  template <class S>
  ComplexOf<S> at(Index k) const {  // 0 <= k < n
    return narrowed<S>(high_[k / fine_] * low_[k % fine_]);
  }

 private:
  Index fine_ = 1;
  std::vector<ComplexOf<DoubleDouble>> low_, high_;
};

template <class S>
std::vector<ComplexOf<S>> all_roots(Index n) {
  ManyRoots const roots(n);
  std::vector<ComplexOf<S>> w(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) w[i] = roots.at<S>(i);
  return w;
}

/// Decimation in time: out[k] = sum_j in[j stride] w^(jk), w the root of order n among `roots`.
template <class S>
void transform(ComplexOf<S> const* in, Index stride, ComplexOf<S>* out, Index n,
               std::vector<ComplexOf<S>> const& roots) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  Index const radix = n % 4 == 0 ? 4 : factorise(n).front().prime, part = n / radix;
  Index const order = static_cast<Index>(roots.size()), step = order / n;
  for (Index j = 0; j < radix; ++j) transform(in + j * stride, stride * radix, out + j * part, part, roots);
  std::vector<ComplexOf<S>> x(static_cast<std::size_t>(radix));
  for (Index k = 0; k < part; ++k) {
    for (Index j = 0; j < radix; ++j)
      x[j] = j * k == 0 ? out[j * part + k] : out[j * part + k] * roots[j * k * step];
    if (radix == 4) {
      auto const a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
      ComplexOf<S> const rotated = {d.im, S(0) - d.re};  // -i d
      out[k] = a + c, out[part + k] = b + rotated, out[2 * part + k] = a - c, out[3 * part + k] = b - rotated;
      continue;
    }
    for (Index q = 0; q < radix; ++q) {
      auto sum = x[0];
      for (Index j = 1; j < radix; ++j) sum = sum + x[j] * roots[j * q % radix * part * step];
      out[q * part + k] = sum;
    }
  }
}

/// The S whose transform is sigma: the transform of sigma with k and -k exchanged, over m.
template <class T>
std::vector<std::complex<T>> spectrum(std::vector<ComplexOf<Beyond<T>>> const& sigma) {
  using S = Beyond<T>;
  Index const m = static_cast<Index>(sigma.size());
  std::vector<ComplexOf<S>> out(sigma.size());
  transform<S>(sigma.data(), 1, out.data(), m, all_roots<S>(m));
  std::vector<std::complex<T>> result(sigma.size());
  S const size = S(static_cast<double>(m));
  for (Index k = 0; k < m; ++k) {
    auto const& x = out[k == 0 ? 0 : m - k];
    result[k] = {rounded_to<T>(x.re / size), rounded_to<T>(x.im / size)};
  }
  return result;
}

/// c_0 .. c_(n-1). (n - v)^2 and v^2 differ by n^2 modulo 2n, so half of them are those of the other half, negated
/// where n is odd.
template <class S>
std::vector<ComplexOf<S>> chirp_values(Index n) {
  constexpr Index many = 1024;  // few are evaluated one by one
  std::optional<ManyRoots> const roots = n >= many ? std::optional<ManyRoots>(2 * n) : std::nullopt;
  std::vector<ComplexOf<S>> c(static_cast<std::size_t>(n));
  for (Index v = 0; v <= n / 2; ++v) {
    Index const k = chirp_exponent(v, n);
    c[v] = roots ? roots->at<S>(k) : root_in<S>(k, 2 * n);
    if (v > 0) c[n - v] = n % 2 == 0 ? c[v] : ComplexOf<S>{} - c[v];
  }
  return c;
}

bool are_coprime(std::vector<Index> const& radices) {
  for (std::size_t i = 0; i < radices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (gcd(radices[i], radices[j]) > 1) return false;
  return true;
}

Index product(std::vector<Index> const& radices) {
  Index m = 1;
  for (Index r : radices) m *= r;
  return m;
}

/// For each number of the given digits, the first counting fastest, the sum of digit x weight modulo m.
std::vector<Index> sums(std::vector<Index> const& digits, std::vector<Index> const& weights, Index m) {
  std::vector<Index> all{0};
  for (std::size_t d = 0; d < digits.size(); ++d) {
    std::size_t const faster = all.size();
    for (Index i = 1; i < digits[d]; ++i)
      for (std::size_t f = 0; f < faster; ++f) all.push_back((all[f] + i * weights[d]) % m);
  }
  return all;
}

}  // namespace

Index chirp_exponent(Index v, Index n) { return mulmod(v, v, 2 * n); }

std::vector<Index> exponent_weights(std::vector<Index> const& radices) {
  Index const m = product(radices);
  bool const coprime = are_coprime(radices);
  std::vector<Index> weights;
  Index slower = 1;
  for (Index r : radices) {
    slower *= r;
    weights.push_back(coprime ? mulmod(m / r, inverse(m / r, r), m) : m / slower);
  }
  return weights;
}

std::vector<Index> rader_order(Index p, std::vector<Index> const& radices) {
  auto const weights = exponent_weights(radices);
  Index const m = product(radices), step = powmod(generator(p), (p - 1) / m, p);
  std::vector<Index> order = sums({radices.rbegin(), radices.rend()}, {weights.rbegin(), weights.rend()}, m);
  for (Index& exponent : order) exponent = powmod(step, exponent, p);
  return order;
}

namespace {
/// The spectrum of sigma, with the first digit of its index the fastest.
template <class T>
std::vector<std::complex<T>> ordered_spectrum(std::vector<ComplexOf<Beyond<T>>> const& sigma,
                                              std::vector<Index> const& radices) {
  Index const m = product(radices);
  auto const natural = spectrum<T>(sigma);
  bool const coprime = are_coprime(radices);
  std::vector<Index> weights;  // of the digits of k
  Index faster = 1;
  for (Index r : radices) {
    weights.push_back(coprime ? m / r : faster);
    faster *= r;
  }
  std::vector<std::complex<T>> result;
  for (Index k : sums(radices, weights, m)) result.push_back(natural[static_cast<std::size_t>(k)]);
  return result;
}
}  // namespace

template <class T>
std::vector<std::complex<T>> rader_spectrum(Index p, std::vector<Index> const& radices) {
  using S = Beyond<T>;
  Index const g = generator(p);
  std::vector<ComplexOf<S>> sigma;
  for (Index v = 0, power = 1; v < p - 1; ++v, power = mulmod(power, g, p))
    sigma.push_back(root_in<S>(power, p));
  return ordered_spectrum<T>(sigma, radices);
}

template <class T>
std::vector<std::complex<T>> real_rader_spectrum(Index p, std::vector<Index> const& radices, bool partners) {
  using S = Beyond<T>;
  Index const g = generator(p);
  auto const wave = [&](Index power) {
    auto const w = root_in<S>(power, p);
    return w.re - w.im;
  };
  std::vector<ComplexOf<S>> sigma;
  S const half = S(0.5);
  for (Index v = 0, power = 1; v < (p - 1) / 2; ++v) {
    Index const odd = mulmod(power, g, p), next = mulmod(odd, g, p);
    if (partners)
      sigma.push_back({half * (wave(power) - wave(next)), wave(odd)});
    else
      sigma.push_back({half * (wave(power) + wave(next)), S(0.0)});
    power = next;
  }
  return ordered_spectrum<T>(sigma, radices);
}

template <class T>
std::vector<std::complex<T>> chirp(Index n) {
  std::vector<std::complex<T>> result;
  for (auto const& c : chirp_values<Beyond<T>>(n))
    result.push_back({rounded_to<T>(c.re), -rounded_to<T>(c.im)});
  return result;
}

template <class T>
std::vector<std::complex<T>> chirp_spectrum(Index n, Index m) {
  using S = Beyond<T>;
  auto sigma = chirp_values<S>(n);
  sigma.resize(static_cast<std::size_t>(m));
  for (Index v = n; v < std::min(2 * n - 1, m); ++v)  // (n + u)^2 = n^2 + u^2 modulo 2n
    sigma[v] = n % 2 == 0 ? sigma[v - n] : ComplexOf<S>{} - sigma[v - n];
  return spectrum<T>(sigma);
}

template std::vector<std::complex<float>> rader_spectrum<float>(Index, std::vector<Index> const&);
template std::vector<std::complex<double>> rader_spectrum<double>(Index, std::vector<Index> const&);
template std::vector<std::complex<float>> real_rader_spectrum<float>(Index, std::vector<Index> const&, bool);
template std::vector<std::complex<double>> real_rader_spectrum<double>(Index, std::vector<Index> const&,
                                                                       bool);
template std::vector<std::complex<float>> chirp<float>(Index);
template std::vector<std::complex<double>> chirp<double>(Index);
template std::vector<std::complex<float>> chirp_spectrum<float>(Index, Index);
template std::vector<std::complex<double>> chirp_spectrum<double>(Index, Index);

}  // namespace skipper
