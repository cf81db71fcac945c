// Two sweeps in one kernel: no tile waits for one with a larger number, and on the fake driver, in whatever order
// blocks begin, the bits are those of whole sweeps.
#include "gpu/fused_passes.h"

#include <skipper/skipper.h>

#include <cstring>
#include <map>

#include "gpu/fake_driver/fixture.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

using gpu::LoadedL2Blocks;
using kernel::Wide;

LoadedL2Blocks l2_blocks_of(Index indices, Index run, int streams) {
  LoadedL2Blocks c;
  c.l2_block.along.size = indices;
  c.l2_block.unit = 8;
  c.run = run;
  c.l2_buffer = std::size_t(8 * run);
  c.streams = int(std::min<Index>(streams, (indices + run - 1) / run));
  return c;
}

/// Runs all work items one after the other, and counts as tiles do.
void expect_no_tile_too_early(LoadedL2Blocks const& c, Index first, Index last) {
  if (!can_fuse(c)) return;
  kernel::FusedPasses const fused_passes =
      fused_passes_of(c, first * c.l2_block.all(), last * c.l2_block.all(), 8);
  std::map<unsigned, unsigned> counters;
  unsigned next[2] = {0, 0};
  for (unsigned block = 0; block < fused_passes.all[0] + fused_passes.all[1]; ++block) {
    kernel::WorkItem const work_item = work_item_of(fused_passes, block);
    ASSERT_EQ(work_item.tile, next[work_item.last]++) << "block " << block;
    kernel::Wait const wait = wait_of(fused_passes, work_item);
    ASSERT_GE(counters[wait.counter], wait.target) << "block " << block;
    ++counters[wait.signal];
    Wide const index = work_item.tile / (work_item.last ? last : first) * (fused_passes.l2_block / c.run),
               at = index + shift_of(fused_passes, work_item);
    ASSERT_TRUE(at >= 0 && at < Wide(fused_passes.slots) * fused_passes.pitch) << "block " << block;
  }
  EXPECT_EQ(next[0], fused_passes.all[0]);
  EXPECT_EQ(next[1], fused_passes.all[1]);
}

TEST(FusedPasses, NoTileWaitsForALaterOne) {
  for (Index first : {1, 2, 3, 8, 64})
    for (Index last : {1, 2, 7, 16, 100})
      for (Index run : {1, 2, 3})
        for (int streams : {1, 3, 4, 8})
          for (Index indices : {1, 2, 4, 5, 13, 24}) {
            SCOPED_TRACE(::testing::Message()
                         << first << " " << last << " " << run << " " << streams << " " << indices);
            expect_no_tile_too_early(l2_blocks_of(indices, run, streams), first, last);
          }
}

TEST(FusedPasses, NeedsABufferToWriteOneToReadAndOneBetween) {
  EXPECT_FALSE(can_fuse(l2_blocks_of(8, 1, 2)));
  EXPECT_TRUE(can_fuse(l2_blocks_of(8, 1, 3)));
  EXPECT_TRUE(can_fuse(l2_blocks_of(2, 1, 2)));
}

class Fused : public FakeDriver {};

/// The program by so many transforms at a time, fused; whole where that is 0.
gpu::Prepared prepared_for(std::string const& text, Index transforms, int streams, bool discards = false) {
  Machine const h200 = machine("h200");
  Program program = parse_program(text);
  program.sweeps[0].l2_block = transforms * l2_block_of(program, 0, Index(1) << 40)->unit;
  program.sweeps[0].streams = streams;
  assign_buffers(program);
  auto const both = lower_fused(program, 0, h200);
  EXPECT_TRUE(both) << "no cuts go together";
  gpu::Prepared ready{program, {}};
  for (Lowered const& low : {both->first, both->second})
    ready.sweeps.push_back(gpu::prepared(low, program.problem.precision));
  gpu::set_flow(ready, gpu::FlowOptions{.fused = transforms > 0, .discards = discards});
  return ready;
}

template <class T>
std::vector<std::complex<T>> result(gpu::Prepared const& prepared) {
  using C = std::complex<T>;
  Stopwatch watch;
  auto const loaded = gpu::loaded("", 0, watch, [&] { return prepared; });
  Problem const& problem = prepared.program.problem;
  auto const numbers = [](Index bytes) { return std::size_t(bytes) / sizeof(C); };
  DeviceArray<C> from(noise<T>(numbers(in_bytes(problem)))), to(numbers(out_bytes(problem))),
      work(loaded->workspace_bytes() / sizeof(C) + 1);
  gpu::Current const current(loaded->context);
  auto const at = [](auto& array) { return gpu::DevicePointer(array.data()); };
  loaded->launch(at(from), at(to), at(work), nullptr);
  return to.values();
}

template <class T>
void expect_bits_of_the_whole(std::string const& text) {
  auto const expected = result<T>(prepared_for(text, 0, 1));
  for (auto const& [transforms, streams] : {std::pair(1, 3), {2, 3}, {2, 4}}) {
    SCOPED_TRACE(::testing::Message() << text << " in " << streams << " L2 buffers of " << transforms);
    for (bool discards : {false, true}) {  // what is discarded are no numbers any more
      auto const found = result<T>(prepared_for(text, transforms, streams, discards));
      EXPECT_EQ(std::memcmp(expected.data(), found.data(), found.size() * sizeof found[0]), 0);
    }
  }
}

TEST_F(Fused, ProgramsRunByTheirText) {
  std::string const first = "c2c f32 forward 4096 batch 7\n{X(64,64,64,4096,tw)} with X2%16 on block ",
                    last = "{X(64,64,1,64,no-tw)} with X1%16 on block ";
  PlanSettings settings;
  settings.device = Device("cuda:0");
  std::vector<std::vector<std::complex<float>>> results;
  for (std::string const& program :
       {first + "l2_block 3x32KB fused in -> l2_buffer [B X1 X2]\n" + last + "l2_buffer -> out",
        first + "in -> work [B X1 X2]\n" + last + "work -> out"}) {
    settings.gpu.program = program;
    for (int made : {0, 1}) {  // and read back from what is kept on disk
      Plan const plan(parse_problem("c2c f32 forward 4096 batch 7"), settings);
      if (made == 0 && results.empty()) {
        EXPECT_GE(plan.workspace_bytes(), 3 * 32 * 1024 + gpu::counter_bytes(3, 1));
      }
      DeviceArray<std::complex<float>> from(noise<float>(7 * 4096)), to(7 * 4096);
      plan.execute(from.data(), to.data());
      results.push_back(to.values());
    }
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[2], results[3]);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    error += std::norm(results[0][i] - results[2][i]);
    norm += std::norm(results[2][i]);
  }
  EXPECT_LT(error, 1e-13 * norm);
}

/// Of a long line the last two, where a l2_block is a part of one transform and the batch is around it; against what is planned.
TEST_F(Fused, SweepsBehindAnotherRunByTheirText) {
  Problem const problem = parse_problem("c2c f32 forward 4096 batch 3");
  std::vector<std::vector<std::complex<float>>> results;
  for (bool given : {true, false}) {
    PlanSettings settings;
    settings.device = Device("cuda:0");
    if (given)
      settings.gpu.program =
          "c2c f32 forward 4096 batch 3\n"
          "{X(128,32,128,4096,tw)} with X3 on block in -> work [B X1/16 X2 X3 X1%16]\n"
          "{X(512,8,16,128,tw)} with X1%16 X3%4 on block l2_block 3x16KB fused work -> l2_buffer [B X1/16 X2 "
          "X3 "
          "X1%16]\n"
          "{X(256,16,1,16,no-tw)} with X1%16 X2%2 on block l2_buffer -> out";
    Plan const plan(problem, settings);
    DeviceArray<std::complex<float>> from(noise<float>(3 * 4096)), to(3 * 4096);
    plan.execute(from.data(), to.data());
    results.push_back(to.values());
  }
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    error += std::norm(results[0][i] - results[1][i]);
    norm += std::norm(results[1][i]);
  }
  EXPECT_LT(error, 1e-13 * norm);
}

/// As the engine has it: lowered for sharing a kernel it may go by other radices, hence round otherwise.
TEST_F(Fused, SweepsAgreeWithThoseOfOtherCuts) {
  std::string const text = "c2c f32 forward 64x64x64 batch " + std::string(quick() ? "2" : "4") +
                           "\n{X(32,2,32,64,tw), Y(1,64,1,64,no-tw)} with X2 on block in -> work "
                           "[B Y Z X2 "
                           "X1]\n{X(2,32,1,32,no-tw), Z(1,64,1,64,no-tw)} with X1 on block work -> out";
  Program const program = parse_program(text);
  gpu::Prepared whole{program, {}};
  for (int s : {0, 1})
    whole.sweeps.push_back(gpu::prepared(lower(program, s, machine("h200")), Precision::f32));
  auto const expected = result<float>(whole), found = result<float>(prepared_for(text, 1, 3));
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::norm(expected[i] - found[i]);
    norm += std::norm(expected[i]);
  }
  EXPECT_LT(error, 1e-13 * norm);
}

TEST_F(Fused, SweepsGiveTheBitsOfWholeOnes) {
  std::string const line =
      "{X(64,64,64,4096,tw)} with X2%16 on block in -> work [B X1 X2]\n"
      "{X(64,64,1,64,no-tw)} with X1%16 on block work -> out";
  expect_bits_of_the_whole<float>("c2c f32 forward 4096 batch 7\n" + line);
  expect_bits_of_the_whole<double>("c2c f64 inverse 4096 batch 5 scale 0.5\n" + line);
  expect_bits_of_the_whole<float>(
      "c2c f32 forward 64x32 batch 9\n{X(1,32,1,32,no-tw)} with Y%16 on block in -> work [B Y X]\n"
      "{Y(1,64,1,64,no-tw)} with X%8 on block work -> out");
}

/// With a stored index of 33, whose last tile has one of it.
TEST_F(Fused, SweepsOfRealKindsGiveTheBitsOfWholeOnes) {
  std::string const there =
      "{X(1,32,1,32,no-tw)} with Y%16 on block in -> work [B X* Y]\n{Y(1,64,1,64,no-tw)} with X*%8 on block "
      "work -> out";
  expect_bits_of_the_whole<float>("r2c f32 forward 64x64 batch 7 out 1,64/2112\n" + there);
  if (!quick()) expect_bits_of_the_whole<double>("r2c f64 forward 64x64 batch 5 out 1,64/2112\n" + there);
  std::string const back =
      "{Y(8,8,8,64,tw)} with X*%4 Y2 on block in -> work [B Y1 X* Y2]\n"
      "{X(1,32,1,32,no-tw), Y(8,8,1,8,no-tw)} on block work -> out";
  if (!quick()) expect_bits_of_the_whole<float>("c2r f32 inverse 64x64 batch 7 in 1,64/2112\n" + back);
  expect_bits_of_the_whole<double>("c2r f64 inverse 64x64 batch 5 in 1,64/2112 scale 0.5\n" + back);
}

std::string const line_of_4096 =
    "c2c f32 forward 4096 batch 7\n{X(64,64,64,4096,tw)} with X2%16 on block in -> work [B X1 X2]\n"
    "{X(64,64,1,64,no-tw)} with X1%16 on block work -> out";

/// Blocks begin backwards, in random order, one, two or three at a time, each left in the middle for others at random.
TEST_F(Fused, BitsAreTheSameInWhateverOrderBlocksBegin) {
  using emulator::Schedule;
  auto const expected = result<float>(prepared_for(line_of_4096, 0, 1));
  gpu::Prepared const ready = prepared_for(line_of_4096, 1, 3);
  for (Schedule::Start start :
       {Schedule::Start::by_index, Schedule::Start::reversed, Schedule::Start::shuffled})
    for (int at_once : {1, 2, 3, 64}) {
      fake_driver::start_blocks({start, at_once, 5});
      EXPECT_EQ(result<float>(ready), expected) << "start " << int(start) << ", at once " << at_once;
    }
}

/// A plan of two fused sweeps with its arrays.
struct Case {
  explicit Case(unsigned seed)
      : plan(parse_problem("c2c f32 forward 4096 batch 7"), settings()),
        from(noise<float>(7 * 4096, seed)),
        to(7 * 4096) {}
  static PlanSettings settings() {
    PlanSettings s;
    s.device = Device("cuda:0");
    s.gpu.program =
        "c2c f32 forward 4096 batch 7\n{X(64,64,64,4096,tw)} with X2%16 on block l2_block 3x32KB fused in -> "
        "l2_buffer [B X1 X2]\n{X(64,64,1,64,no-tw)} with X1%16 on block l2_buffer -> out";
    return s;
  }
  std::vector<std::complex<float>> run() {
    plan.execute(from.data(), to.data());
    return to.values();
  }
  Plan plan;
  DeviceArray<std::complex<float>> from, to;
};

TEST_F(Fused, CountersAreClearedForEveryReplayOfAGraph) {
  Case c(1);
  auto const expected = c.run();
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), 0);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 2), 0);
  c.plan.execute(c.from.data(), c.to.data(), {.stream = stream});
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  for (int replay = 0; replay < 3; ++replay) {
    std::vector<std::complex<float>> const blank(7 * 4096);
    ASSERT_EQ(cuMemcpyHtoD_v2((unsigned long long)(c.to.data()), blank.data(), blank.size() * 8), 0);
    ASSERT_EQ(cuGraphLaunch(exec, stream), 0);
    ASSERT_EQ(cuStreamSynchronize(stream), 0);
    EXPECT_EQ(c.to.values(), expected) << "replay " << replay;
  }
  cuGraphExecDestroy(exec);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Fused, CallsInSeveralStreamsDoNotShareCounters) {
  Case a(1), b(2);
  auto const expected_a = a.run(), expected_b = b.run();
  void* streams[2] = {};
  for (void*& stream : streams) ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
  for (int round = 0; round < 3; ++round)
    for (Case* c : {&a, &b}) c->plan.execute(c->from.data(), c->to.data(), {.stream = streams[c == &b]});
  EXPECT_EQ(a.to.values(), expected_a);
  EXPECT_EQ(b.to.values(), expected_b);
  for (void* stream : streams) cuStreamDestroy_v2(stream);
}

TEST_F(Fused, ALaunchThatFailsLeavesNothingBehind) {
  Case c(1);
  auto const expected = c.run();
  for (char const* call : {"cuLaunchKernel", "cuMemsetD8Async"}) {
    fake_driver::fail(call, 719);
    EXPECT_THROW(c.plan.execute(c.from.data(), c.to.data()), Error);
    EXPECT_EQ(c.run(), expected) << call;
  }
}

}  // namespace
}  // namespace skipper::testing
