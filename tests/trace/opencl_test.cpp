// Whole programs as OpenCL C, by traced kernels of blocks, on whatever OpenCL runs here (PoCL, on CPUs); held to what the CPU engine
// makes of the same numbers. With SKIPPER_QUICK=1 a sample. Skipped where there is no OpenCL.
#include <gtest/gtest.h>

#include "ir/contract.h"
#include "ir/opencl.h"
#include "trace/trace.h"

#ifdef SKIPPER_OPENCL
#include "gpu/prepare.h"
#include "plan/planner.h"
#include "support/as_cpu.h"
#include "support/opencl.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// Machines that are an A100, which has no clusters, but for the L2 and so the L2 blocks.
Machine gpu_of_blocks() {
  Machine m = machine("a100");
  m.name = "blocks";
  m.l2_bytes = Index(1) << 40;
  return m;
}

/// The arrays that a program goes through.
class Arrays {
 public:
  Arrays(OpenCl const& cl, Program const& program, Numbers& in, Numbers& out)
      : in_(cl.array(in.data(), std::size_t(in_bytes(program.problem)))),
        out_(cl.array(out.data(), std::size_t(out_bytes(program.problem)))),
        work_(cl.array(nullptr, std::size_t(work_bytes(program)))),
        work2_(cl.array(nullptr, std::size_t(work_bytes(program)))) {}
  OpenCl::Array const& of(Buffer buffer) const {
    return buffer == Buffer::in     ? in_
           : buffer == Buffer::out  ? out_
           : buffer == Buffer::work ? work_
                                    : work2_;
  }

 private:
  OpenCl::Array in_, out_, work_, work2_;
};

void expect_right(OpenCl const& cl, Problem const& problem) {
  SCOPED_TRACE(text(problem));
  Stopwatch watch;
  gpu::Prepared const prepared = gpu::prepared(problem, gpu_of_blocks(), {.l2_blocks = false}, watch);
  Program const& program = prepared.program;
  bool const is_double = problem.precision == Precision::f64;
  Numbers in = Numbers::noise(problem.precision, in_bytes(problem), 3),
          right = Numbers::noise(problem.precision, out_bytes(problem), 4), got = right;
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(problem, cpu).execute(in.data(), right.data());
  Arrays const arrays(cl, program, in, got);
  for (std::size_t s = 0; s < program.sweeps.size(); ++s) {
    gpu::PreparedSweep const& sweep = prepared.sweeps[s];
    ir::Kernel const kernel =
        ir::contracted(trace::trace(sweep.spec, is_double ? ir::Type::f64 : ir::Type::f32));
    auto const table = [&](std::size_t i) {
      std::string bytes = i < sweep.tables.size() ? sweep.tables[i] : "";
      return cl.array(bytes.data(), bytes.size());
    };
    OpenCl::Array const roots = table(0), factors = table(1);
    OpenCl::Launch launch(cl, ir::opencl(kernel), kernel.name);
    launch.add(arrays.of(program.sweeps[s].from));
    launch.add(arrays.of(program.sweeps[s].to));
    launch.add(roots);
    is_double ? launch.add(program_scale(program)) : launch.add(float(program_scale(program)));
    launch.add(factors);
    launch.add(OpenCl::Array());
    launch.add(OpenCl::Array());
    launch.run(std::size_t(sweep.tiles), std::size_t(sweep.spec.threads));
  }
  cl.read(arrays.of(Buffer::out), got.data());
  EXPECT_LE(relative_error(right, got), 4 * allowed_beside_cpu(problem.precision));
}

TEST(TracedOpenCl, ProgramsAreRight) {
  auto const cl = OpenCl::open();
  if (!cl) GTEST_SKIP() << "no OpenCL finds a device here";
  char const* const problems[] = {"c2c f32 forward 1000 batch 5",
                                  "c2c f64 inverse 360 batch 7",
                                  "r2c f32 forward 4096 batch 3",
                                  "c2r f64 inverse 1024 batch 3",
                                  "c2c f32 forward 64x48 batch 2",
                                  "c2c f32 forward 100000",
                                  "r2c f64 forward 30x40x50",
                                  "c2c f32 forward 127 batch 9",
                                  "c2c f64 forward 1019 batch 2",
                                  "c2c f32 inverse 5749 batch 2",
                                  "c2c f32 forward 38198 batch 2",
                                  "r2r f32 forward 300 kinds dct2 batch 5",
                                  "r2r f64 forward 128x96 kinds dct3,dst4",
                                  "r2r f32 forward 79 kinds dct1 batch 3 keep 3+50",
                                  "c2c f32 forward 96x100 load 50x70 keep 10+60x0+100",
                                  "c2c f16 forward 2000 batch 3",
                                  "r2c bf16 forward 512 batch 4"};
  std::size_t number = 0;
  for (char const* problem : problems)
    if (takes(number++, 6)) expect_right(*cl, parse_problem(problem));
}

}  // namespace
}  // namespace skipper::testing

#else
TEST(TracedOpenCl, ProgramsAreRight) { GTEST_SKIP() << "OpenCL was not installed when the tests were built"; }
#endif

namespace skipper::testing {
namespace {

TEST(TracedOpenCl, RefusesWhatItDoesNotHave) {
  ir::Kernel kernel;
  kernel.name = "sweep";
  kernel.cluster_ranks = 2;
  EXPECT_THROW(ir::opencl(kernel), std::invalid_argument);
}

}  // namespace
}  // namespace skipper::testing
