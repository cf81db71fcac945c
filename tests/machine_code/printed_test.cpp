// Traced kernels as CUDA C++ and as PTX, compiled to machine code and run beside the emulator: the first, the middle and the last tile
// of each sweep of the problems in kernels.txt; of fused sweeps in both launches, and that items are deferred. With SKIPPER_QUICK=1
// a sample, with SKIPPER_LONG=1 those of fused.txt too, with SKIPPER_PROBLEM that problem alone. Skipped where there is no NVRTC or no
// nvdisasm.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>

#include "gpu/recorded.h"
#include "ir/cuda.h"
#include "ir/ptx.h"
#include "machine_code/launches.h"
#include "machine_code/listed_problems.h"
#include "plan/spec_text.h"
#include "support/assembler.h"
#include "support/nvdisasm.h"
#include "support/nvrtc.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// The first tile, one in the middle and the last.
std::set<Index> tiles_of(gpu::PreparedSweep const& sweep) { return {0, sweep.tiles / 2, sweep.tiles - 1}; }

/// What is wrong with the machine code of a kernel that sweep s launches; empty where nothing is.
template <class T>
std::string wrong(gpu::Prepared const& prepared, std::size_t s, gpu::FusedLaunch launch,
                  sass::Code const& code) {
  Runs<T> const runs(prepared);
  auto const& sweeps = prepared.sweeps;
  std::string all;
  if (!gpu::is_fused_first(sweeps[s].spec)) {
    for (Index const tile : tiles_of(sweeps[s])) all += runs.sweep(s, code, tile);
    return all;
  }
  bool const second = launch == gpu::FusedLaunch::deferred;
  for (bool const last : {false, true})
    for (Index const tile : tiles_of(sweeps[s + last])) all += runs.fused(s, code, last, tile, second, true);
  if (!second) all += runs.deferred(s, code, sweeps[s + 1].tiles / 2, true);
  return all;
}

std::string wrong(gpu::Prepared const& prepared, std::size_t s, gpu::FusedLaunch launch,
                  std::string const& cubin) try {
  sass::Code const code = sass::decode(disassembled(*nvdisasm(), cubin));
  bool const is_double = prepared.program.problem.precision == Precision::f64;
  return is_double ? wrong<double>(prepared, s, launch, code) : wrong<float>(prepared, s, launch, code);
} catch (sass::Fault const& fault) {
  return fault.what();
}

/// A kernel, by both ways to machine code.
void expect_right(Nvrtc const& nvrtc, gpu::Prepared const& prepared, std::size_t s, gpu::FusedLaunch launch) {
  ir::Kernel const kernel = gpu::recorded(prepared, s, launch);
  SCOPED_TRACE("sweep " + std::to_string(s) + ", " + kernel.name);
  bool const is_double = prepared.program.problem.precision == Precision::f64,
             calls_user = has_user(prepared.sweeps[s].spec);
  std::string const users = calls_user ? user_source(prepared.user, is_double) : "";
  Compiled const compiled = nvrtc.compile(ir::cuda(kernel, users), {}, "sm_90", {"--fmad=false"});
  EXPECT_EQ(compiled.ok ? wrong(prepared, s, launch, compiled.cubin) : compiled.log.substr(0, 2000), "")
      << "as CUDA C++";
  if (calls_user) return;
  if (auto const made = assemble(ir::ptx(kernel, {90}), 90)) {
    EXPECT_EQ(made->ok ? wrong(prepared, s, launch, made->cubin) : made->log, "") << "as PTX";
  }
}

/// How many kernels were run.
int expect_right(Nvrtc const& nvrtc, gpu::Prepared const& prepared) {
  int count = 0;
  for (std::size_t s = 0; s < prepared.sweeps.size(); ++s) {
    if (gpu::is_fused_last(prepared.sweeps[s].spec)) continue;
    expect_right(nvrtc, prepared, s, gpu::FusedLaunch::first), ++count;
    if (gpu::is_fused_first(prepared.sweeps[s].spec))
      expect_right(nvrtc, prepared, s, gpu::FusedLaunch::deferred), ++count;
  }
  return count;
}

TEST(PrintedKernels, AsMachineCodeAreAsEmulated) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  if (!nvdisasm()) GTEST_SKIP() << "nvdisasm is not installed here: machine code cannot be read";
  std::vector<Problem> problems = listed_problems("kernels.txt");
  if (thorough())
    for (Problem const& problem : listed_problems("fused.txt")) problems.push_back(problem);
  char const* const given = std::getenv("SKIPPER_PROBLEM");
  if (given) problems = {parse_problem(given)};
  std::size_t number = 0;
  int count = 0;
  for (Problem const& problem : problems) {
    if (!given && !takes(number++, 10)) continue;
    SCOPED_TRACE(text(problem));
    Stopwatch watch;
    count += expect_right(*nvrtc, gpu::prepared(problem, machine("h200"), {}, watch));
  }
  std::cout << count << " kernels\n";
  EXPECT_GT(count, 0);
}

/// Text of a user, of complex numbers and of reals, and what stands for it in the emulator.
TEST(PrintedKernels, CallUsersFunctions) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  if (!nvdisasm()) GTEST_SKIP() << "nvdisasm is not installed here: machine code cannot be read";
  auto const expect = [&](char const* problem, char const* load, char const* store,
                          emulator::UserFunctions functions) {
    SCOPED_TRACE(problem);
    Stopwatch watch;
    gpu::Prepared prepared =
        gpu::prepared(parse_problem(problem), machine("h200"), {.l2_blocks = false}, watch);
    gpu::set_user(prepared, load, store, nullptr);
    emulator::user_functions = functions;
    EXPECT_GT(expect_right(*nvrtc, prepared), 0);
    emulator::user_functions = {};
  };
  expect("c2c f32 forward 1000 batch 601",
         "Value on_load(Value x, long long place, void*) { x.re += float(place % 7); return x; }",
         "float twice(float x) { return 2 * x; }\n"
         "Value on_store(Value x, long long, void*) { return {twice(x.re), x.im}; }",
         {[](void* x, long long place, void*) { static_cast<float*>(x)[0] += float(place % 7); },
          [](void* x, long long, void*) { static_cast<float*>(x)[0] *= 2; }});
  expect("r2c f64 forward 256 batch 500",
         "Value on_load(Value x, long long place, void* data) { return data || place % 5 ? x : x + 1.5; }",
         "Value on_store(Value x, long long place, void*) { return {x.re, place % 3 ? x.im : -x.im}; }",
         {[](void* x, long long place, void*) { *static_cast<double*>(x) += place % 5 ? 0 : 1.5; },
          [](void* x, long long place, void*) { static_cast<double*>(x)[1] *= place % 3 ? 1 : -1; }});
}

}  // namespace
}  // namespace skipper::testing
