// The kernels of fused passes as NVRTC hands them to ptxas: no register is read before it is written, on any path, and the front
// end has nothing to warn of. All fused golden programs, and the problems of fused.txt; with SKIPPER_QUICK=1 a sample of both.
// Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include <iostream>
#include <optional>

#include "gpu/prepare.h"
#include "machine_code/listed_problems.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "plan/spec_text.h"
#include "support/goldens.h"
#include "support/nvrtc.h"
#include "support/ptx.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// The kernel of the first two sweeps that are fused, as the engine has it; nothing where none are.
std::optional<KernelText> fused_kernel(Program const& program) {
  Machine const h200 = machine("h200");
  std::size_t first = 0;
  while (first < program.sweeps.size() && !program.sweeps[first].fused) ++first;
  if (first == program.sweeps.size()) return std::nullopt;
  gpu::Prepared all{program, {}};
  for (Lowered const& lowered : lower_all(program, h200))
    all.sweeps.push_back(gpu::prepared(lowered, program.problem.precision));
  gpu::set_flow(all, h200);
  return fused_text(all.sweeps[first].spec, all.sweeps[first + 1].spec,
                    program.problem.precision == Precision::f64);
}

/// How many registers of the kernel may be read unset; each is told.
void expect_all_set(Nvrtc const& nvrtc, KernelText const& kernel) {
  Compiled const compiled = nvrtc.compile(kernel.source, kernel.names, "compute_90");
  ASSERT_TRUE(compiled.ok) << compiled.log.substr(0, 2000);
  EXPECT_EQ(compiled.log.find("warning"), std::string::npos) << compiled.log.substr(0, 2000);
  auto const unset = unset_reads(compiled.ptx);
  for (std::size_t i = 0; i < std::min<std::size_t>(unset.size(), 3); ++i)
    ADD_FAILURE() << unset[i].name << " may be read unset: " << unset[i].instruction << " (one of "
                  << unset.size() << ")";
}

TEST(FusedPtx, OfGoldensReadsNoRegisterUnset) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  std::size_t number = 0;
  int looked_at = 0;
  for (Golden const& golden : goldens("h200"))
    if (auto const kernel = fused_kernel(golden.program); kernel && takes(number++, 4)) {
      SCOPED_TRACE(text(golden.problem));
      expect_all_set(*nvrtc, *kernel);
      ++looked_at;
    }
  EXPECT_GT(looked_at, 0);
  std::cout << looked_at << " kernels\n";
}

TEST(FusedPtx, OfAwkwardProblemsReadsNoRegisterUnset) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  std::size_t number = 0;
  for (Problem const& problem : listed_problems("fused.txt")) {
    if (!takes(number++, 8)) continue;
    SCOPED_TRACE(text(problem));
    auto const kernel =
        fused_kernel(planner(problem, machine("h200"), {.max_candidates = 1}).front().program);
    if (kernel)
      expect_all_set(*nvrtc, *kernel);
    else
      ADD_FAILURE() << "is not fused any more: take another problem into fused.txt";
  }
  EXPECT_GT(number, 0u);
}

}  // namespace
}  // namespace skipper::testing
