// See vector_runs.h. Rows are linear in the number of an entry, except near the ends of a line and in its middle.
#include "cpu/vector_runs.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>

namespace skipper::cpu {
namespace {

/// Whether test(i) holds for all of [begin, end): near the ends for every i, in between for a sample.
template <class Test>
bool all_of(Index begin, Index end, Test const& test) {
  constexpr Index near = 512;
  Index const step = std::max<Index>(1, (end - begin) / (4 * near));
  for (Index i = begin; i<end; i += end - i> near && i - begin >= near ? step : 1)
    if (!test(i)) return false;
  return true;
}

/// Finds the run from entry 0 or 1 on that ends with a whole vector and takes all but a few entries; false where there is none. Row r
/// of entry i must be that of the first entry plus i times `rising[r]` (for the first four rows times -1 where the run falls),
/// and the factors must be the same.
template <class Rows, class Factors, std::size_t N>
bool take(FoundRun& found, Index count, Index lanes, Rows rows, Factors factors, Index const (&rising)[N]) {
  for (Index const begin : {0, 1})
    for (Index const sign : {1, -1}) {
      if (begin >= count) continue;
      auto const first = rows(begin);
      auto const factor = factors(begin);
      auto const runs_on = [&](Index i) {
        auto const now = rows(i);
        bool same = factors(i) == factor;
        for (std::size_t r = 0; r < N; ++r)
          same = same && now[r] == first[r] + (i - begin) * (r < 4 ? sign * rising[r] : rising[r]);
        return same;
      };
      Index end = count;
      while (end > begin && count - end < lanes && !runs_on(end - 1)) --end;
      end -= (end - begin) % lanes;
      if (end == begin || end + lanes < count || !all_of(begin, end, runs_on)) continue;
      found.begin = begin, found.end = end;
      found.run.count = end - begin;
      found.run.up = sign > 0;
      return true;
    }
  return false;
}

std::optional<FoundRun> quads_run(TrigOp const& op, Index lanes) {
  auto rows = [&](Index i) {
    auto const q = op.quad(i);
    return std::array{q.real[0], q.real[1], q.real[2], q.real[3], q.complex[0], q.complex[1]};
  };
  auto factors = [&](Index i) {
    auto const q = op.quad(i);
    return std::array{q.f[0], q.f[1], q.f[2], q.f[3]};
  };
  FoundRun found;
  Index const rising[] = {1, -1, -1, 1, 1, -1};
  if (!take(found, op.count, lanes, rows, factors, rising)) return {};
  auto const first = op.quad(found.begin);
  for (int i = 1; i < 4; ++i)
    if (first.f[i] != first.f[0]) return {};
  std::copy_n(first.real, 4, found.run.real);
  std::copy_n(first.complex, 2, found.run.complex);
  found.run.factor[0] = first.f[0];
  return found;
}

std::optional<FoundRun> combine_run(TrigOp const& op, Index lanes) {
  auto rows = [&](Index i) {
    auto const m = op.pair(i);
    return std::array{m.from[0], m.from[1], m.to[0], m.to[1]};
  };
  auto factors = [&](Index i) {
    auto const m = op.pair(i);
    return std::array{m.c[0], m.s[0], m.c[1], m.s[1]};
  };
  FoundRun found;
  Index const rising[] = {1, -1, 1, -1};
  if (!take(found, op.count, lanes, rows, factors, rising)) return {};
  auto const first = rows(found.begin);
  auto const f = factors(found.begin);
  std::copy(first.begin(), first.end(), found.run.real);
  std::copy(f.begin(), f.end(), found.run.factor);
  return found;
}

/// The Makhoul permutation, v = x_0 x_2 .. x_3 x_1, whose numbers are points two by two: all entries, or none.
std::optional<FoundRun> shuffled_run(TrigOp const& op, bool pack, Index lanes) {
  Index const n = 2 * op.count;
  if (n < 2 * lanes) return {};
  auto factor = [&](Index j) {
    RowPair<double> const m = op.pair(j / 2);
    return j % 2 ? m.s[1] : m.c[1];
  };
  double const even = factor(0), odd = factor(n - 1);
  auto const is_shuffled = [&](Index j) {
    RowPair<double> const m = op.pair(j / 2);
    Index const row = 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1, part = j % 2;
    Index const real = pack ? m.from[part] : m.to[part], point = pack ? m.to[part] : m.from[part];
    return real == row && point == j / 2 && m.c[0] == 1 && m.s[0] == 0 && factor(j) == (row % 2 ? odd : even);
  };
  if (!all_of(0, n / 2, is_shuffled) || !all_of(n / 2, n, is_shuffled)) return {};
  FoundRun found;
  found.run.count = n;
  found.run.factor[0] = even, found.run.factor[1] = odd;
  found.end = op.count;
  return found;
}

/// A copy, where number 2j of a line is the real part of point j and the next one its imaginary part: all entries, or none.
std::optional<FoundRun> copied_run(TrigOp const& op) {
  bool const copies = all_of(0, op.count, [&](Index j) {
    RowPair<double> const m = op.pair(j);
    return m.from[0] == 2 * j && m.from[1] == 2 * j + 1 && m.to[0] == j && m.to[1] == j && m.c[0] == 1 &&
           m.s[0] == 0 && m.c[1] == 1 && m.s[1] == 1;
  });
  if (!copies) return {};
  FoundRun found;
  found.run.count = 2 * op.count;
  found.end = op.count;
  found.copies = true;
  return found;
}

/// Entries of DCT-IV and DST-IV in pairs k and count-1-k, all but some in the middle.
std::optional<FoundRun> dct4_run(TrigOp const& op, bool pack, Index lanes) {
  Index const count = op.count, n = 2 * count, end = count / 2 / lanes * lanes;
  if (end == 0) return {};
  RowPair<double> const first = op.pair(0);
  bool const up = pack ? first.from[0] == 0 : first.to[0] == 0;
  if (!pack && !up) return {};
  auto const rotation = [&](Index k) {
    RowPair<double> const m = op.pair(k);
    return std::complex<double>(m.c[0], m.s[0]);
  };
  std::complex<double> const last = std::conj(std::complex<double>(0, 1) * rotation(count - 1) * rotation(0));
  auto const rotates_on = [&](Index k) {  // steadily, and with its partner
    Index const part = k % 256;
    std::complex<double> const partner = std::complex<double>(0, -1) * std::conj(rotation(k) * last);
    return std::abs(rotation(k) - rotation(k - part) * rotation(part) * std::conj(rotation(0))) < 1e-9 &&
           std::abs(rotation(count - 1 - k) - partner) < 1e-9;
  };
  auto const runs_on = [&](Index k) {
    RowPair<double> const m = op.pair(k);
    Index const(&reals)[2] = pack ? m.from : m.to;
    Index const(&points)[2] = pack ? m.to : m.from;
    return reals[up ? 0 : 1] == 2 * k && reals[up ? 1 : 0] == n - 1 - 2 * k && points[0] == k &&
           points[1] == k && m.c[1] == first.c[1] && m.s[1] == first.s[1];
  };
  if (!all_of(0, end, runs_on) || !all_of(count - end, count, runs_on) || !all_of(0, end, rotates_on))
    return {};
  FoundRun found;
  found.run.count = count;
  found.run.last[0] = last.real(), found.run.last[1] = last.imag();
  found.run.factor[0] = first.c[1], found.run.factor[1] = first.s[1];
  found.run.up = up;
  found.end = end;
  found.dct4 = true;
  return found;
}

}  // namespace

std::optional<FoundRun> find_vector_run(TrigOp const& op, Index lanes) {
  if (lanes < 2 || op.n > 0 || op.product.n > 0) return {};
  switch (op.kind) {
    case RowOp::split:
    case RowOp::merge:
      return quads_run(op, lanes);
    case RowOp::combine:
      return combine_run(op, lanes);
    case RowOp::pack:
    case RowOp::unpack:
      break;
  }
  bool const pack = op.kind == RowOp::pack;
  if (pack)
    if (auto const copied = copied_run(op)) return copied;
  if (auto const shuffled = shuffled_run(op, pack, lanes)) return shuffled;
  return dct4_run(op, pack, lanes);
}

}  // namespace skipper::cpu
