// Every golden program of the H200, on the device: outputs poisoned beforehand, held to the definition, the input
// preserved. Programs that the device cannot hold are listed. They are assigned to the shares by turns, so that each has large ones
// and small ones.
#include <algorithm>
#include <cstring>
#include <memory>

#include "device/device.h"
#include "gpu/device.h"
#include "gpu/engine.h"
#include "plan/lower/lower.h"
#include "reference/accuracy.h"
#include "reference/whole_check.h"
#include "support/goldens.h"
#include "support/compare.h"

namespace skipper::testing {
namespace {

constexpr Index small = 1 << 20, large = 1 << 27;  // points

/// Null where the device cannot run it, for which `why` is then given.
std::unique_ptr<gpu::Transform> made(Program const& program, std::string& why) try {
  return std::make_unique<gpu::Transform>(program, 0);
} catch (Error const& e) {
  why = e.what();
  return nullptr;
}

/// Numbers from -1 to 1, each from its place by a mixing function, on all cores where they are many.
template <class T>
Array<T> scattered(std::size_t count) {
  auto const mixed = [](std::uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
    i = (i ^ i >> 27) * 0x94d049bb133111ebu;
    return i ^ i >> 31;
  };
  Array<T> x(count);
  std::size_t const piece = 1 << 20;
  on_all_cores((count + piece - 1) / piece, [&](std::size_t p) {
    for (std::size_t i = p * piece; i < std::min(count, (p + 1) * piece); ++i) {
      std::uint64_t const bits = mixed(i);
      x[i] = {T(double(bits & 0xffffff) / 0x800000 - 1), T(double(bits >> 40) / 0x800000 - 1)};
    }
  });
  return x;
}

template <class T>
void run(Program const& program, std::string& why) {
  Problem const& problem = program.problem;
  auto const transform = made(program, why);
  if (!transform) return;
  cli::Cuda cuda(0);
  std::size_t const read = std::size_t(in_bytes(problem)), written = std::size_t(out_bytes(problem));
  bool const in_place = problem.placement == Placement::in_place;
  void* const from = cuda.device_memory("in", std::max(read, written)).data;
  void* const to = in_place ? from : cuda.device_memory("out", written).data;
  void* const work =
      transform->workspace_bytes() ? cuda.device_memory("work", transform->workspace_bytes()).data : nullptr;
  std::mt19937_64 random(5);
  auto const elements = [](std::size_t bytes) { return (bytes + 2 * sizeof(T) - 1) / (2 * sizeof(T)); };
  Array<T> const x = scattered<T>(elements(read));
  Array<T> y(elements(written)), kept(x.size());
  cuda.upload(from, x.data(), read);
  if (!in_place) cuda.poison(to, written);
  transform->execute(from, to, work, static_cast<gpu::Stream>(cuda.stream()));
  cuda.download(y.data(), to, written);
  cuda.download(kept.data(), from, read);
  EXPECT_TRUE(in_place || std::memcmp(kept.data(), x.data(), read) == 0) << "the input was not preserved";
  bool const complex = problem.kind == Kind::c2c;
  if (complex && (points(problem) <= small || problem.order != Order::natural)) {
    EXPECT_LE(compare(program, x, y, random).l2, allowed_error(problem)) << text(program);
    return;
  }
  EXPECT_LE(reference::accuracy(problem, x.data(), y.data()).l2, reference::allowed_l2(problem))
      << text(program);
  EXPECT_TRUE(reference::whole_check(problem, x.data(), y.data()).good()) << text(program);
}

void run_any(Program const& program, std::string& why) try {
  if (program.problem.precision == Precision::f32)
    run<float>(program, why);
  else
    run<double>(program, why);
} catch (std::exception const& e) {
  ADD_FAILURE() << text(program) << e.what();
}

/// The small programs, then the large ones.
std::vector<Program> golden_programs() {
  std::vector<Program> little, big;
  Index const least = quick() ? 4096 : small;
  for (Golden const& golden : goldens("h200")) {
    if (points(golden.problem) <= least)
      little.push_back(golden.program);
    else if (!quick() && points(golden.problem) <= large)
      big.push_back(golden.program);
  }
  little.insert(little.end(), big.begin(), big.end());
  return little;
}

class GoldenPrograms : public Share {};
INSTANTIATE_TEST_SUITE_P(Share, GoldenPrograms, Share::all());

TEST_P(GoldenPrograms, RunOnTheDevice) {
  std::vector<Program> const programs = of(golden_programs());
  std::vector<std::string> why(programs.size());
  auto const is_small = [](Program const& program) { return points(program.problem) <= small; };
  auto const littles = std::size_t(std::count_if(programs.begin(), programs.end(), is_small));
  on_all_cores(littles, [&](std::size_t i) { run_any(programs[i], why[i]); });
  for (std::size_t i = littles; i < programs.size(); ++i) run_any(programs[i], why[i]);  // gigabytes each
  std::size_t ran = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ran += why[i].empty();
    if (!why[i].empty())
      std::printf("not run here: %s: %s\n", text(programs[i].problem).c_str(), why[i].c_str());
  }
  std::printf("%zu golden programs ran\n", ran);
  EXPECT_GT(ran, why.size() / 2);
  EXPECT_TRUE(gpu::device_machine(0).name != "h200" || ran == why.size()) << "an H200 runs them all";
}

}  // namespace
}  // namespace skipper::testing
