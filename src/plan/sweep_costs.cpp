// See sweep_costs.h.
#include "plan/sweep_costs.h"

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

/// All that the cost of sweep s hangs on: how the axes are dealt to all sweeps, and of layouts, tiles and chunks its own, with what
/// the sweep before leaves. Which arrays it reads and writes does not matter.
std::vector<Index> key_of(Program const& program, int s) {
  Key key;
  Sweep const& own = program.sweeps[s];
  key.add(s);
  key.add(own.with);
  key.add(own.layout);
  key.add(s > 0 ? program.sweeps[s - 1].layout : std::vector<Piece>{});
  for (Index n : {Index(own.tier), Index(own.ranks), own.chunk, Index(own.lanes), Index(own.yoked)})
    key.add(n);
  key.add(s > 0 ? program.sweeps[s - 1].chunk : 0);
  key.add(Index(program.sweeps.size()));
  for (Sweep const& sweep : program.sweeps) key.add(sweep.transforms);
  key.add(program.radices);
  key.add(Index(program.padded.size()));
  for (auto const& [digit, by] : program.padded) key.add(digit), key.add(by);
  for (int dim : program.convolved) key.add(dim);
  return key.take();
}

}  // namespace

std::optional<double> SweepCosts::lowered(Program const& program, int s) {
  auto const [known, fresh] = known_.try_emplace(key_of(program, s));
  if (fresh) known->second = lowered_sweep_cost(program, s, machine_);
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
