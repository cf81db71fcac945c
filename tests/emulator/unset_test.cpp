// Unset numbers stay known through all that a kernel does with them, whichever operand they are, and nothing else is taken for one.
#include "emulator/unset.h"

#include "emulator/emulator.h"

#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace skipper::emulator {
namespace {

/// A value that the compiler does not know.
template <class T>
T opaque(T x) {
  T volatile y = x;
  return y;
}

template <class T>
void expect_carried() {
  T const unset = opaque(Unset<T>::from(0x4105));
  EXPECT_EQ(unset_origin(unset), 0x4105);
  EXPECT_EQ(unset_origin(-unset), 0x4105);
  T const infinity = std::numeric_limits<T>::infinity();
  for (T x :
       {T(0), T(1), T(-2.5), infinity, std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min()}) {
    T const y = opaque(x);
    for (T z : {unset + y, y + unset, unset - y, y - unset, unset * y, y * unset, unset / y, y / unset,
                std::fma(unset, y, y), std::fma(y, unset, y), std::fma(y, y, unset)})
      EXPECT_EQ(unset_origin(z), 0x4105) << x;
    EXPECT_FALSE(unset_origin(y));
  }
  T const other = opaque(Unset<T>::from(0x4007));
  EXPECT_TRUE(unset_origin(unset + other));
  EXPECT_TRUE(unset_origin(unset * other - other));
  EXPECT_FALSE(unset_origin(opaque(infinity) - opaque(infinity)));
  EXPECT_FALSE(unset_origin(opaque(T(0)) / opaque(T(0))));
  EXPECT_FALSE(unset_origin(std::numeric_limits<T>::quiet_NaN()));
}

TEST(Unset, IsCarriedThroughArithmetic) {
  expect_carried<float>();
  expect_carried<double>();
  EXPECT_EQ(unset_origin(double(opaque(Unset<float>::from(0x4105)))), 0x4105);
  EXPECT_EQ(unset_origin(float(opaque(Unset<double>::from(0x4105)))), 0x4105);
}

template <class E>
E of_ones() {
  E x;
  std::memset(&x, 0xff, sizeof x);
  return x;
}

/// In every format, and it is taken for no register.
TEST(Unset, IsWhatMemoryOfOnesHolds) {
  kernel::Half const half = of_ones<kernel::Half>();
  kernel::BFloat16 const bfloat16 = of_ones<kernel::BFloat16>();
  std::vector<std::string> said;
  run_grid({1, 1, 1, 0}, Checks::none(), [&](EmulatedBlock& block) {
    for (double x : {double(block.load(&half, 0)), double(block.load(&bfloat16, 0)), double(of_ones<float>()),
                     of_ones<double>(), Unset<double>::from(from_memory)})
      said.push_back(unset_origin(x) ? origin_text(*unset_origin(x)) : "set");
  });
  EXPECT_EQ(said, std::vector<std::string>(5, "memory that nobody has written"));
}

/// What the error says that running the body brings, or "" when none.
std::string complaint_of(Grid const& grid, Body const& body) {
  try {
    run_grid(grid, Checks::none(), body);
  } catch (EmulationError const& error) {
    return error.what();
  }
  return "";
}

TEST(Unset, MayBeMovedButNotUsed) {
  std::vector<float> out(8);
  auto const moved = [&](EmulatedBlock& block) {
    block.put(block.thread(), block.take<float>(block.thread() + 2));
    block.store(out.data(), block.thread(), 1.0f);
  };
  EXPECT_EQ(complaint_of({1, 1, 2, 4}, moved), "");
  auto const stored = [&](EmulatedBlock& block) {
    block.store(out.data(), 5, 2 + block.take<float>(block.thread()).im);
  };
  EXPECT_EQ(complaint_of({1, 1, 2, 4}, stored),
            "thread 0 of rank 0, tile 0: stores at offset 5 a number made of memory that nobody has written");
  std::vector<kernel::Half> halves(8);
  auto const rounded = [&](EmulatedBlock& block) { block.store(halves.data(), 1, block.take<float>(0).re); };
  EXPECT_EQ(complaint_of({1, 1, 2, 4}, rounded),
            "thread 0 of rank 0, tile 0: stores at offset 1 a number made of memory that nobody has written");
  auto const decides = [](EmulatedBlock& block) { (void)block.reciprocal(block.take<double>(0).re); };
  EXPECT_EQ(complaint_of({1, 1, 2, 4}, decides),
            "thread 0 of rank 0, tile 0: divides by a number made of memory that nobody has written");
}

TEST(Registers, AreAsManyAsInTheTextForNvrtc) {
  kernel::SweepSpec spec;
  spec.digits = spec.steps = 1;
  spec.extent[0] = 6;
  spec.step[0].assignment = {0, 1, 0, {0}};
  Remembered const known = remembered(spec);
  using Extra = kernel::Registers<kernel::RegisterArray::extra, kernel::Complex<float>, Remembered>;
  auto const body = [&](int q) {
    return [&, q](EmulatedBlock& block) { Extra{known}[q] = {float(block.thread()), 0}; };
  };
  EXPECT_EQ(complaint_of({2, 1, 2, 0}, body(5)), "");
  EXPECT_EQ(complaint_of({2, 1, 2, 0}, body(6)),
            "thread 0 of rank 0, tile 0: register 6 of extra, which has 6");
  EXPECT_EQ(complaint_of({2, 1, 2, 0}, body(-1)),
            "thread 0 of rank 0, tile 0: register -1 of extra, which has 6");
  EXPECT_EQ(unset_origin(Extra{known}[3]), register_origin(kernel::RegisterArray::extra, 3));
  EXPECT_EQ(origin_text(register_origin(kernel::RegisterArray::extra, 3)),
            "register 3 of extra, which nobody has set");
}

}  // namespace
}  // namespace skipper::emulator
