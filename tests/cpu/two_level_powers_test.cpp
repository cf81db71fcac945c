// Powers of a generator as products of two, against powers one by one; and products modulo p near the ends of their range.
#include "cpu/two_level_powers.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpu/host.h"

namespace skipper::cpu {
namespace {

TEST(TwoLevelPowers, IsPowersOfTheGenerator) {
  TableMaker tables(kernels<float>(*variants().front()), 1, TableMaker::Mode::make);
  // The last two are the primes before and after 2^32.
  for (Index const p : {Index(17), Index(65537), Index(786433), Index(4294967291), Index(4294967311)}) {
    Index const g = generator(p), n1 = p < 100 ? 4 : 64, n2 = p < 100 ? 4 : 256;
    TwoLevelPowers const grid(p, n1, n2, tables);
    std::vector<Index> row(static_cast<std::size_t>(n2));
    for (Index const j1 : {Index(0), Index(1), n1 - 1}) {
      grid.fill(j1, 1, n2 - 1, false, row.data());
      for (Index i = 0; i + 1 < n2; ++i)
        ASSERT_EQ(row[static_cast<std::size_t>(i)], powmod(g, j1 * n2 + i + 1, p))
            << p << " " << j1 << " " << i;
      for (Index const j2 : {Index(0), n2 - 1}) {
        Index const power = powmod(g, j1 * n2 + j2, p);
        EXPECT_EQ(grid.power(j1, j2, false), power) << p;
        EXPECT_EQ(mulmod(grid.power(j1, j2, true), power, p), 1) << p;
      }
    }
  }
}

TEST(TwoLevelPowers, ProductsAreReduced) {
  for (Index const p : {Index(3), Index(65521), Index(4294967291), Index(4294967311)}) {
    Modulus const modulus(p);
    for (Index const a : {Index(0), Index(1), p / 2, p - 2, p - 1})
      for (Index const b : {Index(0), Index(1), p / 3, p - 1})
        EXPECT_EQ(modulus.product(a, b), mulmod(a, b, p)) << a << " " << b << " " << p;
  }
}

}  // namespace
}  // namespace skipper::cpu
