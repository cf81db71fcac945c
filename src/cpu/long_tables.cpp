// See long_tables.h.
#include "cpu/long_tables.h"

#include "base/numbers.h"
#include "base/roots.h"
#include "cpu/convolution.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

Index points_of(Index n, Ends ends) { return ends == Ends::to_real ? n / 2 + 1 : n; }
Index results_of(Index n, Ends ends) { return ends == Ends::from_real ? n / 2 + 1 : n; }

template <class T>
LongLine cut_powers(Index n, Kernels const& kernels) {
  if (!takes_rader<T>({n, true}, kernels)) return {};
  LongLine const cut = cut_long_line(n - 1);
  return cut.second > 1 && takes_single<T>(cut.second, kernels) ? cut : LongLine{};
}

}  // namespace

template <class T>
LongLine cut_long_convolution(Index n, Ends ends, Kernels const& kernels) {
  if (LongLine const cut = cut_powers<T>(n, kernels); cut.second > 1) return cut;
  Index const least = points_of(n, ends) + results_of(n, ends) - 1;
  LongLine const cut = cut_long_line(convolution_length(least, least_lanes(kernels), sizeof(T)));
  return cut.second > 1 && takes_single<T>(cut.second, kernels) ? cut : LongLine{};
}

template <class T>
LongTables<T>::LongTables(StepSpec const& spec, bool apart, Kernels const& kernels)
    : n(spec.n),
      ends(spec.ends),
      scale(spec.scale),
      points(points_of(spec.n, spec.ends)),
      results(results_of(spec.n, spec.ends)) {
  LongLine const cut = cut_long_convolution<T>(n, ends, kernels);
  n1 = cut.first, n2 = cut.second, m = n1 * n2;
  bool const forward =
      ends == Ends::from_real || (ends == Ends::complex && spec.direction == Direction::forward);
  if (m == n - 1) {
    fill_powers(forward);
    return;
  }
  fill_chirp(forward);
  // A tile of columns writes what it has read, or what is its own: see Columns in long_convolution.cpp.
  bool const own = ends == Ends::complex ? apart || spec.in_step == 2 : ends == Ends::from_real && apart;
  if (own && spec.out_step == 2) held = results / n2;
}

namespace {

template <class T>
std::vector<T> in_order_of_sweeps(std::vector<std::complex<double>> const& b, Index n1, Index n2) {
  std::vector<T> table;
  table.reserve(2 * b.size());
  for (Index k1 = 0; k1 < n1; ++k1)
    for (Index k2 = 0; k2 < n2; ++k2) {
      table.push_back(static_cast<T>(b[k1 + n1 * k2].real()));
      table.push_back(static_cast<T>(b[k1 + n1 * k2].imag()));
    }
  return table;
}

}  // namespace

template <class T>
void LongTables<T>::fill_chirp(bool forward) {
  std::vector<std::complex<double>> c(n), b(m);
  for (Index j = 0; j < n; ++j) {
    auto const w = root64(mulmod(j, j, 2 * n), 2 * n);
    c[j] = forward ? w : std::conj(w);
    if (j < results) b[j] = std::conj(c[j]);
    if (j > 0 && j < points) b[m - j] = std::conj(c[j]);
  }
  chirp = interleaved<T>(c);
  response = in_order_of_sweeps<T>(spectrum(b, scale / static_cast<double>(m)), n1, n2);
}

template <class T>
void LongTables<T>::fill_powers(bool forward) {
  Index const g = generator(n);
  powers.resize(m);
  powers[0] = 1;
  for (Index j = 1; j < m; ++j) powers[j] = mulmod(powers[j - 1], g, n);
  std::vector<std::complex<double>> b(m);
  for (Index q = 0; q < m; ++q) {
    auto const w = root64(inverse_power(q), n);
    b[q] = forward ? w : std::conj(w);
  }
  response = in_order_of_sweeps<T>(spectrum(b, scale / static_cast<double>(m)), n1, n2);
}

template struct LongTables<float>;
template struct LongTables<double>;
template LongLine cut_long_convolution<float>(Index, Ends, Kernels const&);
template LongLine cut_long_convolution<double>(Index, Ends, Kernels const&);

}  // namespace skipper::cpu
