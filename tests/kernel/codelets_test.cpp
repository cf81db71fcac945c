// Codelets against the definition of the transform in long double, and by what needs no reference:
// impulses, linearity, the inverse by swapping, vector lanes, counted operations.
#include "kernel/codelets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "emulator/codelets.h"
#include "support/uniform.h"

namespace {

using namespace skipper::kernel;

using Exact = std::complex<long double>;
template <class T>
using Line = std::vector<Complex<T>>;

constexpr unsigned seed = 20240917;

std::string name(int radix) { return "radix " + std::to_string(radix) + ", seed " + std::to_string(seed); }

/// exp(-2 pi i k / n), the angle reduced to an octant: long double then keeps all its digits.
Exact root_of_unity(int k, int n) {
  k %= n;
  if (2 * k > n) return std::conj(root_of_unity(n - k, n));
  if (4 * k > n) return -std::conj(root_of_unity(n - 2 * k, 2 * n));
  if (8 * k > n) {
    Exact const w = root_of_unity(n - 4 * k, 4 * n);
    return {-w.imag(), -w.real()};
  }
  long double const x = 2 * std::numbers::pi_v<long double> * k / n;
  return {std::cos(x), -std::sin(x)};
}

template <class T>
Exact exact(Complex<T> a) {
  return {a.re, a.im};
}
template <class T>
std::vector<Exact> exact(Line<T> const& line) {
  std::vector<Exact> result;
  for (Complex<T> a : line) result.push_back(exact(a));
  return result;
}

std::vector<Exact> definition(std::vector<Exact> const& v) {
  int const n = static_cast<int>(v.size());
  std::vector<Exact> roots_of_n, result(v.size());
  for (int k = 0; k < n; ++k) roots_of_n.push_back(root_of_unity(k, n));
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) result[k] += v[j] * roots_of_n[j * k % n];
  return result;
}

/// |a - b| / |b| in the Euclidean norm.
long double distance(std::vector<Exact> const& a, std::vector<Exact> const& b) {
  long double error = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(error / size);
}

/// The codelet of the line's length, as emulated kernels call it.
template <class T>
Line<T> transform(Line<T> line) {
  skipper::emulator::codelet(static_cast<int>(line.size()), line.data());
  return line;
}
/// The same of a number that no kernel has.
template <int R, class T>
Line<T> transform_own(Line<T> line) {
  Complex<T> v[R];
  std::ranges::copy(line, v);
  dft(v);
  std::ranges::copy(v, line.begin());
  return line;
}

template <class T>
Line<T> random_line(int n, std::mt19937& random) {
  skipper::testing::Uniform<T> uniform;
  Line<T> line(n);
  for (Complex<T>& a : line) a = {uniform(random), uniform(random)};
  return line;
}

template <class T>
class Codelets : public testing::Test {
 public:
  static constexpr long double epsilon = std::numeric_limits<T>::epsilon();
  std::mt19937 random{seed};
  /// Root mean square error: rounding errors of log2 R levels of sums add like independent ones. Measured, in units of
  /// epsilon sqrt(log2 R): 0.15 (2) to 0.27 (32) for powers of two, 0.36 (27) at most.
  static long double bound(int radix) {
    return 0.4L * epsilon * std::sqrt(std::log2(static_cast<long double>(radix)));
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Codelets, Scalars);

TYPED_TEST(Codelets, MatchTheDefinition) {
  for (int n : radices) {
    SCOPED_TRACE(name(n));
    long double mean_square = 0, worst = 0;
    int const trials = 100;
    for (int trial = 0; trial < trials; ++trial) {
      auto const line = random_line<TypeParam>(n, this->random);
      long double const error = distance(exact(transform(line)), definition(exact(line)));
      mean_square += error * error / trials;
      worst = std::max(worst, error);
    }
    EXPECT_LE(std::sqrt(mean_square), this->bound(n));
    EXPECT_LE(worst, 2 * this->bound(n));
  }
}

TYPED_TEST(Codelets, TurnAnImpulseIntoRoots) {
  for (int n : radices)
    for (int j = 0; j < n; ++j) {
      SCOPED_TRACE(name(n) + ", impulse at " + std::to_string(j));
      Line<TypeParam> line(n);
      line[j] = {1, 0};
      line = transform(line);
      for (int k = 0; k < n; ++k)
        EXPECT_LE(std::abs(exact(line[k]) - root_of_unity(j * k % n, n)), 2 * this->epsilon) << k;
    }
}

TYPED_TEST(Codelets, GatherAConstantInTheFirstOutput) {
  for (int n : radices) {
    SCOPED_TRACE(name(n));
    auto const line = transform(Line<TypeParam>(n, {1, -2}));
    EXPECT_EQ(line[0].re, n);
    EXPECT_EQ(line[0].im, -2 * n);
    for (int k = 1; k < n; ++k) EXPECT_LE(std::abs(exact(line[k])), n * this->epsilon) << k;
  }
}

TYPED_TEST(Codelets, AreLinear) {
  using T = TypeParam;
  Complex<T> const a = {T(0.75), T(-0.5)};
  for (int n : radices) {
    SCOPED_TRACE(name(n));
    Line<T> x = random_line<T>(n, this->random), y = random_line<T>(n, this->random), both(n);
    for (int j = 0; j < n; ++j) both[j] = a * x[j] + T(0.25) * y[j];
    x = transform(x), y = transform(y), both = transform(both);
    std::vector<Exact> expected;
    for (int k = 0; k < n; ++k) expected.push_back(exact(a) * exact(x[k]) + 0.25L * exact(y[k]));
    EXPECT_LE(distance(exact(both), expected), 3 * this->bound(n));
  }
}

TYPED_TEST(Codelets, InvertBetweenTwoSwaps) {
  for (int n : radices) {
    SCOPED_TRACE(name(n));
    auto line = random_line<TypeParam>(n, this->random);
    std::vector<Exact> expected = exact(line);
    for (Exact& a : expected) a *= n;
    line = transform(line);
    for (auto& a : line) a = swap(a);
    line = transform(line);
    for (auto& a : line) a = swap(a);
    EXPECT_LE(distance(exact(line), expected), 3 * this->bound(n));
  }
}

/// Every lane of a vector instantiation must repeat the scalar one to the last bit. Needs -ffp-contract=off, with
/// which everything of ours is built: contraction may choose differently for the two.
template <class Vector, int n>
void expect_lanes_equal_scalars(std::mt19937& random) {
  using T = Element<Vector>;
  constexpr int lanes = sizeof(Vector) / sizeof(T);
  SCOPED_TRACE(name(n));
  Line<Vector> vectors(n);
  std::vector<Line<T>> scalars;
  for (int lane = 0; lane < lanes; ++lane) {
    scalars.push_back(random_line<T>(n, random));
    for (int j = 0; j < n; ++j) {
      vectors[j].re[lane] = scalars[lane][j].re;
      vectors[j].im[lane] = scalars[lane][j].im;
    }
  }
  vectors = transform_own<n>(vectors);
  for (int lane = 0; lane < lanes; ++lane) {
    Line<T> const scalar = transform(scalars[lane]);
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(vectors[k].re[lane], scalar[k].re) << "lane " << lane << ", output " << k;
      EXPECT_EQ(vectors[k].im[lane], scalar[k].im) << "lane " << lane << ", output " << k;
    }
  }
}
/// Lengths of every rule of dft(), and of rules within rules; the CPU engine's tests have vectors of all lengths.
template <class Vector, int... n>
void expect_lanes_equal_scalars(std::integer_sequence<int, n...>) {
  std::mt19937 random(seed);
  (expect_lanes_equal_scalars<Vector, n>(random), ...);
}
using EveryRule = std::integer_sequence<int, 2, 3, 4, 8, 9, 12, 13, 16, 17, 25, 30, 31, 32>;

typedef float FourFloats __attribute__((vector_size(16)));
typedef double TwoDoubles __attribute__((vector_size(16)));

TEST(VectorCodelets, RepeatTheScalarOnesInEveryLane) {
  expect_lanes_equal_scalars<FourFloats>(EveryRule{});
  expect_lanes_equal_scalars<TwoDoubles>(EveryRule{});
}

/// A double that counts what is done to it. Signs are free: they vanish in additions and FMAs.
struct Counting {
  using Element = double;
  double value;
  static inline int additions, multiplications;
};
Counting operator+(Counting a, Counting b) { return ++Counting::additions, Counting{a.value + b.value}; }
Counting operator-(Counting a, Counting b) { return ++Counting::additions, Counting{a.value - b.value}; }
Counting operator-(Counting a) { return {-a.value}; }
Counting operator*(double a, Counting b) { return ++Counting::multiplications, Counting{a * b.value}; }

struct Cost {
  int radix, additions, multiplications;
};
/// Real operations. Where FFTW 3.3 has a codelet these are its counts, save 13 (176 + 68 there), which is chosen
/// for FMAs: fused, its multiplications all vanish in the 168 additions.
constexpr Cost costs[] = {
    {2, 4, 0},        {3, 12, 4},       {4, 16, 0},      {5, 32, 12},    {6, 36, 8},       {7, 60, 36},
    {8, 52, 4},       {9, 80, 40},      {10, 84, 24},    {11, 140, 100}, {12, 96, 16},     {13, 168, 108},
    {14, 148, 72},    {15, 156, 56},    {16, 144, 24},   {17, 304, 192}, {18, 196, 80},    {19, 414, 324},
    {20, 208, 48},    {21, 264, 136},   {22, 324, 200},  {23, 594, 484}, {24, 252, 44},    {25, 352, 184},
    {26, 388, 216},   {27, 380, 220},   {28, 352, 144},  {29, 784, 588}, {30, 372, 112},   {31, 1050, 900},
    {32, 372, 84},    {36, 464, 160},   {37, 1224, 972}, {40, 516, 116}, {41, 1480, 1200}, {43, 1974, 1764},
    {45, 688, 308},   {47, 2346, 2116}, {48, 624, 136},  {50, 804, 368}, {53, 2392, 2028}, {59, 3654, 3364},
    {61, 3120, 2700},
};

template <int n>
void expect_cost_of_the_table() {
  SCOPED_TRACE(name(n));
  auto const cost = std::ranges::find(costs, n, &Cost::radix);
  ASSERT_NE(cost, std::end(costs));
  Counting::additions = Counting::multiplications = 0;
  transform_own<n>(Line<Counting>(n));
  EXPECT_GT(Counting::additions, 0);
  EXPECT_LE(Counting::additions, cost->additions);
  EXPECT_LE(Counting::multiplications, cost->multiplications);
}
template <int... n>
void expect_costs_of_the_table(std::integer_sequence<int, n...>) {
  (expect_cost_of_the_table<n>(), ...);
}
template <std::size_t... i>
auto every_radix(std::index_sequence<i...>) {
  return std::integer_sequence<int, radices[i]...>{};
}

TEST(CountedCodelets, CostNoMoreThanTheTable) {
  ASSERT_EQ(std::size(costs), std::size(radices));
#ifdef SKIPPER_QUICK_BUILD  // all take as long to compile as the rest of the file
  expect_costs_of_the_table(EveryRule{});
#else
  expect_costs_of_the_table(every_radix(std::make_index_sequence<std::size(radices)>{}));
#endif
}

TEST(Radices, AreAllNumbersUpToThirtyTwoThePrimesToSixtyOneAndWholeLinesOfCubes) {
  for (int n = 1; n <= 80; ++n) {
    bool const whole = n == 36 || n == 40 || n == 45 || n == 48 || n == 50;
    EXPECT_EQ(has_codelet(n), n <= 32 || (n <= 61 && smallest_factor(n) == n) || whole) << n;
  }
  EXPECT_FALSE(has_codelet(0));
  EXPECT_FALSE(has_codelet(-4));
}

TEST(Radices, AreFoundFromANumberOrAConstant) {
  for (int n : radices) {
    int found = 0;
    with_radix(n, [&](auto r) { found += decltype(r)::value; });
    EXPECT_EQ(found, n);
  }
  with_radix(33, [](auto) { FAIL() << "33 has no codelet"; });
  int found = 0;
  with_radix(Const<12>{}, [&](auto r) { found = decltype(r)::value; });
  EXPECT_EQ(found, 12);
}

TEST(Radices, OneIsTheIdentity) {
  Complex<float> v[1] = {{3, 4}};
  dft(v);
  EXPECT_EQ(v[0].re, 3);
  EXPECT_EQ(v[0].im, 4);
}

TEST(Each, UnrollsConstantsAndLoopsOverNumbers) {
  std::vector<int> seen;
  each<3>([&](auto i) { seen.push_back(Const<i + 10>::value); });
  each(Const<2>{}, [&](auto i) { seen.push_back(Const<i + 20>::value); });
  each(2, [&](int i) { seen.push_back(i + 30); });
  each<0>([&](auto) { seen.push_back(-1); });
  EXPECT_EQ(seen, (std::vector<int>{10, 11, 12, 20, 21, 30, 31}));
}

constexpr long double second_output() {
  Complex<long double> v[4] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}};
  dft(v);
  return v[1].im;
}
static_assert(second_output() == 6, "codelets are constant expressions");

}  // namespace
