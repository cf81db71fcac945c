// See long_tables.h.
#include "cpu/long_tables.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

/// The points of a Bluestein convolution, as many as results; for reals those of even or odd parts (long_sums.cpp).
Index points_of(Index n, LineKind line_kind) { return line_kind == LineKind::complex ? n : n / 2 + 1; }

/// Factors m = part x factor in two, the first a multiple of `factor`. Rows should be long, since they fit in the nearest cache while
/// columns do not; but not so long that tables of some rows get large, or columns too short.
TwoFactors factor_rows(Index part, Index factor, Index number_bytes) {
  constexpr Index near = 1 << 16, slender = 16;
  Index const m = part * factor;
  TwoFactors best = {m, 1};
  auto const good = [&](Index row) { return row * number_bytes <= near && row * row <= slender * m; };
  for (Index d : divisors(part)) {
    TwoFactors const factors = {factor * d, part / d};
    if (factors.first > factors.second || factors.first * factors.first * factors.first < m) continue;
    if (best.second == 1 || !good(best.second)) best = factors;
  }
  return best;
}

template <class T>
TwoFactors factor_rader(Index n, Kernels const& kernels) {
  if (!rader_applies<T>({n, true}, kernels)) return {};
  TwoFactors const factors = factor_rows(n - 1, 1, 2 * sizeof(T));
  return factors.second > 1 && one_line_applies<T>(factors.second, kernels) ? factors : TwoFactors{};
}

}  // namespace

template <class T>
TwoFactors factor_long_convolution(Index n, LineKind line_kind, Kernels const& kernels) {
  if (TwoFactors const factors = factor_rader<T>(n, kernels); factors.second > 1) return factors;
  TwoFactors const factors = factor_rows(
      convolution_length(points_of(n, line_kind), least_lanes(kernels), sizeof(T)), 2, 2 * sizeof(T));
  return factors.second > 1 && one_line_applies<T>(factors.second, kernels) ? factors : TwoFactors{};
}

template <class T>
LongTables<T>::LongTables(StepSpec const& spec, bool out_of_place, TableMaker& tables)
    : n(spec.n),
      line_kind(spec.line_kind),
      scale(spec.scale),
      points(points_of(spec.n, spec.line_kind)),
      results(spec.line_kind == LineKind::to_real ? spec.n : points) {
  TwoFactors const factors = factor_long_convolution<T>(n, line_kind, tables.kernels);
  n1 = factors.first, n2 = factors.second, m = n1 * n2;
  pitch = cache_aligned<T>(2 * n2) / 2 + 64 / sizeof(T);  // two lines of the cache
  by_rader = m == n - 1;
  bool const forward = line_kind == LineKind::complex
                           ? spec.direction == Direction::forward
                           : !by_rader || line_kind == LineKind::from_real;  // sums are all forward
  response_rows_ = n1 / 2 + 1;
  if (!by_rader) results = points;
  if (by_rader)
    make_rader(forward, tables);
  else
    make_bluestein(forward, tables);
  // Rows may lie in the output where a tile of columns writes only its own elements (see long_convolution.cpp).
  bool const own = line_kind == LineKind::complex && (out_of_place || spec.in_step == 2);
  if (own && spec.out_step == 2 && !by_rader) rows_in_out = results / n2;
}

template <class T>
void LongTables<T>::make_bluestein(bool forward, TableMaker& tables) {
  Index const rows = (points + n2 - 1) / n2, order = 2 * n;
  spacing_ = std::max<Index>(1, std::lround(std::sqrt(static_cast<double>(rows))));
  auto const roots = tables.roots(order);
  chirp_ = tables.make<T>((rows + spacing_ - 1) / spacing_, 2 * n2, [&](Index begin, Index end, T* at) {
    for (Index i = begin; i < end; ++i, at += 2 * n2)
      fill_chirp<T>(*roots, n, i * spacing_ * n2, n2, !forward, at);
  });
  steps_ = tables.make<T>(spacing_ - 1, 2 * n2, [&](Index begin, Index end, T* at) {
    for (Index b = begin + 1; b <= end; ++b, at += 2 * n2)
      fill_roots(*roots, order, 0, mulmod(2 * b, n2, order), n2, !forward, at);
  });
  auto const odd = tables.roots(n1);
  for (int const back : {0, 1})
    rotations_[back] = tables.make<T>(rows, 4, [&](Index begin, Index end, T* at) {
      for (Index j1 = begin; j1 < end; ++j1, at += 4) {
        Index const b = j1 % spacing_, steps = mulmod(b * (2 * j1 - b), mulmod(n2, n2, order), order);
        auto rotation = roots->at<T>(steps), shift = odd->at<T>(j1);
        if (!forward) rotation = std::conj(rotation);
        if (back) shift = std::conj(shift);
        for (auto const& w : {rotation, rotation * shift}) *at++ = T(w.real()), *at++ = T(w.imag());
        at -= 4;
      }
    });
  response_ = tables.make_whole<T>(2 * response_rows_ * n2, [&](T* at) {
    fill_spectrum_rows<T>(n1, n2, response_rows_, chirp_sequence<T>(*roots, {n, m, points, results, forward}),
                          scale / static_cast<double>(m), tables.threads(), at);
  });
}

template <class T>
void LongTables<T>::make_rader(bool forward, TableMaker& tables) {
  powers = TwoLevelPowers(n, n1, n2, tables);
  auto const roots = tables.roots(n);
  Sequence const sequence = [&](Index first, Index count, double* at) {
    for (Index q = first; q < first + count; ++q) {
      std::complex<double> const w = roots->at<T>(powers.power(q / n2, q % n2, true));
      *at++ = w.real();
      *at++ = forward ? w.imag() : 0.0 - w.imag();
    }
  };
  response_ = tables.make_whole<T>(2 * response_rows_ * n2, [&](T* at) {
    fill_spectrum_rows<T>(n1, n2, response_rows_, sequence, scale / static_cast<double>(m), tables.threads(),
                          at);
  });
}

template <class T>
typename LongTables<T>::Chirp LongTables<T>::chirp(Index j1, Index j2, bool back) const {
  Index const b = j1 % spacing_;
  return {chirp_.data() + 2 * (j1 / spacing_ * n2 + j2),
          b == 0 ? nullptr : steps_.data() + 2 * ((b - 1) * n2 + j2), rotations_[back].data() + 4 * j1};
}

template <class T>
void LongTables<T>::multiply(Index k1, T* row, T* row_buffer, Kernels const& kernels) const {
  if (k1 < response_rows_) return kernels.multiply({row, row, response_.data() + 2 * k1 * n2, n2, 1, 2, 2});
  T const* const partner = response_.data() + 2 * ((n1 - k1) * n2 + n2 - 1);
  if (!by_rader) return kernels.chirps.multiply_hermitian({row, row, partner, n2, 1, 2, 2});
  bool const alternates = n1 % 2 == 1;
  T sign = k1 % 2 == 0 ? T(1) : T(-1);
  for (Index k2 = 0; k2 < n2; ++k2) {
    row_buffer[2 * k2] = sign * partner[-2 * k2], row_buffer[2 * k2 + 1] = -sign * partner[1 - 2 * k2];
    if (alternates) sign = -sign;
  }
  kernels.multiply({row, row, row_buffer, n2, 1, 2, 2});
}

template struct LongTables<float>;
template struct LongTables<double>;
template TwoFactors factor_long_convolution<float>(Index, LineKind, Kernels const&);
template TwoFactors factor_long_convolution<double>(Index, LineKind, Kernels const&);

}  // namespace skipper::cpu
