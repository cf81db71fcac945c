// The judge is judged: on transforms computed here by plain sums in long double, and on spoiled ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "buffer.h"
#include "reference/accuracy.h"
#include "reference/gaps.h"

namespace skipper::cli {
namespace {

using Wide = std::complex<long double>;

// The dense c2c of a problem with two axes, by the double sum.
template <class T>
void slow_c2c(Problem const& p, std::complex<T> const* in, std::complex<T>* out) {
  std::int64_t const rows = p.axes[0].size, columns = p.axes[1].size;
  long double const turn =
      (p.direction == Direction::forward ? -2 : 2) * 3.14159265358979323846264338327950288L;
  for (std::int64_t k = 0; k < rows; ++k)
    for (std::int64_t l = 0; l < columns; ++l) {
      Wide sum = 0;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          sum += Wide(in[i * columns + j]) *
                 std::polar(1.0L, turn * ((long double)(i * k % rows) / (long double)rows +
                                          (long double)(j * l % columns) / (long double)columns));
      out[k * columns + l] = std::complex<T>(sum * (long double)p.scale);
    }
}

template <class T>
void check_c2c(Precision precision, double rounding) {
  for (Direction const direction : {Direction::forward, Direction::inverse}) {
    Problem p = c2c({6, 10}, 1, precision, direction);
    p.scale = 0.25;
    Buffer in(in_bytes(p)), out(out_bytes(p));
    in.fill_random(precision);
    auto* const result = static_cast<std::complex<T>*>(out.data());
    slow_c2c(p, static_cast<std::complex<T> const*>(in.data()), result);
    reference::Accuracy const good = reference::accuracy(p, in.data(), out.data());
    EXPECT_GT(good.samples, 30u);
    EXPECT_LT(good.l2, rounding);
    EXPECT_GT(good.l2, rounding / 100) << "rounding itself is seen";
    for (int i = 0; i < 60; ++i) result[i] *= T(1.001);
    EXPECT_NEAR(reference::accuracy(p, in.data(), out.data()).l2, 0.001, 1e-6);
    result[0] = NAN;
    for (int i = 0; i < 60; ++i) result[i] = NAN;
    EXPECT_TRUE(std::isnan(reference::accuracy(p, in.data(), out.data()).max));
  }
}

TEST(Reference, AgreesWithPlainSums) {
  check_c2c<float>(Precision::f32, 0x1p-24);
  check_c2c<double>(Precision::f64, 0x1p-53);
}

TEST(Reference, RealKindsUseTheSymmetry) {
  std::int64_t const n = 9;
  Problem const forward = r2c({n}, 1, Precision::f64), back = c2r({n}, 1, Precision::f64);
  std::vector<double> x(n), again(n);
  std::vector<std::complex<double>> half(n / 2 + 1);
  for (std::int64_t j = 0; j < n; ++j) x[std::size_t(j)] = std::sin(double(j * j));
  for (std::int64_t k = 0; k <= n / 2; ++k) {
    Wide sum = 0;
    for (std::int64_t j = 0; j < n; ++j)
      sum += (long double)x[std::size_t(j)] *
             std::polar(1.0L, -2 * acosl(-1.0L) * (long double)(j * k % n) / (long double)n);
    half[std::size_t(k)] = std::complex<double>(sum);
  }
  EXPECT_LT(reference::accuracy(forward, x.data(), half.data()).l2, 0x1p-52);
  for (std::int64_t j = 0; j < n; ++j) again[std::size_t(j)] = double(n) * x[std::size_t(j)];
  EXPECT_LT(reference::accuracy(back, half.data(), again.data()).l2, 0x1p-51);
}

TEST(Reference, ImpulsesAtEveryPlaceOfALongAxis) {
  Problem const p = c2c({10007}, 1, Precision::f64);  // two tables of roots
  std::vector<std::complex<double>> in(10007), out(10007);
  in[1234] = 1;
  for (std::int64_t k = 0; k < 10007; ++k)
    out[std::size_t(k)] = std::complex<double>(
        std::polar(1.0L, -2 * acosl(-1.0L) * (long double)(1234 * k % 10007) / 10007.0L));
  EXPECT_LT(reference::accuracy(p, in.data(), out.data()).l2, 0x1p-52);
}

TEST(Reference, FindsWhatIsWrittenBetweenOutputs) {
  Problem const gaps = parse_problem("c2c f32 forward 4 batch 3 out 2/9");
  std::vector<unsigned char> out(std::size_t(out_bytes(gaps)), 0xff);
  for (int b = 0; b < 3; ++b)
    for (int k = 0; k < 4; ++k)
      std::fill_n(out.begin() + 8 * (9 * b + 2 * k), 8, static_cast<unsigned char>(0));
  EXPECT_TRUE(reference::gaps_are_untouched(gaps, out.data()));
  for (int const between : {1, 7, 8, 10}) {
    out[std::size_t(8 * between + 3)] = 0;
    EXPECT_FALSE(reference::gaps_are_untouched(gaps, out.data())) << between;
    out[std::size_t(8 * between + 3)] = 0xff;
  }
  EXPECT_TRUE(reference::gaps_are_untouched(c2c({4}), out.data() + 9)) << "there are none";
}

TEST(Reference, RefusesWhatItCannotJudge) {
  std::vector<double> x(64);
  EXPECT_THROW(reference::accuracy(parse_problem("c2c f64 forward 8 reversed"), x.data(), x.data()), Error);
}

}  // namespace
}  // namespace skipper::cli
