// Traced kernels as CUDA C++ and as PTX, compiled to machine code and run beside the emulator: the first, the middle and the last tile
// of each sweep of the problems in kernels.txt that are not fused. With SKIPPER_QUICK=1 a sample, with SKIPPER_PROBLEM that problem
// alone. Skipped where there is no NVRTC or no nvdisasm.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>

#include "ir/contract.h"
#include "ir/cuda.h"
#include "ir/ptx.h"
#include "machine_code/launches.h"
#include "machine_code/listed_problems.h"
#include "support/assembler.h"
#include "support/nvdisasm.h"
#include "support/nvrtc.h"
#include "support/quick.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

/// What is wrong with the machine code of a sweep; empty where nothing is.
template <class T>
std::string wrong(gpu::Prepared const& prepared, std::size_t s, std::string const& cubin) try {
  sass::Code const code = sass::decode(disassembled(*nvdisasm(), cubin));
  Runs<T> const runs(prepared);
  Index const tiles = prepared.sweeps[s].tiles;
  std::string all;
  for (Index const tile : std::set<Index>{0, tiles / 2, tiles - 1}) all += runs.sweep(s, code, tile);
  return all;
} catch (sass::Fault const& fault) {
  return fault.what();
}

std::string wrong(gpu::Prepared const& prepared, std::size_t s, ir::Type real, std::string const& cubin) {
  return real == ir::Type::f64 ? wrong<double>(prepared, s, cubin) : wrong<float>(prepared, s, cubin);
}

/// How many sweeps were run.
int expect_right(Nvrtc const& nvrtc, gpu::Prepared const& prepared) {
  ir::Type const real = prepared.program.problem.precision == Precision::f64 ? ir::Type::f64 : ir::Type::f32;
  auto const& sweeps = prepared.program.sweeps;
  int count = 0;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    if (sweeps[s].fused || (s > 0 && sweeps[s - 1].fused)) continue;
    SCOPED_TRACE("sweep " + std::to_string(s));
    ir::Kernel const kernel = ir::contracted(trace::trace(prepared.sweeps[s].spec, real));
    Compiled const compiled = nvrtc.compile(ir::cuda(kernel), {}, "sm_90", {"--fmad=false"});
    if (!compiled.ok) {
      ADD_FAILURE() << compiled.log.substr(0, 2000);
      continue;
    }
    EXPECT_EQ(wrong(prepared, s, real, compiled.cubin), "") << "as CUDA C++";
    if (auto const made = assemble(ir::ptx(kernel, {90}), 90)) {
      EXPECT_EQ(made->ok ? wrong(prepared, s, real, made->cubin) : made->log, "") << "as PTX";
    }
    ++count;
  }
  return count;
}

TEST(PrintedKernels, AsMachineCodeAreAsEmulated) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  if (!nvdisasm()) GTEST_SKIP() << "nvdisasm is not installed here: machine code cannot be read";
  std::vector<Problem> problems = listed_problems("kernels.txt");
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
  std::cout << count << " sweeps\n";
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace skipper::testing
