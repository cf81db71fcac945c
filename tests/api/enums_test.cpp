// Values outside of enumerations, and thread counts outside of sense, are refused by name wherever they can be handed in.
#include <skipper/skipper.h>
#include <skipper/skipper_c.h>

#include <gtest/gtest.h>

#include <string>

namespace skipper {
namespace {

template <class Call>
std::string fault(Call call) {
  try {
    call();
    return "";
  } catch (Error const& e) {
    return e.argument();
  }
}

PlanSettings on_cpu() {
  PlanSettings settings;
  settings.device = Device("cpu");
  return settings;
}

/// The problem with one field outside of its enumeration goes through every interface.
template <class Enum, class Change>
void expect_problem_refused(std::string const& argument, Change change) {
  for (int const value : {-1, 99, 1000}) {
    Problem problem = c2c({8, 8});
    change(problem, static_cast<Enum>(value));
    StreamSettings through;
    through.device = Device("cpu");
    EXPECT_EQ(fault([&] { check(problem); }), argument);
    EXPECT_EQ(fault([&] { Plan(problem, on_cpu()); }), argument);
    EXPECT_EQ(fault([&] { StreamPlan(problem, through); }), argument);
    EXPECT_EQ(fault([&] { planned(problem, "h200"); }), argument);
    EXPECT_EQ(fault([&] { inverse_problem(problem); }), argument);
    EXPECT_FALSE(text(problem).empty());
  }
}

TEST(Enums, OfProblems) {
  expect_problem_refused<Kind>("kind", [](Problem& p, Kind v) { p.kind = v; });
  expect_problem_refused<Precision>("precision", [](Problem& p, Precision v) { p.precision = v; });
  expect_problem_refused<Direction>("direction", [](Problem& p, Direction v) { p.direction = v; });
  expect_problem_refused<Placement>("placement", [](Problem& p, Placement v) { p.placement = v; });
  expect_problem_refused<Order>("order", [](Problem& p, Order v) { p.order = v; });
  expect_problem_refused<Norm>("norm", [](Problem& p, Norm v) { p.norm = v; });
  expect_problem_refused<AxisKind>("axes[1].kind", [](Problem& p, AxisKind v) { p.axes[1].kind = v; });
}

TEST(Enums, OfBuilders) {
  EXPECT_EQ(fault([] { c2c({8}, 1, Precision(7)); }), "precision");
  EXPECT_EQ(fault([] { c2c({8}, 1, Precision::f32, Direction(7)); }), "direction");
  EXPECT_EQ(fault([] { r2r({8}, {AxisKind(77)}); }), "axes[0].kind");
}

TEST(Enums, OfConvolutions) {
  ConvolutionProblem problem;
  problem.shape = problem.kernel = {4};
  float const kernel[4] = {};
  auto const both = [&] {
    std::string const first = fault([&] { out_shape(problem); });
    EXPECT_EQ(fault([&] { Convolution(problem, kernel, on_cpu()); }), first);
    return first;
  };
  problem.mode = ConvolutionMode(4);
  EXPECT_EQ(both(), "mode");
  problem.mode = ConvolutionMode::full;
  problem.precision = Precision(-1);
  EXPECT_EQ(both(), "precision");
}

TEST(Enums, OfPoissonProblems) {
  PoissonProblem const good = [] {
    PoissonProblem p;
    p.axes.resize(2);
    p.axes[0].size = p.axes[1].size = 8;
    return p;
  }();
  auto const refused = [&](auto change) {
    PoissonProblem p = good;
    change(p);
    StreamSettings through;
    through.device = Device("cpu");
    std::string const first = fault([&] { check(p); });
    EXPECT_EQ(fault([&] { Poisson{p}; }), first);
    EXPECT_EQ(fault([&] { StreamPoisson(p, through); }), first);
    return first;
  };
  EXPECT_EQ(refused([](PoissonProblem& p) { p.precision = Precision(4); }), "precision");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.precision = Precision::bf16; }), "precision");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.symbols = Symbols(2); }), "symbols");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.zero_mode = ZeroMode(3); }), "zero_mode");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.axes[1].low = Boundary(3); }), "axes[1].low");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.axes[1].high = Boundary(-3); }), "axes[1].high");
  EXPECT_EQ(refused([](PoissonProblem& p) { p.axes[0].centring = Centring(2); }), "axes[0].centring");
  EXPECT_EQ(name(Boundary(9)), "?");
}

TEST(Enums, PointsChecksItsAxis) {
  PoissonAxis axis;
  axis.size = 8;
  axis.centring = Centring(5);
  EXPECT_EQ(fault([&] { points(axis); }), "axis.centring");
  axis.centring = Centring::cell;
  axis.low = axis.high = Boundary::neumann;
  axis.coordinates = {0, 1};
  EXPECT_EQ(fault([&] { points(axis); }), "axis.coordinates");
}

TEST(Enums, OfSettings) {
  PlanSettings settings = on_cpu();
  settings.gpu.host_arrays = HostArrays(3);
  ConvolutionProblem convolution;
  convolution.shape = convolution.kernel = {4};
  PoissonProblem poisson;
  poisson.axes.resize(1);
  float const kernel[4] = {};
  EXPECT_EQ(fault([&] { Plan(c2c({8}), settings); }), "gpu.host_arrays");
  EXPECT_EQ(fault([&] { Convolution(convolution, kernel, settings); }), "gpu.host_arrays");
  EXPECT_EQ(fault([&] { Poisson(poisson, settings); }), "gpu.host_arrays");
  StreamSettings through;
  through.device = Device("cpu");
  through.strategy = StreamStrategy(3);
  EXPECT_EQ(fault([&] { StreamPlan(c2c({8}), through); }), "strategy");
  EXPECT_EQ(fault([&] { StreamPoisson(poisson, through); }), "strategy");
}

TEST(Enums, ThreadCounts) {
  ConvolutionProblem convolution;
  convolution.shape = convolution.kernel = {4};
  PoissonProblem poisson;
  poisson.axes.resize(1);
  float const kernel[4] = {};
  for (int const threads : {-1, max_threads + 1, 2147483647}) {
    PlanSettings settings = on_cpu();
    StreamSettings through;
    through.device = Device("cpu");
    auto const expect_all = [&](char const* argument) {
      EXPECT_EQ(fault([&] { Plan(c2c({8}), settings); }), argument);
      EXPECT_EQ(fault([&] { Convolution(convolution, kernel, settings); }), argument);
      EXPECT_EQ(fault([&] { Poisson(poisson, settings); }), argument);
      EXPECT_EQ(fault([&] { StreamPlan(c2c({8}), through); }), argument);
      EXPECT_EQ(fault([&] { StreamPoisson(poisson, through); }), argument);
    };
    settings.cpu.threads = through.cpu.threads = threads;
    expect_all("cpu.threads");
    settings.cpu.threads = through.cpu.threads = 0;
    settings.cpu.executor.threads = through.cpu.executor.threads = threads;
    expect_all("cpu.executor.threads");
    EXPECT_EQ(fault([&] { set_default_executor(settings.cpu.executor); }), "executor.threads");
    if (threads > 0) continue;
    settings.cpu.executor.threads = through.cpu.executor.threads = 2;  // of nobody
    expect_all("cpu.executor.threads");
  }
  PlanSettings settings = on_cpu();
  settings.cpu.instruction_set = "quantum";
  EXPECT_EQ(fault([&] { Plan(c2c({8}), settings); }), "cpu.instruction_set");
}

TEST(Enums, OfTheCInterface) {
  skipper_plan* plan = nullptr;
  long long const shape[] = {8};
  skipper_plan_settings settings = skipper_plan_settings_default();
  settings.device = "cpu";
  auto const created = [&](int skipper_problem::*field, int value) {
    skipper_problem problem = skipper_problem_default();
    problem.rank = 1, problem.shape = shape;
    problem.*field = value;
    return skipper_plan_create(&plan, &problem, &settings);
  };
  auto const refused = [](int code, char const* argument) {
    return code == SKIPPER_BAD_ARGUMENT &&
           std::string(skipper_message()).starts_with(argument + std::string(": "));
  };
  for (int const value : {-7, 4, 1000}) {
    EXPECT_TRUE(refused(created(&skipper_problem::kind, value), "kind"));
    EXPECT_TRUE(refused(created(&skipper_problem::precision, value), "precision"));
    EXPECT_TRUE(refused(created(&skipper_problem::direction, value), "direction"));
    EXPECT_TRUE(refused(created(&skipper_problem::order, value), "order"));
    EXPECT_EQ(plan, nullptr);
  }
  settings.gpu.host_arrays = 3;
  EXPECT_TRUE(refused(created(&skipper_problem::norm, 0), "gpu.host_arrays"));
  skipper_executor const impossible = {nullptr, -1, nullptr};
  EXPECT_TRUE(refused(skipper_set_executor(&impossible), "executor.threads"));
}

}  // namespace
}  // namespace skipper
