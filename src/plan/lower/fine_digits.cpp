// See fine_digits.h. Factorings of each sub-transform into codelet radices come first, then the cuts that make the fine digits.
#include "plan/lower/fine_digits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/numbers.h"
#include "kernel/queries.h"

namespace skipper {
namespace {

/// Ways to write n as a product of radices, largest first, none above `most`.
void factorings(Index n, Index most, std::vector<int>& chosen, std::vector<std::vector<int>>& found) {
  if (n == 1) {
    found.push_back(chosen);
    return;
  }
  for (Index r = std::min(n, most); r >= 2; --r) {
    if (n % r != 0 || !kernel::has_codelet(int(r))) continue;
    chosen.push_back(int(r));
    factorings(n / r, r, chosen, found);
    chosen.pop_back();
  }
}

bool are_coprime(std::vector<int> const& radices) {
  for (std::size_t i = 0; i < radices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (gcd(radices[i], radices[j]) > 1) return false;
  return true;
}

/// Few radix stages first; then the most even radices, since all radix stages share one number of threads. A radix above
/// `comfortable` crowds the registers, which is worth it only where it saves two radix stages (15625 = 25^3). In the order of
/// powers the radices may as well be coprime.
std::vector<std::vector<int>> ranked_factorings(Index n, int comfortable, bool rader) {
  Index largest = 2;
  for (Factor const& f : factorise(n)) largest = std::max(largest, f.prime);
  std::vector<std::vector<int>> found;
  std::vector<int> chosen;
  factorings(n, std::max<Index>(largest, comfortable * 27 / 16), chosen, found);
  auto const key = [&](std::vector<int> const& f) {
    bool const crowded = !f.empty() && f.front() > std::max<int>(comfortable, int(largest));
    return std::tuple(2 * f.size() + (crowded ? 3 : 0) + (rader && !are_coprime(f)),
                      f.empty() ? 0 : f.front(), f.empty() ? 0 : -f.back());
  };
  std::stable_sort(found.begin(), found.end(), [&](auto const& x, auto const& y) { return key(x) < key(y); });
  return found;
}

/// Places within a digit of radix r and weight `unit` where the runs of a layout cut it; nothing where a cut falls
/// between the multiples.
std::optional<std::set<Index>> cuts_within(std::vector<Run> const& runs, Index unit, Index r) {
  std::set<Index> cuts;
  for (Run const& run : runs) {
    if (run.unit <= unit || run.unit >= unit * r) continue;
    if (run.unit % unit != 0 || r % (run.unit / unit) != 0) return std::nullopt;
    cuts.insert(run.unit / unit);
  }
  return cuts;
}

/// Primes of r, fastest first, such that every cut is a product of the first few; `descending` where the large ones are the
/// fastest.
std::optional<std::vector<int>> primes_by_cuts(Index r, std::set<Index> cuts, bool descending) {
  cuts.insert(r);
  std::vector<int> primes;
  Index at = 1;
  for (Index cut : cuts) {
    if (cut % at != 0) return std::nullopt;
    auto const begin = std::ptrdiff_t(primes.size());
    for (Factor const& f : factorise(cut / at)) primes.insert(primes.end(), f.power, int(f.prime));
    if (descending) std::reverse(primes.begin() + begin, primes.end());
    at = cut;
  }
  return primes;
}

/// The runs of a digit as they go on past its end, where a convolution pads it.
std::vector<Run> unending(std::vector<Run> runs, Transformed const& t) {
  if (t.by && !runs.empty()) runs.back().extent *= t.by;
  return runs;
}

/// Radix stages and fine digits of one sub-transform with the given radices, or nothing where they do not fit the layouts.
/// What is transformed twice is written by the index it was read by.
bool add_radix_stages(Transformed const& t, int sub, std::vector<int> const& radices, Index rows,
                      bool descending, FineDigits& out) {
  auto const read = unending(t.read, t), write = unending(t.write, t);
  if (t.by && (read.size() > 1 || write.size() > 1)) return false;
  Index const rest = t.cofactor();
  if (rest > 1) {  // x[j1 p + j2] becomes number k1 + rest k2: lines k1 of the prime's transform
    out.cofactor = int(rest);
    out.radix_stages.push_back({sub, int(rest), 0, 0, false});
    Index unit = 1;
    for (Factor const& f : factorise(rest))
      for (int i = 0; i < f.power; ++i, unit *= f.prime)
        out.digits.push_back({int(f.prime), t.read.front().stride * t.prime() * unit,
                              t.write.front().stride * unit, int(out.radix_stages.size()) - 1, 0, 0, -1, 0});
  }
  Index j = t.points() / rest, k = 1;
  int const first = int(out.radix_stages.size());
  for (std::size_t i = 0; i < radices.size(); ++i) {
    int const r = radices[i];
    j /= r;
    Index const to = t.transforms_twice() ? j : k;
    auto const read_cuts = cuts_within(read, j, r), write_cuts = cuts_within(write, to, r);
    if (!read_cuts || !write_cuts) return false;
    auto cuts = *read_cuts;
    cuts.insert(write_cuts->begin(), write_cuts->end());
    if (rows > 1 && cuts.empty() && r % rows == 0) cuts = {rows / 2, rows};
    auto const primes = primes_by_cuts(r, cuts, descending);
    if (!primes) return false;
    int const radix_stage = int(out.radix_stages.size());
    out.radix_stages.push_back({sub, r, j, k, i + 1 == radices.size() && !t.transforms_twice()});
    Index unit = 1;
    for (int p : *primes) {
      out.digits.push_back({p, stride_at(read, j * unit), rest * stride_at(write, to * unit), radix_stage,
                            j * unit, k * unit, -1, 0});
      unit *= p;
    }
    k *= r;
  }
  for (int i = int(radices.size()) - 1; t.transforms_twice() && i >= 0; --i) {
    RadixStage const& there = out.radix_stages[first + i];
    out.radix_stages.push_back({sub, there.radix, there.j, there.k, i == 0, -1, first + i});
  }
  return true;
}

/// All of it one fine digit, in one run: a warp finds the elements of a line by one stride.
void add_direct_dft(Transformed const& t, int sub, FineDigits& out) {
  if (t.read.size() > 1 || t.write.size() > 1)
    throw Error("program: tile", "a sub-transform of " + std::to_string(t.radix) +
                                     " by its matrix is cut by a layout; lay it down in one piece");
  RadixStage radix_stage{sub, int(t.radix), 1, 1, true};
  radix_stage.is_direct = true;
  out.digits.push_back({int(t.radix), t.read.front().stride, t.write.front().stride,
                        int(out.radix_stages.size()), 1, 1, -1, 0});
  out.radix_stages.push_back(radix_stage);
}

/// Of three radices, each with its primes in either order.
constexpr int cosine_orders = 12;

void add_sub_transform(Transformed const& t, int sub, int comfortable, int choice, Index rows,
                       FineDigits& out) {
  if (t.is_direct()) return add_direct_dft(t, sub, out);
  auto ranked = ranked_factorings(t.points() / t.cofactor(), comfortable, t.by_rader());
  bool const cosines = out.read_makhoul || out.write_makhoul;
  int const next = cosines ? choice / cosine_orders : choice;
  if (next < int(ranked.size()) && ranked[next].size() == ranked.front().size())
    std::rotate(ranked.begin(), ranked.begin() + next, ranked.end());
  for (auto radices : ranked) {
    std::sort(radices.begin(), radices.end(), std::greater<>());
    for (int again = choice % cosine_orders / 2; cosines && again > 0; --again)
      std::prev_permutation(radices.begin(), radices.end());
    do {
      FineDigits attempt = out;
      if (add_radix_stages(t, sub, radices, rows, cosines && choice % 2 == 1, attempt)) {
        out = std::move(attempt);
        return;
      }
    } while (std::prev_permutation(radices.begin(), radices.end()));
  }
  throw Error("program: tile",
              "a sub-transform of " + std::to_string(t.radix) + " has no radices that fit its layouts");
}

/// Where the tile is transformed by Rader, its lines are next to each other on chip: whatever the order
/// of the points, neighbouring threads then meet in no bank.
void add_rader(Tile const& tile, FineDigits& out) {
  out.by_rader =
      std::any_of(tile.transformed.begin(), tile.transformed.end(), [](auto& t) { return t.by_rader(); });
  if (!out.by_rader) return;
  std::vector<int> radices;
  for (std::size_t s = 0; s < out.radix_stages.size(); ++s)
    if (out.radix_stages[s].again < 0 && !out.rader_cofactor(int(s)))
      radices.push_back(out.radix_stages[s].radix);
  out.coprime = are_coprime(radices);
  Index lines = 1;
  for (bool beside : {false, true})
    for (FineDigit& a : out.digits)
      if (beside ? out.rader_cofactor(a.radix_stage) : a.radix_stage < 0) {
        a.apart = lines;
        lines *= a.extent;
      }
  for (FineDigit& a : out.digits)
    if (a.radix_stage >= 0 && !out.rader_cofactor(a.radix_stage)) a.apart = lines * a.j;
}

}  // namespace

FineDigits fine_digits_of(Tile const& tile, int comfortable_radix, int choice, Index rows) {
  FineDigits out;
  out.read_makhoul = tile.read_makhoul;
  out.write_makhoul = tile.write_makhoul;
  out.fused_inverse = tile.fused_inverse;
  for (std::size_t i = 0; i < tile.transformed.size(); ++i)
    add_sub_transform(tile.transformed[i], int(i), comfortable_radix, choice, rows, out);
  for (RadixStage& radix_stage : out.radix_stages) {
    DigitKey const own = tile.transformed[radix_stage.sub].digit;
    for (std::size_t i = 0; i < tile.transformed.size(); ++i)
      if (tile.transformed[i].digit == DigitKey{own.dim, own.part - 1}) radix_stage.waits_for = int(i);
  }
  for (std::size_t c = 0; c < tile.carried.size(); ++c) {
    Carried const& carried = tile.carried[c];
    if (!carried.held) continue;
    Index unit = 1;
    for (Factor const& f : factorise(carried.piece.extent))
      for (int i = 0; i < f.power; ++i) {
        out.digits.push_back({int(f.prime), carried.read * unit, carried.write * unit, -1, 0, 0, int(c),
                              carried.piece.unit * unit});
        unit *= f.prime;
      }
  }
  add_rader(tile, out);
  out.by_bluestein = tile.transformed.size() == 1 && tile.transformed.front().by_bluestein();
  return out;
}

}  // namespace skipper
