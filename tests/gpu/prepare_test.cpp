// How the sweeps of a program follow each other: what set_flow changes in their kernels, and that results are the same.
#include "gpu/prepare.h"

#include <cstring>

#include "gpu/loaded.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

using Single = std::complex<float>;
using kernel::Flow;

class Prepares : public FakeDriver {
 protected:
  gpu::Prepared prepared(std::string const& program) {
    Stopwatch watch;
    return gpu::prepared(parse_program(program), machine("h200"), watch);
  }

  std::vector<Single> run(gpu::Prepared const& prepared, std::string const& name) {
    Stopwatch watch;
    auto const loaded = gpu::loaded(name, 0, watch, [&] { return prepared; });
    std::size_t const points = std::size_t(in_bytes(prepared.program.problem)) / sizeof(Single);
    DeviceArray<Single> in(noise<float>(points)), out(points);
    DeviceArray<char> work(loaded->workspace_bytes());
    auto const at = [](void* p) { return gpu::DevicePointer(p); };
    loaded->launch(at(in.data()), at(out.data()), at(work.data()), nullptr);
    return out.values();
  }
};

std::string const three =
    "c2c f32 forward 16x16x16 batch 3\n{X(1,16,1,16,no-tw)} on block in -> work [B Z Y X]\n"
    "{Y(1,16,1,16,no-tw)} with X on block work -> out [B Z Y X]\n"
    "{Z(1,16,1,16,no-tw)} with X on block out -> out";
std::string const l2_blocks =
    "c2c f32 forward 64x64 batch 5\n{X(1,64,1,64,no-tw)} on block l2_block 2x32KB in -> l2_buffer [B Y X]\n"
    "{Y(1,64,1,64,no-tw)} with X%16 on block l2_buffer -> out";

TEST_F(Prepares, L2BlocksHaveDependentLaunchAndStreamingHints) {
  auto const sweeps = prepared(l2_blocks).sweeps;
  EXPECT_EQ(sweeps[0].spec.flow, (Flow{true, false, true, true, 0, true}));
  EXPECT_EQ(sweeps[1].spec.flow, (Flow{false, true, true, true}));
  Stopwatch watch;
  for (gpu::PreparedSweep const& s : gpu::prepared(parse_program(l2_blocks), machine("a100"), watch).sweeps)
    EXPECT_FALSE(s.spec.flow.dependent || s.spec.flow.triggers) << "sm_80 cannot";
}

TEST_F(Prepares, LongRowsOfR2cPassL2) {
  auto const flow = [&](std::string const& problem, int points) {
    std::string const n = std::to_string(points);
    return prepared(problem + "\n{X(1," + n + ",1," + n + ",no-tw)}").sweeps.front().spec.flow;
  };
  EXPECT_EQ(flow("r2c f32 forward 16384 batch 8192", 8192), (Flow{.write_streaming = true}));
  EXPECT_EQ(flow("r2c f32 forward 8192 batch 16384", 4096), Flow{}) << "three blocks an SM";
  EXPECT_EQ(flow("c2r f32 inverse 16384 batch 8192", 8192), Flow{});
  EXPECT_FALSE(flow("r2c f32 forward 16384 batch 256", 8192).write_streaming) << "L2 holds all of it";
}

TEST_F(Prepares, FewBlocksAreDependentLaunchesAlsoBehindTheCallBefore) {
  auto const squares = [&](int batch) {
    return prepared("c2c f32 forward 64x64 batch " + std::to_string(batch) +
                    "\n{X(1,64,1,64,no-tw)} with Y%8 on block in -> work [B Y X]\n"
                    "{Y(1,64,1,64,no-tw)} with X%16 on block work -> out");
  };
  auto const one = squares(2), few = squares(33), many = squares(34);  // 12 blocks each, 132 SMs
  for (gpu::PreparedSweep const& s : one.sweeps)
    EXPECT_EQ(s.spec.flow, (Flow{.dependent = true, .triggers = true, .triggers_late = false}));
  for (gpu::PreparedSweep const& s : few.sweeps)
    EXPECT_EQ(s.spec.flow, (Flow{.dependent = true, .triggers = true, .triggers_late = true}));
  for (gpu::PreparedSweep const& s : many.sweeps) EXPECT_EQ(s.spec.flow, Flow{}) << "more than three an SM";
  gpu::Prepared plain = few;
  gpu::set_flow(plain, gpu::FlowOptions{});
  auto const expected = run(plain, "few squares");
  fake_driver::reset();
  EXPECT_EQ(expected, run(few, "few squares, dependent"));
  EXPECT_EQ(fake_driver::calls("cuLaunchKernelEx"), 2);
}

TEST_F(Prepares, AllButTheFirstSweepAreDependentLaunches) {
  gpu::Prepared plain = prepared(three);
  gpu::set_flow(plain, {.dependent = false, .streaming = false});
  gpu::Prepared dependent = plain;
  gpu::set_flow(dependent, {.dependent = true, .streaming = true});
  EXPECT_EQ(dependent.sweeps[0].spec.flow, (Flow{false, false, false, true}));
  EXPECT_EQ(dependent.sweeps[1].spec.flow, (Flow{false, false, true, true}));
  EXPECT_EQ(dependent.sweeps[2].spec.flow, (Flow{false, false, true, false}));
  auto const expected = run(plain, "three");
  fake_driver::reset();
  EXPECT_EQ(expected, run(dependent, "three, dependent"));
  EXPECT_EQ(fake_driver::calls("cuLaunchKernel"), 3);
  EXPECT_EQ(fake_driver::calls("cuLaunchKernelEx"), 2);
}

TEST_F(Prepares, NothingIsADependentLaunchWhereDriversCannotCaptureIt) {
  ::setenv("FAKE_DRIVER_VERSION", "12020", 1);
  auto const found = run(prepared(l2_blocks), "L2 blocks of an old driver");
  ::unsetenv("FAKE_DRIVER_VERSION");
  EXPECT_EQ(fake_driver::calls("cuLaunchKernelEx"), 0);
  EXPECT_EQ(found, run(prepared(l2_blocks), "L2 blocks of a new one"));
  EXPECT_GT(fake_driver::calls("cuLaunchKernelEx"), 0);
}

TEST_F(Prepares, L2BlocksFollowEachOtherInTheirStreams) {
  gpu::Prepared const dependent = prepared(l2_blocks);
  gpu::Prepared plain = dependent;
  gpu::set_flow(plain, {.dependent = false, .streaming = false});
  auto const expected = run(plain, "L2 blocks");
  fake_driver::reset();
  EXPECT_EQ(expected, run(dependent, "L2 blocks, dependent"));
  EXPECT_EQ(fake_driver::calls("cuLaunchKernel"), 10);
  EXPECT_EQ(fake_driver::calls("cuLaunchKernelEx"), 8)
      << "the first of each stream follows something unknown";
}

TEST_F(Prepares, FirstSweepsOfL2BlocksMayStoreOnlyAfterTheL2BlockBefore) {
  gpu::Prepared const plain = prepared(l2_blocks);
  gpu::Prepared overlapping = plain;
  overlapping.sweeps[0].spec.prefetch = {21, 16, false};
  gpu::set_flow(overlapping, {.dependent = true, .streaming = true, .triggers_late = true, .overlaps = true});
  EXPECT_EQ(overlapping.sweeps[0].spec.flow, (Flow{true, false, true, true, true, true}));
  EXPECT_EQ(overlapping.sweeps[1].spec.flow, (Flow{false, true, true, true, true, false}));
  EXPECT_EQ(overlapping.sweeps[0].spec.prefetch, kernel::Prefetch{}) << "L2 has all it can hold";
  EXPECT_EQ(run(plain, "plain L2 blocks"), run(overlapping, "overlapping L2 blocks"));
}

}  // namespace
}  // namespace skipper::testing
