// The kernels that are no sweeps, as they are traced: each runs in the interpreter and, as a text, in the emulator, on the same
// numbers, and gives the same bits. Numbers that were never set are followed.
#include "trace/plain.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <cstddef>

#include "ir/check.h"
#include "ir/contract.h"
#include "ir/ptx.h"
#include "interpreter/interpreter.h"
#include "support/assembler.h"
#include "support/plain_launches.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

using trace::PlainKernel;

/// Runs a launch that is made twice, once in the emulator and once, as it is traced, in the interpreter. Empty where they leave the
/// same bits with as many accesses; else what differs.
template <class Make>
std::string difference(Make make) {
  PlainLaunch const wanted = make(), got = make();
  std::vector<emulator::Array> known;
  interpreter::Launch launch{got.arguments, {}, got.grid.tiles};
  for (std::size_t i = 0; i < got.arrays.size(); ++i) {
    PlainArray const& array = got.arrays[i];
    auto const written =
        array.use.is_unset ? std::make_shared<interpreter::Written>(array.data(), array.bytes()) : nullptr;
    auto const add = [&](bool is_used, emulator::Use how) {
      if (!is_used) return;
      known.push_back(wanted.arrays[i].as(how));
      launch.arrays.push_back({array.as(how), written});
    };
    add(array.use.is_read, emulator::Use::load);
    add(array.use.is_written, emulator::Use::store);
    add(array.use.is_table, emulator::Use::root);
  }
  auto const expected = emulator::run_grid(wanted.grid, emulator::Checks::all(), wanted.text, known);
  emulator::Counts counts;
  try {
    counts = interpreter::run(trace_plain(got.kernel, got.real, got.is_complex), launch);
  } catch (interpreter::Fault const& fault) {
    return fault.what();
  }
  std::string all;
  for (std::size_t i = 0; i < got.arrays.size(); ++i) {
    PlainArray const &a = wanted.arrays[i], &b = got.arrays[i];
    if (a.use.is_written && std::memcmp(a.data(), b.data(), a.bytes()) != 0)
      all += a.name + " has other bits; ";
  }
  auto const demand_equal = [&](char const* what, Wide x, Wide y) {
    if (x != y) all += std::to_string(x) + " " + what + " emulated, " + std::to_string(y) + " interpreted; ";
  };
  demand_equal("loads", expected.loads, counts.loads);
  demand_equal("stores", expected.stores, counts.stores);
  demand_equal("prefetches", expected.prefetches, counts.prefetches);
  demand_equal("barriers", expected.barriers, counts.barriers);
  return all;
}

template <class V>
class TracedPlain : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, Complex<float>, Complex<double>>;
TYPED_TEST_SUITE(TracedPlain, Numbers);
template <class T>
class TracedPlainReal : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TracedPlainReal, Reals);

TYPED_TEST(TracedPlain, ColumnsAreAsEmulated) {
  using V = TypeParam;
  std::uint64_t seed = 1;
  for (int rows : {1, 2, 7, 8, 9, 15, 16, 17, 40, 81})
    for (Wide columns : {1, 5, 33, 130}) {
      if (!takes(seed, 3)) {
        ++seed;
        continue;
      }
      ColumnShape const shape{.rows = rows,
                              .columns = columns,
                              .blocks = 1 + Wide(seed % 3),
                              .singular = seed % 2 == 0,
                              .in_place = seed % 5 == 0,
                              .prefetch_distance = int(seed % 3)};
      SCOPED_TRACE(text(shape));
      EXPECT_EQ(difference([&] { return dense_columns<V>(shape, seed); }), "");
      ++seed;
    }
}

TYPED_TEST(TracedPlain, StridedColumnsAreAsEmulated) {
  using V = TypeParam;
  std::uint64_t seed = 1;
  for (int rows : {1, 2, 8, 17, 30})
    for (Wide inner : {1, 7, 40})
      for (bool by_bases : {false, true}) {
        ColumnShape const shape{.rows = rows,
                                .columns = inner * 6,
                                .blocks = 1 + Wide(seed % 3),
                                .singular = seed % 4 == 0,
                                .inner = inner,
                                .by_bases = by_bases};
        SCOPED_TRACE(text(shape));
        EXPECT_EQ(difference([&] { return strided_columns<V>(shape, seed); }), "");
        ++seed;
      }
}

TYPED_TEST(TracedPlain, DivideIsAsEmulated) {
  for (std::vector<Wide> const& sizes : {std::vector<Wide>{1}, {300}, {3, 2, 3}, {16, 8, 4, 2}, {5, 7, 1, 9}})
    EXPECT_EQ(difference([&] { return division<TypeParam>(sizes, 7); }), "");
}

TYPED_TEST(TracedPlain, SwapIsAsEmulated) {
  for (Wide row : {1, 100, 1024, 1500})
    for (std::vector<Wide> const& sizes : {std::vector<Wide>{1}, {3}, {2, 3}, {2, 1, 2, 1, 3}})
      EXPECT_EQ(difference([&] { return exchange<TypeParam>(row, sizes, 5); }), "");
}

TYPED_TEST(TracedPlainReal, LevelsAndFacesAreAsEmulated) {
  using T = TypeParam;
  for (Wide count : {1, 255, 256, 777}) {
    SCOPED_TRACE(count);
    EXPECT_EQ(difference([&] { return lowered<T>(count, true, 1); }), "");
    EXPECT_EQ(difference([&] { return lowered<T>(count, false, 2); }), "");
    EXPECT_EQ(difference([&] { return largest<T>(count, 1, 3); }), "");
    EXPECT_EQ(difference([&] { return largest<T>(count, 2, 4); }), "");
    EXPECT_EQ(difference([&] { return face<T>(count, 1, 5); }), "");
    EXPECT_EQ(difference([&] { return face<T>(3, count, 6); }), "");
  }
}

/// All there are.
std::vector<ir::Kernel> traced_plain_kernels() {
  std::vector<ir::Kernel> all;
  for (PlainKernel kernel : trace::plain_kernels)
    for (ir::Type real : {ir::Type::f32, ir::Type::f64})
      for (bool is_complex : {false, true})
        if (!is_complex || trace::takes_complex(kernel)) all.push_back(trace_plain(kernel, real, is_complex));
  return all;
}

TEST(TracedPlainKernels, AreValid) {
  for (ir::Kernel const& kernel : traced_plain_kernels()) {
    SCOPED_TRACE(kernel.name);
    for (auto const& k : {kernel, ir::contracted(kernel)})
      if (auto const faults = ir::faults(k); !faults.empty()) ADD_FAILURE() << faults.front();
  }
  EXPECT_THROW(trace_plain(PlainKernel::lower, ir::Type::f32, true), Error);
}

TEST(TracedPlainKernels, ParametersLieWhereTheFieldsOfTheArgumentsDo) {
  kernel::StridedColumnArgs<float> args{};
  std::size_t at = 0, number = 0;
  auto const parameters = trace::parameters<kernel::StridedColumnArgs<float>>();
  trace::each_field(args, [&](std::string const& name, auto& field) {
    std::size_t const place = std::size_t(reinterpret_cast<std::byte*>(&field) -
                                          reinterpret_cast<std::byte*>(&args)),
                      bytes = std::size_t(bytes_of(parameters.at(number).type));
    at = (at + bytes - 1) / bytes * bytes;
    EXPECT_EQ(place, at) << name;
    EXPECT_EQ(parameters[number++].name, name);
    at += bytes;
  });
  EXPECT_EQ(number, parameters.size());
  EXPECT_EQ(at, sizeof args);
}

TEST(TracedPlainKernels, AreAssembled) {
  int assembled = 0;
  for (ir::Kernel const& kernel : traced_plain_kernels())
    for (int architecture : {80, 90, 100, 120}) {
      SCOPED_TRACE(kernel.name + " sm_" + std::to_string(architecture));
      auto const made = assemble(ir::ptx(ir::contracted(kernel), {architecture}), architecture);
      if (!made) continue;
      EXPECT_TRUE(made->ok) << made->log;
      EXPECT_EQ(made->spilled, 0);
      EXPECT_GT(made->registers, 0);
      ++assembled;
    }
  if (assembled == 0) GTEST_SKIP() << "no nvJitLink here";
  EXPECT_GE(assembled, 22);
}

}  // namespace
}  // namespace skipper::testing
