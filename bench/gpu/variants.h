// Whole programs in several variants, compiled on all cores and measured one after the other, each against a copy and
// for the same bits: for the measurements beside this file.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/gpu/arena.h"
#include "cli/all_cores.h"
#include "cli/cases.h"
#include "gpu/device.h"
#include "gpu/jit.h"
#include "gpu/loaded.h"
#include "plan/lower/fused_passes.h"
#include "plan/program.h"

namespace skipper::bench {

struct Variant {
  gpu::Prepared prepared;
  int program = 0;
  std::string mode;
};

inline gpu::Prepared lowered(Program const& program, Machine const& machine) {
  gpu::Prepared all{program, {}};
  for (Lowered const& low : lower_all(program, machine))
    all.sweeps.push_back(gpu::prepared(low, program.problem.precision));
  return all;
}

inline void compile(std::vector<Variant> const& all, Machine const& machine) {
  cli::on_all_cores(all.size(), 0, [&](std::size_t i) {
    std::vector<kernel::SweepSpec> specs;
    for (gpu::PreparedSweep const& s : all[i].prepared.sweeps) specs.push_back(s.spec);
    gpu::compile(specs, all[i].prepared.program.problem.precision == Precision::f64, machine.architecture, {},
                 {.harmless = all[i].prepared.harmless_spill, .local_bytes = {}});
  });
}

/// " | local N N", bytes of a thread of each kernel in local memory; nothing where all is in registers.
inline std::string local_text(gpu::LoadedProgram const& program) {
  std::string text;
  bool any = false;
  for (gpu::LoadedSweep const& s : program.sweeps) {
    if (s.kernel.module) text += " " + std::to_string(s.kernel.local_bytes.value_or(-1));
    any = any || s.kernel.local_bytes.value_or(0) > 0;
  }
  return any ? " | local" + text : "";
}

class VariantBench {
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
        gpu::loaded("variant " + std::to_string(number_++), 0, watch, [&] { return v.prepared; });
    auto const a = arena_.arrays(problem, program->workspace_bytes());
    gpu::Current const current(program->context);
    std::size_t const bytes = std::size_t(out_bytes(problem));
    arena_.poison(a.out, bytes);
    double const seconds = arena_.seconds([&] { program->launch(a.in, a.out, a.work, arena_.stream()); });
    auto const found = arena_.sample(a.out, bytes);
    if (expected_.empty()) expected_ = found;
    bool const same = found == expected_;
    std::printf("%s | %d | %s | %.2f us | x %.3f%s%s\n", text(problem).c_str(), v.program, v.mode.c_str(),
                seconds * 1e6, seconds / copy, local_text(*program).c_str(), same ? "" : " | OTHER BITS");
    std::fflush(stdout);
  }

  Arena arena_;
  std::vector<char> expected_;
  int number_ = 0;
};

/// Programs of a file, with empty lines between.
inline std::vector<Program> programs_of(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw Error(path, "cannot be read; name a file of programs, with empty lines between");
  std::vector<Program> all;
  std::string text;
  auto const take = [&] {
    if (!text.empty()) all.push_back(parse_program(text));
    text.clear();
  };
  for (std::string line; std::getline(file, line);)
    if (line.empty())
      take();
    else
      text += line + "\n";
  take();
  return all;
}

inline int number_in(std::string const& word, std::string const& name) {
  return word.starts_with(name + "=") ? std::atoi(word.c_str() + name.size() + 1) : -1;
}

/// Measures the cases of a list: TOOL LIST [programs=N] [EXTRA=1] [compile=1], where compile=2 only lists the variants.
/// `variants_of` has a case, the number of programs, whether the extra word is there, and the machine.
template <class VariantsOf>
int measure_list(int argc, char** argv, std::string const& tool, std::string const& extra,
                 VariantsOf const& variants_of) try {
  if (argc < 2) throw Error("LIST", "is missing; name a file of cases");
  int programs = 1, only_compile = 0, more = 0;
  for (int i = 2; i < argc; ++i) {
    bool known = false;
    for (auto const& [name, value] :
         {std::pair(std::string("programs"), &programs), {"compile", &only_compile}, {extra, &more}})
      if (int const given = number_in(argv[i], name); given >= 0) {
        known = true;
        if (given > 0) *value = given;
      }
    if (!known)
      throw Error(argv[i], "is no word of " + tool + "; use programs=N, " + extra + "=1 or compile=1");
  }
  Machine const h200 = machine("h200");
  std::optional<VariantBench> bench;
  for (cli::Case const& c : cli::read_list(argv[1])) {
    if (!c.problem) continue;
    auto const all = variants_of(c, programs, more > 0, h200);
    if (all.empty()) continue;
    if (only_compile == 2) {
      for (Variant const& v : all)
        std::printf("%s | %d | %s\n", text(*c.problem).c_str(), v.program, v.mode.c_str());
      continue;
    }
    compile(all, h200);
    if (only_compile) continue;
    if (!bench) bench.emplace();
    bench->measure(all);
  }
  return 0;
} catch (Error const& e) {
  std::fprintf(stderr, "%s: %s\n", tool.c_str(), e.what());
  return 2;
}

}  // namespace skipper::bench
