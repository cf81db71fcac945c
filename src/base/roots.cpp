// Reduces k/n by symmetry, in integers and so exactly, to an angle (pi/2) part/n of the first octant; there
// the Taylor series in double-double. Long tables add angles instead: every root of the octant is the product
// of one of about sqrt(n) coarse and one of about sqrt(n) fine roots, and these are products of each other.
#include "base/roots.h"

#include <skipper/error.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/lazy.h"
#include "base/numbers.h"

namespace skipper {
namespace {

constexpr DoubleDouble half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// 1/k!. Up to 28 the rest of either series is below 2^-112 for angles up to pi/4.
constexpr int terms = 28;

std::array<DoubleDouble, terms + 1> const& inverse_factorials() {
  static constinit Lazy<std::array<DoubleDouble, terms + 1>> table;
  return table.get([] {
    std::array<DoubleDouble, terms + 1> values;
    values[0] = 1.0;
    for (int k = 1; k <= terms; ++k) values[k] = values[k - 1] / DoubleDouble(k);
    return values;
  });
}

// How many of them make the rest as small for this angle.
int terms_for(double angle) {
  double left = angle * angle / 2;
  int k = 2;
  for (; k < terms && left > 0x1p-112; k += 2) left *= angle * angle / ((k + 1) * (k + 2));
  return k;
}

// cos and sin of the angle (pi/2) part/n, 0 <= part <= n/2.
WideRoot octant_root(Index part, Index n) {
  DoubleDouble const angle = half_pi * (wide(part) / wide(n));
  DoubleDouble const minus_square = -(angle * angle);
  auto const& coefficient = inverse_factorials();
  int const first = terms_for(angle.high);
  DoubleDouble even = coefficient[first], odd = coefficient[first - 1];
  for (int k = first - 2; k > 0; k -= 2) {
    even = even * minus_square + coefficient[k];
    odd = odd * minus_square + coefficient[k - 1];
  }
  return {even * minus_square + 1.0, odd * angle};
}

// The way back from the first octant.
struct Symmetry {
  Index part;  // of n quarter turns, 0 <= part <= n/2
  bool swap, negate_re, negate_im;
};

// 0 <= k < n.
Symmetry reduce(Index k, Index n) {
  Symmetry s = {0, false, false, true};  // exp(-i angle) = cos - i sin
  if (k > n - k) {
    k = n - k;
    s.negate_im = false;
  }
  // In quarter turns over n: half a turn, 2n, is at most 2^63 and needs the sign bit.
  auto const turn = static_cast<std::uint64_t>(n);
  std::uint64_t part = 4 * static_cast<std::uint64_t>(k);
  if (part > turn) {
    part = 2 * turn - part;
    s.negate_re = true;
  }
  if (2 * part > turn) {
    part = turn - part;
    s.swap = true;
  }
  s.part = static_cast<Index>(part);
  return s;
}

// Zero stays positive, so that equal roots are equal bits.
DoubleDouble negated_if(bool negate, DoubleDouble a) { return negate && a.high != 0 ? -a : a; }

WideRoot restore(Symmetry const& s, WideRoot const& root) {
  return {negated_if(s.negate_re, s.swap ? root.im : root.re),
          negated_if(s.negate_im, s.swap ? root.re : root.im)};
}

std::complex<double> restore(Symmetry const& s, std::complex<double> root) {
  double const re = s.swap ? root.imag() : root.real(), im = s.swap ? root.real() : root.imag();
  return {s.negate_re ? 0.0 - re : re, s.negate_im ? 0.0 - im : im};
}

WideRoot product(WideRoot const& a, WideRoot const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// roots[i] is the i-th power of roots[1], in about log2(i) products.
void fill_powers(std::vector<WideRoot>& roots) {
  for (std::size_t i = 2; i < roots.size(); ++i) roots[i] = product(roots[i / 2], roots[i - i / 2]);
}

// Loops of double-double numbers, on x86-64 with the fused instructions where the processor has them: the build's plain
// instructions have none, and std::fma is a call there. The values are the same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__FMA__)
template <class Body>
[[gnu::target("fma"), gnu::flatten]] void run_fused(Body const& body) {
  body();
}
template <class Body>
void run_wide(Body const& body) {
  if (__builtin_cpu_supports("fma")) return run_fused(body);
  body();
}
#else
template <class Body>
void run_wide(Body const& body) {
  body();
}
#endif

}  // namespace

// The first octant of all roots of n, as coarse x fine.
class RootSource::Octant {
 public:
  explicit Octant(Index n) : n_(n), unit_(gcd(n, 4)), unit_shift_(unit_ / 2) {
    while (block_ * block_ < parts()) block_ *= 2, ++shift_;
  }

  // How many roots it has to begin with.
  Index cost() const { return block_ + parts() / block_ + 1; }

  void fill() {
    WideRoot const one = {1.0, 0.0};
    fine_.assign(static_cast<std::size_t>(block_), one);
    coarse_.assign(static_cast<std::size_t>((parts() - 1) / block_ + 1), one);
    run_wide([this] {
      if (fine_.size() > 1) fine_[1] = octant_root(unit_, n_);
      if (coarse_.size() > 1) coarse_[1] = octant_root(block_ * unit_, n_);
      fill_powers(fine_);
      fill_powers(coarse_);
    });
  }

  // All roots, 0 <= k < n, good for a table of T: those of the octant once, the others by symmetry.
  template <class T>
  std::vector<std::complex<double>> all() const {
    std::vector<std::complex<double>> octant(static_cast<std::size_t>(parts()));
    auto const fill = [&] {
      for (std::size_t i = 0; i < octant.size(); ++i) octant[i] = good_for<T>(static_cast<Index>(i) * unit_);
    };
    if constexpr (sizeof(T) == sizeof(float))
      fill();
    else
      run_wide(fill);
    return unfolded(octant);
  }

  // One of the octant.
  template <class T>
  std::complex<double> good_for(Index part) const {
    if constexpr (sizeof(T) == sizeof(float)) return near(part);
    WideRoot const root = at(part);
    return {to_double(root.re), to_double(root.im)};
  }

  WideRoot at(Index part) const {
    Index const i = part >> unit_shift_;
    return product(coarse_[static_cast<std::size_t>(i >> shift_)],
                   fine_[static_cast<std::size_t>(i & (block_ - 1))]);
  }
  // The same by doubles.
  std::complex<double> near(Index part) const {
    Index const i = part >> unit_shift_;
    WideRoot const &a = coarse_[static_cast<std::size_t>(i >> shift_)],
                   &b = fine_[static_cast<std::size_t>(i & (block_ - 1))];
    return {a.re.high * b.re.high - a.im.high * b.im.high, a.re.high * b.im.high + a.im.high * b.re.high};
  }
  Index order() const { return n_; }

 private:
  // All roots from those of the octant. This is reduce() and restore(), by the four octants of half a turn.
  std::vector<std::complex<double>> unfolded(std::vector<std::complex<double>> const& octant) const {
    std::vector<std::complex<double>> roots(static_cast<std::size_t>(n_));
    auto const at = [&](Index part) { return octant[static_cast<std::size_t>(part >> unit_shift_)]; };
    std::complex<double>* const to = roots.data();
    Index k = 0;
    for (; 8 * k <= n_; ++k) to[k] = std::conj(at(4 * k));
    for (; 4 * k <= n_; ++k) to[k] = {at(n_ - 4 * k).imag(), 0.0 - at(n_ - 4 * k).real()};
    for (; 8 * k < 3 * n_; ++k) to[k] = {0.0 - at(4 * k - n_).imag(), 0.0 - at(4 * k - n_).real()};
    for (; 2 * k <= n_; ++k) to[k] = {0.0 - at(2 * n_ - 4 * k).real(), 0.0 - at(2 * n_ - 4 * k).imag()};
    to[0] = 1;  // whose imaginary part is no negative zero
    for (; k < n_; ++k) to[k] = {to[n_ - k].real(), 0.0 - to[n_ - k].imag()};
    return roots;
  }

  // Every part that reduce() yields is a multiple of unit_, up to n/2.
  Index parts() const { return n_ / 2 / unit_ + 1; }

  Index n_, unit_;
  int unit_shift_;  // unit_ is 1, 2 or 4
  Index block_ = 1;
  int shift_ = 0;  // block_ is 2^shift_
  std::vector<WideRoot> coarse_, fine_;
};

namespace {

void require_order(Index n) {
  if (n < 1 || n > Index(1) << 62) {
    throw Error("n", "is " + std::to_string(n) + " but roots of unity need 1 <= n <= 2^62");
  }
}

Index residue_of(Index k, Index n) { return k % n < 0 ? k % n + n : k % n; }

template <class T>
std::complex<T> rounded(WideRoot const& root) {
  return {rounded_to<T>(root.re), rounded_to<T>(root.im)};
}

}  // namespace

WideRoot wide_root(Index k, Index n) {
  require_order(n);
  Symmetry const symmetry = reduce(residue_of(k, n), n);
  return restore(symmetry, octant_root(symmetry.part, n));
}

std::complex<double> root64(Index k, Index n) { return rounded<double>(wide_root(k, n)); }

std::complex<float> root32(Index k, Index n) { return rounded<float>(wide_root(k, n)); }

RootSource::RootSource(Index n) {
  require_order(n);
  auto octant = std::make_unique<Octant>(n);
  octant->fill();
  octant_ = std::move(octant);
}
RootSource::~RootSource() = default;
RootSource::RootSource(RootSource&&) noexcept = default;
RootSource& RootSource::operator=(RootSource&&) noexcept = default;

template <class T>
RootSource RootSource::tabled(Index n) {
  constexpr Index longest = 1 << 15;
  RootSource source(n);
  if (n <= longest) source.table_ = source.octant_->all<T>();
  return source;
}
template RootSource RootSource::tabled<float>(Index);
template RootSource RootSource::tabled<double>(Index);

template <class T>
std::complex<double> RootSource::computed(Index k) const {
  Symmetry const s = reduce(k, octant_->order());
  if constexpr (sizeof(T) == sizeof(float)) return restore(s, octant_->good_for<T>(s.part));
  std::complex<double> root;
  run_wide([&] { root = octant_->good_for<T>(s.part); });
  return restore(s, root);
}
template std::complex<double> RootSource::computed<float>(Index) const;
template std::complex<double> RootSource::computed<double>(Index) const;

template <class T>
std::vector<std::complex<T>> roots(Index n, Index count, Index step) {
  require_order(n);
  if (count < 0) throw Error("count", "is " + std::to_string(count) + " but must not be negative");
  RootSource::Octant octant(n);
  bool const tabled = octant.cost() < 4 * count;  // a product takes much less than a series
  if (tabled) octant.fill();
  std::vector<std::complex<T>> table(static_cast<std::size_t>(count));
  Index const stride = residue_of(step, n);
  run_wide([&] {
    Index k = 0;  // i * step modulo n
    for (auto& root : table) {
      Symmetry const s = reduce(k, n);
      root = rounded<T>(restore(s, tabled ? octant.at(s.part) : octant_root(s.part, n)));
      k = k < n - stride ? k + stride : k - (n - stride);
    }
  });
  return table;
}

template std::vector<std::complex<float>> roots<float>(Index, Index, Index);
template std::vector<std::complex<double>> roots<double>(Index, Index, Index);

}  // namespace skipper
