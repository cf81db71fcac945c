// The CUDA engine through the public Plan, on the fake driver: results, pointers, workspace, streams, capture,
// threads, contexts, staging and failures.
#include "gpu/engine.h"

#include <skipper/skipper.h>

#include <thread>

#include "gpu/fake_driver/fixture.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

using Single = std::complex<float>;
using Double = std::complex<double>;

PlanSettings on(char const* device) {
  PlanSettings settings;
  settings.device = Device(device);
  return settings;
}

/// A plan of two sweeps with workspace between them, whatever the planner would do.
Plan two_sweeps(HostArrays host_arrays = HostArrays::by_device) {
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = host_arrays;
  settings.gpu.program =
      "{X(64,64,64,4096,tw)} with X2%16 on block in -> work [X1/16 X2 X1%16]\n"
      "{X(64,64,1,64,no-tw)} with X1%16 on block work -> out\n";
  return Plan(c2c({4096}), settings);
}

/// What the CPU makes of it, in double.
template <class T>
std::vector<std::complex<T>> expected(Problem problem, std::vector<std::complex<T>> const& in,
                                      std::size_t out_size) {
  problem.precision = Precision::f64;
  problem.placement = Placement::out_of_place;
  std::vector<Double> const wide(in.begin(), in.end());
  std::vector<Double> out(out_size);
  Plan(problem, on("cpu")).execute(wide.data(), out.data());
  std::vector<std::complex<T>> result;
  for (Double const& x : out) result.emplace_back(x);
  return result;
}

std::size_t elements(std::int64_t bytes, std::size_t element) { return std::size_t(bytes) / element; }

template <class T>
void expect_right(Problem const& problem, PlanSettings const& settings) {
  SCOPED_TRACE(text(problem));
  using C = std::complex<T>;
  Plan const plan(problem, settings);
  auto const in = noise<T>(elements(in_bytes(problem), sizeof(C)));
  std::size_t const size = elements(out_bytes(problem), sizeof(C));
  auto const right = expected<T>(problem, in, size);
  DeviceArray<C> from(in), to(size);
  bool const in_place = problem.placement == Placement::in_place;
  plan.execute(from.data(), in_place ? from.data() : to.data());
  EXPECT_LT(distance(right, in_place ? from.values() : to.values()), sizeof(T) == 4 ? 1e-6 : 1e-14);
  EXPECT_TRUE(in_place || from.values() == in) << "the input was not preserved";
}

class Engine : public FakeDriver {};

TEST_F(Engine, ComputesWhatTheCpuDoes) {
  for (char const* problem :
       {"c2c f32 forward 1", "c2c f32 forward 16 batch 5", "c2c f32 inverse 100", "c2c f32 forward 24x24x24",
        "c2c f32 inverse 8x12 batch 7", "c2c f32 forward 65536", "c2c f32 forward 1457",
        "c2c f32 forward 60x20 in-place", "c2c f32 inverse 4096 batch 2 scale 0.25"})
    expect_right<float>(parse_problem(problem), on("cuda:0"));
  for (char const* problem : {"c2c f64 forward 30 batch 4", "c2c f64 inverse 16x18", "c2c f64 forward 20000"})
    expect_right<double>(parse_problem(problem), on("cuda:0"));
}

/// What stands between is in the order of digits that the planner chose for the way there, whatever it would choose back.
TEST_F(Engine, InversesTakeDigitsAsTheyWereLeft) {
  for (char const* problem :
       {"c2c f32 forward 100000 reversed", "c2c f32 forward 128x64x32 in-place reversed",
        "c2c f32 inverse 360x180 batch 3 reversed", "c2c f32 forward 7776 batch 2 reversed"}) {
    if (quick() && std::string(problem).find("360") == std::string::npos) continue;
    Plan const there(parse_problem(problem), on("cuda:0"));
    auto const in = noise<float>(elements(in_bytes(there.problem()), sizeof(Single)));
    DeviceArray<Single> a(in), b(in.size());
    bool const in_place = there.problem().placement == Placement::in_place;
    Single* const between = in_place ? a.data() : b.data();
    there.execute(a.data(), between);
    there.inverse().execute(between, a.data());
    EXPECT_LT(distance(in, a.values()), 1e-6) << problem << "\n" << there.describe();
  }
}

TEST_F(Engine, RunsProgramsThatAreHandedIn) {
  Problem const problem = c2c({256, 256});
  for (PlannedProgram const& planned :
       planned(problem, "h200", {.clusters = true, .l2_blocks = true, .max_candidates = quick() ? 3 : 6})) {
    PlanSettings settings = on("cuda:0");
    settings.gpu.program = planned.text;
    SCOPED_TRACE(planned.text);
    expect_right<float>(problem, settings);
    EXPECT_EQ(Plan(problem, settings).describe().find(planned.text), 0u);
    Plan(problem, settings).inverse();
  }
  PlanSettings settings = on("cuda:0");
  settings.gpu.program = planned(c2c({128, 256}), "h200")[0].text;
  EXPECT_THROW(Plan(problem, settings), Error) << "of another problem";
  settings.gpu.program = "{X(1,256,1,256,no-tw)}\n{Y(1,256,1,256,no-tw)}\n";
  expect_right<float>(problem, settings);
  settings.device = Device("cpu");
  EXPECT_THROW(Plan(problem, settings), Error);
}

/// The largest cluster of a plan's program; 1 where it has none.
int largest_cluster(Plan const& plan) {
  std::string const program = plan.describe(), mark = "cluster of ";
  int most = 1;
  for (auto at = program.find(mark); at != program.npos; at = program.find(mark, at + 1))
    most = std::max(most, std::atoi(program.c_str() + at + mark.size()));
  return most;
}

TEST_F(Engine, TakesSmallerClustersOrNoneWhereTheDeviceHoldsNoLarger) {
  for (int most : {16, 8, 4, 2, 1}) {
    fake_driver::limit_clusters(most);
    // Lines that take eight blocks, and sixteen; not the same twice, since plans are shared.
    int const lines = largest_cluster(Plan(c2c({1 << 16}, 2000 + most), on("cuda:0")));
    int const long_lines = largest_cluster(Plan(c2c({1 << 17}, 1000 + most), on("cuda:0")));
    EXPECT_LE(lines, most);
    EXPECT_LE(long_lines, most);
    EXPECT_TRUE(most < 8 || lines == 8) << lines;
    EXPECT_TRUE(most < 16 || long_lines == 16) << long_lines;
  }
  fake_driver::limit_clusters(4);
  PlanSettings settings = on("cuda:0");
  settings.gpu.program = "{X(1,4096,1,4096,no-tw)} on cluster of 4 in -> out";
  expect_right<float>(c2c({4096}, 2), settings);
  settings.gpu.program = "{X(1,4096,1,4096,no-tw)} on cluster of 8 in -> out";
  try {
    Plan(c2c({4096}, 2), settings);
    ADD_FAILURE() << "accepted";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "program");
    EXPECT_NE(std::string(e.what()).find("clusters of 8 blocks"), std::string::npos) << e.what();
  }
}

TEST_F(Engine, LetsBlocksOfAClusterShareAnSmWhereMoreClustersFitSo) {
  PlanSettings settings = on("cuda:0");
  settings.gpu.program = "{X(1,4096,1,4096,no-tw)} on cluster of 4 in -> out";
  Index batch = 2;  // another each time, since plans are shared
  for (auto const& [apart, anywhere, taken] :
       {std::tuple(84, 88, true), {88, 88, false}, {92 * 4, 96 * 4, false}, {0, 4, true}}) {
    fake_driver::hold_blocks(apart, anywhere);
    int const before = fake_driver::launched_anywhere();
    expect_right<float>(c2c({4096}, ++batch), settings);
    EXPECT_EQ(fake_driver::launched_anywhere() > before, taken)
        << apart << " apart, " << anywhere << " anywhere";
  }
  fake_driver::hold_blocks(132, 132);
}

TEST_F(Engine, RunsOnASecondDeviceWhateverIsCurrent) {
  Problem const problem = c2c({64, 64}, 3);
  Plan const plan(problem, on("cuda:1"));
  void* second = nullptr;
  cuDevicePrimaryCtxRetain(&second, 1);
  auto const in = noise<float>(3 * 4096);
  cuCtxPushCurrent_v2(second);
  DeviceArray<Single> from(in), to(in.size());
  cuCtxPopCurrent_v2(&second);
  plan.execute(from.data(), to.data());
  void* now = nullptr;
  cuCtxGetCurrent(&now);
  EXPECT_EQ(now, context_) << "the caller's context is current again";
  cuCtxPushCurrent_v2(second);
  EXPECT_LT(distance(expected<float>(problem, in, in.size()), to.values()), 1e-6);
  cuCtxPopCurrent_v2(&second);
  DeviceArray<Single> here(in);
  EXPECT_THROW(plan.execute(here.data(), to.data()), Error) << "memory of the other device";
}

TEST_F(Engine, WorksInAContextOfTheCaller) {
  Problem const problem = c2c({360}, 2);
  void* const own = fake_driver::make_context(0);
  {
    Plan const plan(problem, on("cuda:0"));
    auto const in = noise<float>(720);
    DeviceArray<Single> from(in), to(720);
    plan.execute(from.data(), to.data());
    EXPECT_LT(distance(expected<float>(problem, in, 720), to.values()), 1e-6);
  }
  fake_driver::end_context(own);
  expect_right<float>(problem, on("cuda:0"));  // what was loaded there is not taken for what is here
}

TEST_F(Engine, WorksWithoutAnyContext) {
  cuCtxPopCurrent_v2(&context_);
  Plan const plan(c2c({16}), on("cuda:0"));
  void* now = &now;
  cuCtxGetCurrent(&now);
  EXPECT_EQ(now, nullptr);
  cuCtxPushCurrent_v2(context_);
  expect_right<float>(c2c({16}), on("cuda:0"));
}

TEST_F(Engine, AllocatesAndWaitsForNothingWithWorkspace) {
  Plan const plan = two_sweeps();
  ASSERT_GT(plan.workspace_bytes(), 0u);
  auto const in = noise<float>(4096);
  DeviceArray<Single> from(in), to(in.size());
  DeviceArray<std::byte> work(plan.workspace_bytes());
  int const before = fake_driver::allocations();
  fake_driver::reset();
  plan.execute(from.data(), to.data(), {.workspace = work.data()});
  for (char const* entry : {"cuMemAlloc_v2", "cuMemAllocFromPoolAsync", "cuMemFree_v2", "cuMemFreeAsync",
                            "cuStreamSynchronize", "cuCtxSynchronize"})
    EXPECT_EQ(fake_driver::calls(entry), 0) << entry;
  EXPECT_EQ(fake_driver::allocations(), before);
  EXPECT_EQ(fake_driver::kernels_run(), 0) << "work waits in its stream";
  EXPECT_LT(distance(expected<float>(plan.problem(), in, in.size()), to.values()), 1e-6);
  EXPECT_EQ(fake_driver::kernels_run(), fake_driver::calls("cuLaunchKernel"));
}

TEST_F(Engine, TakesWorkspaceInStreamOrder) {
  Plan const plan = two_sweeps();
  auto const in = noise<float>(4096), other = noise<float>(4096, 2);
  DeviceArray<Single> from(in), from_other(other), to(in.size()), to_other(in.size());
  void *first = nullptr, *second = nullptr;
  cuStreamCreate(&first, 1);
  cuStreamCreate(&second, 1);
  std::size_t const before = fake_driver::allocated();
  plan.execute(from.data(), to.data(), {.stream = first});
  plan.execute(from_other.data(), to_other.data(), {.stream = second});
  EXPECT_EQ(fake_driver::allocated(), before + 2 * plan.workspace_bytes())
      << "one each, until its stream has done";
  cuStreamSynchronize(second);
  EXPECT_EQ(fake_driver::allocated(), before + plan.workspace_bytes());
  EXPECT_LT(distance(expected<float>(plan.problem(), in, in.size()), to.values()), 1e-6);
  EXPECT_LT(distance(expected<float>(plan.problem(), other, in.size()), to_other.values()), 1e-6);
  EXPECT_EQ(fake_driver::allocated(), before);
  cuStreamDestroy_v2(first);
  cuStreamDestroy_v2(second);
}

TEST_F(Engine, KeepsTheOrderOfAStream) {
  Problem const problem = in_place(c2c({30, 30}));
  Plan const there(problem, on("cuda:0")), back = there.inverse();
  auto const in = noise<float>(900);
  DeviceArray<Single> data(in);
  void* stream = nullptr;
  cuStreamCreate(&stream, 0);
  for (int i = 0; i < 3; ++i) {
    there.execute(data.data(), data.data(), {.stream = stream});
    back.execute(data.data(), data.data(), {.stream = stream});
  }
  EXPECT_LT(distance(in, data.values()), 2e-6);
  cuStreamDestroy_v2(stream);
}

void expect_captured(Plan const& plan, void* workspace) {
  auto const in = noise<float>(4096), other = noise<float>(4096, 2);
  DeviceArray<Single> from(in), to(in.size());
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  cuStreamCreate(&stream, 1);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
  plan.execute(from.data(), to.data(), {.workspace = workspace, .stream = stream});
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
  EXPECT_EQ(fake_driver::kernels_run(), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  cuGraphLaunch(exec, stream);
  EXPECT_LT(distance(expected<float>(plan.problem(), in, in.size()), to.values()), 1e-6);
  cuMemcpyHtoD_v2(reinterpret_cast<unsigned long long>(from.data()), other.data(),
                  other.size() * sizeof(Single));
  cuGraphLaunch(exec, stream);
  EXPECT_LT(distance(expected<float>(plan.problem(), other, in.size()), to.values()), 1e-6);
  cuGraphExecDestroy(exec);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Engine, IsCapturedIntoGraphs) {
  Plan const plan = two_sweeps();
  DeviceArray<std::byte> work(plan.workspace_bytes());
  expect_captured(plan, work.data());
  fake_driver::reset();
  expect_captured(plan, nullptr);
}

TEST_F(Engine, IsMadeWhileOthersCapture) {
  void *stream = nullptr, *graph = nullptr;
  cuStreamCreate(&stream, 0);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
  { Plan const plan(c2c({2187}), on("cuda:0")); }
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), 0) << "the capture was disturbed";
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Engine, WithoutPoolsAllocatesPlainlyAndRefusesCapture) {
  fake_driver::offer_pools(false);
  Plan const plan = two_sweeps();
  auto const in = noise<float>(4096);
  DeviceArray<Single> from(in), to(in.size());
  std::size_t const before = fake_driver::allocated();
  plan.execute(from.data(), to.data());
  EXPECT_EQ(fake_driver::allocated(), before);
  EXPECT_EQ(fake_driver::calls("cuMemAllocFromPoolAsync"), 0);
  EXPECT_LT(distance(expected<float>(plan.problem(), in, in.size()), to.values()), 1e-6);
  void *stream = nullptr, *graph = nullptr;
  cuStreamCreate(&stream, 0);
  cuStreamBeginCapture_v2(stream, 0);
  EXPECT_THROW(plan.execute(from.data(), to.data(), {.stream = stream}), Error);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), 0);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Engine, IsExecutedByManyThreadsAtOnce) {
  Plan const plan = two_sweeps();
  auto const in = noise<float>(4096);
  auto const right = expected<float>(plan.problem(), in, in.size());
  int const count = quick() ? 2 : 6;
  std::vector<double> errors(std::size_t(count), 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      cuCtxPushCurrent_v2(context_);
      DeviceArray<Single> from(in), to(in.size());
      void* stream = nullptr;
      cuStreamCreate(&stream, 1);
      Plan const own = two_sweeps();
      (t % 2 ? own : plan).execute(from.data(), to.data(), {.stream = stream});
      cuStreamSynchronize(stream);
      errors[std::size_t(t)] = distance(right, to.values());
      cuStreamDestroy_v2(stream);
    });
  for (std::thread& t : threads) t.join();
  for (double const e : errors) EXPECT_LT(e, 1e-6);
}

std::string refusal(Plan const& plan, void const* in, void* out, void* work = nullptr,
                    void* stream = nullptr) {
  try {
    plan.execute(in, out, {.workspace = work, .stream = stream});
  } catch (Error const& e) {
    return e.what();
  }
  return "";
}

TEST_F(Engine, RefusesPointersThatKernelsCannotUse) {
  Plan const plan = two_sweeps();
  DeviceArray<Single> from(4097), to(4097), work(4096 + 16);
  std::vector<Single> host(4096);
  auto const has = [](std::string const& text, std::string const& part) {
    return text.find(part) != text.npos;
  };
  EXPECT_TRUE(has(refusal(plan, host.data(), to.data()), "in: lies in host memory"));
  EXPECT_TRUE(has(refusal(plan, from.data(), host.data()), "out: lies in host memory"));
  EXPECT_TRUE(has(refusal(plan, from.data(), to.data(), host.data()), "workspace"));
  EXPECT_TRUE(
      has(refusal(plan, reinterpret_cast<float*>(from.data()) + 1, to.data()), "in: is 4 bytes past"));
  EXPECT_TRUE(
      has(refusal(plan, from.data(), reinterpret_cast<float*>(to.data()) + 1), "out: is 4 bytes past"));
  EXPECT_TRUE(has(refusal(plan, from.data(), to.data(), work.data() + 1), "workspace: is 8 bytes past"));
  EXPECT_TRUE(has(refusal(plan, nullptr, to.data()), "in: is a null pointer"));
  int strange = 0;
  EXPECT_TRUE(has(refusal(plan, from.data(), to.data(), nullptr, &strange), "failed"));
  DeviceArray<std::byte> supplied(plan.workspace_bytes());
  EXPECT_TRUE(
      has(refusal(plan, from.data(), to.data(), supplied.data(), &strange), "stream: is not a stream"));
  void* pinned = nullptr;
  cuMemHostAlloc(&pinned, 4096 * 8, 0);
  EXPECT_TRUE(has(refusal(plan, pinned, to.data()), "in: lies in host memory"));
  cuMemFreeHost(pinned);
  unsigned long long managed = 0;
  cuMemAllocManaged(&managed, 4096 * 8, 1);
  EXPECT_EQ(refusal(plan, reinterpret_cast<void*>(managed), to.data()), "");
  cuCtxSynchronize();
  cuMemFree_v2(managed);
}

/// Kernels move reals in pairs where they lie in pairs, one by one where they do not: so much must arrays be aligned.
TEST_F(Engine, RefusesRealsThatAreNotWherePairsAre) {
  auto const has = [](std::string const& text, std::string const& part) {
    return text.find(part) != text.npos;
  };
  DeviceArray<float> real(100);
  DeviceArray<Single> complex(100);
  float* const halfway = reinterpret_cast<float*>(complex.data()) + 1;
  Plan const there(parse_problem("r2c f32 forward 48"), on("cuda:0")), back = there.inverse();
  std::string const past = "is 4 bytes past a multiple of 8";
  EXPECT_TRUE(has(refusal(there, real.data() + 1, complex.data()), "in: " + past));
  EXPECT_TRUE(has(refusal(there, real.data(), halfway), "out: " + past));
  EXPECT_TRUE(has(refusal(back, halfway, real.data()), "in: " + past));
  EXPECT_TRUE(has(refusal(back, complex.data(), real.data() + 1), "out: " + past));
  EXPECT_TRUE(has(refusal(back, complex.data(), real.data() + 1), "copy it there")) << "the way out";
  EXPECT_EQ(refusal(there, real.data() + 2, complex.data()), "");
  DeviceArray<double> wide(100);
  Plan const doubles(parse_problem("r2c f64 forward 48"), on("cuda:0"));
  EXPECT_TRUE(has(refusal(doubles, wide.data() + 1, real.data()), "in: is 8 bytes past a multiple of 16"));
  // An odd stride between the transforms: no pairs, so no need for them to be aligned.
  Plan const odd(parse_problem("r2c f32 forward 16 batch 3 in 1/17"), on("cuda:0"));
  EXPECT_EQ(refusal(odd, real.data() + 1, complex.data()), "");
  Plan const pairs(parse_problem("r2r f32 forward 24 kinds dct2"), on("cuda:0"));
  EXPECT_TRUE(has(refusal(pairs, real.data() + 1, real.data() + 40), "in: " + past));
  Plan const cosine(parse_problem("r2r f32 forward 24 kinds dct4"), on("cuda:0"));
  EXPECT_TRUE(has(refusal(cosine, reinterpret_cast<char*>(real.data()) + 2, real.data() + 40),
                  "in: is 2 bytes past a multiple of 4"));
  cuCtxSynchronize();
}

TEST_F(Engine, StagesRealsWhereverTheyAre) {
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  Problem const problem = parse_problem("r2c f32 forward 48");
  std::vector<float> in(49);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::sin(float(i * i));
  std::vector<Single> out(25), right(25);
  Plan(problem, settings).execute(in.data() + 1, out.data());
  Plan(problem, on("cpu")).execute(in.data() + 1, right.data());
  EXPECT_LT(distance(right, out), 1e-6);
}

TEST_F(Engine, StagesHostArraysWhereTheOptionIsSet) {
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  Problem strided;  // columns of a matrix, with gaps between the outputs
  strided.axes = {{36, 4, 9}};
  strided.batch = {{4, 1, 2}};
  for (Problem const& problem : {c2c({100, 10}), in_place(c2c({48})), strided}) {
    Plan const plan(problem, settings);
    auto in = noise<float>(elements(in_bytes(problem), 8));
    std::size_t const size = elements(out_bytes(problem), 8);
    std::vector<Single> out(size, {7, 7}), right(size, {7, 7});
    bool const same = problem.placement == Placement::in_place;
    Problem apart = problem;
    apart.placement = Placement::out_of_place;
    Plan(apart, on("cpu")).execute(in.data(), right.data());
    plan.execute(in.data(), same ? in.data() : out.data());
    EXPECT_LT(distance(right, same ? in : out), 1e-6) << text(problem);
  }
  auto const in = noise<float>(4096);
  DeviceArray<Single> from(in);
  std::vector<Single> out(4096);
  Plan const plan = two_sweeps(HostArrays::staged);
  plan.execute(from.data(), out.data());
  EXPECT_LT(distance(expected<float>(plan.problem(), in, 4096), out), 1e-6) << "only one side";
  void *stream = nullptr, *graph = nullptr;
  cuStreamCreate(&stream, 0);
  cuStreamBeginCapture_v2(stream, 0);
  EXPECT_NE(refusal(plan, in.data(), out.data(), nullptr, stream).find("captured"), std::string::npos);
  cuStreamEndCapture(stream, &graph);
  cuGraphDestroy(graph);
  cuStreamDestroy_v2(stream);
}

TEST_F(Engine, BestTakesHostArraysAndLeavesTheRestToTheCpu) {
  EXPECT_EQ(Device().name(), "cuda:0");
  Plan const plan({40, 50});
  EXPECT_EQ(plan.device().name(), "cuda:0");
  auto const in = noise<float>(2000);
  std::vector<Single> out(2000), back(2000);
  plan.execute(in.data(), out.data());
  EXPECT_LT(distance(expected<float>(plan.problem(), in, 2000), out), 1e-6);
  plan.inverse().execute(out.data(), back.data());
  EXPECT_LT(distance(in, back), 1e-6);
  Problem odd = c2c({10}, 3);
  odd.batch[0].in_stride = 0;  // one input for all
  EXPECT_FALSE(Plan(odd).describe().empty());
}

TEST_F(Engine, TellsWhatFailed) {
  auto const fault = [](Problem const& problem) -> std::string {
    try {
      Plan const plan(problem, on("cuda:0"));
    } catch (Error const& e) {
      return e.what();
    }
    return "";
  };
  auto const has = [](std::string const& text, std::string const& part) {
    return text.find(part) != text.npos;
  };
  fake_driver::fail(compile_call(), 6);
  EXPECT_TRUE(has(fault(c2c({33})), "a planned failure"));
  fake_driver::fail("cuModuleLoadData", 209);
  EXPECT_TRUE(has(fault(c2c({33})), "update the driver"));
  fake_driver::fail("cuMemAlloc_v2", 2);
  EXPECT_TRUE(has(fault(c2c({2048}, 7)), "memory: "));
  EXPECT_EQ(fault(c2c({33})), "") << "nothing of the failures was kept";

  Plan const plan = two_sweeps();
  DeviceArray<Single> from(4096), to(4096);
  fake_driver::fail("cuLaunchKernel", 719, 1);
  EXPECT_TRUE(has(refusal(plan, from.data(), to.data()), "launching a sweep failed"));
  cuCtxSynchronize();
  std::size_t const before = fake_driver::allocated();
  fake_driver::limit_memory(before + 1000);
  EXPECT_TRUE(has(refusal(plan, from.data(), to.data()), "supply workspace"));
  fake_driver::limit_memory(0);
  EXPECT_EQ(refusal(plan, from.data(), to.data()), "");
  cuCtxSynchronize();
  EXPECT_EQ(fake_driver::allocated(), before);
}

TEST_F(Engine, TellsWhereTheTimeWent) {
  auto const parts = [](Plan const& plan) {
    std::vector<std::string> names;
    for (PlanTiming const& part : plan.plan_timings()) {
      EXPECT_GE(part.seconds, 0) << part.name;
      names.push_back(part.name);
    }
    return names;
  };
  Problem const problem = c2c({31, 27});
  auto const has = [](std::vector<std::string> const& all, char const* one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  Plan const first(problem, on("cuda:0"));
  for (char const* part : {"context", "fetch", "search", "lowering", "tables", "kernels", "load", "upload"})
    EXPECT_TRUE(has(parts(first), part)) << part;
  EXPECT_FALSE(has(parts(Plan(problem, on("cuda:0"))), "fetch")) << "shared with the first";
  void* const own = fake_driver::make_context(0);
  {
    Plan const again(problem, on("cuda:0"));  // from the disk, into another context
    EXPECT_TRUE(has(parts(again), "fetch"));
    EXPECT_FALSE(has(parts(again), "search"));
    EXPECT_FALSE(has(parts(again), "lowering"));
  }
  fake_driver::end_context(own);
  EXPECT_TRUE(has(parts(Plan(problem, on("cpu"))), "search"));
}

TEST_F(Engine, GivesDeviceMemoryBack) {
  Problem const problem = c2c({65536}, 3);
  void* const own = fake_driver::make_context(0);  // a context of its own: nothing is shared with other tests
  std::size_t const before = fake_driver::allocated();
  for (int i = 0; i < 3; ++i) {
    Plan const plan(problem, on("cuda:0"));
    EXPECT_GT(fake_driver::allocated(), before) << "tables";
    EXPECT_LT(fake_driver::allocated(), before + (1 << 18)) << "made once, and shared";
  }
  for (int i = 1; i <= 70; ++i) Plan const plan(c2c({256}, i), on("cuda:0"));
  EXPECT_LT(fake_driver::allocated(), before + (1 << 20)) << "only the last ones are kept";
  fake_driver::end_context(own);
}

/// Before anything is planned: the numbers are told, and no kernel is compiled.
TEST_F(Engine, ArraysThatNobodyHoldsAreRefusedAtOnce) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  int const compiled = fake_driver::calls(compile_call());
  for (Problem const& problem :
       {c2c({Index(1) << 48}), r2c({1 << 20, 1 << 20, 1 << 12}), c2c({2, 3}, Index(1) << 50)})
    try {
      Plan const plan(problem, settings);
      ADD_FAILURE() << text(problem) << " was planned";
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "problem");
      EXPECT_NE(std::string(e.what()).find("bytes but cuda:0 and its host have"), std::string::npos)
          << e.what();
    }
  EXPECT_EQ(fake_driver::calls(compile_call()), compiled);
}

}  // namespace
}  // namespace skipper::testing
