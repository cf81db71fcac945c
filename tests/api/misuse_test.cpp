// The interface held wrong, in C++ and in C: what is refused, and the way out that the message names.
#include <gtest/gtest.h>
#include <skipper/skipper.h>
#include <skipper/skipper_c.h>

#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace skipper {
namespace {

using C32 = std::complex<float>;
using C64 = std::complex<double>;

/// What the Error says that `act` throws; "" where it throws none.
std::string said(std::function<void()> const& act) {
  try {
    act();
  } catch (Error const& e) {
    return e.what();
  }
  return "";
}

void expect_said(std::string const& what, std::string const& begin,
                 std::vector<std::string> const& parts = {}) {
  EXPECT_TRUE(what.starts_with(begin)) << "said: " << what << "\nnot:  " << begin;
  for (std::string const& part : parts)
    EXPECT_NE(what.find(part), std::string::npos) << what << "\nlacks " << part;
}

/// The same of a call in C.
std::string told(int code) { return code == SKIPPER_OK ? "" : skipper_message(); }

PlanSettings on_cpu() {
  PlanSettings settings;
  settings.device = Device("cpu");
  return settings;
}

skipper_plan_settings c_on_cpu() {
  skipper_plan_settings settings = skipper_plan_settings_default();
  settings.device = "cpu";
  return settings;
}

skipper_axis c_axis(long long size, long long in_stride, long long out_stride) {
  skipper_axis axis = skipper_axis_default();
  axis.size = size, axis.in_stride = in_stride, axis.out_stride = out_stride;
  return axis;
}

// In C too a stream is not taken for the workspace, nor for values of boundaries.
template <class Settings>
concept TakesAPointer = requires(void* p) {
  Settings{p};
};
static_assert(!TakesAPointer<skipper_execute_settings> && !TakesAPointer<skipper_solve_settings>);

TEST(Misuse, AForgottenStrideIsRefused) {
  Problem q;
  q.axes = {{.size = 16, .out_stride = 1}};
  expect_said(said([&] { Plan(q, on_cpu()); }), "axes[0].in_stride: is 0, which reads one element 16 times",
              {"dense_layout()"});
  q.axes[0].in_count = 1;  // one element has no stride
  EXPECT_EQ(said([&] { check(q); }), "");
  Problem repeated = c2c({16}, 3);  // one input for all transforms
  repeated.batch[0].in_stride = 0;
  EXPECT_EQ(said([&] { check(repeated); }), "");
}

TEST(Misuse, AForgottenStrideInC) {
  skipper_axis axes[] = {c_axis(4, 0, 4), c_axis(4, 1, 1)};
  skipper_problem problem = skipper_problem_default();
  problem.rank = 2, problem.axes = axes;
  expect_said(told(skipper_problem_check(&problem)),
              "axes[0].in_stride: is 0 while axes[1].in_stride is 1; give all strides of a side, or none");
  axes[0].in_stride = 4;
  EXPECT_EQ(told(skipper_problem_check(&problem)), "");

  skipper_axis const line = c_axis(4096, 0, 0);
  skipper_dim batch = {2, 4096, 4096};
  problem.rank = 1, problem.axes = &line, problem.batch_rank = 1, problem.batch = &batch;
  expect_said(
      told(skipper_problem_check(&problem)),
      "axes[0].in_stride: is 0 while batch[0].in_stride is 4096; give all strides of a side, or none");
  long long const shape = 4096;
  problem.axes = nullptr, problem.shape = &shape;
  expect_said(told(skipper_problem_check(&problem)), "shape: has no strides while batch[0].in_stride");
  skipper_axis const dense = c_axis(4096, 1, 1);
  problem.shape = nullptr, problem.axes = &dense;
  batch.out_stride = 0;
  expect_said(told(skipper_problem_check(&problem)),
              "batch[0].out_stride: is 0 while axes[0].out_stride is 1");
  batch = {2, 0, 4096};
  EXPECT_EQ(told(skipper_problem_check(&problem)), "");
}

TEST(Misuse, StructsOfZerosAreRefusedInC) {
  long long const shape = 8;
  skipper_problem problem;
  std::memset(&problem, 0, sizeof problem);
  problem.precision = SKIPPER_F32, problem.direction = SKIPPER_FORWARD;
  problem.rank = 1, problem.shape = &shape;
  expect_said(told(skipper_problem_check(&problem)), "scale: is 0", {"skipper_problem_default()"});
  problem.scale = 1;
  EXPECT_EQ(told(skipper_problem_check(&problem)), "");

  float const kernel[8] = {};
  skipper_convolution* convolution = nullptr;
  skipper_convolution_problem sums;
  std::memset(&sums, 0, sizeof sums);
  sums.precision = SKIPPER_F32, sums.rank = 1, sums.shape = sums.kernel_shape = &shape;
  sums.batch = sums.kernels = 1;
  expect_said(told(skipper_convolution_create(&convolution, &sums, kernel, nullptr)), "mode: is 0");
  sums.mode = SKIPPER_MODE_FULL;
  expect_said(told(skipper_convolution_create(&convolution, &sums, kernel, nullptr)), "scale: is 0",
              {"skipper_convolution_problem_default()"});
}

TEST(Misuse, AWorkspaceThatIsTooSmallIsRefused) {
  Plan const plan(c2c({1 << 10, 1 << 8}), on_cpu());
  ASSERT_GT(plan.workspace_bytes(), 64u);
  std::vector<C32> in(1 << 18), out(1 << 18);
  std::vector<C64> work(plan.workspace_bytes() / 16 + 1);
  std::string const needed = std::to_string(plan.workspace_bytes());
  auto const run = [&](std::size_t bytes, void* workspace) {
    return said(
        [&] { plan.execute(in.data(), out.data(), {.workspace_bytes = bytes, .workspace = workspace}); });
  };
  expect_said(run(64, work.data()), "workspace: has 64 bytes but workspace_bytes() is " + needed);
  expect_said(run(64, nullptr), "workspace: is a null pointer", {"allocation"});
  EXPECT_EQ(run(plan.workspace_bytes(), work.data()), "");
  EXPECT_EQ(run(0, work.data()), "");

  PoissonProblem box;
  box.axes = {{64}, {64}};
  Poisson const poisson(box, on_cpu());
  ASSERT_GT(poisson.workspace_bytes(), 1u);
  std::vector<float> f(64 * 64), phi(64 * 64);
  expect_said(
      said([&] { poisson.solve(f.data(), phi.data(), {.workspace_bytes = 1, .workspace = work.data()}); }),
      "workspace: has 1 bytes but workspace_bytes() is ");
  float const kernel[3] = {1, 2, 1};
  Convolution const blur({.shape = {64}, .kernel = {3}}, kernel, on_cpu());
  expect_said(
      said([&] { blur.execute(f.data(), phi.data(), {.workspace_bytes = 1, .workspace = work.data()}); }),
      "workspace: has 1 bytes but workspace_bytes() is ");
}

TEST(Misuse, AWorkspaceThatIsTooSmallIsRefusedInC) {
  skipper_plan_settings const settings = c_on_cpu();
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f32 1024x256", &settings), SKIPPER_OK) << skipper_message();
  std::vector<C32> in(1 << 18), out(1 << 18);
  C64 work[4];
  skipper_execute_settings with = skipper_execute_settings_default();
  with.workspace_bytes = sizeof work, with.workspace = work;
  expect_said(told(skipper_execute_on(plan, in.data(), out.data(), &with)), "workspace: has 64 bytes");
  with.workspace_bytes = -1;
  expect_said(told(skipper_execute_on(plan, in.data(), out.data(), &with)), "workspace_bytes: is -1");
  skipper_plan_destroy(plan);
}

TEST(Misuse, BytesInPlaceAreThoseOfTheArray) {
  for (Problem const& p : {in_place(r2c({64}, 3)), in_place(c2r({64}, 3))}) {
    EXPECT_EQ(in_bytes(p), 792);
    EXPECT_EQ(out_bytes(p), 792);
  }
  skipper_plan_settings const settings = c_on_cpu();
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create_text(&plan, "r2c f32 64 batch 3 in-place", &settings), SKIPPER_OK);
  long long in = 0, out = 0;
  EXPECT_EQ(skipper_array_bytes(plan, &in, &out), SKIPPER_OK);
  EXPECT_EQ(in, 792);
  EXPECT_EQ(out, 792);
  skipper_plan_destroy(plan);
}

TEST(Misuse, ArraysThatOverlapAreRefused) {
  std::vector<C32> data(200);
  C32* const x = data.data();
  Plan const plan({64}, on_cpu());
  expect_said(said([&] { plan.execute(x, x + 1); }),
              "out: overlaps in by 504 bytes; give an array of its own, or make the plan in place");
  expect_said(said([&] { plan.execute(x + 63, x); }), "out: overlaps in by 8 bytes");
  EXPECT_EQ(said([&] { plan.execute(x, x + 64); }), "");
  EXPECT_EQ(said([&] { plan.execute(x + 64, x); }), "");

  Problem between = c2c({64});  // the odd elements to the even ones
  between.axes[0].in_stride = between.axes[0].out_stride = 2;
  EXPECT_EQ(said([&] { Plan(between, on_cpu()).execute(x, x + 1); }), "");

  StreamSettings through;
  through.device = Device("cpu");
  expect_said(said([&] { StreamPlan({64}, through).execute(x, x + 1); }), "out: overlaps in by 504 bytes");

  PoissonProblem box;
  box.axes = {{64}};
  float* const f = reinterpret_cast<float*>(x);
  Poisson const poisson(box, on_cpu());
  expect_said(said([&] { poisson.solve(f, f + 1); }),
              "phi: overlaps f by 252 bytes; give an array of its own, or f itself");
  EXPECT_EQ(said([&] { poisson.solve(f, f); }), "");

  float const kernel[3] = {1, 2, 1};
  Convolution const blur({.shape = {64}, .kernel = {3}}, kernel, on_cpu());
  expect_said(said([&] { blur.execute(f, f + 63); }), "out: overlaps in by 4 bytes");
  expect_said(said([&] { blur.execute(f + 65, f); }), "out: overlaps in by 4 bytes");  // 66 outputs
  EXPECT_EQ(said([&] { blur.execute(f + 66, f); }), "");

  DistributedPlan const spread(c2c({8, 8}), thread_communicators(1)[0]);
  expect_said(said([&] { spread.execute(x, x + 1); }), "out: overlaps in by 504 bytes");
  box.axes = {{4}, {4}, {4}};
  DistributedPoisson const spread_poisson(box, thread_communicators(1)[0]);
  expect_said(said([&] { spread_poisson.solve(f, f + 1); }), "phi: overlaps f by 252 bytes");
}

TEST(Misuse, NotANumberHasNoSolution) {
  PoissonProblem box;
  box.axes = {{8}};
  box.zero_mode = ZeroMode::error;
  Poisson const poisson(box, on_cpu());
  for (float const bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> f(8), phi(8, 7);
    f[3] = bad;
    expect_said(said([&] { poisson.solve(f.data(), phi.data()); }), "f: has the mean ",
                {"give finite numbers"});
    EXPECT_EQ(phi[0], 7);
  }
  std::vector<float> f(8, 1), phi(8);
  expect_said(said([&] { poisson.solve(f.data(), phi.data()); }), "f: has the mean 1 ",
              {"zero mode zero_mean"});
}

TEST(Misuse, FunctionsAskForTheTypeOfTheirSide) {
  std::vector<float> in(8);
  std::vector<C32> out(5);
  auto const executed = [&](Callback const& load, Callback const& store) {
    PlanSettings settings = on_cpu();
    settings.callbacks.load = load, settings.callbacks.store = store;
    return said([&] { Plan(r2c({8}), settings).execute(in.data(), out.data()); });
  };
  Callback const reals = [](CallbackRun const& run) { run.as<float>()[0] = 1; };
  Callback const complex = [](CallbackRun const& run) { run.as<C32>()[0] = 1; };
  EXPECT_EQ(executed(reals, complex), "");
  expect_said(executed(complex, nullptr), "values: are f32 but the function asks for complex f32");
  expect_said(executed(nullptr, reals), "values: are complex f32 but the function asks for f32");
  expect_said(executed([](CallbackRun const& run) { run.as<double>(); }, nullptr),
              "values: are f32 but the function asks for f64");
  EXPECT_EQ(executed([](CallbackRun const& run) { run.as<void>(); }, nullptr), "");
}

TEST(Misuse, WhatWouldNotBeLookedAtIsRefused) {
  expect_said(said([] { set_default_executor({.threads = 3}); }), "executor.threads: is 3 but there is no");
  PlanSettings settings = on_cpu();
  int data = 0;
  settings.callbacks.cuda_data = &data;
  expect_said(said([&] { Plan(c2c({8}), settings); }), "callbacks.cuda_data: is given but");
  float const kernel[3] = {};
  expect_said(said([&] { Convolution({.shape = {8}, .kernel = {3}}, kernel, settings); }),
              "callbacks.cuda_data: ");
  PoissonProblem box;
  box.axes = {{8}};
  expect_said(said([&] { Poisson(box, settings); }), "callbacks.cuda_data: ");

  skipper_executor executor = {};
  executor.threads = 3;
  expect_said(told(skipper_set_executor(&executor)), "executor.threads: is 3 but there is no");
  executor = {};
  executor.data = &data;
  expect_said(told(skipper_set_executor(&executor)), "executor.data: is given but");
  skipper_plan_settings given = c_on_cpu();
  skipper_plan* plan = nullptr;
  given.callbacks.load_data = &data;
  expect_said(told(skipper_plan_create_text(&plan, "c2c f32 8", &given)),
              "callbacks.load_data: is given but callbacks.load is a null pointer");
  given = c_on_cpu();
  given.callbacks.store_data = &data;
  expect_said(told(skipper_plan_create_text(&plan, "c2c f32 8", &given)), "callbacks.store_data: ");
  skipper_stream_settings through = skipper_stream_settings_default();
  through.progress_data = &data;
  skipper_stream_plan* streamed = nullptr;
  long long const shape = 8;
  skipper_problem problem = skipper_problem_default();
  problem.rank = 1, problem.shape = &shape;
  expect_said(told(skipper_stream_plan_create(&streamed, &problem, &through)), "progress_data: is given but");
}

TEST(Misuse, TypesAreToldTheRightWayRound) {
  std::vector<C32> a(64), b(64);
  std::vector<C64> wide(64);
  Plan const plan({64}, on_cpu());
  expect_said(
      said([&] { plan.execute(wide.data(), b.data()); }),
      "in: points to complex f64 but the plan reads complex f32; make the plan with Precision::f64, or "
      "give such an array");
  expect_said(said([&] { plan.execute(a.data(), wide.data()); }),
              "out: points to complex f64 but the plan writes complex f32");
  Plan const here(in_place(r2c({64})), on_cpu());
  expect_said(said([&] { here.execute(a.data(), a.data()); }),
              "in: points to complex f32 but the plan reads f32", {"reinterpret_cast<float*>(array)"});
}

TEST(Misuse, AnInverseThatFailsKeepsThePlan) {
  skipper_plan_settings const settings = c_on_cpu();
  skipper_plan *plan = nullptr, *other = nullptr;
  ASSERT_EQ(skipper_plan_create_text(&plan, "c2c f32 8 scale 0", &settings), SKIPPER_OK) << skipper_message();
  other = plan;
  EXPECT_NE(skipper_plan_create_inverse(&other, plan), SKIPPER_OK);
  EXPECT_EQ(other, plan);
  skipper_plan* failed = reinterpret_cast<skipper_plan*>(&other);
  EXPECT_NE(skipper_plan_create_inverse(&failed, plan), SKIPPER_OK);
  EXPECT_EQ(failed, nullptr);
  skipper_plan_destroy(plan);
}

TEST(Misuse, NullPointersSayWhatIsMissing) {
  long long bytes = 0;
  expect_said(told(skipper_workspace_bytes(nullptr, &bytes)),
              "plan: is a null pointer; did its creation fail?");
  expect_said(told(skipper_problem_check(nullptr)), "problem: is a null pointer; give one");
  expect_said(told(skipper_plan_create(nullptr, nullptr, nullptr)),
              "plan: is a null pointer; give the address");
}

TEST(Misuse, MessagesGiveTheNumbers) {
  PoissonProblem box;
  box.axes = {{.size = 8, .length = -1e-9}};
  expect_said(said([&] { check(box); }), "axes[0].length: is -1e-09 but");
  box.axes = {{.size = 8, .length = 1}};
  box.shift = 256;  // 2 / h squared, of the waves of one point up and one down
  expect_said(said([&] { Poisson(box, on_cpu()); }), "shift: is 256, and -256 is an eigenvalue");
  Problem cropped = c2c({64});
  cropped.axes[0].out_first = 60;
  expect_said(said([&] { check(cropped); }), "axes[0].out_first: is 60",
              {"give out_count 4 or less beside it"});
  expect_said(said([] { planned(c2c({8}), "h200", {.max_candidates = 0}); }), "max_candidates: is 0");
}

TEST(Misuse, MachinesAreFoundInAnyCase) {
  EXPECT_EQ(machine_text("H200"), machine_text("h200"));
  EXPECT_EQ(machine_text("Host").substr(0, 8), "machine ");
  expect_said(said([] { machine_text("h2000"); }), "machine: there is no machine",
              {"(host, h200", "machine_text()"});
}

TEST(Misuse, ShapesOfAnyIntegersWithOrWithoutSettings) {
  std::vector<C32> x(64);
  EXPECT_EQ(Plan({64}, on_cpu()).problem(), c2c({64}));
  EXPECT_EQ(Plan({x.size()}).problem(), c2c({64}));
  EXPECT_EQ(Plan({x.size()}, Precision::f64).problem(), c2c({64}, 1, Precision::f64));
  EXPECT_EQ(Plan(std::vector<std::int64_t>{8, 8}, on_cpu()).problem(), c2c({8, 8}));
  StreamSettings through;
  through.device = Device("cpu");
  EXPECT_EQ(StreamPlan({8, 8}, through).problem(), c2c({8, 8}));
  EXPECT_EQ(StreamPlan(std::vector<std::int64_t>{8, 8}, through).problem(), c2c({8, 8}));
}

}  // namespace
}  // namespace skipper
