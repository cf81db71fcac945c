#include "cpu/trig_runs.h"

#include <algorithm>
#include <array>

namespace skipper::cpu {
namespace {

/// How many entries from the first of `rows(i)` on run on: row r of entry i is that of the first plus i slope[r], and the
/// factors stay.
template <class Rows, class Factors, std::size_t N>
std::size_t length_of_run(std::size_t begin, std::size_t count, Rows rows, Factors factors,
                          Index const (&slope)[N]) {
  std::size_t end = begin;
  for (; end < count; ++end) {
    if (factors(end) != factors(begin)) break;
    auto const now = rows(end), first = rows(begin);
    bool runs = true;
    for (std::size_t r = 0; r < N; ++r) runs = runs && now[r] == first[r] + Index(end - begin) * slope[r];
    if (!runs) break;
  }
  return end - begin;
}

/// The entries after the first one or two, whose ends are often special, as whole blocks.
template <class Rows, class Factors, std::size_t N>
bool take(FoundRun& found, std::size_t count, Index lanes, Rows rows, Factors factors,
          Index const (&rising)[N]) {
  for (std::size_t begin : {0, 1})
    for (Index const sign : {1, -1}) {
      Index slope[N];
      for (std::size_t r = 0; r < N; ++r) slope[r] = r < 4 ? sign * rising[r] : rising[r];
      if (begin >= count) continue;
      std::size_t const length =
          length_of_run(begin, count, rows, factors, slope) / std::size_t(lanes) * std::size_t(lanes);
      if (length == 0 || begin + length + std::size_t(lanes) < count) continue;  // most of them, or nothing
      found.begin = begin, found.end = begin + length;
      found.run.count = Index(length);
      found.run.up = sign > 0;
      return true;
    }
  return false;
}

std::optional<FoundRun> quads_run(std::vector<RowQuad<double>> const& quads, Index lanes) {
  using Six = std::array<Index, 6>;
  auto rows = [&](std::size_t i) {
    auto const& q = quads[i];
    return Six{q.real[0], q.real[1], q.real[2], q.real[3], q.complex[0], q.complex[1]};
  };
  auto factors = [&](std::size_t i) {
    return std::array{quads[i].f[0], quads[i].f[1], quads[i].f[2], quads[i].f[3]};
  };
  FoundRun found;
  Index const rising[] = {1, -1, -1, 1, 1, -1};
  if (!take(found, quads.size(), lanes, rows, factors, rising)) return {};
  auto const& first = quads[found.begin];
  for (int i = 1; i < 4; ++i)
    if (first.f[i] != first.f[0]) return {};
  std::copy_n(first.real, 4, found.run.real);
  std::copy_n(first.complex, 2, found.run.complex);
  found.run.factor[0] = first.f[0];
  for (std::size_t k = found.begin; k < found.end; k += std::size_t(lanes))
    for (auto const part : {&RowQuad<double>::w, &RowQuad<double>::t0, &RowQuad<double>::t1})
      for (int i : {0, 1})
        for (std::size_t l = 0; l < std::size_t(lanes); ++l) found.table.push_back((quads[k + l].*part)[i]);
  return found;
}

std::optional<FoundRun> mix_run(std::vector<RowMove<double>> const& moves, Index lanes) {
  auto rows = [&](std::size_t i) {
    auto const& m = moves[i];
    return std::array<Index, 4>{m.from[0], m.from[1], m.to[0], m.to[1]};
  };
  auto factors = [&](std::size_t i) {
    auto const& m = moves[i];
    return std::array{m.c[0], m.s[0], m.c[1], m.s[1]};
  };
  FoundRun found;
  Index const rising[] = {1, -1, 1, -1};
  if (!take(found, moves.size(), lanes, rows, factors, rising)) return {};
  auto const first = rows(found.begin);
  auto const f = factors(found.begin);
  std::copy(first.begin(), first.end(), found.run.real);
  std::copy(f.begin(), f.end(), found.run.factor);
  return found;
}

/// All of them, or none: v is x_0 x_2 .. x_3 x_1, and its numbers are points two by two.
std::optional<FoundRun> shuffled_run(std::vector<RowMove<double>> const& moves, bool zip, Index lanes) {
  Index const n = 2 * Index(moves.size());
  FoundRun found;
  double factor[2] = {0, 0};
  for (Index j = 0; j < n; ++j) {
    RowMove<double> const& m = moves[std::size_t(j / 2)];
    Index const row = 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1, part = j % 2;
    Index const real = zip ? m.from[part] : m.to[part], point = zip ? m.to[part] : m.from[part];
    double const f = part ? m.s[1] : m.c[1];
    if (real != row || point != j / 2 || m.c[0] != 1 || m.s[0] != 0) return {};
    if (j < 1 || (2 * j >= n && 2 * (j - 1) < n)) factor[row % 2] = f;
    if (factor[row % 2] != f) return {};
  }
  if (n < 2 * lanes) return {};
  found.run.count = n;
  found.run.factor[0] = factor[0], found.run.factor[1] = factor[1];
  found.end = moves.size();
  return found;
}

}  // namespace

std::optional<FoundRun> find_run(TrigAction const& action, Index lanes) {
  if (lanes < 2 || action.n > 0 || action.product.n > 0) return {};
  switch (action.op) {
    case RowOp::split:
    case RowOp::join:
      return quads_run(action.quads, lanes);
    case RowOp::mix:
      return mix_run(action.moves, lanes);
    default:
      return shuffled_run(action.moves, action.op == RowOp::zip, lanes);
  }
}

}  // namespace skipper::cpu
