// The end of a process and of a thread: plans that are used by destructors of static and thread-local objects, and exit()
// from wherever it is called. Each in a child, whose status is that of its last destructor.
#include <skipper/skipper.h>
#include <skipper/skipper_c.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <complex>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "support/child.h"

namespace skipper {
namespace {

using testing::end_of;
using testing::Leaves;
using testing::start_child;
using Values = std::vector<std::complex<float>>;

PlanSettings four_threads() {
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = 4;
  return settings;
}

Values ramp(std::size_t count) {
  Values all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(float(i % 7) - 3, float(i % 11) - 5);
  return all;
}

constexpr std::size_t points = 256 * 256;

Values result_of(Plan const& plan) {
  Values const in = ramp(points);
  Values out(points);
  plan.execute(in.data(), out.data());
  return out;
}

/// Everything that keeps something in the library: plans, numbers, names, texts, the C interface.
bool all_works() {
  Plan const plan({256, 256}, Precision::f32, Direction::forward, four_threads());
  Plan const back = plan.inverse();
  Values const in = ramp(points);
  Values out(points), again(points);
  plan.execute(in.data(), out.data());
  back.execute(out.data(), again.data());
  float worst = 0;
  for (std::size_t i = 0; i < points; ++i) worst = std::max(worst, std::abs(in[i] - again[i]));
  StreamSettings through;
  through.device = Device("cpu");
  through.memory_limit = 1 << 18;
  StreamPlan const sliced(c2c({32, 32, 32}), through);
  sliced.execute(in.data(), out.data());
  std::vector<float> const kernel(9, 1);
  ConvolutionProblem blur;
  blur.shape = {64, 64};
  blur.kernel = {3, 3};
  Convolution const convolution(blur, kernel.data(), four_threads());
  skipper_plan* none = nullptr;
  bool const refused = skipper_plan_create_text(&none, "c2c f99", nullptr) == SKIPPER_BAD_ARGUMENT;
  return worst < 1e-4f && refused && !plan.describe().empty() && !devices().empty() &&
         planned(c2c({4096}), "h200").size() > 0 && !machine_names().empty() && skipper_message() &&
         std::string(skipper_version()) == version() && !Device("cpu").name().empty();
}

/// What a destructor found, as the status of the process.
struct AtEnd {
  bool armed = false;
  std::optional<Plan> plan;  // of the parent or of the child
  Values expected;
  ~AtEnd() {
    if (!armed) return;
    bool const right = plan && result_of(*plan) == expected && all_works();
    plan.reset();
    if (!right) ::_exit(3);
  }
};
AtEnd at_end;  // made before anything in the library is, so destroyed after it

void arm() {
  at_end.plan.emplace(std::vector<std::int64_t>{256, 256}, Precision::f32, Direction::forward,
                      four_threads());
  at_end.expected = result_of(*at_end.plan);
  at_end.armed = true;
}

TEST(Exit, StaticObjectsUsePlansWhenTheyAreDestroyed) {
  auto const work = [] {
    arm();
    return 0;
  };
  EXPECT_EQ(end_of(start_child(work, Leaves::by_exit)), "status 0");
}

TEST(Exit, StaticObjectsMakeTheFirstPlanWhenTheyAreDestroyed) {
  auto const work = [] {
    static struct Late {
      ~Late() {
        if (!all_works()) ::_exit(4);
      }
    } const late;
    return 0;
  };
  EXPECT_EQ(end_of(start_child(work, Leaves::by_exit)), "status 0");
}

TEST(Exit, ThreadLocalObjectsUsePlansWhenTheThreadEnds) {
  auto const work = [] {
    static std::atomic<int> right = 0;
    struct AtThreadEnd {
      bool used = false;
      ~AtThreadEnd() { right += used && all_works(); }
    };
    for (int i = 0; i < 2; ++i)
      std::thread([] {
        thread_local AtThreadEnd
            object;  // before the library has any of this thread, so destroyed after those
        object.used = true;
        all_works();
      }).join();
    return right == 2 ? 0 : 5;
  };
  EXPECT_EQ(end_of(start_child(work, Leaves::by_exit)), "status 0");
}

TEST(Exit, WhileOtherThreadsExecute) {
  auto const work = [] {
    arm();
    for (int i = 0; i < 2; ++i)
      std::thread([] {
        // These outlive the end of static objects: the thread goes on as long as there is a process.
        auto const& plan = *new Plan(*at_end.plan);
        Values const& in = *new Values(ramp(points));
        Values& out = *new Values(points);
        for (;;) plan.execute(in.data(), out.data());
      }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 0;
  };
  EXPECT_EQ(end_of(start_child(work, Leaves::by_exit)), "status 0");
}

TEST(Exit, FromInsideALoop) {
  for (bool const locked : {false, true}) {
    auto const work = [locked] {
      static std::mutex mutex;
      static std::atomic<bool> is_left = false;
      PlanSettings settings = four_threads();
      settings.callbacks.load = [locked](CallbackRun const&) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (locked) lock.lock();             // the others wait for this one, which never gives it back
        if (is_left.exchange(true)) return;  // they go on; a program may call exit() once
        std::exit(0);
      };
      Plan const plan(c2c({64, 64}, 64), settings);
      Values const in = ramp(64 * 64 * 64);
      Values out(in.size());
      plan.execute(in.data(), out.data());
      return 1;
    };
    EXPECT_EQ(end_of(start_child(work)), "status 0");
  }
}

}  // namespace
}  // namespace skipper
