// Codelets of inputs that are partly known to be zero: the same results as of zeros, and fewer sums.
#include "kernel/perhaps.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "emulator/codelets.h"
#include "kernel/codelets.h"

namespace {

using namespace skipper::kernel;

/// A number that counts how often two of them are added.
struct Counted {
  Counted(double value = 0) : x(float(value)) {}
  float x;
  static inline int sums = 0;
};
Counted operator+(Counted a, Counted b) { return ++Counted::sums, Counted{a.x + b.x}; }
Counted operator-(Counted a, Counted b) { return ++Counted::sums, Counted{a.x - b.x}; }
Counted operator-(Counted a) { return {-a.x}; }
Counted operator*(Counted s, Counted a) { return {s.x * a.x}; }

Complex<float> number(int j) { return {1.0f + float(j % 5), 0.5f * float(j % 7) - 1}; }

TEST(Perhaps, WhatIsKnownToBeZeroIsNotRead) {
  float const nobody = std::numeric_limits<float>::quiet_NaN();
  for (int n : radices)
    for (int there : {1, (n + 1) / 3, (n + 1) / 2, n - 1, n}) {
      std::vector<Complex<float>> zeros(n);
      std::vector<Complex<Perhaps<float>>> some(n);
      for (int j = 0; j < n; ++j) {
        if (j < there) zeros[j] = number(j);
        some[j] = perhaps(j < there ? number(j) : Complex<float>{nobody, nobody}, j < there);
      }
      skipper::emulator::codelet(n, zeros.data());
      skipper::emulator::codelet(n, some.data());
      for (int k = 0; k < n; ++k) {
        ASSERT_NEAR(zeros[k].re, for_sure(some[k]).re, 1e-4) << n << ", " << there << " there, output " << k;
        ASSERT_NEAR(zeros[k].im, for_sure(some[k]).im, 1e-4) << n << ", " << there << " there, output " << k;
      }
    }
}

template <int R>
int sums_with(int there) {
  Complex<Perhaps<Counted>> v[R];
  for (int j = 0; j < R; ++j) v[j] = perhaps(Complex<Counted>{{number(j).re}, {number(j).im}}, j < there);
  Counted::sums = 0;
  dft(v);
  return Counted::sums;
}

TEST(Perhaps, HalfAnInputLeavesOutALevelOfSums) {
  EXPECT_EQ(sums_with<16>(16) - sums_with<16>(8), 2 * 16);
  EXPECT_EQ(sums_with<32>(32) - sums_with<32>(16), 2 * 32);
  EXPECT_LT(sums_with<24>(11), sums_with<24>(24) - 2 * 24);
  EXPECT_EQ(sums_with<32>(1), 0);
}

}  // namespace
