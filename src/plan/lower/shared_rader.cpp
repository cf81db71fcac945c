// See shared_rader.h.
#include "plan/lower/shared_rader.h"

#include <algorithm>
#include <utility>

#include "base/numbers.h"
#include "plan/lengths.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/affine_maps.h"
#include "plan/lower/line_convolutions.h"
#include "plan/lower/occupancy.h"

namespace skipper {
namespace {

/// Ways to write n as a product of radices without common factors, each smaller than the one before.
void coprime_factorings(Index n, Index below, std::vector<int>& chosen,
                        std::vector<std::vector<int>>& found) {
  if (n == 1) {
    found.push_back(chosen);
    return;
  }
  if (chosen.size() == kernel::max_rader_radices) return;
  for (Index r = std::min(n, below - 1); r >= 2; --r) {
    if (n % r != 0 || gcd(r, n / r) > 1 || !kernel::has_codelet(int(r))) continue;
    chosen.push_back(int(r));
    coprime_factorings(n / r, r, chosen, found);
    chosen.pop_back();
  }
}

/// Radices for p - 1 points: no two with a common factor, the even one first, the longest last; of each number of radices
/// those whose longest is the shortest.
std::vector<std::vector<int>> radices_in_place(Index points) {
  std::vector<std::vector<int>> found, best;
  std::vector<int> chosen;
  coprime_factorings(points, max_rader_radix + 1, chosen, found);
  std::stable_sort(found.begin(), found.end(), [](auto const& x, auto const& y) {
    return std::pair(x.size(), x.front()) < std::pair(y.size(), y.front());
  });
  for (auto& radices : found) {
    if (!best.empty() && best.back().size() == radices.size()) continue;
    std::sort(radices.begin(), radices.end(),
              [](int a, int b) { return std::pair(a % 2 != 0, a) < std::pair(b % 2 != 0, b); });
    best.push_back(radices);
  }
  return best;
}

/// How many lines of a prime the tile holds where they are one run, as they are read and as they are written; else 0.
Index lines_of_run(Tile const& tile) {
  Transformed const& t = tile.transformed.front();
  Index lines = 1;
  bool run = t.cofactor() == 1 && t.read.front().stride == 1 && t.write.front().stride == 1;
  for (Carried const& c : tile.carried) {
    if (!c.held) continue;
    run = run && lines == 1 && c.read == t.radix && c.write == t.radix;
    lines = c.piece.extent;
  }
  return run ? lines : 0;
}

FineDigits fine_digits_shared_rader(Tile const& tile, std::vector<int> const& radices, Index threads) {
  Index const points = lines_of_run(tile) * tile.transformed.front().radix;
  FineDigits out;
  out.shared_rader = radices;
  FineDigit thread, element;
  thread.extent = int(threads);
  thread.read = thread.write = 1;
  element.extent = int((points + threads - 1) / threads);
  element.read = element.write = threads;
  out.digits = {thread, element};
  return out;
}

}  // namespace

std::vector<FineDigits> all_shared_rader(Tile const& tile, Index max_threads) {
  constexpr Index max_moved = 56;  // elements of a thread. A choice, not measured.
  std::vector<FineDigits> all;
  if (lines_of_run(tile) == 0) return all;
  for (auto const& radices : radices_in_place(tile.transformed.front().points())) {
    Index const threads = shared_rader_threads(tile_points(tile) / radices.back());
    if (threads <= max_threads && tile_points(tile) <= threads * max_moved)
      all.push_back(fine_digits_shared_rader(tile, radices, threads));
  }
  return all;
}

std::vector<std::vector<AssignedStep>> steps_shared_rader() {
  AssignedStep const moves{{{0}, {1}, {}}, -1};
  return {{moves, moves}};
}

/// Measured over predicted time of lines by Rader that stay in shared memory, by their radices, in f32.
/// Fitted: bench/results/h200-choices.md.
double shared_rader_correction(std::vector<int> const& radices, Tile const& tile) {
  constexpr double short_line = 1.08, by_two = 1.2, by_three = 1.5, with_long_radix = 1.1, by_four = 1.55;
  constexpr int least_long_radix = 37;
  if (radices.empty()) return 1;
  if (radices.size() == 2) return tile.transformed.front().prime() <= short_prime ? short_line : by_two;
  if (radices.size() == 3) return radices.back() >= least_long_radix ? with_long_radix : by_three;
  return by_four;
}

void set_shared_rader(Tile const& tile, Draft& draft, Index element_bytes, std::vector<RootTable>& tables) {
  kernel::SharedRader& to = draft.shared_rader;
  Index const p = tile.transformed.front().prime(), bytes = 4;
  to.prime = int(p);
  to.lines = int(lines_of_run(tile));
  for (int r : draft.fine_digits.shared_rader) to.radix[to.radices++] = r;
  std::vector<Index> radices(draft.fine_digits.shared_rader.begin(), draft.fine_digits.shared_rader.end());
  std::vector<Index> const fastest_first(radices.rbegin(), radices.rend());
  std::rotate(radices.begin(), radices.end() - 1,
              radices.end());  // entry by entry of the last one's butterflies
  Index const elements = ((p - 1) * bytes + element_bytes - 1) / element_bytes;
  to.table =
      int(add_table(tables, {p, 1, elements, 1, false, TableKind::rader, radices}) * (element_bytes / bytes));
  to.spectrum = int(add_table(tables, {p, 1, p - 1, 1, false, TableKind::rader_spectrum, fastest_first}));
}

void guard_shared_rader(Tile const& tile, Draft& draft) {
  FineAffineMap at = draft.read;
  std::fill(at.grid.begin(), at.grid.end(), 0);
  Index const prime = tile.transformed.front().radix;
  draft.guards.push_back({at, lines_of_run(tile) * prime});
  for (Carried const& own : tile.carried) {
    if (!own.held || !own.bound) continue;
    for (std::size_t g = 0; g < draft.grid.size(); ++g)
      if (Carried const& c = tile.carried[draft.grid[g]]; c.piece.digit == own.piece.digit)
        at.grid[g] = prime * c.piece.unit;
    draft.guards.push_back({at, prime * own.bound});
  }
}

}  // namespace skipper
