// Half spectra from rows and rows from half spectra, against the definition.
#include "stream/hermitian.h"

#include <gtest/gtest.h>

#include <complex>

#include "stream/passes.h"

namespace skipper::stream {
namespace {

using Complex = std::complex<double>;

Loop const alone = [](Index count, std::function<void(Index, Index)> const& body) { body(0, count); };

/// Element k of a spectrum with X[n-k] = conj X[k].
Complex element(Index k, Index n) {
  return 2 * k <= n ? Complex(double(k), double(3 * k)) : Complex(double(n - k), -3 * double(n - k));
}

template <class Body>
void each_slice(Problem const& whole, Index rows, Body&& body) {
  std::vector<Index> const extents = {rows};
  for (Index s = 0; s < slice_count(whole, extents); ++s) {
    Box const box = slice_box(whole, extents, s);
    body(box, slice_problem(whole, box.count));
  }
}

TEST(Hermitian, RowsAreGatheredFromHalf) {
  for (Index const n : {12, 15, 18, 35}) {
    Pass const pass = (*four_step(c2r({n}, 1, Precision::f64)))[0];
    ASSERT_EQ(pass.hermitian, n);
    Index const n2 = pass.whole.axes[0].size, n1 = n / n2;
    std::vector<Complex> half;
    for (Index k = 0; k <= n / 2; ++k) half.push_back(element(k, n));
    each_slice(pass.whole, 2, [&](Box const& box, Problem const& slice) {
      std::vector<Complex> packed(std::size_t(in_bytes(slice)) / sizeof(Complex));
      gather_hermitian(pass, box, slice, reinterpret_cast<std::byte const*>(half.data()),
                       reinterpret_cast<std::byte*>(packed.data()), alone);
      for (Index r = 0; r < box.count[0]; ++r)
        for (Index k2 = 0; k2 < n2; ++k2) {
          Complex const got =
              packed[std::size_t(r * slice.batch[0].in_stride + k2 * slice.axes[0].in_stride)];
          Complex const want = element(box.first[0] + r + n1 * k2, n);
          EXPECT_EQ(got.real(), want.real());
          if (2 * (box.first[0] + r + n1 * k2) != n) {
            EXPECT_EQ(got.imag(), want.imag());
          }
        }
    });
  }
}

TEST(Hermitian, HalfIsScatteredFromRows) {
  for (Index const n : {12, 15, 18, 35}) {
    Pass const pass = (*four_step(r2c({n}, 1, Precision::f64)))[1];
    ASSERT_EQ(pass.hermitian, n);
    Index const n2 = pass.whole.axes[0].size, n1 = n / n2;
    std::vector<Complex> half(std::size_t(n / 2 + 1), Complex(-1, -1));
    each_slice(pass.whole, 2, [&](Box const& box, Problem const& slice) {
      std::vector<Complex> packed(std::size_t(out_bytes(slice)) / sizeof(Complex));
      for (Index r = 0; r < box.count[0]; ++r)
        for (Index k2 = 0; k2 < n2; ++k2)
          packed[std::size_t(r * slice.batch[0].out_stride + k2 * slice.axes[0].out_stride)] =
              element(box.first[0] + r + n1 * k2, n);
      scatter_hermitian(pass, box, slice, reinterpret_cast<std::byte const*>(packed.data()),
                        reinterpret_cast<std::byte*>(half.data()), alone);
    });
    for (Index k = 0; k <= n / 2; ++k) EXPECT_EQ(half[std::size_t(k)], element(k, n)) << k << " of " << n;
  }
}

}  // namespace
}  // namespace skipper::stream
