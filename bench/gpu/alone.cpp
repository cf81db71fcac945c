// Measures what programs of few tiles wait for: with and without what plan/lower/alone.h does for them, launched one after the
// other or early, calls early too, and with the memory on chip divided alike for all sweeps; and that all give the same bits.
//   alone LIST [programs=N] [thorough=1] [compile=1]
// where `compile` leaves it at filling the cache of kernels, which needs no GPU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/arena.h"
#include "cli/all_cores.h"
#include "cli/cases.h"
#include "gpu/device.h"
#include "gpu/jit.h"
#include "gpu/loaded.h"
#include "plan/lower/alone.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

using namespace skipper;

namespace {

struct Variant {
  gpu::Prepared prepared;
  int program = 0;
  std::string mode;
};

gpu::Prepared lowered(Program const& program, Machine const& machine) {
  gpu::Prepared all{program, {}};
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    all.sweeps.push_back(gpu::prepared(lower(program, s, machine), program.problem.precision));
  return all;
}

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

void compile(std::vector<Variant> const& all, Machine const& machine) {
  cli::on_all_cores(all.size(), 0, [&](std::size_t i) {
    std::vector<kernel::SweepSpec> specs;
    for (gpu::PreparedSweep const& s : all[i].prepared.sweeps) specs.push_back(s.spec);
    gpu::compile(specs, all[i].prepared.program.problem.precision == Precision::f64, machine.architecture);
  });
}

class Bench {
 public:
  void measure(std::vector<Variant> const& all) {
    Problem const& problem = all.front().prepared.program.problem;
    double const copy = arena_.copy_seconds(problem);
    std::printf("# %s copy %.2f us\n", text(problem).c_str(), copy * 1e6);
    int program = -1;
    for (Variant const& v : all) try {
        if (v.program != program) {
          std::printf("# program %d:\n%s", program = v.program, text(v.prepared.program).c_str());
          expected_.clear();
        }
        measure(v, copy);
      } catch (std::exception const& e) {
        std::printf("%s | %d | %s | %s\n", text(problem).c_str(), v.program, v.mode.c_str(), e.what());
      }
  }

 private:
  void measure(Variant const& v, double copy) {
    Problem const& problem = v.prepared.program.problem;
    Stopwatch watch;
    auto const program =
        gpu::loaded("alone " + std::to_string(number_++), 0, watch, [&] { return v.prepared; });
    auto const a = arena_.arrays(problem, program->workspace_bytes());
    gpu::Current const current(program->context);
    std::size_t const bytes = std::size_t(out_bytes(problem));
    arena_.poison(a.out, bytes);
    double const seconds = arena_.seconds([&] { program->launch(a.in, a.out, a.work, arena_.stream()); });
    auto const found = arena_.sample(a.out, bytes);
    if (expected_.empty()) expected_ = found;
    bool const same = found == expected_;
    std::printf("%s | %d | %s | %.2f us | x %.3f%s\n", text(problem).c_str(), v.program, v.mode.c_str(),
                seconds * 1e6, seconds / copy, same ? "" : " | OTHER BITS");
    std::fflush(stdout);
  }

  bench::Arena arena_;
  std::vector<char> expected_;
  int number_ = 0;
};

int number_in(std::string const& word, std::string const& name) {
  return word.starts_with(name + "=") ? std::atoi(word.c_str() + name.size() + 1) : -1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw Error("LIST", "is missing; name a file of cases");
  int programs = 1, only_compile = 0;
  bool thorough = false;
  for (int i = 2; i < argc; ++i) {
    int const wanted = number_in(argv[i], "programs"), compiled = number_in(argv[i], "compile"),
              more = number_in(argv[i], "thorough");
    if (wanted < 0 && compiled < 0 && more < 0)
      throw Error(argv[i], "is no word of alone; use programs=N, thorough=1 or compile=1");
    if (more > 0) thorough = true;
    if (wanted > 0) programs = wanted;
    if (compiled > 0) only_compile = compiled;
  }
  Machine const h200 = machine("h200");
  std::optional<Bench> bench;
  for (cli::Case const& c : cli::read_list(argv[1])) {
    if (!c.problem) continue;
    auto const all = variants_of(c, programs, thorough, h200);
    if (all.empty()) continue;
    compile(all, h200);
    if (only_compile) continue;
    if (!bench) bench.emplace();
    bench->measure(all);
  }
} catch (Error const& e) {
  std::fprintf(stderr, "alone: %s\n", e.what());
  return 2;
}
