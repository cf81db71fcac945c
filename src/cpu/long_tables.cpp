// See long_tables.h.
#include "cpu/long_tables.h"

#include <algorithm>

#include "base/numbers.h"
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
LongTables<T>::LongTables(StepSpec const& spec, bool apart, TableMaker& tables)
    : n(spec.n),
      ends(spec.ends),
      scale(spec.scale),
      points(points_of(spec.n, spec.ends)),
      results(results_of(spec.n, spec.ends)) {
  LongLine const cut = cut_long_convolution<T>(n, ends, tables.kernels);
  n1 = cut.first, n2 = cut.second, m = n1 * n2;
  bool const forward =
      ends == Ends::from_real || (ends == Ends::complex && spec.direction == Direction::forward);
  by_powers = m == n - 1;
  kept_ = by_powers || points == results ? n1 / 2 + 1 : n1;
  if (by_powers)
    make_powers(forward, tables);
  else
    make_chirp(forward, tables);
  // A tile of columns writes what it has read, or what is its own: see Columns in long_convolution.cpp.
  bool const own = ends == Ends::complex ? apart || spec.in_step == 2 : ends == Ends::from_real && apart;
  if (own && spec.out_step == 2 && !by_powers) held = results / n2;
}

template <class T>
void LongTables<T>::make_chirp(bool forward, TableMaker& tables) {
  Index const rows = (n + n2 - 1) / n2, order = 2 * n;
  auto const roots = tables.roots(order);
  chirp_ = tables.make<T>((rows + spacing - 1) / spacing, 2 * n2, [&](Index begin, Index end, T* at) {
    for (Index i = begin; i < end; ++i, at += 2 * n2)
      put_chirp<T>(*roots, n, i * spacing * n2, n2, !forward, at);
  });
  steps_ = tables.make<T>(spacing - 1, 2 * n2, [&](Index begin, Index end, T* at) {
    for (Index b = begin + 1; b <= end; ++b, at += 2 * n2)
      put_roots(*roots, order, 0, mulmod(2 * b, n2, order), n2, !forward, at);
  });
  turns_ = tables.make<T>(rows, 2, [&](Index begin, Index end, T* at) {
    for (Index j1 = begin; j1 < end; ++j1, at += 2) {
      Index const b = j1 % spacing, steps = mulmod(b * (2 * j1 - b), mulmod(n2, n2, order), order);
      put_roots(*roots, order, steps, 0, 1, !forward, at);
    }
  });
  response_ = tables.make_whole<T>(2 * kept_ * n2, [&](T* at) {
    put_spectrum_rows<T>(n1, n2, kept_, chirp_sequence<T>(*roots, {n, m, points, results, forward}),
                         scale / static_cast<double>(m), tables.threads(), at);
  });
}

template <class T>
void LongTables<T>::make_powers(bool forward, TableMaker& tables) {
  powers = Powers(n, tables);
  auto const roots = tables.roots(n);
  response_ = tables.make_whole<T>(2 * kept_ * n2, [&](T* at) {
    put_spectrum_rows<T>(n1, n2, kept_, power_sequence<T>(*roots, powers, forward),
                         scale / static_cast<double>(m), tables.threads(), at);
  });
}

template <class T>
T const* LongTables<T>::chirp(Index j, Index count, T* room, Kernels const& kernels) const {
  Index const j1 = j / n2, j2 = j % n2, b = j1 % spacing;
  T const* const stored = chirp_.data() + 2 * (j1 / spacing * n2 + j2);
  if (b == 0) return stored;
  kernels.multiply({stored, room, steps_.data() + 2 * ((b - 1) * n2 + j2), count, 1, 2, 2});
  kernels.multiply({room, room, turns_.data() + 2 * j1, 1, count, 2 * count, 2 * count});
  return room;
}

template <class T>
T const* LongTables<T>::response(Index k1, T* room) const {
  if (k1 < kept_) return response_.data() + 2 * k1 * n2;
  T const* const mirror = response_.data() + 2 * ((n1 - k1) * n2 + n2 - 1);
  if (!by_powers) {
    for (Index k2 = 0; k2 < n2; ++k2) std::copy_n(mirror - 2 * k2, 2, room + 2 * k2);
    return room;
  }
  bool const alternates = n1 % 2 == 1;
  T sign = k1 % 2 == 0 ? T(1) : T(-1);
  for (Index k2 = 0; k2 < n2; ++k2) {
    room[2 * k2] = sign * mirror[-2 * k2], room[2 * k2 + 1] = -sign * mirror[1 - 2 * k2];
    if (alternates) sign = -sign;
  }
  return room;
}

template struct LongTables<float>;
template struct LongTables<double>;
template LongLine cut_long_convolution<float>(Index, Ends, Kernels const&);
template LongLine cut_long_convolution<double>(Index, Ends, Kernels const&);

}  // namespace skipper::cpu
