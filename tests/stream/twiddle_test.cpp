// Twiddles of slices against roots of unity by the definition.
#include "stream/twiddle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stream/passes.h"

namespace skipper::stream {
namespace {

Loop const alone = [](Index count, std::function<void(Index, Index)> const& body) { body(0, count); };

template <class T>
void expect_right(Problem const& problem, double tolerance) {
  Pass const pass = (*four_step(problem))[0];
  Index const n = problem.axes[0].size;
  Twiddles const twiddles(n);
  std::vector<Index> const extents = {2, 3};
  for (Index s = 0; s < slice_count(pass.whole, extents); ++s) {
    Box const box = slice_box(pass.whole, extents, s);
    Problem const slice = slice_problem(pass.whole, box.count);
    std::vector<std::complex<T>> data(std::size_t(out_bytes(slice)) / sizeof(std::complex<T>), {1, 0});
    twiddles.apply(pass, box, slice, data.data(), alone);
    for (Index b = 0; b < box.count[0]; ++b)
      for (Index j = 0; j < box.count[1]; ++j)
        for (Index k = 0; k < out_size(slice, 0); ++k) {
          double const sign = problem.direction == Direction::forward ? -1 : 1;
          double const angle = sign * 2 * std::acos(-1.0) * double((box.first[1] + j) * k) / double(n);
          std::complex<T> const got = data[std::size_t(
              b * slice.batch[0].out_stride + j * slice.batch[1].out_stride + k * slice.axes[0].out_stride)];
          EXPECT_NEAR(double(got.real()), std::cos(angle), tolerance);
          EXPECT_NEAR(double(got.imag()), std::sin(angle), tolerance);
        }
  }
}

TEST(Twiddles, AreRootsOfUnity) {
  expect_right<double>(c2c({77}, 3, Precision::f64), 1e-15);
  expect_right<double>(c2c({60}, 2, Precision::f64, Direction::inverse), 1e-15);
  expect_right<float>(c2c({60}, 2), 1e-7);
  expect_right<double>(r2c({60}, 2, Precision::f64), 1e-15);  // half of the rows
}

}  // namespace
}  // namespace skipper::stream
