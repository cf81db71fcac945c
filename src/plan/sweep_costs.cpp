// See sweep_costs.h.
#include "plan/sweep_costs.h"

#include <algorithm>
#include <utility>

#include "plan/cost.h"

namespace skipper {
namespace {

/// Numbers that tell sweeps apart: lists begin with their lengths.
class Key {
 public:
  void add(Index n) { numbers_.push_back(n); }
  void add(DigitKey d) { add(d.dim), add(d.part); }
  void add(Piece const& p) { add(p.digit), add(p.unit), add(p.extent); }
  template <class T>
  void add(std::vector<T> const& list) {
    add(Index(list.size()));
    for (T const& item : list) add(item);
  }
  std::vector<Index> take() { return std::move(numbers_); }

 private:
  std::vector<Index> numbers_;
};

/// All that the cost of sweep s hangs on: how the axes are assigned to all sweeps, and of layouts, tiles and L2 blocks its
/// own, with what the sweep before leaves. Which arrays it reads and writes does not matter.
std::vector<Index> key_of(Program const& program, int s) {
  Key key;
  Sweep const& own = program.sweeps[s];
  key.add(s);
  key.add(own.with);
  key.add(own.layout);
  key.add(s > 0 ? program.sweeps[s - 1].layout : std::vector<Piece>{});
  for (Index n :
       {Index(own.tier), Index(own.cluster_ranks), own.l2_block, Index(own.streams), Index(own.fused)})
    key.add(n);
  key.add(s > 0 ? program.sweeps[s - 1].l2_block : 0);
  key.add(Index(program.sweeps.size()));
  for (Sweep const& sweep : program.sweeps) key.add(sweep.transforms);
  key.add(program.radices);
  key.add(Index(program.transformed_by.size()));
  for (auto const& [digit, by] : program.transformed_by) key.add(digit), key.add(by);
  for (int dim : program.convolved) key.add(dim);
  return key.take();
}

/// Orders of so many radix stages in all, those of each sub-transform in their own; no more are tried than these.
double orders(std::vector<int> const& radix_stages) {
  constexpr double most = 4000;
  double all = 1;
  int before = 0;
  for (int n : radix_stages)
    for (int i = 1; i <= n; ++i) all = std::min(most, all * double(++before) / double(i));
  return all;
}

/// About what it takes to lower a sweep, over that of a sweep of one axis in one block: maps are tried with large radices and
/// with small ones, and in a cluster for every order of the radix stages.
Index lowering_work(Program const& program, int s) {
  constexpr double for_radix_stage = 1.0 / 8, for_order = 1.0 / 400;
  double work = 1;
  bool const cluster = program.sweeps[s].cluster_ranks > 1;
  for (Index radix : {16, 8, 4}) {
    std::vector<int> radix_stages;
    for (DigitKey d : program.sweeps[s].transforms) {
      auto const by = program.transformed_by.find(d);
      bool const twice =
          by != program.transformed_by.end() || phase_of(program, s, d) == ConvolutionPhase::middle;
      Index const points = by != program.transformed_by.end() ? by->second : extent_of(program, d);
      int n = 1;
      for (Index reach = radix; reach < points; reach *= radix) ++n;
      radix_stages.push_back(twice ? 2 * n : n);
      if (radix == 8) work += for_radix_stage * radix_stages.back();
    }
    if (cluster) work += 1.0 / 3 + for_order * orders(radix_stages);
  }
  return Index(work + 0.5);
}

}  // namespace

std::optional<double> SweepCosts::lowered(Program const& program, int s) {
  auto const [known, fresh] = known_.try_emplace(key_of(program, s));
  if (fresh) {
    work_.lowered += lowering_work(program, s);
    known->second = lowered_sweep_cost(program, s, machine_);
  }
  return known->second;
}

double SweepCosts::total(Program const& program) {
  std::vector<double> costs;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    std::optional<double> cost;
    if (machine_.kind == MachineKind::gpu) cost = lowered(program, s);
    costs.push_back(cost ? *cost : quick_sweep_cost(program, s, machine_));
  }
  return program_cost(program, costs);
}

}  // namespace skipper
