// What execute() takes: pointers of which types, and workspace and stream by name only.
#include <gtest/gtest.h>
#include <skipper/skipper.h>

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace skipper {
namespace {

// As CUDA's float2 and double2.
struct alignas(8) Float2 {
  float x, y;
};
struct alignas(16) Double2 {
  double x, y;
};

struct Swapped {
  float y, x;
};
struct Three {
  float x, y, z;
};
struct Mixed {
  float x;
  double y;
};
struct Integers {
  int x, y;
};
class Hidden {
  float x = 0, y = 0;

 public:
  float sum() const { return x + y; }
};

static_assert(element_v<Float2> == Element::complex_f32 && element_v<Double2 const> == Element::complex_f64);
static_assert(element_v<float[2]> == Element::complex_f32 && element_v<double[2]> == Element::complex_f64);
static_assert(element_v<Half> == Element::f16 && element_v<void const> == Element::untyped);
static_assert(!ArrayElement<Swapped> && !ArrayElement<Three> && !ArrayElement<Mixed> &&
              !ArrayElement<Integers> && !ArrayElement<Hidden> && !ArrayElement<int> &&
              !ArrayElement<long double> && !ArrayElement<std::complex<int>> && !ArrayElement<float*>);

// Whether plan.execute(in, out, third) compiles.
template <class P, class In, class Out, class... More>
concept Executes = requires(P const& plan, In in, Out out, More... more) {
  plan.execute(in, out, more...);
};

template <class P>
void demand_calls() {
  using C = std::complex<float>;
  static_assert(Executes<P, C const*, C*> && Executes<P, void*, void*> && Executes<P, Float2*, Float2*>);
  static_assert(Executes<P, C const*, Float2*, ExecuteSettings>);
  static_assert(!Executes<P, C const*, C const*>, "the output is written");
  static_assert(!Executes<P, int*, C*> && !Executes<P, C*, Three*>);
  static_assert(!Executes<P, C*, C*, void*>, "a stream given third would be taken for the workspace");
  static_assert(!Executes<P, C*, C*, void*, void*>);
  static_assert(!Executes<P, void*, void*, void*> && !Executes<P, C*, C*, std::nullptr_t>);
}

// Not by position either, as in execute(in, out, {stream}).
template <class Settings>
concept TakesPositions = requires(void* p) {
  Settings{p};
}
|| requires(void* p) { Settings{p, p}; };
template <class Settings>
concept TakesNames = requires(void* p) {
  Settings{.workspace = p, .stream = p};
};
static_assert(!TakesPositions<ExecuteSettings> && TakesNames<ExecuteSettings>);

TEST(Execute, TakesWorkspaceAndStreamByName) {
  demand_calls<Plan>();
  demand_calls<Convolution>();
  demand_calls<StreamPlan>();
  demand_calls<DistributedPlan>();
  ExecuteSettings const none;
  EXPECT_EQ(none.workspace, nullptr);
  EXPECT_EQ(none.stream, nullptr);
}

template <class T>
concept Solves = requires(T const& solver, float* f, void* p) {
  solver.solve(f, f, p);
}
|| requires(T const& solver, float* f, void* p) { solver.solve(f, f, {}, p); }
|| requires(T const& solver, int* f) { solver.solve(f, f); }
|| requires(T const& solver, float* f, std::vector<Faces<float>> const& v) { solver.solve(f, f, v); };

// Empty braces are settings, and only that: the defaults.
template <class T>
concept SolvesByName = requires(T const& solver, float* f, void* p, std::vector<Faces<float>> const& v) {
  solver.solve(f, f, {});
  solver.solve(f, f, {.faces = v, .workspace = p, .stream = p});
  solver.solve(f, f, {.faces = {{{1.0f}, {}}}});
  solver.solve(f, f, {.stream = p});
};
static_assert(!TakesPositions<SolveSettings<float>> && TakesNames<SolveSettings<double>>);

// Of braces alone each class makes one thing.
template <class T>
concept MadeFromBraces = requires(PoissonProblem const& problem) {
  T(problem, {});
};
template <class T>
concept SolvesComplex = requires(T const& solver, Float2 const* f, Float2* phi) {
  solver.solve(f, phi);
};

TEST(Execute, SolversToo) {
  static_assert(!Solves<Poisson> && !Solves<StreamPoisson> && !Solves<DistributedPoisson>);
  static_assert(SolvesByName<Poisson> && SolvesByName<StreamPoisson> && SolvesByName<DistributedPoisson>);
  static_assert(MadeFromBraces<Poisson> && MadeFromBraces<StreamPoisson>);
  static_assert(SolvesComplex<StreamPoisson> && !SolvesComplex<Poisson>);
  static_assert(
      requires(Poisson const& p, float* f, void* s) { p.solve(f, f, {.workspace = s, .stream = s}); });
  static_assert(requires(DistributedPoisson const& p, double* f, void* s) { p.solve(f, f, {.stream = s}); });
}

PlanSettings on_cpu() {
  PlanSettings settings;
  settings.device = Device("cpu");
  return settings;
}

TEST(Execute, ComplexTypesOfTheSameLayoutAreOne) {
  Plan const plan({4}, Precision::f32, Direction::forward, on_cpu());
  std::vector<std::complex<float>> const in = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  std::vector<std::complex<float>> right(4);
  plan.execute(in.data(), right.data());
  std::vector<Float2> const pairs = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  std::vector<Float2> got(4);
  plan.execute(pairs.data(), got.data());
  float array[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, result[4][2];
  plan.execute(array, result);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(right[i], std::complex(got[i].x, got[i].y));
    EXPECT_EQ(right[i], std::complex(result[i][0], result[i][1]));
  }
}

template <class Call>
std::string fault(Call call) {
  try {
    call();
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

TEST(Execute, RefusesTypesThatAreNotThePlans) {
  Double2 wide[8] = {};
  Float2 narrow[8] = {};
  Half halves[16] = {};
  Plan const plan({4}, Precision::f32, Direction::forward, on_cpu());
  EXPECT_EQ(fault([&] { plan.execute(wide, narrow); }), "in");
  EXPECT_EQ(fault([&] { plan.execute(narrow, wide); }), "out");
  EXPECT_EQ(fault([&] { plan.execute(halves, halves + 8); }), "in");
  EXPECT_EQ(fault([&] { plan.execute(narrow, static_cast<void*>(narrow + 4)); }), "");

  Plan const real(r2c({4}, 1, Precision::f16), on_cpu());  // complex f16 numbers are pairs of Half
  EXPECT_EQ(fault([&] { real.execute(halves, halves + 8); }), "");
  EXPECT_EQ(fault([&] { real.execute(narrow, halves + 8); }), "in");

  DistributedPlan const spread(c2c({4, 4}), thread_communicators(1)[0]);
  EXPECT_EQ(fault([&] { spread.execute(wide, narrow); }), "in");
}

TEST(Execute, TheCpuHasNoStreams) {
  Float2 data[32] = {};
  float reals[32] = {};
  int stream = 0;
  Plan const plan({4}, Precision::f32, Direction::forward, on_cpu());
  EXPECT_EQ(fault([&] { plan.execute(data, data + 4, {.stream = &stream}); }), "stream");
  StreamSettings through;
  through.device = Device("cpu");
  EXPECT_EQ(fault([&] { StreamPlan(c2c({4}), through).execute(data, data + 4, {.stream = &stream}); }),
            "stream");
  PoissonProblem p;
  p.axes = {{8}};
  EXPECT_EQ(fault([&] { Poisson(p, on_cpu()).solve(reals, reals + 8, {.stream = &stream}); }), "stream");
  DistributedPlan const spread(c2c({4, 4}), thread_communicators(1)[0]);
  EXPECT_EQ(fault([&] { spread.execute(data, data + 16, {.stream = &stream}); }), "stream");
}

}  // namespace
}  // namespace skipper
