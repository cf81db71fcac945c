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
#include <vector>

namespace {

using namespace skipper::kernel;

using Exact = std::complex<long double>;
using Line = std::vector<Exact>;

constexpr unsigned seed = 20240917;

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

Line definition(Line const& v) {
  int const n = static_cast<int>(v.size());
  Line result(v.size());
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) result[k] += v[j] * root_of_unity(j * k % n, n);
  return result;
}

template <class T>
Exact exact(Complex<T> a) {
  return {a.re, a.im};
}

template <int R, class T>
Line exact(Complex<T> const (&v)[R]) {
  Line line;
  for (Complex<T> const& a : v) line.push_back(exact(a));
  return line;
}

/// |a - b| / |b| in the Euclidean norm.
long double distance(Line const& a, Line const& b) {
  long double error = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) error += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(error / size);
}

template <int R, class T, class Random>
void fill(Complex<T> (&v)[R], Random& random) {
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (Complex<T>& a : v) a = {uniform(random), uniform(random)};
}

/// Calls f(Const<R>{}) for every supported R, naming it in failures.
template <class F>
void each_radix(F f) {
  each<radix_count>([&](auto i) {
    SCOPED_TRACE("radix " + std::to_string(radices[i]) + ", seed " + std::to_string(seed));
    f(Const<radices[i]>{});
  });
}

template <class T>
class Codelets : public testing::Test {
 public:
  static constexpr long double epsilon = std::numeric_limits<T>::epsilon();
  /// Rounding errors add like a random walk over log2 R stages.
  static long double bound(int radix) { return 0.5L * epsilon * std::sqrt(std::log2(static_cast<long double>(radix))); }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Codelets, Scalars);

TYPED_TEST(Codelets, MatchTheDefinition) {
  using T = TypeParam;
  std::mt19937 random(seed);
  each_radix([&](auto r) {
    long double mean_square = 0, worst = 0;
    int const trials = 200;
    for (int trial = 0; trial < trials; ++trial) {
      Complex<T> v[r.value];
      fill(v, random);
      Line const expected = definition(exact(v));
      dft(v);
      long double const error = distance(exact(v), expected);
      mean_square += error * error / trials;
      worst = std::max(worst, error);
    }
    printf("%d %.3Lf %.3Lf\n", r.value, std::sqrt(mean_square)/TestFixture::epsilon/std::sqrt(std::log2(r.value)), worst/TestFixture::epsilon/std::sqrt(std::log2(r.value)));
    EXPECT_LE(std::sqrt(mean_square), TestFixture::bound(r));
    EXPECT_LE(worst, 2 * TestFixture::bound(r));
  });
}

TYPED_TEST(Codelets, TurnAnImpulseIntoRoots) {
  using T = TypeParam;
  each_radix([&](auto r) {
    constexpr int R = r;
    for (int j = 0; j < R; ++j) {
      Complex<T> v[R]{};
      v[j] = {1, 0};
      dft(v);
      for (int k = 0; k < R; ++k) {
        Exact const expected = root_of_unity(j * k % R, R);
        EXPECT_LE(std::abs(exact(v[k]) - expected), 1.5L * TestFixture::epsilon) << j << " " << k;
      }
    }
  });
}

TYPED_TEST(Codelets, GatherAConstantInTheFirstOutput) {
  using T = TypeParam;
  each_radix([&](auto r) {
    constexpr int R = r;
    Complex<T> v[R];
    for (Complex<T>& a : v) a = {1, -2};
    dft(v);
    EXPECT_EQ(v[0].re, T(R));
    EXPECT_EQ(v[0].im, T(-2 * R));
    for (int k = 1; k < R; ++k) EXPECT_LE(std::abs(exact(v[k])), R * TestFixture::epsilon) << k;
  });
}

TYPED_TEST(Codelets, AreLinear) {
  using T = TypeParam;
  std::mt19937 random(seed);
  each_radix([&](auto r) {
    constexpr int R = r;
    Complex<T> x[R], y[R], both[R];
    fill(x, random);
    fill(y, random);
    Complex<T> const a = {T(0.75), T(-0.5)};
    for (int j = 0; j < R; ++j) both[j] = a * x[j] + T(0.25) * y[j];
    dft(x);
    dft(y);
    dft(both);
    Line expected;
    for (int k = 0; k < R; ++k) expected.push_back(exact(a) * exact(x[k]) + 0.25L * exact(y[k]));
    EXPECT_LE(distance(exact(both), expected), 2 * TestFixture::bound(R) + TestFixture::epsilon);
  });
}

TYPED_TEST(Codelets, InvertBetweenTwoSwaps) {
  using T = TypeParam;
  std::mt19937 random(seed);
  each_radix([&](auto r) {
    constexpr int R = r;
    Complex<T> v[R];
    fill(v, random);
    Line expected = exact(v);
    for (Exact& a : expected) a *= R;
    dft(v);
    for (Complex<T>& a : v) a = swap(a);
    dft(v);
    for (Complex<T>& a : v) a = swap(a);
    EXPECT_LE(distance(exact(v), expected), 3 * TestFixture::bound(R));
  });
}

/// Every lane of a vector instantiation must repeat the scalar one to the last bit. Needs -ffp-contract=off,
/// with which everything of ours is built: contraction may choose differently for the two.
template <class Vector>
void expect_lanes_equal_scalars() {
  using T = Element<Vector>;
  constexpr int lanes = sizeof(Vector) / sizeof(T);
  std::mt19937 random(seed);
  each_radix([&](auto r) {
    constexpr int R = r;
    Complex<Vector> v[R];
    Complex<T> scalar[lanes][R];
    for (int lane = 0; lane < lanes; ++lane) {
      fill(scalar[lane], random);
      for (int j = 0; j < R; ++j) v[j].re[lane] = scalar[lane][j].re, v[j].im[lane] = scalar[lane][j].im;
      dft(scalar[lane]);
    }
    dft(v);
    for (int lane = 0; lane < lanes; ++lane)
      for (int k = 0; k < R; ++k) {
        EXPECT_EQ(v[k].re[lane], scalar[lane][k].re) << "lane " << lane << ", output " << k;
        EXPECT_EQ(v[k].im[lane], scalar[lane][k].im) << "lane " << lane << ", output " << k;
      }
  });
}

TEST(VectorCodelets, RepeatTheScalarOnesInEveryLane) {
  typedef float FourFloats __attribute__((vector_size(16)));
  typedef double TwoDoubles __attribute__((vector_size(16)));
  expect_lanes_equal_scalars<FourFloats>();
  expect_lanes_equal_scalars<TwoDoubles>();
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
/// Real operations. Up to 16 and for 32 these are FFTW's counts, save 13 (176 + 68 there, but our 168
/// additions absorb all 108 multiplications as FMAs, where FFTW's best needs 176).
constexpr Cost costs[] = {
    {2, 4, 0},
};

TEST(CountedCodelets, CostNoMoreThanTheTable) {
  each_radix([](auto r) {
    constexpr int R = r;
    Complex<Counting> v[R];
    for (int j = 0; j < R; ++j) v[j] = {{j + 1.0}, {j - 2.0}};
    Counting::additions = Counting::multiplications = 0;
    dft(v);
    Cost const* const cost = std::ranges::find(costs, R, &Cost::radix);
    printf("{%d, %d, %d},\n", R, Counting::additions, Counting::multiplications);
    ASSERT_NE(cost, std::end(costs));
    EXPECT_LE(Counting::additions, cost->additions);
    EXPECT_LE(Counting::multiplications, cost->multiplications);
  });
}

TEST(Radices, AreTheSmoothNumbersUpToThirtyTwo) {
  for (int n = 1; n <= 40; ++n) {
    int rest = n;
    for (int p : {2, 3, 5, 7, 11, 13})
      while (rest % p == 0) rest /= p;
    EXPECT_EQ(has_codelet(n), rest == 1 && n <= 32) << n;
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
  with_radix(17, [](auto) { FAIL() << "17 has no codelet"; });
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

constexpr float second_output() {
  Complex<float> v[4] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}};
  dft(v);
  return v[1].im;
}
static_assert(second_output() == 6, "codelets are constant expressions");

}  // namespace
