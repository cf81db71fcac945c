// Measures programs of few tiles with and without what plan/lower/latency_bound.h does for them, by ordinary and by dependent
// launches, within a call and between calls, and with the memory on chip divided alike for all sweeps; and checks that all give the
// same bits.
//   bench_latency_bound LIST [programs=N] [thorough=1] [configurations=N] [given=FILE] [compile=1]
// where `compile` leaves it at filling the cache of kernels, which needs no GPU, `configurations` tries so many others for each sweep,
// and `given` names a file of programs, with empty lines between, that are measured beside the planner's.
#include <algorithm>
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/lower/latency_bound.h"
#include "plan/lower/configuration.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

/// As lowered, but neither double-buffered nor with preloaded twiddles, as many blocks an SM as fit.
gpu::Prepared crowded(gpu::Prepared prepared, Machine const& machine) {
  Index const element = element_bytes(prepared.program.problem);
  for (gpu::PreparedSweep& s : prepared.sweeps) {
    int number = 0, own = s.spec.shared;
    for (int i = 0; i < s.spec.steps; ++i) {
      kernel::Exchange& exchange = s.spec.step[i].exchange;
      if (!exchange.needed) continue;
      if (exchange.base > 0) own = exchange.base;
      exchange.base = 0;
      exchange.fence = number++ > 0 || exchange.remote;
    }
    s.spec.shared = own;
    s.spec.preloads_twiddles = false;
    s.spec.resident = resident_blocks(work_of(s.spec, element), machine);
  }
  return prepared;
}

template <class Change>
gpu::Prepared changed(gpu::Prepared prepared, Change change) {
  for (gpu::PreparedSweep& s : prepared.sweeps) change(s.spec);
  return prepared;
}

/// With so much shared memory that an SM holds no more blocks of a sweep than it must: blocks of a dependent launch cannot crowd.
gpu::Prepared spread(gpu::Prepared prepared, Machine const& machine) {
  Index const element = element_bytes(prepared.program.problem);
  for (gpu::PreparedSweep& s : prepared.sweeps) {
    Index const on_one = (s.tiles * s.spec.cluster_ranks + machine.sms - 1) / machine.sms;
    Index const bytes = machine.shared_sm / (on_one + 1) - machine.shared_reserved + element;
    s.spec.shared = std::max(s.spec.shared, int(bytes / element));
  }
  return prepared;
}

/// The program as it would be lowered, with and without what few tiles gain by; by ordinary launches, by dependent ones, and by those
/// between calls too; with the memory on chip divided alike for all sweeps, so that an SM need not be idle to change it.
void add_single(Program const& program, int number, bool thorough, Machine const& machine,
                std::vector<Variant>& all) {
  constexpr int all_shared = 1000;  // blocks that an SM would have to hold
  gpu::Prepared const both = lowered(program, machine), plain = crowded(both, machine);
  auto const add_as = [&](std::string const& name, gpu::Prepared prepared, gpu::FlowOptions flow) {
    gpu::set_flow(prepared, flow);
    all.push_back(
        {std::move(prepared), number,
         name + (flow.calls ? std::string(" dependent calls") + (flow.triggers_late ? " triggers late" : "")
                 : flow.dependent ? " dependent"
                                  : "")});
  };
  auto const alike = [](kernel::SweepSpec& s) { s.max_resident = all_shared; };
  auto const buffers = [](kernel::SweepSpec& s) { s = with_double_buffering(s); };
  auto const factors = [](kernel::SweepSpec& s) { s = with_preloaded_twiddles(s), s.resident = 1; };
  add_as("both", both, {});
  for (bool triggers_late : {false, true}) {
    add_as("both", both, {.dependent = true, .calls = true, .triggers_late = triggers_late});
    add_as("spread", spread(both, machine),
           {.dependent = true, .calls = true, .triggers_late = triggers_late});
  }
  if (!thorough) return;
  add_as("plain", plain, {});
  add_as("plain", plain, {.dependent = true, .calls = true, .triggers_late = true});
  add_as("both alike", changed(both, alike), {});
  add_as("both alike", changed(both, alike), {.dependent = true, .calls = true, .triggers_late = true});
  if (program.sweeps.size() > 1) add_as("both", both, {.dependent = true});
  add_as("double buffering", changed(plain, buffers), {});
  add_as("preloaded twiddles", changed(plain, factors), {});
}

/// The program with one of its sweeps in another configuration, launched dependently: a program each, since its bits may differ.
void add_configurations(Program const& program, int configurations, Machine const& machine,
                        std::vector<Variant>& all) {
  gpu::Prepared const base = lowered(program, machine);
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    int taken = 0;
    for (Configuration const& configuration : all_configurations(program, s, tile_of(program, s), machine)) {
      gpu::Prepared other = base;
      other.sweeps[std::size_t(s)] =
          gpu::prepared(lower(program, s, machine, configuration), program.problem.precision);
      if (!configuration.fits || other.sweeps[std::size_t(s)].spec == base.sweeps[std::size_t(s)].spec)
        continue;
      if (taken++ == configurations) break;
      gpu::set_flow(other, {.dependent = true, .calls = true, .triggers_late = true});
      std::string radices;
      for (int i = 0; i < other.sweeps[std::size_t(s)].spec.steps; ++i)
        radices += " " + std::to_string(other.sweeps[std::size_t(s)].spec.step[i].radix);
      all.push_back({other, all.back().program + 1,
                     "sweep " + std::to_string(s) + " of" + radices + " in " +
                         std::to_string(configuration.work.threads) +
                         " threads, dependent calls triggers late"});
    }
  }
}

/// What the program takes beside the words of measure_list().
struct More {
  int configurations = 0;
  std::vector<Program> given;
};

std::vector<Variant> variants_of(cli::Case const& c, int programs, bool thorough, Machine const& machine,
                                 More const& more) {
  std::vector<Program> taken;
  for (Candidate const& candidate :
       planner(*c.problem, machine, {.clusters = true, .l2_blocks = false, .max_candidates = programs}))
    taken.push_back(candidate.program);
  for (Program const& p : more.given)
    if (p.problem == *c.problem) taken.push_back(p);
  std::vector<Variant> all;
  for (Program const& p : taken) {
    add_single(p, all.empty() ? 0 : all.back().program + 1, thorough, machine, all);
    add_configurations(p, more.configurations, machine, all);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  More more;
  std::vector<char*> words;
  for (int i = 0; i < argc; ++i) {
    std::string const word = argv[i];
    if (int const configurations = bench::number_in(word, "configurations"); configurations >= 0)
      more.configurations = configurations;
    else if (word.starts_with("given="))
      more.given = bench::programs_of(word.substr(6));
    else
      words.push_back(argv[i]);
  }
  return bench::measure_list(int(words.size()), words.data(), "bench_latency_bound", "thorough",
                             [&](auto const&... all) { return variants_of(all..., more); });
} catch (Error const& e) {
  std::fprintf(stderr, "bench_latency_bound: %s\n", e.what());
  return 2;
}
