// Executors of users: every interface takes them, results are those of the pool to the last bit, whatever the order and the
// threads of the tasks, and what goes wrong arrives at the caller.
#include <skipper/skipper.h>
#include <skipper/skipper_c.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/pool.h"
#include "support/uniform.h"
#include "support/untyped.h"

namespace skipper {
namespace {

using Task = std::function<void(int)>;

// One after the other.
void serial(int tasks, Task const& task) {
  for (int i = 0; i < tasks; ++i) task(i);
}

// One after the other in another order.
void shuffled(int tasks, Task const& task) {
  std::vector<int> order(static_cast<std::size_t>(tasks));
  for (int i = 0; i < tasks; ++i) order[static_cast<std::size_t>(i)] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (int const i : order) task(i);
}

// A thread each.
void threads(int tasks, Task const& task) {
  std::vector<std::jthread> all;
  for (int i = 0; i < tasks; ++i) all.emplace_back([&task, i] { task(i); });
}

// All of them many times over: a fault of the user's, which must not become one of memory.
void too_often(int tasks, Task const& task) {
  for (int round = 0; round < 3; ++round) threads(tasks, task);
}

// Fewer than were asked for: another one.
void too_few(int tasks, Task const& task) {
  for (int i = 0; i + 2 < tasks; ++i) task(i);
}

#ifdef _OPENMP
void open_mp(int tasks, Task const& task) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < tasks; ++i) task(i);
}
#endif

std::vector<Executor> all_executors() {
  std::vector<Executor> all = {{serial, 4}, {shuffled, 5}, {threads, 4}, {too_often, 4}, {too_few, 4}};
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)  // TSan does not know the barriers of libgomp
  all.push_back({open_mp, std::max(2, omp_get_max_threads())});
#endif
  return all;
}

PlanSettings with(Executor const& executor, int count = 0) {
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.executor = executor;
  settings.cpu.threads = count;
  return settings;
}

std::vector<std::byte> noise(std::int64_t bytes, Precision precision) {
  std::mt19937 random(5);
  skipper::testing::Uniform<double> uniform;
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  for (std::size_t at = 0; at < data.size(); at += precision == Precision::f32 ? 4 : 8)
    if (precision == Precision::f32)
      *reinterpret_cast<float*>(data.data() + at) = float(uniform(random));
    else
      *reinterpret_cast<double*>(data.data() + at) = uniform(random);
  return data;
}

std::vector<std::byte> result_of(Plan const& plan) {
  Problem const& p = plan.problem();
  auto const in = noise(in_bytes(p), p.precision);
  std::vector<std::byte> out(static_cast<std::size_t>(out_bytes(p)));
  plan.execute(testing::untyped(in.data()), testing::untyped(out.data()));
  return out;
}

TEST(Executor, PlansGiveTheSameBits) {
  for (Problem const& p :
       {c2c({65536}), c2c({300, 200}, 1, Precision::f64), c2c({64, 64}, 40), r2c({1 << 16}), c2c({1009}, 30),
        r2r({200, 300}, {AxisKind::dct2, AxisKind::dst3})}) {
    auto const expected = result_of(Plan(p, with({}, 1)));
    for (Executor const& executor : all_executors())
      EXPECT_EQ(result_of(Plan(p, with(executor))), expected) << text(p);
  }
}

TEST(Executor, FunctionsOnLoadToo) {
  for (Executor const& executor : all_executors()) {
    PlanSettings settings = with(executor);
    std::atomic<std::int64_t> elements = 0;
    settings.callbacks.load = [&](CallbackRun const& segment) { elements += segment.count; };
    Problem const p = c2c({64, 64}, 30);
    EXPECT_EQ(result_of(Plan(p, settings)), result_of(Plan(p, with({}, 1))));
    EXPECT_EQ(elements, 64 * 64 * 30);
  }
}

TEST(Executor, ConvolutionsStreamsAndPoissonGiveTheSameBits) {
  ConvolutionProblem blur;
  blur.shape = {200, 300};
  blur.kernel = {5, 7};
  PoissonProblem box;
  box.axes.resize(3);
  for (PoissonAxis& axis : box.axes) axis.size = 48;
  auto const in = noise(4 * 200 * 300 * 2, Precision::f32);
  auto const* const floats = reinterpret_cast<float const*>(in.data());
  auto const all = [&](Executor const& executor, int count) {
    PlanSettings const settings = with(executor, count);
    StreamSettings through;
    through.device = Device("cpu");
    through.cpu.executor = executor;
    through.cpu.threads = count;
    through.memory_limit = 1 << 18;
    std::vector<std::vector<float>> results(4, std::vector<float>(220 * 320));
    Convolution(blur, floats, settings).execute(floats, results[0].data());
    StreamPlan(c2c({30, 30, 30}), through)
        .execute(testing::untyped(floats), testing::untyped(results[1].data()));
    results[2].resize(48 * 48 * 48);
    results[3].resize(48 * 48 * 48);
    Poisson(box, settings).solve(floats, results[2].data());
    StreamPoisson(box, through).solve(floats, results[3].data());
    return results;
  };
  auto const expected = all({}, 1);
  for (Executor const& executor : all_executors()) EXPECT_EQ(all(executor, 0), expected);
}

TEST(Executor, NoThreadOfSkippersIsUsed) {
  int const before = cpu::workers();
  std::atomic<int> calls = 0;
  Executor const counted{[&](int tasks, Task const& task) { ++calls, serial(tasks, task); }, before + 40};
  result_of(Plan(c2c({512, 512}), with(counted)));
  EXPECT_GT(calls, 0);
  EXPECT_EQ(cpu::workers(), before);
}

TEST(Executor, ThreadsAreTheTasksOfALoop) {
  int most = 0;
  Executor const counted{
      [&](int tasks, Task const& task) { most = std::max(most, tasks), serial(tasks, task); }, 3};
  result_of(Plan(c2c({512, 512}), with(counted)));
  EXPECT_EQ(most, 3);
  result_of(Plan(c2c({512, 512}), with(counted, 2)));  // the plan's own count goes first
  EXPECT_EQ(most, 3);
  result_of(Plan(c2c({512, 512}), with(counted, 7)));
  EXPECT_EQ(most, 7);
}

TEST(Executor, TheDefaultOneIsForPlansMadeAfterIt) {
  std::atomic<int> calls = 0;
  Plan const earlier(c2c({512, 512}), with({}));
  set_default_executor({[&](int tasks, Task const& task) { ++calls, serial(tasks, task); }, 4});
  EXPECT_EQ(default_executor().threads, 4);
  result_of(earlier);
  EXPECT_EQ(calls, 0);
  Plan const later(c2c({512, 512}), with({}));
  result_of(later);
  int const after_one = calls;
  EXPECT_GT(after_one, 0);
  result_of(Plan(c2c({512, 512}), with({serial, 2})));  // its own goes first
  EXPECT_EQ(calls, after_one);
  set_default_executor({});
  EXPECT_FALSE(default_executor().run);
  result_of(Plan(c2c({512, 512}), with({}, 2)));
  EXPECT_EQ(calls, after_one);
}

TEST(Executor, WhatIsThrownArrives) {
  for (Executor const& executor : all_executors()) {
    PlanSettings settings = with(executor);
    settings.callbacks.load = [](CallbackRun const&) { throw std::runtime_error("of the function"); };
    EXPECT_THROW(result_of(Plan(c2c({64, 64}, 30), settings)), std::runtime_error);
  }
  Executor const broken{[](int, Task const&) { throw std::logic_error("of the executor"); }, 4};
  EXPECT_THROW(result_of(Plan(c2c({512, 512}), with(broken))), std::logic_error);
}

TEST(Executor, ManyThreadsAtOnce) {
  Plan const plan(c2c({256, 256}), with({threads, 3}));
  auto const expected = result_of(plan);
  std::vector<std::jthread> all;
  for (int t = 0; t < 8; ++t) all.emplace_back([&] { EXPECT_EQ(result_of(plan), expected); });
}

struct Counter {
  int tasks = 0;
};
extern "C" void run_in_c(int tasks, skipper_task_function task, void* context, void* data) {
  static_cast<Counter*>(data)->tasks += tasks;
  for (int i = tasks - 1; i >= 0; --i) task(i, context);
}
void run_and_throw(int, skipper_task_function, void*, void*) { throw std::runtime_error("of the executor"); }

TEST(Executor, InC) {
  std::vector<std::complex<float>> const in(512 * 512, {1, 0});
  std::vector<std::complex<float>> out(in.size());
  Counter counter;
  skipper_plan* plan = nullptr;
  skipper_plan_settings settings = skipper_plan_settings_default();
  settings.device = "cpu";
  skipper_executor executor = {run_in_c, 3, &counter};
  ASSERT_EQ(skipper_set_executor(&executor), SKIPPER_OK);
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f32 forward 512x512", &settings), SKIPPER_OK);
  EXPECT_EQ(skipper_execute(plan, in.data(), out.data()), SKIPPER_OK);
  EXPECT_GE(counter.tasks, 3);
  EXPECT_EQ(counter.tasks % 3, 0);
  EXPECT_EQ(out[0], std::complex<float>(512 * 512));
  skipper_plan_destroy(plan);
  executor = {run_and_throw, 3, nullptr};
  ASSERT_EQ(skipper_set_executor(&executor), SKIPPER_OK);
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f32 forward 512x512", &settings), SKIPPER_OK);
  EXPECT_EQ(skipper_execute(plan, in.data(), out.data()), SKIPPER_CALLBACK);
  EXPECT_NE(std::string(skipper_message()).find("of the executor"), std::string::npos) << skipper_message();
  skipper_plan_destroy(plan);
  ASSERT_EQ(skipper_set_executor(nullptr), SKIPPER_OK);
  EXPECT_FALSE(default_executor().run);
}

}  // namespace
}  // namespace skipper
