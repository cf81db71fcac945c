// Programs that go chunk by chunk through a scratch, on the stand-in driver: the same bits as the whole batch gives, ragged
// last chunks, workspace of the chunks' size, lanes forked and joined in stream order, capture, threads.
#include "gpu/lanes.h"

#include <skipper/skipper.h>

#include <cstring>
#include <thread>

#include "gpu/stand_in/fixture.h"
#include "plan/chunk.h"
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

/// The planner's best program of two sweeps that can go chunk by chunk, so many transforms at a time.
Program chunked(Problem const& problem, Index transforms, int lanes) {
  for (Candidate& c : planner(problem, machine("h200"), {.clusters = false, .chunks = false, .most = 16})) {
    auto const chunk = c.program.sweeps.size() == 2 ? chunk_of(c.program, 0, Index(1) << 40) : std::nullopt;
    if (!chunk) continue;
    c.program.sweeps[0].chunk = transforms * chunk->unit;
    c.program.sweeps[0].lanes = lanes;
    assign_buffers(c.program);
    return c.program;
  }
  throw Error("problem", "has no program of two sweeps");
}

Program whole(Program program) {
  program.sweeps[0].chunk = 0;
  program.sweeps[0].lanes = 1;
  assign_buffers(program);
  return program;
}

/// Executes a program on noise.
template <class T = float>
std::vector<std::complex<T>> result(Program const& program) {
  Problem const& problem = program.problem;
  Plan const plan(problem, with_program(text(program)));
  bool const in_place = problem.placement == Placement::in_place;
  using C = std::complex<T>;
  std::size_t const in = std::size_t(in_bytes(problem)) / sizeof(C),
                    out = std::size_t(out_bytes(problem)) / sizeof(C);
  DeviceArray<C> from(noise<T>(in_place ? std::max(in, out) : in)), to(out);
  void* const target = in_place ? from.data() : to.data();
  if (problem.kind == Kind::c2c)
    plan.execute(from.data(), static_cast<C*>(target));
  else if (problem.kind == Kind::c2r)
    plan.execute(from.data(), static_cast<T*>(target));
  else
    plan.execute(reinterpret_cast<T*>(from.data()), static_cast<C*>(target));
  return in_place ? from.values() : to.values();
}

class Chunks : public StandIn {};

template <class T>
void expect_bits_of_the_whole(char const* problem) {
  auto const expected = result<T>(whole(chunked(parse_problem(problem), 1, 1)));
  for (int lanes : {1, 2, 3})
    for (Index transforms : {1, 2, 4}) {
      if (quick() && lanes % 3 + 1 != (transforms + 2) / 2) continue;  // 1 of 2, 2 of 4, 3 of 1
      Program const program = chunked(parse_problem(problem), transforms, lanes);
      SCOPED_TRACE(text(program));
      auto const found = result<T>(program);
      ASSERT_EQ(expected.size(), found.size());
      EXPECT_EQ(std::memcmp(expected.data(), found.data(), found.size() * sizeof found[0]), 0);
    }
}

TEST_F(Chunks, GiveTheBitsOfTheWholeBatch) {
  std::size_t number = 0;
  for (char const* problem :
       {"c2c f32 forward 8192 batch 7", "c2c f32 inverse 64x64 batch 5 scale 0.5", "r2c f32 64x128 batch 5",
        "c2c f32 forward 64x64 batch 5 in-place", "c2c f32 forward 32x16x16 batch 6"})
    if (takes(number++, 2)) expect_bits_of_the_whole<float>(problem);
  expect_bits_of_the_whole<double>("c2c f64 forward 4096 batch 3");
}

/// The three sweeps of a convolved axis share chunks: the one in the middle stays in the scratch, and may hold several lines.
TEST_F(Chunks, AreSharedByTheSweepsOfAConvolution) {
  for (char const* middle : {" with B%2", " with X1%4", ""})
    for (char const* problem : {"c2c f32 forward 127 batch 7", "c2c f32 inverse 101 batch 5 in-place"}) {
      Program const program = parse_program(
          std::string(problem) + "\n{X(16,16,16,256,tw)} with X2 on block in -> work [B X1 X2]\n" +
          "{X(16,16,1,16,tw,convolve)}" + middle + " on block work -> work [B X1 X2]\n" +
          "{X(16,16,16,256,no-tw,back)} with X2 on block work -> out");
      auto const expected = result(program);
      for (auto const& [lines, lanes] : {std::pair(2, 1), {4, 2}, {2, 3}}) {
        Program chunks = program;
        for (int s : {0, 1}) chunks.sweeps[s].chunk = lines * 256 * 8, chunks.sweeps[s].lanes = lanes;
        assign_buffers(chunks);
        SCOPED_TRACE(text(chunks));
        EXPECT_EQ(parse_program(text(chunks)), chunks);
        EXPECT_EQ(chunks.sweeps[1].from, Buffer::scratch);
        EXPECT_EQ(chunks.sweeps[1].to, Buffer::scratch);
        EXPECT_EQ(expected, result(chunks));
      }
    }
}

/// As Poisson solves have them, whose spectrum has the batch between its axes.
TEST_F(Chunks, MayGoAlongABatchThatIsNotTheSlowest) {
  for (char const* text : {"c2c f32 forward 64x64 batch 5 in 320,1/64 out 64,1/4096\n{X(1,64,1,64,no-tw)} "
                           "with Y%2 on block in -> "
                           "work [B Y X]\n{Y(1,64,1,64,no-tw)} with X%16 on block work -> out",
                           "c2r f32 inverse 32x32 batch 6 in 1,192/32\n{Y(4,8,4,32,tw)} with X*%2 Y2 on "
                           "block in -> work [B Y1 X* "
                           "Y2]\n{X(1,16,1,16,no-tw), Y(8,4,1,4,no-tw)} on block work -> out"}) {
    Program const program = parse_program(text);
    auto const chunk = chunk_of(program, 0, Index(1) << 40);
    ASSERT_TRUE(chunk);
    EXPECT_FALSE(chunk->slowest);
    auto const expected = result(program);
    for (auto const& [transforms, lanes] : {std::pair(1, 2), {4, 1}}) {
      Program chunks = program;
      chunks.sweeps[0].chunk = transforms * chunk->unit;
      chunks.sweeps[0].lanes = lanes;
      assign_buffers(chunks);
      SCOPED_TRACE(skipper::text(chunks));
      EXPECT_EQ(expected, result(chunks));
    }
  }
}

TEST_F(Chunks, MayBeLessThanATransform) {
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
    auto const chunk = chunk_of(program, s, 16 * 1024);
    ASSERT_TRUE(chunk);
    EXPECT_EQ(chunk->around.size(), 1u);
    for (Index run : {1, 3})
      for (int lanes : {1, 2}) {
        Program chunks = program;
        chunks.sweeps[s].chunk = run * chunk->unit;
        chunks.sweeps[s].lanes = lanes;
        assign_buffers(chunks);
        SCOPED_TRACE(skipper::text(chunks));
        EXPECT_EQ(expected, result(chunks));
      }
  }
}

TEST_F(Chunks, AreChosenForLargeBatchesButNotWithAUsersFunctions) {
  PlanSettings settings = with_program("");
  for (char const* problem : {"c2c f32 forward 512x512 batch 512", "c2c f16 forward 512x512 batch 512"}) {
    Plan const plan(parse_problem(problem), settings);
    EXPECT_NE(plan.describe().find("chunk "), std::string::npos) << plan.describe();
    EXPECT_LE(plan.workspace_bytes(), std::size_t(36) << 20);
  }
  settings.ends.cuda_load = "Value on_load(Value x, long long place, void*) { return x; }";
  Plan const seen(c2c({512, 512}, 512), settings);
  EXPECT_EQ(seen.describe().find("chunk"), std::string::npos) << "places count from the array's beginning";
}

TEST_F(Chunks, NeedAScratchALaneAndLaunchPairs) {
  Problem const problem = c2c({8192}, 7);
  Index const one = 8192 * 8;
  for (int lanes : {1, 2, 3}) {
    Plan const plan(problem, with_program(text(chunked(problem, 2, lanes))));
    EXPECT_EQ(plan.workspace_bytes(), std::size_t(lanes * 2 * one));
    auto const in = noise<float>(7 * 8192);
    DeviceArray<Single> from(in), to(in.size());
    DeviceArray<std::byte> work(plan.workspace_bytes());
    int const before = stand_in::allocations();
    stand_in::reset();
    plan.execute(from.data(), to.data(), {.workspace = work.data()});
    EXPECT_EQ(stand_in::calls("cuLaunchKernel"), 2 * 4) << "2 + 2 + 2 + 1 transforms";
    EXPECT_EQ(stand_in::calls("cuEventRecord"), 2 * (lanes - 1)) << "a fork and a join";
    for (char const* entry :
         {"cuStreamCreate", "cuEventCreate", "cuMemAllocFromPoolAsync", "cuCtxSynchronize"})
      EXPECT_EQ(stand_in::calls(entry), 0) << entry;
    EXPECT_EQ(stand_in::allocations(), before);
    EXPECT_EQ(stand_in::kernels_run(), 0) << "work waits in its stream";
  }
  Plan const few(c2c({8192}, 2), with_program(text(chunked(c2c({8192}, 2), 2, 3))));
  EXPECT_EQ(few.workspace_bytes(), std::size_t(2 * one)) << "one chunk needs one lane";
}

TEST_F(Chunks, KeepTheOrderOfTheCallersStream) {
  Problem const problem = in_place(c2c({64, 64}, 5));
  Problem inverse = problem;
  inverse.direction = Direction::inverse;
  inverse.scale = 1.0 / (64 * 64);
  Plan const there(problem, with_program(text(chunked(problem, 2, 2)))),
      back(inverse, with_program(text(chunked(inverse, 1, 3))));
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

TEST_F(Chunks, AreCapturedWithTheirLanes) {
  Program const program = chunked(c2c({8192}, 5), 2, 2);
  Plan const plan(program.problem, with_program(text(program)));
  auto const in = noise<float>(5 * 8192);
  auto const expected = result(whole(program));
  DeviceArray<Single> from(in), to(in.size()), beside(in.size());
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  cuStreamCreate(&stream, 1);
  stand_in::reset();
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
  plan.execute(from.data(), to.data(), {.stream = stream});
  plan.execute(from.data(), to.data(), {.stream = stream});
  EXPECT_EQ(stand_in::calls("cuEventRecord"), 4);
  EXPECT_EQ(stand_in::calls("cuStreamCreate"), 0) << "one capture has one lane";
  plan.execute(from.data(), beside.data());
  EXPECT_EQ(stand_in::calls("cuStreamCreate"), 1) << "which nobody else gets until the capture ends";
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0) << "all lanes are joined";
  EXPECT_EQ(distance(expected, beside.values()), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  cuGraphLaunch(exec, stream);
  cuStreamSynchronize(stream);
  EXPECT_EQ(distance(expected, to.values()), 0);
  plan.execute(from.data(), beside.data());
  EXPECT_EQ(stand_in::calls("cuStreamCreate"), 1) << "both lanes are free";
  cuGraphExecDestroy(exec);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Chunks, AreExecutedByManyThreadsAtOnce) {
  Program const program = chunked(c2c({64, 64}, 3), 1, 2);
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

TEST_F(Chunks, JoinTheirLanesWhereALaunchFails) {
  Program const program = chunked(c2c({64, 64}, 5), 1, 2);
  Plan const plan(program.problem, with_program(text(program)));
  DeviceArray<Single> from(noise<float>(5 * 64 * 64)), to(5 * 64 * 64);
  stand_in::reset();
  stand_in::fail("cuLaunchKernel", 700, 3);
  EXPECT_THROW(plan.execute(from.data(), to.data()), Error);
  EXPECT_EQ(stand_in::calls("cuStreamWaitEvent"), 2) << "what the lane does comes before what follows";
  plan.execute(from.data(), to.data());
  EXPECT_EQ(distance(result(whole(program)), to.values()), 0);
}

}  // namespace
}  // namespace skipper::testing
