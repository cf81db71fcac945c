// Programs that go through an L2 buffer, an L2 block after the other, on the fake driver: the same bits as the whole batch gives, ragged
// last L2 blocks, workspace of the L2 blocks' size, streams forked and joined in stream order, capture, threads.
#include "gpu/stream_pool.h"

#include <skipper/skipper.h>

#include <cstring>
#include <thread>

#include "gpu/fake_driver/fixture.h"
#include "plan/l2_block.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

using Single = std::complex<float>;

PlanSettings with_program(std::string const& program) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  settings.gpu.program = program;
  return settings;
}

/// The planner's best program of two sweeps that can go L2 block by L2 block, so many transforms at a time.
Program l2_blocked(Problem const& problem, Index transforms, int streams) {
  for (Candidate& c :
       planner(problem, machine("h200"), {.clusters = false, .l2_blocks = false, .max_candidates = 16})) {
    auto const l2_block =
        c.program.sweeps.size() == 2 ? l2_block_of(c.program, 0, Index(1) << 40) : std::nullopt;
    if (!l2_block) continue;
    c.program.sweeps[0].l2_block = transforms * l2_block->unit;
    c.program.sweeps[0].streams = streams;
    assign_buffers(c.program);
    return c.program;
  }
  throw Error("problem", "has no program of two sweeps");
}

Program whole(Program program) {
  program.sweeps[0].l2_block = 0;
  program.sweeps[0].streams = 1;
  assign_buffers(program);
  return program;
}

/// Executes a program on noise. `work` is what its workspace holds before.
template <class T = float>
std::vector<std::complex<T>> result(Program const& program, std::optional<unsigned char> work = {}) {
  Problem const& problem = program.problem;
  Plan const plan(problem, with_program(text(program)));
  bool const in_place = problem.placement == Placement::in_place;
  using C = std::complex<T>;
  std::size_t const in = std::size_t(in_bytes(problem)) / sizeof(C),
                    out = std::size_t(out_bytes(problem)) / sizeof(C);
  DeviceArray<C> from(noise<T>(in_place ? std::max(in, out) : in)), to(out);
  void* const target = in_place ? from.data() : to.data();
  std::vector<unsigned char> const bytes(plan.workspace_bytes(), work.value_or(0));
  DeviceArray<unsigned char> const workspace =
      work ? DeviceArray<unsigned char>(bytes) : DeviceArray<unsigned char>(bytes.size());
  plan.execute(static_cast<void const*>(from.data()), target,
               {.workspace_bytes = bytes.size(), .workspace = workspace.data()});
  return in_place ? from.values() : to.values();
}

class L2Blocks : public FakeDriver {};

template <class T>
void expect_bits_of_the_whole(char const* problem) {
  auto const expected = result<T>(whole(l2_blocked(parse_problem(problem), 1, 1)));
  for (int streams : {1, 2, 3})
    for (Index transforms : {1, 2, 4}) {
      if (quick() && streams % 3 + 1 != (transforms + 2) / 2) continue;  // 1 of 2, 2 of 4, 3 of 1
      Program const program = l2_blocked(parse_problem(problem), transforms, streams);
      SCOPED_TRACE(text(program));
      auto const found = result<T>(program);
      ASSERT_EQ(expected.size(), found.size());
      EXPECT_EQ(std::memcmp(expected.data(), found.data(), found.size() * sizeof found[0]), 0);
    }
}

TEST_F(L2Blocks, GiveTheBitsOfTheWholeBatch) {
  std::size_t number = 0;
  for (char const* problem :
       {"c2c f32 forward 8192 batch 7", "c2c f32 inverse 64x64 batch 5 scale 0.5", "r2c f32 64x128 batch 5",
        "c2c f32 forward 64x64 batch 5 in-place", "c2c f32 forward 32x16x16 batch 6"})
    if (takes(number++, 2)) expect_bits_of_the_whole<float>(problem);
  expect_bits_of_the_whole<double>("c2c f64 forward 4096 batch 3");
}

/// The three sweeps of a convolved axis share L2 blocks: the one in the middle stays in the L2 buffer, and may hold several lines.
/// In an L2 block with fewer lines it also transforms places that hold none, so all of them hold numbers here.
TEST_F(L2Blocks, AreSharedByTheSweepsOfAConvolution) {
  for (char const* middle : {" with B%2", " with X1%4", ""})
    for (char const* problem : {"c2c f32 forward 127 batch 7", "c2c f32 inverse 101 batch 5 in-place"}) {
      Program const program = parse_program(
          std::string(problem) + "\n{X(16,16,16,256,tw)} with X2 on block in -> work [B X1 X2]\n" +
          "{X(16,16,1,16,tw,convolve)}" + middle + " on block work -> work [B X1 X2]\n" +
          "{X(16,16,16,256,no-tw,back)} with X2 on block work -> out");
      auto const expected = result(program);
      for (auto const& [lines, streams] : {std::pair(2, 1), {4, 2}, {2, 3}}) {
        Program l2_blocks = program;
        for (int s : {0, 1})
          l2_blocks.sweeps[s].l2_block = lines * 256 * 8, l2_blocks.sweeps[s].streams = streams;
        assign_buffers(l2_blocks);
        SCOPED_TRACE(text(l2_blocks));
        EXPECT_EQ(parse_program(text(l2_blocks)), l2_blocks);
        EXPECT_EQ(l2_blocks.sweeps[1].from, Buffer::l2_buffer);
        EXPECT_EQ(l2_blocks.sweeps[1].to, Buffer::l2_buffer);
        EXPECT_EQ(expected, result(l2_blocks, 0));
      }
    }
}

/// As Poisson solves have them, whose spectrum has the batch between its axes.
TEST_F(L2Blocks, MayGoAlongABatchThatIsNotTheSlowest) {
  for (char const* text : {"c2c f32 forward 64x64 batch 5 in 320,1/64 out 64,1/4096\n{X(1,64,1,64,no-tw)} "
                           "with Y%2 on block in -> "
                           "work [B Y X]\n{Y(1,64,1,64,no-tw)} with X%16 on block work -> out",
                           "c2r f32 inverse 32x32 batch 6 in 1,192/32\n{Y(4,8,4,32,tw)} with X*%2 Y2 on "
                           "block in -> work [B Y1 X* "
                           "Y2]\n{X(1,16,1,16,no-tw), Y(8,4,1,4,no-tw)} on block work -> out"}) {
    Program const program = parse_program(text);
    auto const l2_block = l2_block_of(program, 0, Index(1) << 40);
    ASSERT_TRUE(l2_block);
    EXPECT_FALSE(l2_block->slowest);
    auto const expected = result(program);
    for (auto const& [transforms, streams] : {std::pair(1, 2), {4, 1}}) {
      Program l2_blocks = program;
      l2_blocks.sweeps[0].l2_block = transforms * l2_block->unit;
      l2_blocks.sweeps[0].streams = streams;
      assign_buffers(l2_blocks);
      SCOPED_TRACE(skipper::text(l2_blocks));
      EXPECT_EQ(expected, result(l2_blocks));
    }
  }
}

TEST_F(L2Blocks, MayBeLessThanATransform) {
  std::string const cube =
      "c2c f32 forward 16x16x16 batch 2\n{X(1,16,1,16,no-tw)} on block in -> work [B Z Y X]\n"
      "{Y(1,16,1,16,no-tw)} with X on block work -> out [B Z Y X]\n{Z(1,16,1,16,no-tw)} with X on block out "
      "-> out";
  std::string const line =
      "c2c f32 forward 4096 batch 2\n{X(256,16,256,4096,tw)} with X3 on block in -> work [B X1 X2 X3]\n"
      "{X(256,16,16,256,tw)} with X3 on block work -> work2 [B X1/4 X2 X3 X1%4]\n"
      "{X(256,16,1,16,no-tw)} with X1%4 on block work2 -> out";
  for (auto const& [text, s] : {std::pair(cube, 0), std::pair(line, 1)}) {
    Program const program = parse_program(text);
    auto const expected = result(program);
    auto const l2_block = l2_block_of(program, s, 16 * 1024);
    ASSERT_TRUE(l2_block);
    EXPECT_EQ(l2_block->around.size(), 1u);
    for (Index run : {1, 3})
      for (int streams : {1, 2}) {
        Program l2_blocks = program;
        l2_blocks.sweeps[s].l2_block = run * l2_block->unit;
        l2_blocks.sweeps[s].streams = streams;
        assign_buffers(l2_blocks);
        SCOPED_TRACE(skipper::text(l2_blocks));
        EXPECT_EQ(expected, result(l2_blocks));
      }
  }
}

TEST_F(L2Blocks, AreChosenForLargeBatchesButNotWithAUsersFunctions) {
  PlanSettings settings = with_program("");
  for (char const* problem : {"c2c f32 forward 512x512 batch 512", "c2c f16 forward 512x512 batch 512"}) {
    Plan const plan(parse_problem(problem), settings);
    EXPECT_NE(plan.describe().find("l2_block "), std::string::npos) << plan.describe();
    EXPECT_LE(plan.workspace_bytes(), std::size_t(36) << 20);
  }
  settings.callbacks.cuda_load = "Value on_load(Value x, long long place, void*) { return x; }";
  Plan const seen(c2c({512, 512}, 512), settings);
  EXPECT_EQ(seen.describe().find("l2_block"), std::string::npos) << "places count from the array's beginning";
}

TEST_F(L2Blocks, NeedABufferAStreamAndLaunchPairs) {
  Problem const problem = c2c({8192}, 7);
  Index const one = 8192 * 8;
  for (int streams : {1, 2, 3}) {
    Plan const plan(problem, with_program(text(l2_blocked(problem, 2, streams))));
    EXPECT_EQ(plan.workspace_bytes(), std::size_t(streams * 2 * one));
    auto const in = noise<float>(7 * 8192);
    DeviceArray<Single> from(in), to(in.size());
    DeviceArray<std::byte> work(plan.workspace_bytes());
    int const before = fake_driver::allocations();
    fake_driver::reset();
    plan.execute(from.data(), to.data(), {.workspace = work.data()});
    EXPECT_EQ(fake_driver::calls("cuLaunchKernel"), 2 * 4) << "2 + 2 + 2 + 1 transforms";
    EXPECT_EQ(fake_driver::calls("cuEventRecord"), 2 * (streams - 1)) << "a fork and a join";
    for (char const* entry :
         {"cuStreamCreate", "cuEventCreate", "cuMemAllocFromPoolAsync", "cuCtxSynchronize"})
      EXPECT_EQ(fake_driver::calls(entry), 0) << entry;
    EXPECT_EQ(fake_driver::allocations(), before);
    EXPECT_EQ(fake_driver::kernels_run(), 0) << "work waits in its stream";
  }
  Plan const few(c2c({8192}, 2), with_program(text(l2_blocked(c2c({8192}, 2), 2, 3))));
  EXPECT_EQ(few.workspace_bytes(), std::size_t(2 * one)) << "one L2 block needs one stream";
}

TEST_F(L2Blocks, KeepTheOrderOfTheCallersStream) {
  Problem const problem = in_place(c2c({64, 64}, 5));
  Problem inverse = problem;
  inverse.direction = Direction::inverse;
  inverse.scale = 1.0 / (64 * 64);
  Plan const there(problem, with_program(text(l2_blocked(problem, 2, 2)))),
      back(inverse, with_program(text(l2_blocked(inverse, 1, 3))));
  auto const in = noise<float>(5 * 64 * 64);
  for (unsigned flags : {0u, 1u}) {
    DeviceArray<Single> data(in);
    void* stream = nullptr;
    cuStreamCreate(&stream, flags);
    for (int i = 0; i < 2; ++i) {
      there.execute(data.data(), data.data(), {.stream = stream});
      back.execute(data.data(), data.data(), {.stream = stream});
    }
    cuStreamSynchronize(stream);  // and no other
    EXPECT_LT(distance(in, data.values()), 2e-6);
    cuStreamDestroy_v2(stream);
  }
}

TEST_F(L2Blocks, AreCapturedWithTheirStreams) {
  Program const program = l2_blocked(c2c({8192}, 5), 2, 2);
  Plan const plan(program.problem, with_program(text(program)));
  auto const in = noise<float>(5 * 8192);
  auto const expected = result(whole(program));
  DeviceArray<Single> from(in), to(in.size()), beside(in.size());
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  cuStreamCreate(&stream, 1);
  fake_driver::reset();
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
  plan.execute(from.data(), to.data(), {.stream = stream});
  plan.execute(from.data(), to.data(), {.stream = stream});
  EXPECT_EQ(fake_driver::calls("cuEventRecord"), 4);
  EXPECT_EQ(fake_driver::calls("cuStreamCreate"), 0) << "one capture has one stream";
  plan.execute(from.data(), beside.data());
  EXPECT_EQ(fake_driver::calls("cuStreamCreate"), 1) << "which nobody else gets until the capture ends";
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0) << "all streams are joined";
  EXPECT_EQ(distance(expected, beside.values()), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  cuGraphLaunch(exec, stream);
  cuStreamSynchronize(stream);
  EXPECT_EQ(distance(expected, to.values()), 0);
  plan.execute(from.data(), beside.data());
  EXPECT_EQ(fake_driver::calls("cuStreamCreate"), 1) << "both streams are free";
  cuGraphExecDestroy(exec);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(L2Blocks, AreExecutedByManyThreadsAtOnce) {
  Program const program = l2_blocked(c2c({64, 64}, 3), 1, 2);
  Plan const plan(program.problem, with_program(text(program)));
  auto const right = result(whole(program));
  std::vector<double> errors(3, 1);
  std::vector<std::thread> threads;
  for (double& error : errors)
    threads.emplace_back([&] {
      cuCtxPushCurrent_v2(context_);
      DeviceArray<Single> from(noise<float>(right.size())), to(right.size());
      void* stream = nullptr;
      cuStreamCreate(&stream, 1);
      plan.execute(from.data(), to.data(), {.stream = stream});
      cuStreamSynchronize(stream);
      error = distance(right, to.values());
      cuStreamDestroy_v2(stream);
    });
  for (std::thread& t : threads) t.join();
  for (double error : errors) EXPECT_EQ(error, 0);
}

TEST_F(L2Blocks, JoinTheirStreamsWhereALaunchFails) {
  Program const program = l2_blocked(c2c({64, 64}, 5), 1, 2);
  Plan const plan(program.problem, with_program(text(program)));
  DeviceArray<Single> from(noise<float>(5 * 64 * 64)), to(5 * 64 * 64);
  fake_driver::reset();
  fake_driver::fail("cuLaunchKernel", 700, 3);
  EXPECT_THROW(plan.execute(from.data(), to.data()), Error);
  EXPECT_EQ(fake_driver::calls("cuStreamWaitEvent"), 2) << "what the stream does comes before what follows";
  plan.execute(from.data(), to.data());
  EXPECT_EQ(distance(result(whole(program)), to.values()), 0);
}

}  // namespace
}  // namespace skipper::testing
