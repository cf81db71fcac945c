// The kernels of golden H200 programs as PTX: each is assembled, and none spills more than a few bytes. One of each family of
// mechanisms, the shortest. Skipped where there is no nvJitLink.
#include "ir/ptx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include "ir/check.h"
#include "ir/contract.h"
#include "ir/sink.h"
#include "plan/planner.h"
#include "support/assembler.h"
#include "support/goldens.h"
#include "support/quick.h"
#include "support/source_dir.h"
#include "trace/both.h"
#include "trace/fused.h"
#include "trace/fused_sweeps.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

/// Which parts of the kernel's text are in use.
std::string family(LoweredSweep const& sweep) {
  kernel::SweepSpec const& s = sweep.lowered.spec;
  std::string name = sweep.is_double ? "f64" : "f32";
  auto add = [&](bool used, char const* part) { name += used ? part : ""; };
  add(s.cluster_ranks > 1, " cluster");
  add(s.guards > 0, " guards");
  add(s.pre.real_axis, " from axis");
  add(s.post.real_axis, " to axis");
  add(s.pre.real, " from real");
  add(s.post.real, " to real");
  add(s.hermitian.used, s.hermitian.columns ? " columns" : " hermitian");
  add(s.hermitian.conjugate_rows.used, " conjugate rows");
  add(s.hermitian.crossed_axis.used, " crossed");
  add(s.rader.used, s.rader.real_rader ? " real Rader" : " Rader");
  add(s.shared_rader.radices > 0, " shared Rader");
  add(s.pre.makhoul || s.post.makhoul, " Makhoul");
  add(s.post.coalesced_pairs > 0, " coalesced");
  add(s.load_factor.needed || s.store_factor.needed, " Bluestein");
  bool direct = false;
  for (int i = 0; i < s.steps; ++i) direct = direct || s.step[i].direct_dft.used;
  add(direct, " direct");
  return name;
}

int length(LoweredSweep const& sweep) {
  return sweep.lowered.spec.steps * kernel::max_elements_per_thread(sweep.lowered.spec);
}

std::map<std::string, LoweredSweep> shortest_of_each_family() {
  Machine const h200 = machine("h200");
  std::map<std::string, LoweredSweep> shortest;
  for (Golden const& golden : goldens("h200"))
    for (int s = 0; s < int(golden.program.sweeps.size()); ++s) {
      LoweredSweep sweep = lowered_sweep(golden.program, s, h200);
      std::string const name = family(sweep);
      auto const there = shortest.find(name);
      if (there == shortest.end() || length(sweep) < length(there->second))
        shortest.insert_or_assign(name, std::move(sweep));
    }
  return shortest;
}

constexpr int few_bytes = 32;        // that a thread may spill, as in tests/kernel/golden_nvrtc_test.cpp
constexpr int max_bytes_fused = 40;  // of fused kernels

TEST(TracedPtx, OfEachFamilyIsAssembled) {
  int assembled = 0, spilled = 0;
  for (auto const& [name, sweep] : shortest_of_each_family()) {
    SCOPED_TRACE(name + "\n" + skipper::text(sweep.problem));
    ir::Type const real = sweep.is_double ? ir::Type::f64 : ir::Type::f32;
    auto const made =
        assemble(ir::ptx(ir::sunk(ir::contracted(trace::trace(sweep.lowered.spec, real))), {90}), 90);
    if (!made) GTEST_SKIP() << "no nvJitLink here";
    EXPECT_TRUE(made->ok) << made->log;
    EXPECT_LE(made->spilled, few_bytes);
    EXPECT_GT(made->registers, 0);
    EXPECT_LE(made->registers * sweep.lowered.spec.threads * std::max(1, sweep.lowered.spec.resident), 65536);
    ++assembled;
    spilled += made->spilled > 0;
  }
  std::cout << assembled << " kernels, " << spilled << " spill\n";
  EXPECT_GE(assembled, 40);
  EXPECT_LE(spilled, 1 + assembled / 20);
}

std::vector<Program> fused_programs() {
  std::vector<Program> programs;
  for (Golden const& golden : goldens("h200")) programs.push_back(golden.program);
  std::ifstream file(source_dir() / "tests/machine_code/fused.txt");
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#' && takes(programs.size(), 10))
      programs.push_back(planner(parse_problem(line), machine("h200")).front().program);
  std::erase_if(programs, [](Program const& p) {
    return std::ranges::none_of(p.sweeps, [](Sweep const& s) { return s.fused; });
  });
  return programs;
}

TEST(TracedPtx, OfFusedPassesIsAssembled) {
  int assembled = 0, spilled = 0;
  for (Program const& program : fused_programs()) {
    SCOPED_TRACE(skipper::text(program));
    int s = 0;
    while (!program.sweeps[std::size_t(s)].fused) ++s;
    Fused const f = fused(program, s, 4);
    ir::Type const real = program.problem.precision == Precision::f64 ? ir::Type::f64 : ir::Type::f32;
    ir::Kernel const kernel = trace::trace_fused(f.first.spec, f.last.spec, f.passes, real);
    EXPECT_TRUE(ir::faults(kernel).empty()) << ir::faults(kernel).front();
    auto const made = assemble(ir::ptx(ir::sunk(ir::contracted(kernel)), {90}), 90);
    if (!made) GTEST_SKIP() << "no nvJitLink here";
    EXPECT_TRUE(made->ok) << made->log;
    EXPECT_LE(made->spilled, max_bytes_fused);
    ++assembled;
    spilled += made->spilled > 0;
  }
  std::cout << assembled << " fused kernels, " << spilled << " spill\n";
  EXPECT_GE(assembled, 9);
}

}  // namespace
}  // namespace skipper::testing
