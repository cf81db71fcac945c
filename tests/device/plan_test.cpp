// Plans on a real device through the public interface: placements, directions, streams, capture, threads, the cache,
// more than 2^31 elements, and host arrays.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>

#include "device/device.h"

namespace skipper::testing {
namespace {

using Single = std::complex<float>;

template <class T>
void expect_right(Problem const& problem) {
  SCOPED_TRACE(text(problem));
  using C = std::complex<T>;
  cli::Cuda cuda(0);
  Plan const plan(problem, on("cuda:0"));
  auto const in = noise<T>(std::size_t(in_bytes(problem)) / sizeof(C));
  auto const right = expected<T>(problem, in);
  std::size_t const bytes = right.size() * sizeof(C);
  bool const in_place = problem.placement == Placement::in_place;
  void* const from = cuda.device_memory("in", std::max(bytes, in.size() * sizeof(C))).data;
  void* const to = in_place ? from : cuda.device_memory("out", bytes).data;
  cuda.upload(from, in.data(), in.size() * sizeof(C));
  if (!in_place) cuda.poison(to, bytes);
  plan.execute(from, to, {.stream = cuda.stream()});
  std::vector<C> out(right.size());
  cuda.download(out.data(), to, bytes);
  EXPECT_LT(distance(right, out), sizeof(T) == 4 ? 1e-6 : 1e-14);
}

class DevicePlans : public Share {};
INSTANTIATE_TEST_SUITE_P(Share, DevicePlans, Share::all());

TEST_P(DevicePlans, AllPlacementsAndDirections) {
  std::vector<Problem> problems;
  for (char const* shape : {"1", "60", "4096", "100000", "24x24x24", "250x64", "128x128x16"})
    for (char const* direction : {"forward", "inverse"})
      for (char const* rest : {"", " in-place", " batch 3", " batch 5 in-place", " scale 0.125"})
        for (char const* precision : {"f32", "f64"})
          if (!quick() || std::strlen(shape) < 3)
            problems.push_back(
                parse_problem(std::string("c2c ") + precision + " " + direction + " " + shape + rest));
  each(problems, [](Problem const& problem) {
    if (problem.precision == Precision::f32)
      expect_right<float>(problem);
    else
      expect_right<double>(problem);
  });
}

/// That the driver is called to see whether clusters fit must not cost them where they do.
TEST(DevicePlan, ClustersAreTakenWhereTheyFit) {
  for (DeviceDescription const& d : devices())
    if (d.name == "cuda:0" && d.machine.find("machine h200 ") != 0)
      GTEST_SKIP() << "of an H200 it is known what fits: " << d.machine;
  for (std::int64_t n : {1 << 16, 1 << 17})
    EXPECT_NE(Plan(c2c({n}, (1 << 27) / n), on("cuda:0")).describe().find("on cluster of"),
              std::string::npos);
}

TEST(DevicePlan, StreamsAndThreadsAtOnce) {
  Plan const plan(c2c({quick() ? 256 : 1 << 20}), on("cuda:0"));
  auto const in = noise<float>(std::size_t(plan.problem().axes[0].size));
  auto const right = expected<float>(plan.problem(), in);
  std::size_t const bytes = in.size() * sizeof(Single);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      cli::Cuda cuda(0);  // a stream of its own
      void *from = cuda.device_memory("in", bytes).data, *to = cuda.device_memory("out", bytes).data;
      cuda.upload(from, in.data(), bytes);
      for (int i = 0; i < 20; ++i) plan.execute(from, to, {.stream = cuda.stream()});
      std::vector<Single> out(in.size());
      cuda.download(out.data(), to, bytes);
      EXPECT_LT(distance(right, out), 1e-6);
    });
}

TEST(DevicePlan, IsCapturedIntoGraphsWithWorkspaceAndWithout) {
  cli::Cuda cuda(0);
  Plan const plan(c2c({quick() ? 256 : 1 << 20}, 2), on("cuda:0"));
  auto const in = noise<float>(2 * std::size_t(plan.problem().axes[0].size));
  auto const right = expected<float>(plan.problem(), in);
  std::size_t const bytes = in.size() * sizeof(Single);
  void *from = cuda.device_memory("in", bytes).data, *to = cuda.device_memory("out", bytes).data;
  cuda.upload(from, in.data(), bytes);
  for (bool const supplied : {true, false}) {
    void* const work = supplied ? cuda.device_memory("work", plan.workspace_bytes() + 1).data : nullptr;
    auto const replay =
        cuda.replayed([&] { plan.execute(from, to, {.workspace = work, .stream = cuda.stream()}); }, 3);
    cuda.poison(to, bytes);
    replay();
    replay();
    std::vector<Single> out(in.size());
    cuda.download(out.data(), to, bytes);
    EXPECT_LT(distance(right, out), 1e-6) << supplied;
  }
}

/// Forward and back again and again, each call on what the one before has written, some with copies and fills between: small ones are
/// launched while what comes before them still runs (decision 0033), whatever that is.
TEST(DevicePlan, SmallCallsWaitForWhateverComesBeforeThem) {
  for (std::vector<std::int64_t> const& shape :
       {std::vector<std::int64_t>{16}, {1024}, {4096}, {24, 24, 24}, {64, 64, 64}}) {
    if (quick() && shape.size() > 1) continue;
    std::int64_t const points = shape[0] * (shape.size() > 1 ? shape[0] * shape[0] : 1);
    Problem problem = c2c(shape);
    Plan const there(problem, on("cuda:0"));
    problem.direction = Direction::inverse;
    problem.scale = 1 / double(points);
    Plan const back(problem, on("cuda:0"));
    auto const in = noise<float>(std::size_t(points));
    std::size_t const bytes = in.size() * sizeof(Single);
    cli::Cuda cuda(0);
    void *a = cuda.device_memory("a", bytes).data, *b = cuda.device_memory("b", bytes).data,
         *c = cuda.device_memory("c", bytes).data;
    for (bool const supplied : {true, false})
      for (bool const captured : {false, true}) {
        void* const work = supplied ? cuda.device_memory("work", there.workspace_bytes() + 1).data : nullptr;
        auto const round = [&] {
          there.execute(a, b, {.workspace = work, .stream = cuda.stream()});
          back.execute(b, c, {.workspace = work, .stream = cuda.stream()});
          cuda.poison(b, bytes);
          there.execute(c, b, {.workspace = work, .stream = cuda.stream()});
          cuda.copy(c, b, bytes);
          cuda.poison(b, bytes);
          back.execute(c, a, {.workspace = work, .stream = cuda.stream()});
        };
        cuda.upload(a, in.data(), bytes);
        std::function<void()> const all = captured ? cuda.replayed(round, 10) : [&] {
          for (int i = 0; i < 10; ++i) round();
        };
        all();
        std::vector<Single> out(in.size());
        cuda.download(out.data(), a, bytes);
        EXPECT_LT(distance(in, out), 1e-5)
            << text(problem) << (supplied ? " supplied" : "") << (captured ? " captured" : "");
      }
  }
}

/// What stands between is in the order of digits that the planner chose for the way there.
TEST(DevicePlan, InversesTakeDigitsAsTheyWereLeft) {
  std::vector<char const*> problems{"c2c f32 forward 360x180 batch 3 reversed",
                                    "c2c f32 forward 1024 batch 5 reversed"};
  if (!quick())
    problems.insert(problems.end(),
                    {"c2c f32 forward 1000000 reversed", "c2c f32 forward 128x128x128 in-place reversed",
                     "c2c f32 inverse 65536 batch 40 reversed", "c2c f32 forward 10007 batch 3 reversed"});
  on_all_cores(problems.size(), [&](std::size_t i) {
    PlanSettings settings = on("cuda:0");
    settings.gpu.host_arrays = HostArrays::staged;
    Plan const there(parse_problem(problems[i]), settings);
    auto const in = noise<float>(std::size_t(in_bytes(there.problem())) / sizeof(Single));
    std::vector<Single> x = in, between(in.size());
    Single* const middle = there.problem().placement == Placement::in_place ? x.data() : between.data();
    there.execute(x.data(), middle);
    EXPECT_TRUE(middle == x.data() || x == in) << "the input was not preserved";
    there.inverse().execute(middle, x.data());
    EXPECT_LT(distance(in, x), 2e-6) << problems[i] << "\n" << there.describe();
  });
}

/// L2 blocks of two planes in three lanes, the last one ragged, or whole sweeps.
Plan squares(Problem const& problem, bool l2_blocks) {
  std::string const n = std::to_string(problem.axes[0].size), all = "(1," + n + ",1," + n + ",no-tw)}";
  std::int64_t const plane = problem.axes[0].size * problem.axes[0].size * 8;
  PlanSettings settings = on("cuda:0");
  settings.gpu.program =
      "{X" + all + " with Y%8 on block " +
      (l2_blocks ? "l2_block 3x" + std::to_string(2 * plane) + "B in -> l2_buffer" : "in -> work") +
      " [B Y X]\n{Y" + all + " with X%16 on block " + (l2_blocks ? "l2_buffer" : "work") + " -> out\n";
  return Plan(problem, settings);
}

TEST(DevicePlan, L2BlocksGiveTheSameBitsOnManyThreadsAndUnderCapture) {
  Problem const problem = quick() ? c2c({64, 64}, 7) : c2c({512, 512}, 77);
  Plan const l2_blocks = squares(problem, true), whole = squares(problem, false);
  auto const in = noise<float>(std::size_t(in_bytes(problem)) / sizeof(Single));
  std::size_t const bytes = in.size() * sizeof(Single);
  auto const result = [&](Plan const& plan, bool captured) {
    cli::Cuda cuda(0);  // a stream of its own
    void *from = cuda.device_memory("in", bytes).data, *to = cuda.device_memory("out", bytes).data;
    cuda.upload(from, in.data(), bytes);
    cuda.poison(to, bytes);
    auto const call = [&] { plan.execute(from, to, {.stream = cuda.stream()}); };
    if (captured) {
      auto const replay = cuda.replayed(call, 3);
      replay();
      replay();
    }
    for (int i = 0; i < 5 && !captured; ++i) call();
    std::vector<Single> out(in.size());
    cuda.download(out.data(), to, bytes);
    return out;
  };
  auto const right = result(whole, false);
  auto const same = [&](std::vector<Single> const& x) {
    return std::memcmp(x.data(), right.data(), bytes) == 0;
  };
  std::vector<std::jthread> threads;
  for (int t = 0; t < (quick() ? 2 : 6); ++t)
    threads.emplace_back([&, t] { EXPECT_TRUE(same(result(l2_blocks, false))) << t; });
  threads.clear();
  EXPECT_TRUE(same(result(l2_blocks, true)));
}

TEST(DevicePlan, FillsTheCacheOnceAndReusesIt) {
  auto const folder =
      std::filesystem::temp_directory_path() / ("skipper-device-" + std::to_string(::getpid()));
  char const* const before = std::getenv("SKIPPER_CACHE");
  std::string const kept = before ? before : "";
  ::setenv("SKIPPER_CACHE", folder.c_str(), 1);
  auto const files = [&] {
    std::map<std::string, std::filesystem::file_time_type> all;
    for (auto const& f : std::filesystem::directory_iterator(folder)) all[f.path()] = f.last_write_time();
    return all;
  };
  expect_right<float>(c2c({3125}, 3));
  auto const first = files();
  EXPECT_GE(first.size(), 2u) << "a plan and a kernel";
  expect_right<float>(c2c({3125}, 3));
  EXPECT_EQ(files(), first) << "within a process nothing is even looked up";
  before ? ::setenv("SKIPPER_CACHE", kept.c_str(), 1) : ::unsetenv("SKIPPER_CACHE");
  std::filesystem::remove_all(folder);
}

TEST(DevicePlan, HostArraysAreRefusedOrStaged) {
  auto const in = noise<float>(4096);
  std::vector<Single> out(4096);
  EXPECT_THROW(Plan(c2c({4096}), on("cuda:0")).execute(in.data(), out.data()), Error);
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  Plan const plan(c2c({4096}), settings);
  plan.execute(in.data(), out.data());
  EXPECT_LT(distance(expected<float>(plan.problem(), in), out), 1e-6);
}

/// 17 GB in place: only pieces of it are filled and looked at, the rest are zeros.
TEST(DevicePlan, AddressesMoreThanTwoToThe31Elements) {
  if (quick()) GTEST_SKIP() << "SKIPPER_QUICK";
  constexpr std::int64_t n = 16, batch = (std::int64_t(1) << 27) + 16387, piece = 4096 * n;
  cli::Cuda cuda(0);
  std::byte* data = nullptr;
  try {
    data = static_cast<std::byte*>(cuda.device_memory("all", std::size_t(batch * n) * sizeof(Single)).data);
  } catch (Error const& e) {
    GTEST_SKIP() << e.what();
  }
  Problem const problem = in_place(c2c({n}, batch));
  Plan const plan(problem, on("cuda:0"));
  cuda.fill(data, 0, std::size_t(batch * n) * sizeof(Single));
  auto const x = noise<float>(piece);
  auto const right = expected<float>(c2c({n}, piece / n), x);
  // The last one begins where the one across 2^31 has ended.
  std::int64_t const places[] = {0, (std::int64_t(1) << 31) - piece / 2, (batch - 4096) * n};
  for (std::int64_t const at : places) cuda.upload(data + at * 8, x.data(), piece * 8);
  plan.execute(data, data, {.stream = cuda.stream()});
  for (std::int64_t const at : places) {
    std::vector<Single> y(piece);
    cuda.download(y.data(), data + at * 8, piece * 8);
    EXPECT_LT(distance(right, y), 1e-6) << at;
  }
}

}  // namespace
}  // namespace skipper::testing
