// Measures what programs of few tiles wait for: with and without what plan/lower/alone.h does for them, launched one
// after the other or early, calls early too, and with the memory on chip divided alike for all sweeps; and that all
// give the same bits.
//   alone LIST [programs=N] [thorough=1] [compile=1]
// where `compile` leaves it at filling the cache of kernels, which needs no GPU.
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/lower/alone.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

/// As lowered, but neither with two rooms nor with factors first, as many blocks an SM as fit.
gpu::Prepared crowded(gpu::Prepared prepared, Machine const& machine) {
  Index const element = element_bytes(prepared.program.problem);
  for (gpu::PreparedSweep& s : prepared.sweeps) {
    int number = 0, room = s.spec.shared;
    for (int i = 0; i < s.spec.steps; ++i) {
      kernel::Exchange& exchange = s.spec.step[i].exchange;
      if (!exchange.needed) continue;
      if (exchange.base > 0) room = exchange.base;
      exchange.base = 0;
      exchange.fence = number++ > 0 || exchange.remote;
    }
    s.spec.shared = room;
    s.spec.factors_first = false;
    s.spec.resident = resident_blocks(work_of(s.spec, element), machine);
  }
  return prepared;
}

template <class Change>
gpu::Prepared changed(gpu::Prepared prepared, Change change) {
  for (gpu::PreparedSweep& s : prepared.sweeps) change(s.spec);
  return prepared;
}

/// The program as it would be lowered, with and without what few tiles gain by; launched one after the other, each early, and
/// calls early too; with the memory on chip divided alike for all sweeps, so that an SM need not be idle to change it.
void add_lone(Program const& program, int number, bool thorough, Machine const& machine,
              std::vector<Variant>& all) {
  constexpr int all_shared = 1000;  // blocks that an SM would have to hold
  gpu::Prepared const both = lowered(program, machine), plain = crowded(both, machine);
  auto const add_as = [&](std::string const& name, gpu::Prepared prepared, gpu::FlowOptions flow) {
    gpu::set_flow(prepared, flow);
    all.push_back({std::move(prepared), number,
                   name + (flow.calls   ? " calls early " + std::to_string(flow.patience)
                           : flow.early ? " early"
                                        : "")});
  };
  auto const alike = [](kernel::SweepSpec& s) { s.most = all_shared; };
  auto const rooms = [](kernel::SweepSpec& s) { s = with_two_rooms(s); };
  auto const factors = [](kernel::SweepSpec& s) { s = with_factors_first(s), s.resident = 1; };
  add_as("both", both, {});
  for (int patience : {0, 1}) add_as("both", both, {.early = true, .calls = true, .patience = patience});
  if (!thorough) return;
  add_as("plain", plain, {});
  add_as("both", both, {.early = true, .calls = true, .patience = 2});
  add_as("plain", plain, {.early = true, .calls = true, .patience = 1});
  add_as("both alike", changed(both, alike), {});
  add_as("both alike", changed(both, alike), {.early = true, .calls = true, .patience = 1});
  if (program.sweeps.size() > 1) add_as("both", both, {.early = true});
  add_as("rooms", changed(plain, rooms), {});
  add_as("factors", changed(plain, factors), {});
}

std::vector<Variant> variants_of(cli::Case const& c, int programs, bool thorough, Machine const& machine) {
  std::vector<Variant> all;
  int number = 0;
  for (Candidate const& candidate :
       planner(*c.problem, machine, {.clusters = true, .chunks = false, .most = programs}))
    add_lone(candidate.program, number++, thorough, machine, all);
  return all;
}

}  // namespace

int main(int argc, char** argv) { return bench::measure_list(argc, argv, "alone", "thorough", variants_of); }
