// See one_line.h. The cost of a pass is that of radices.h times its waste: the vectors that it takes over the (fractional) number of
// widest vectors that its columns would fill. 10 columns in vectors of 8 lanes take two, where 10/16 of a vector of 16 would do.
#include "cpu/one_line.h"

#include <map>

#include "base/numbers.h"
#include "cpu/line.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

constexpr double begin_pass = 20000;  // picoseconds
constexpr double narrower = 0.85;     // the time of a vector of half the width: more of them are in flight

Index widest_up_to(Index count, Kernels const& kernels) {
  for (int i = 0; i + 1 < kernels.tables; ++i)
    if (kernels.table[i].lanes <= count) return kernels.table[i].lanes;
  return least_lanes(kernels);
}

/// Finds the cheapest radices, given the width of the first pass and the format of the buffer.
class OneLinePlanner {
 public:
  OneLinePlanner(Index n, PassTable const& first, bool blocked, Kernels const& kernels, int scalar_bytes)
      : n_(n), first_(first), blocked_(blocked), kernels_(kernels), bytes_(scalar_bytes) {
    for (int r = max_symmetric_prime; r > 1; --r)
      if (n % r == 0 && (r <= max_radix || is_prime(r))) radices_.push_back(r);
  }

  OneLinePlan best() {
    OneLinePlan plan{&first_, nullptr, {}, blocked_, 0};
    Index const lanes = first_.lanes;
    int first = 0;
    for (int r : radices_) {
      if (r < lanes || n_ / r < lanes || (blocked_ && r % lanes)) continue;
      double const cost = pass_cost(r, bytes_).first_line * waste(n_ / r, lanes) + after(r).cost;
      if (first != 0 && cost >= plan.cost) continue;
      plan.cost = cost;
      first = r;
    }
    if (first == 0) return plan;
    plan.radices = {first};
    for (Index before = first; before < n_; before *= plan.radices.back())
      plan.radices.push_back(after(before).radix);
    return plan;
  }

 private:
  struct Rest {
    double cost = 1e300;
    int radix = 1;  // of the next pass
  };

  /// The cheapest passes after those whose radices have the product `before`, which is the columns of the next one.
  Rest after(Index before) {
    if (auto const known = memory_.find(before); known != memory_.end()) return known->second;
    Rest found;
    double const columns = waste(before, blocked_ ? first_.lanes : widest_up_to(before, kernels_));
    double const begin = begin_pass / static_cast<double>(n_);
    Index const left = n_ / before;
    for (int r : radices_) {
      if (left % r) continue;
      PassCost const pass = pass_cost(r, bytes_);
      double const cost =
          r == left ? begin + columns * pass.last : begin + columns * pass.inner + after(before * r).cost;
      if (cost < found.cost) found = {cost, r};
    }
    return memory_[before] = found;
  }

  /// The vectors of `lanes` that cover `count` numbers, over the widest vectors that they would fill.
  double waste(Index count, Index lanes) const {
    double vectors = static_cast<double>((count + lanes - 1) / lanes);
    for (Index wide = max_lanes(kernels_); wide > lanes; wide /= 2) vectors *= narrower;
    return vectors * static_cast<double>(max_lanes(kernels_)) / static_cast<double>(count);
  }

  Index n_;
  PassTable const& first_;
  bool blocked_;
  Kernels const& kernels_;
  int bytes_;
  std::vector<int> radices_;  // that divide n
  std::map<Index, Rest> memory_;
};

}  // namespace

template <class T>
OneLinePlan plan_one_line(Index n, Kernels const& kernels) {
  OneLinePlan best;
  for (int i = 0; i < kernels.tables; ++i) {
    PassTable const& table = kernels.table[i];
    Index const r = n / table.lanes;
    if (n % table.lanes || r > max_radix || !table.unbuffered->small_line[r]) continue;
    return {&table, table.unbuffered->small_line[r], {static_cast<int>(r), table.lanes}, false, 0};
  }
  if (kernels.tables == 1) {  // the costs are those of its passes as they are, with what they waste
    best = {&kernels.table[0], nullptr, line_radices(n, least_lanes(kernels), sizeof(T)), false, 0};
    best.blocked = !best.radices.empty() && best.radices[0] % least_lanes(kernels) == 0;
    return best;
  }
  constexpr double planar = 1.08;  // what they cost over blocks
  for (int i = 0; i < kernels.tables; ++i)
    for (bool const blocked : {true, false}) {
      OneLinePlan plan = OneLinePlanner(n, kernels.table[i], blocked, kernels, sizeof(T)).best();
      if (!blocked) plan.cost *= planar;
      if (!plan.radices.empty() && (best.radices.empty() || plan.cost < best.cost)) best = plan;
    }
  return best;
}

template <class T>
bool better_as_columns(Index n, Kernels const& kernels) {
  constexpr Index most = 2048;                   // points, so that a tile of lines is a part of L2
  constexpr double transposed = 90 * sizeof(T);  // there, and the same back: about a pass of radix 4
  if (n > most || !has_passes(n) || kernels.tables == 1) return false;
  OneLinePlan const single = plan_one_line<T>(n, kernels);
  if (single.small || single.radices.empty()) return false;
  auto const radices = line_radices(n, 1, sizeof(T));
  double columns = 2 * transposed;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    PassCost const pass = pass_cost(radices[i], sizeof(T));
    columns += i + 1 < radices.size() ? pass.inner : pass.last;
  }
  return columns < single.cost;
}

template OneLinePlan plan_one_line<float>(Index, Kernels const&);
template OneLinePlan plan_one_line<double>(Index, Kernels const&);
template bool better_as_columns<float>(Index, Kernels const&);
template bool better_as_columns<double>(Index, Kernels const&);

}  // namespace skipper::cpu
