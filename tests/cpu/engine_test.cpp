// The CPU engine against the definition: every short length, longer ones of every sort, shapes, layouts, scale.
#include "cpu/engine.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

Precision const both[] = {Precision::f32, Precision::f64};

TEST(Engine, EveryLengthTo512) {
  for (Precision precision : both)
    for (Index n = 1; n <= 512; n += n < 64 || !quick() ? 1 : 9) {
      Options options;
      options.threads = 1;
      expect_right(c2c({n}, 1, precision, n % 2 ? Direction::forward : Direction::inverse), options);
      if (n <= 128)
        expect_right(c2c({n}, 1, precision, n % 2 ? Direction::inverse : Direction::forward), options);
      if (n <= 64) expect_right(c2c({n}, 7, precision, Direction::forward), options);
    }
}

TEST(Engine, EveryInstructionSet) {
  for (Precision precision : both)
    for (Index n : {1,  2,  3,   5,   8,   12,  15,  16,  30,  32,  48,  49,  64,   77,
                    81, 96, 100, 128, 130, 210, 243, 256, 360, 512, 625, 720, 1000, 1024}) {
      expect_right_by_all(c2c({n}, 1, precision));
      expect_right_by_all(c2c({n}, 5, precision, Direction::inverse));
      if (!quick() || n <= 256) expect_right_by_all(c2c({n, 9}, 1, precision));
      expect_right_by_all(r2c({n}, 3, precision));
      expect_right_by_all(c2r({n}, 3, precision));
    }
}

/// As many contiguous lines as there are lanes, some less and some more, and with gaps between them: those whose points
/// fill vectors badly are transposed.
TEST(Engine, ManyLines) {
  for (Precision precision : both)
    for (Index n : {20, 60, 100, 343, 1000})
      for (Index batch : {7, 16, 37}) {
        if (quick() && (batch == 16) != (n == 100 || n == 343)) continue;
        if (quick() && n == 1000 && batch == 37) continue;
        Direction const direction = n % 20 ? Direction::forward : Direction::inverse;
        expect_right_by_all(c2c({n}, batch, precision, direction), 1);
        expect_right_by_all(in_place(c2c({n}, batch, precision, direction)), 2);
        Problem apart = c2c({n}, batch, precision, direction);
        apart.batch[0].in_stride = n + 3, apart.batch[0].out_stride = n + 1;
        expect_right_by_all(apart, 1);
      }
}

/// Columns that are no multiple of a vector, in tiles that are larger than L1: their passes are done part by part.
TEST(Engine, LargeTilesOfColumns) {
  for (Precision precision : both)
    for (Index n : {480, 1000})
      for (Index columns : {8, 36}) {
        Direction const direction = n % 3 ? Direction::forward : Direction::inverse;
        Problem p = c2c({n, columns}, 1, precision, direction);
        p.axes.pop_back();
        p.batch = {{columns, 1, 1}};
        expect_right_by_all(p, 1);
        p.placement = Placement::in_place;
        expect_right_by_all(p, 1);
      }
}

/// Primes as digits of longer lines and of columns, short and long, and primes that only Rader or Bluestein do.
TEST(Engine, LargePrimes) {
  for (Precision precision : both)
    for (std::size_t number = precision == Precision::f64;
         Index n : {34, 51, 68, 119, 134, 202, 223, 254, 323, 514, 646, 1111, 1346, 2018, 2227}) {
      if (!takes(number++, 2)) continue;
      Direction const direction = n % 3 ? Direction::forward : Direction::inverse;
      expect_right(c2c({n}, 1, precision, direction));
      expect_right(in_place(c2c({n}, 3, precision, direction)));
      if (n < 700) expect_right(c2c({n, 5}, 1, precision, direction));
      if (n < 700) expect_right(r2c({n}, 2, precision)), expect_right(c2r({n}, 2, precision));
    }
}

TEST(Engine, ReversedOrdersAreNatural) {
  for (Order order : {Order::reversed, Order::from_reversed}) {
    Problem p = c2c({12, 40}, 2, Precision::f64);
    p.order = order;
    expect_right(p);
  }
}

TEST(Engine, LongerLengths) {
  for (Index n : {1009, 1021, 1155, 1536, 2000, 2048, 2187, 2309, 2310, 3125, 4096})
    for (Precision precision : both)
      expect_right(c2c({n}, 1, precision, n % 2 ? Direction::inverse : Direction::forward));
}

TEST(Engine, RealEveryLengthTo512) {
  for (Precision precision : both)
    for (Index n = 1; n <= 512; n += n < 64 || !quick() ? 1 : 11) {
      expect_right(r2c({n}, 1, precision));
      expect_right(c2r({n}, 1, precision));
      if (n > 128) continue;
      expect_right(r2c({n}, 6, precision));
      expect_right(c2r({n}, 6, precision));
    }
  for (Index n : {250, 256, 257, 999, 1000, 1024, 2048})
    for (Precision precision : both)
      expect_right(r2c({n}, 2, precision)), expect_right(c2r({n}, 2, precision));
}

TEST(Engine, Shapes) {
  std::vector<std::vector<Index>> const shapes = {
      {1, 1},       {1, 7},          {7, 1},      {4, 4},      {5, 6},       {16, 16},
      {3, 64},      {64, 3},         {17, 12},    {12, 17},    {31, 16, 2},  {8, 8, 8},
      {2, 3, 4},    {16, 1, 9},      {5, 16, 16}, {10, 6, 15}, {4, 3, 5, 7}, {8, 8, 8, 8},
      {1, 2, 1, 3}, {2, 2, 2, 2, 2}, {128, 96},   {33, 40},    {6, 100},     {100, 6}};
  for (std::size_t number = 0; auto const& shape : shapes)
    for (Precision precision : both)
      for (Index batch : {1, 3}) {
        ++number;
        if (quick() && (number / 4 + number) % 2)
          continue;  // one or three, the next time the other way round
        expect_right(c2c(shape, batch, precision, Direction::forward));
        expect_right(in_place(c2c(shape, batch, precision)));
        expect_right(c2c(shape, batch, precision, Direction::inverse));
        expect_right(r2c(shape, batch, precision));
        expect_right(in_place(r2c(shape, batch, precision)));
        expect_right(c2r(shape, batch, precision));
        expect_right(in_place(c2r(shape, batch, precision)));
      }
}

TEST(Engine, Scale) {
  for (Precision precision : both)
    for (Index n : {1, 6, 16, 17, 23, 64, 101, 720})
      for (Problem p : {c2c({n}, 2, precision), r2c({n}, 2, precision), c2r({n}, 2, precision),
                        c2c({n, 5}, 1, precision)}) {
        p.scale = 1.0 / static_cast<double>(n);
        expect_right(p);
        p.scale = -3;
        expect_right(p);
      }
}

TEST(Engine, Strides) {
  std::mt19937 random(7);
  Index const lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 19, 20, 32, 40, 64, 90};
  for (int i = 0; i < (quick() ? 100 : 300); ++i) {
    std::vector<Index> shape;
    Index points = 1;
    for (int rank = 1 + static_cast<int>(random() % 3); rank > 0; --rank) {
      shape.push_back(lengths[random() % 16]);
      points *= shape.back();
    }
    if (points > 8000) continue;
    Precision const precision = both[random() % 2];
    Index const batch = 1 + static_cast<Index>(random() % 6);
    Problem p;
    switch (random() % 4) {
      case 0:
        p = r2c(shape, batch, precision);
        break;
      case 1:
        p = c2r(shape, batch, precision);
        break;
      default:
        p = c2c(shape, batch, precision, random() % 2 ? Direction::forward : Direction::inverse);
    }
    if (random() % 2) p.batch.push_back({1 + static_cast<Index>(random() % 5), 0, 0});
    lay_out_at_random(p, random);
    if (p.kind == Kind::c2c && random() % 3 == 0) {
      p.placement = Placement::in_place;
      for (Dim& d : p.batch) d.in_stride = d.out_stride;
      for (Axis& a : p.axes) a.in_stride = a.out_stride;
    }
    expect_right(p, {}, static_cast<unsigned>(i));
  }
}

TEST(Engine, RepeatedInput) {  // a read stride of 0
  Problem p = c2c({16}, 5, Precision::f64);
  p.batch[0].in_stride = 0;
  expect_right(p);
}

TEST(Engine, Refuses) {
  Machine const host = host_machine();
  EXPECT_THROW(Transform(c2c({8}), host, {0, "abacus"}), Error);
  EXPECT_THROW(Transform(c2c({8}), host, {-1, ""}), Error);
}

TEST(Engine, Describes) {
  std::string const text = Transform(c2c({1024}), host_machine()).describe();
  EXPECT_NE(text.find("c2c f32 forward 1024"), std::string::npos);
  EXPECT_NE(text.find("x"), std::string::npos);
}

TEST(Host, Facts) {
  Machine const m = host_machine();
  EXPECT_EQ(m.name, "host");
  EXPECT_EQ(m.kind, MachineKind::cpu);
  EXPECT_GE(m.sms, 1);
  EXPECT_GT(m.l2_bytes, 0);
  EXPECT_EQ(text(machine(text(m))), text(m));
  EXPECT_FALSE(instruction_sets().empty());
  Machine const measured = measured_host_machine();
  EXPECT_GT(measured.copy_bandwidth, 1e8);
  EXPECT_LT(measured.copy_bandwidth, 1e13);
}

}  // namespace
}  // namespace skipper::cpu::testing
