// How the sweeps of a program follow each other: what set_flow asks of their kernels, and that results are the same.
#include "gpu/prepare.h"

#include <cstring>

#include "gpu/loaded.h"
#include "gpu/stand_in/fixture.h"

namespace skipper::testing {
namespace {

using Single = std::complex<float>;
using kernel::Flow;

class Prepares : public StandIn {
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
std::string const chunks =
    "c2c f32 forward 64x64 batch 5\n{X(1,64,1,64,no-tw)} on block chunk 2x32KB in -> scratch [B Y X]\n"
    "{Y(1,64,1,64,no-tw)} with X%16 on block scratch -> out";

TEST_F(Prepares, ChunksFollowEarlyAndReadAndWriteOnce) {
  auto const sweeps = prepared(chunks).sweeps;
  EXPECT_EQ(sweeps[0].spec.flow, (Flow{true, false, true, true, 0, true}));
  EXPECT_EQ(sweeps[1].spec.flow, (Flow{false, true, true, true}));
  Stopwatch watch;
  for (gpu::PreparedSweep const& s : gpu::prepared(parse_program(chunks), machine("a100"), watch).sweeps)
    EXPECT_FALSE(s.spec.flow.early || s.spec.flow.announces) << "sm_80 cannot";
}

TEST_F(Prepares, LongRowsOfR2cPassL2) {
  auto const flow = [&](std::string const& problem, int points) {
    std::string const n = std::to_string(points);
    return prepared(problem + "\n{X(1," + n + ",1," + n + ",no-tw)}").sweeps.front().spec.flow;
  };
  EXPECT_EQ(flow("r2c f32 forward 16384 batch 8192", 8192), (Flow{.write_once = true}));
  EXPECT_EQ(flow("r2c f32 forward 8192 batch 16384", 4096), Flow{}) << "three blocks an SM";
  EXPECT_EQ(flow("c2r f32 inverse 16384 batch 8192", 8192), Flow{});
  EXPECT_FALSE(flow("r2c f32 forward 16384 batch 256", 8192).write_once) << "L2 holds all of it";
}

TEST_F(Prepares, FewBlocksAreLaunchedEarlyAlsoBehindTheCallBefore) {
  auto const squares = [&](int batch) {
    return prepared("c2c f32 forward 64x64 batch " + std::to_string(batch) +
                    "\n{X(1,64,1,64,no-tw)} with Y%8 on block in -> work [B Y X]\n"
                    "{Y(1,64,1,64,no-tw)} with X%16 on block work -> out");
  };
  auto const one = squares(2), few = squares(33), many = squares(34);  // 12 blocks each, 132 SMs
  for (gpu::PreparedSweep const& s : one.sweeps)
    EXPECT_EQ(s.spec.flow, (Flow{.early = true, .announces = true, .patient = false}));
  for (gpu::PreparedSweep const& s : few.sweeps)
    EXPECT_EQ(s.spec.flow, (Flow{.early = true, .announces = true, .patient = true}));
  for (gpu::PreparedSweep const& s : many.sweeps) EXPECT_EQ(s.spec.flow, Flow{}) << "more than three an SM";
  gpu::Prepared plain = few;
  gpu::set_flow(plain, gpu::FlowOptions{});
  auto const expected = run(plain, "few squares");
  stand_in::reset();
  EXPECT_EQ(expected, run(few, "few squares early"));
  EXPECT_EQ(stand_in::calls("cuLaunchKernelEx"), 2);
}

TEST_F(Prepares, AllButTheFirstSweepAreLaunchedEarly) {
  gpu::Prepared plain = prepared(three);
  gpu::set_flow(plain, {.early = false, .once = false});
  gpu::Prepared early = plain;
  gpu::set_flow(early, {.early = true, .once = true});
  EXPECT_EQ(early.sweeps[0].spec.flow, (Flow{false, false, false, true}));
  EXPECT_EQ(early.sweeps[1].spec.flow, (Flow{false, false, true, true}));
  EXPECT_EQ(early.sweeps[2].spec.flow, (Flow{false, false, true, false}));
  auto const expected = run(plain, "three");
  stand_in::reset();
  EXPECT_EQ(expected, run(early, "three early"));
  EXPECT_EQ(stand_in::calls("cuLaunchKernel"), 3);
  EXPECT_EQ(stand_in::calls("cuLaunchKernelEx"), 2);
}

TEST_F(Prepares, NothingIsLaunchedEarlyByDriversThatCannotCaptureIt) {
  ::setenv("STAND_IN_VERSION", "12020", 1);
  auto const found = run(prepared(chunks), "chunks of an old driver");
  ::unsetenv("STAND_IN_VERSION");
  EXPECT_EQ(stand_in::calls("cuLaunchKernelEx"), 0);
  EXPECT_EQ(found, run(prepared(chunks), "chunks of a new one"));
  EXPECT_GT(stand_in::calls("cuLaunchKernelEx"), 0);
}

TEST_F(Prepares, ChunksFollowEachOtherInTheirLanes) {
  gpu::Prepared const early = prepared(chunks);
  gpu::Prepared plain = early;
  gpu::set_flow(plain, {.early = false, .once = false});
  auto const expected = run(plain, "chunks");
  stand_in::reset();
  EXPECT_EQ(expected, run(early, "chunks early"));
  EXPECT_EQ(stand_in::calls("cuLaunchKernel"), 10);
  EXPECT_EQ(stand_in::calls("cuLaunchKernelEx"), 8) << "the first of each lane follows something unknown";
}

TEST_F(Prepares, FirstSweepsOfChunksMayAwaitTheChunkAheadToStore) {
  gpu::Prepared const plain = prepared(chunks);
  gpu::Prepared overlapping = plain;
  overlapping.sweeps[0].spec.ahead = {21, 16, false};
  gpu::set_flow(overlapping, {.early = true, .once = true, .patient = true, .overlaps = true});
  EXPECT_EQ(overlapping.sweeps[0].spec.flow, (Flow{true, false, true, true, true, true}));
  EXPECT_EQ(overlapping.sweeps[1].spec.flow, (Flow{false, true, true, true, true, false}));
  EXPECT_EQ(overlapping.sweeps[0].spec.ahead, kernel::Ahead{}) << "L2 has all it can hold";
  EXPECT_EQ(run(plain, "plain chunks"), run(overlapping, "overlapping chunks"));
}

}  // namespace
}  // namespace skipper::testing
