// Long lines: the definition at some outputs in double-double, and all of them by the way back.
#include <gtest/gtest.h>

#include "cpu/engine.h"
#include "cpu/oracle.h"
#include "support/quick.h"

namespace skipper::cpu::testing {
namespace {

/// Roots of unity as products of two tables.
class Roots {
 public:
  explicit Roots(Index n) : n_(n) {
    while (low_ * low_ < n) low_ *= 2;
    for (Index i = 0; i < low_; ++i)
      fine_.push_back(wide_root(i, n)), coarse_.push_back(wide_root(i * low_, n));
  }
  WideRoot operator()(Index k) const {
    k %= n_;
    WideRoot const a = fine_[k % low_], b = coarse_[k / low_];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

 private:
  Index n_, low_ = 1;
  std::vector<WideRoot> fine_, coarse_;
};

/// Relative L2 error over a few outputs of a forward c2c of one line.
template <class T>
double sampled_error(Index n, std::vector<T> const& in, std::vector<T> const& out, int samples) {
  Roots const roots(n);
  std::mt19937_64 random(5);
  double wrong = 0, norm = 0;
  for (int s = 0; s < samples; ++s) {
    Index const k = s == 0 ? n - 1 : static_cast<Index>(random() % static_cast<std::uint64_t>(n));
    DoubleDouble re = 0.0, im = 0.0;
    for (Index j = 0; j < n; ++j) {
      WideRoot const w = roots(mulmod(j, k, n));
      DoubleDouble const a = double(in[2 * j]), b = double(in[2 * j + 1]);
      re = re + (a * w.re - b * w.im);
      im = im + (a * w.im + b * w.re);
    }
    double const dr = (re - DoubleDouble(double(out[2 * k]))).high,
                 di = (im - DoubleDouble(double(out[2 * k + 1]))).high;
    wrong += dr * dr + di * di;
    norm += re.high * re.high + im.high * im.high;
  }
  return std::sqrt(wrong / norm);
}

template <class T>
void check_line(Index n, Precision precision) {
  Problem const p = c2c({n}, 1, precision);
  Transform const transform(p, host_machine());
  std::vector<T> const in = random_scalars<T>(2 * n, 9);
  std::vector<T> out = unset<T>(2 * n), back = out;
  execute_unset(transform, in.data(), out.data());
  EXPECT_LE(sampled_error(n, in, out,
                          quick()      ? 3
                          : n > 100000 ? 4
                                       : 8),
            1.3 * allowed(p))
      << transform.describe();
  Problem inverse = c2c({n}, 1, precision, Direction::inverse);
  inverse.scale = 1.0 / static_cast<double>(n);
  execute_unset(Transform(inverse, host_machine()), out.data(), back.data());
  double wrong = 0, norm = 0;
  for (Index i = 0; i < 2 * n; ++i)
    wrong += std::pow(double(back[i]) - double(in[i]), 2), norm += std::pow(double(in[i]), 2);
  EXPECT_LE(std::sqrt(wrong / norm), 2 * allowed(p)) << n;
}

template <class T>
void check_real(Index n, Precision precision) {
  std::vector<T> const in = random_scalars<T>(n, 11);
  std::vector<T> pairs(2 * n, T(0)), full = unset<T>(2 * n), half = unset<T>(2 * (n / 2 + 1)),
                                     back = unset<T>(n);
  for (Index i = 0; i < n; ++i) pairs[2 * i] = in[i];
  Problem const p = r2c({n}, 1, precision);
  execute_unset(Transform(c2c({n}, 1, precision), host_machine()), pairs.data(), full.data());
  execute_unset(Transform(p, host_machine()), in.data(), half.data());
  double wrong = 0, norm = 0;
  for (Index i = 0; i < static_cast<Index>(half.size()); ++i)
    wrong += std::pow(double(half[i]) - double(full[i]), 2), norm += std::pow(double(full[i]), 2);
  EXPECT_LE(std::sqrt(wrong / norm), 2 * allowed(p)) << n;
  Problem inverse = c2r({n}, 1, precision);
  inverse.scale = 1.0 / static_cast<double>(n);
  execute_unset(Transform(inverse, host_machine()), half.data(), back.data());
  wrong = norm = 0;
  for (Index i = 0; i < n; ++i)
    wrong += std::pow(double(back[i]) - double(in[i]), 2), norm += std::pow(double(in[i]), 2);
  EXPECT_LE(std::sqrt(wrong / norm), 2 * allowed(p)) << n;
}

/// check(T(), n, precision) in both precisions; with SKIPPER_QUICK=1 every other length, in one, then the other.
template <class Check>
void check_lengths(std::initializer_list<Index> lengths, Check check) {
  bool is_double = false;
  std::size_t number = 0;
  for (Index n : lengths) {
    if (!takes(number++, 2)) continue;
    is_double = !is_double;
    if (is_double || !quick()) check(double(), n, Precision::f64);
    if (!is_double || !quick()) check(float(), n, Precision::f32);
  }
}
auto const of_line = [](auto number, Index n, Precision p) { check_line<decltype(number)>(n, p); };
auto const of_reals = [](auto number, Index n, Precision p) { check_real<decltype(number)>(n, p); };

TEST(Long, Lines) {
  check_lengths(
      {16384, 32768, 65536, 131072, 44100, 100000, 59049, 15625 * 7, 20011, 65537, 147457, 2 * 30011},
      of_line);
  if (quick()) return;
  check_line<double>(1 << 20, Precision::f64);
  check_line<float>(1 << 20, Precision::f32);
  check_line<float>(1000000, Precision::f32);
}

TEST(Long, RealLines) {
  check_lengths({8192, 65536, 262144, 200000, 99999, 65537 * 2, 177147, 105 * 1001}, of_reals);
  if (!quick()) check_lengths({1 << 20}, of_reals);
}

/// 85, 237 and 381 fill no vector by passes alone on all machines.
TEST(Long, OddRealsWhoseFactorsFillNoVector) {
  Machine machine = host_machine();
  machine.l2_bytes = Index(1) << 16;
  for (Index n : {53 * 79, 83 * 85, 225 * 237, 315 * 381})
    for (Precision precision : {Precision::f32, Precision::f64}) {
      Problem const p = r2c({n}, 1, precision), back = c2r({n}, 1, precision);
      for (std::string const& set : instruction_sets()) {
        EXPECT_NO_THROW(Transform(p, machine, {1, set})) << text(p) << ' ' << set;
        EXPECT_NO_THROW(Transform(back, machine, {1, set})) << text(back) << ' ' << set;
      }
    }
  check_real<float>(315 * 381, Precision::f32);
}

TEST(Long, LargePrimes) {  // as convolutions in one array; 100003 and 99991 are prime
  check_lengths({100003, 2 * 50021, 3 * 33331, 4 * 25013}, of_line);
  // 65536 and 147456 have small primes only.
  check_lengths({99991, 2 * 99991, 3 * 33331, 65537, 147457}, of_reals);
}

TEST(Long, LargePrimesInPlaceStridedByManyThreads) {
  Index const n = 50021, columns = 3;
  std::vector<float> const in = random_scalars<float>(2 * n * columns, 4);
  Problem p = c2c({n}, columns);
  std::vector<float> dense(in.size()), across(in.size()), transposed(in.size());
  execute_unset(Transform(p, host_machine(), {1, ""}), in.data(), dense.data());
  auto const transpose = [&](std::vector<float> const& from, std::vector<float>& to) {
    for (Index c = 0; c < columns; ++c)
      for (Index j = 0; j < 2 * n; ++j) to[2 * (j / 2 * columns + c) + j % 2] = from[2 * c * n + j];
  };
  p.axes[0].in_stride = p.axes[0].out_stride = columns;
  p.batch[0].in_stride = p.batch[0].out_stride = 1;
  p.placement = Placement::in_place;
  transpose(in, across);
  execute_unset(Transform(p, host_machine(), {5, ""}), across.data(), across.data());
  transpose(dense, transposed);
  EXPECT_EQ(across, transposed);
}

// In place the array holds rows of the convolution in between, out of place the output does: the same results.
TEST(Long, LargePrimesInPlace) {
  std::size_t number = 0;
  for (Index n : {50021, 65537, 147457, 2 * 50021, 177147})
    for (Problem p : {c2c({n}), r2c({n}), c2r({n})}) {
      if (!takes(number++, 4)) continue;
      std::vector<float> const in = random_scalars<float>(2 * n + 2, 4);
      std::vector<float> apart(in.size()), inside = in;
      execute_unset(Transform(p, host_machine(), {1, ""}), in.data(), apart.data());
      p.placement = Placement::in_place;
      execute_unset(Transform(p, host_machine(), {5, ""}), inside.data(), inside.data());
      Index const written = p.kind == Kind::c2c ? 2 * n : p.kind == Kind::r2c ? 2 * (n / 2 + 1) : n;
      apart.resize(written), inside.resize(written);
      EXPECT_EQ(apart, inside) << text(p);
    }
}

TEST(Long, AxesOfMany) {  // long axes among others, strided and in place: against the transposed problem
  Index const n = 65536, columns = 3;
  std::vector<double> const in = random_scalars<double>(2 * n * columns, 4);
  std::vector<double> across(2 * n * columns), line(2 * n), expected(2 * n);
  Problem p = c2c({n}, columns, Precision::f64);
  p.axes[0].in_stride = p.axes[0].out_stride = columns;
  p.batch[0].in_stride = p.batch[0].out_stride = 1;
  execute_unset(Transform(p, host_machine()), in.data(), across.data());
  std::vector<double> inside = in;
  p.placement = Placement::in_place;
  execute_unset(Transform(p, host_machine()), inside.data(), inside.data());
  EXPECT_EQ(inside, across);
  for (Index c = 0; c < columns; ++c) {
    for (Index j = 0; j < n; ++j)
      line[2 * j] = in[2 * (j * columns + c)], line[2 * j + 1] = in[2 * (j * columns + c) + 1];
    execute_unset(Transform(c2c({n}, 1, Precision::f64), host_machine()), line.data(), expected.data());
    double wrong = 0, norm = 0;
    for (Index k = 0; k < n; ++k)
      for (int part = 0; part < 2; ++part)
        wrong += std::pow(across[2 * (k * columns + c) + part] - expected[2 * k + part], 2),
            norm += std::pow(expected[2 * k + part], 2);
    EXPECT_LE(std::sqrt(wrong / norm), 1e-15);
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
