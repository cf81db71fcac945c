// Division of a dense array by sums of one number a dimension, on the host.
#include "stream/divide.h"

#include <gtest/gtest.h>

#include <complex>

namespace skipper::stream {
namespace {

Loop const by_two = [](Index count, std::function<void(Index, Index)> const& body) {
  body(0, count / 2);
  body(count / 2, count);
};

template <class V>
void expect_divided(Precision precision, bool complex) {
  // 2 x 3 x 4 numbers, of dimensions that begin at 5, 2 and 0 of their symbols.
  Division const by{{100, 200, 7, 0, 10, 20, 0, 1, 2, 3}, complex, precision};
  std::vector<DivisionDim> const dims = {{4, 6}, {3, 3}, {2, 0}};
  std::vector<V> data(24, V(60));
  V constant(77);
  divide(by, dims, data.data(), &constant, by_two);
  EXPECT_EQ(constant, V(77)) << "no symbol is zero";
  for (Index i = 0; i < 24; ++i) {
    double const symbol = double(i % 4) + 10 * double(i / 4 % 3) + 100 * double(1 + i / 12);
    EXPECT_NEAR(std::abs(data[std::size_t(i)] - V(60 / symbol)), 0, 1e-6) << i;
  }
}

TEST(Divide, BySumsOfAllDimensions) {
  expect_divided<float>(Precision::f32, false);
  expect_divided<double>(Precision::f64, false);
  expect_divided<std::complex<float>>(Precision::f32, true);
  expect_divided<std::complex<double>>(Precision::f64, true);
}

TEST(Divide, HandsOutWhatZeroWouldDivide) {
  Division const by{{0, -1, -2}, true, Precision::f64};
  std::vector<std::complex<double>> data = {{3, 4}, {5, 6}, {8, 8}};
  std::complex<double> constant = 77;
  divide(by, {{3, 0}}, data.data(), &constant, by_two);
  EXPECT_EQ(constant, std::complex<double>(3, 4));
  EXPECT_EQ(data[0], 0.0);
  EXPECT_EQ(data[2], std::complex<double>(-4, -4));
}

}  // namespace
}  // namespace skipper::stream
