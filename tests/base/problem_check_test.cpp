// Every way check() can refuse a problem, by the argument, the limit and the way out its message
// names. Overlap is compared with brute force on small random layouts, in place by the bytes each
// line touches.
#include <skipper/problem.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <set>

namespace skipper {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t seed = 20240611;

using Sizes = std::vector<std::int64_t>;

// That `act` throws an Error about `argument` whose message holds every part.
void expect_error(std::function<void()> const& act, std::string const& argument,
                  std::vector<std::string> const& parts) {
  try {
    act();
    ADD_FAILURE() << "no Error about " << argument;
  } catch (Error const& error) {
    EXPECT_EQ(error.argument(), argument) << error.what();
    std::string const what = error.what();
    EXPECT_EQ(what.find(argument + ": "), 0u) << what;
    for (std::string const& part : parts)
      EXPECT_NE(what.find(part), std::string::npos) << what << "\nlacks: " << part;
  }
}

void expect_refused(Problem const& problem, std::string const& argument,
                    std::vector<std::string> const& parts) {
  SCOPED_TRACE(text(problem));
  expect_error([&] { check(problem); }, argument, parts);
}

template <class Change>
Problem changed(Problem problem, Change change) {
  change(problem);
  return problem;
}

TEST(Builders, RefuseWhatCheckRefuses) {
  expect_error([] { c2c({}); }, "axes", {"empty", "at least one"});
  expect_error([] { c2c({4, 0}); }, "axes[1].size", {"is 0", "at least 1"});
  expect_error([] { r2c({4}, 0); }, "batch[0].size", {"is 0", "at least 1"});
  expect_error([] { c2r({-3}); }, "axes[0].size", {"is -3", "at least 1"});
  expect_error([] { c2c({largest, largest}); }, "axes[0].size", {"2^63 - 1", "smaller"});
  expect_error([] { r2r({4, 4}, {AxisKind::dct2}); }, "kinds", {"1 entries", "one kind per axis"});
  for (int kind = 1; kind <= 8; ++kind)
    expect_error([&] { r2r({0}, {AxisKind(kind)}); }, "axes[0].size", {"is 0", "at least"});
  expect_error([] { r2r({4}, {AxisKind::fourier}); }, "axes[0].kind", {"r2r", "r2c"});
}

TEST(Check, RefusesRankSizesAndRanges) {
  Problem const p = c2c({8, 8}, 2);
  expect_refused(Problem{}, "axes", {"empty", "at least one"});
  expect_refused(changed(p,
                         [](Problem& q) {
                           q.axes.assign(65, {1, 1, 1});
                         }),
                 "axes", {"65", "limit is 64", "merge"});
  expect_refused(changed(p,
                         [](Problem& q) {
                           q.batch.assign(65, {1, 1, 1});
                         }),
                 "batch", {"65", "limit is 64", "merge"});
  expect_refused(changed(p, [](Problem& q) { q.axes[0].size = 0; }), "axes[0].size",
                 {"is 0", "at least 1", "drop"});
  expect_refused(changed(p, [](Problem& q) { q.batch[0].size = -1; }), "batch[0].size",
                 {"is -1", "at least 1"});
  expect_refused(changed(p, [](Problem& q) { q.batch[0].size = largest; }), "batch[0].size",
                 {"points", "2^63 - 1", "several"});
  expect_refused(dense_layout(changed(p, [](Problem& q) { q.batch[0].size = largest / 64; })),
                 "batch[0].in_stride", {"2^63 - 1", "several"});
  // The last byte, not the last element, is what must fit.
  auto const reaching = [](std::int64_t stride) {
    return changed(c2c({2}), [&](Problem& q) { q.axes[0].out_stride = stride; });
  };
  EXPECT_NO_THROW(check(reaching(largest / 8 - 1)));
  EXPECT_EQ(out_bytes(reaching(largest / 8 - 1)), largest / 8 * 8);
  expect_refused(reaching(largest / 8), "axes[0].out_stride", {"2^63 - 1", "smaller stride"});
  expect_refused(reaching(largest), "axes[0].out_stride", {"2^63 - 1"});
  expect_refused(reaching(-1), "axes[0].out_stride",
                 {"is -1", "negative strides are not supported", "copy an axis"});
  expect_refused(changed(p, [](Problem& q) { q.batch[0].in_stride = -64; }), "batch[0].in_stride",
                 {"is -64", "negative strides are not supported", "lowest addresses"});
}

TEST(Check, RefusesKindsThatDoNotFit) {
  auto const with = [](Problem problem, AxisKind kind) {
    problem.axes[0].kind = kind;
    return problem;
  };
  expect_refused(with(r2r({8}, {AxisKind::dct2}), AxisKind::fourier), "axes[0].kind",
                 {"fourier", "r2r", "use"});
  expect_refused(with(r2c({8}), AxisKind::dct2), "axes", {"no fourier axis", "r2c", "use r2r"});
  expect_refused(with(c2r({8}), AxisKind::dst1), "axes", {"no fourier axis", "c2r", "use r2r"});
  expect_refused(with(c2c({1}), AxisKind::dct1), "axes[0].size", {"at least 2", "dct1", "dct2"});
  EXPECT_NO_THROW(check(with(c2c({2}), AxisKind::dct1)));
  for (AxisKind const kind : {AxisKind::dct2, AxisKind::dct3, AxisKind::dct4, AxisKind::dst1, AxisKind::dst2,
                              AxisKind::dst3, AxisKind::dst4})
    EXPECT_NO_THROW(check(r2r({1}, {kind})));
  Problem mixed = r2c({8, 8});
  mixed.axes[1].kind = AxisKind::dct1;
  EXPECT_NO_THROW(check(dense_layout(mixed)));

  auto const with_direction = [](Problem problem, Direction direction) {
    problem.direction = direction;
    return problem;
  };
  expect_refused(with_direction(r2c({8}), Direction::inverse), "direction", {"r2c", "forward", "c2r"});
  expect_refused(with_direction(c2r({8}), Direction::forward), "direction", {"c2r", "inverse", "r2c"});
  expect_refused(with_direction(r2r({8}, {AxisKind::dct2}), Direction::inverse), "direction",
                 {"r2r", "forward", "dct3"});

  auto const reversed = [](Problem problem) {
    problem.order = Order::reversed;
    return problem;
  };
  EXPECT_NO_THROW(check(reversed(c2c({8, 8}))));
  expect_refused(reversed(r2c({8})), "order", {"only c2c", "natural"});
  expect_refused(reversed(c2r({8})), "order", {"only c2c", "natural"});
  expect_refused(with(reversed(c2c({8})), AxisKind::dct2), "order", {"dct2", "natural"});
}

TEST(Check, RefusesScalesThePrecisionCannotHold) {
  auto const scaled = [](Precision precision, double scale) {
    return changed(c2c({8}, 1, precision), [&](Problem& q) { q.scale = scale; });
  };
  for (double const scale : {0.0, 1.0, -0.125, 1e-30, 3e38})
    EXPECT_NO_THROW(check(scaled(Precision::f32, scale)));
  EXPECT_NO_THROW(check(scaled(Precision::f64, 1e300)));
  expect_refused(scaled(Precision::f32, 1e300), "scale", {"1e+300", "f32", "use f64"});
  expect_refused(scaled(Precision::f32, 1e-300), "scale", {"1e-300", "f32", "use f64"});
  for (Precision const precision : {Precision::f32, Precision::f64}) {
    expect_refused(scaled(precision, INFINITY), "scale", {"is inf", "finite"});
    expect_refused(scaled(precision, NAN), "scale", {"is nan", "finite"});
    expect_refused(scaled(precision, 4e-320), "scale", {"normal"});
  }
}

TEST(Check, RefusesUnknownEnumerators) {
  Problem const p = c2c({8});
  auto const bad = [](auto& value) { value = static_cast<std::decay_t<decltype(value)>>(99); };
  expect_refused(changed(p, [&](Problem& q) { bad(q.kind); }), "kind", {"99", "0 to 3"});
  expect_refused(changed(p, [&](Problem& q) { bad(q.precision); }), "precision", {"99"});
  expect_refused(changed(p, [&](Problem& q) { bad(q.direction); }), "direction", {"99"});
  expect_refused(changed(p, [&](Problem& q) { bad(q.placement); }), "placement", {"99"});
  expect_refused(changed(p, [&](Problem& q) { bad(q.order); }), "order", {"99"});
  expect_refused(changed(p, [&](Problem& q) { bad(q.axes[0].kind); }), "axes[0].kind", {"99"});
}

TEST(Check, RefusesInPlaceLayoutsThatDoNotMatch) {
  Problem const c = in_place(c2c({4, 6}, 3));
  expect_refused(changed(c, [](Problem& q) { q.axes[0].in_stride = 7; }), "axes[0].in_stride",
                 {"is 7", "out_stride is 6", "equal", "out of place"});
  expect_refused(changed(c, [](Problem& q) { q.batch[0].out_stride = 25; }), "batch[0].in_stride",
                 {"out_stride is 25", "equal"});
  Problem dense = r2c({4, 6});
  dense.placement = Placement::in_place;
  expect_refused(dense, "axes[0].in_stride", {"twice the complex", "out of place"});
  Problem const r = in_place(c2r({4, 6}));
  expect_refused(changed(r, [](Problem& q) { q.axes[1].out_stride = 2; }), "axes[1].out_stride",
                 {"is 2", "stride 1", "out of place"});
  expect_refused(changed(r, [](Problem& q) { q.axes[1].in_stride = 2; }), "axes[1].in_stride",
                 {"is 2", "stride 1", "out of place"});
  // Inputs that share places are refused in place only.
  Problem const repeat = changed(c2c({8}, 4), [](Problem& q) { q.batch[0].in_stride = 0; });
  EXPECT_NO_THROW(check(repeat));
  Problem const both = changed(repeat, [](Problem& q) {
    q.batch[0].out_stride = 0;
    q.placement = Placement::in_place;
  });
  expect_refused(both, "batch[0].in_stride", {"is 0", "inputs", "stride of 8 or more"});
  // Along an axis that would be a constant.
  expect_refused(changed(c2c({4, 8}), [](Problem& q) { q.axes[0].in_stride = 0; }), "axes[0].in_stride",
                 {"is 0", "one element 4 times", "dense_layout()"});
  // Strides of single elements address nothing.
  Problem single = in_place(c2c({1, 8}));
  single.axes[0].in_stride = 77;
  EXPECT_NO_THROW(check(single));
}

TEST(Check, RefusesOutputsThatOverlap) {
  auto const laid = [](Sizes const& sizes, Sizes const& strides) {
    Problem problem = c2c(sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) problem.axes[i].out_stride = strides[i];
    return problem;
  };
  expect_refused(laid({4, 8}, {7, 1}), "axes[0].out_stride",
                 {"is 7", "two elements", "outputs", "stride of 8 or more"});
  expect_refused(laid({4, 8}, {8, 0}), "axes[1].out_stride", {"is 0", "stride of 25 or more"});
  expect_refused(laid({8, 8}, {3, 3}), "axes[1].out_stride", {"is 3", "two elements"});
  EXPECT_NO_THROW(check(laid({4, 8}, {1, 4})));
  // Interleaved rather than nested, yet distinct: 5 a + 8 b with a < 8, b < 5 and so on.
  EXPECT_NO_THROW(check(laid({5, 8}, {8, 5})));
  expect_refused(laid({6, 9}, {8, 5}), "axes[0].out_stride", {"two elements"});
  EXPECT_NO_THROW(check(laid({1000000, 1000003}, {1000003, 1000000})));
  expect_refused(laid({1000001, 1000004}, {1000003, 1000000}), "axes[0].out_stride", {"two elements"});
  // Past the search: refused, and said so, rather than wrongly accepted.
  expect_refused(laid({1000, 1000, 1000, 1000}, {1000000007, 1000003333, 1000701343, 1013131313}),
                 "axes[2].out_stride", {"could not rule out", "or more"});
}

// Calls `visit` with each index vector below `sizes`.
void for_each_index(Sizes const& sizes, std::function<void(Sizes const&)> const& visit) {
  Sizes index(sizes.size(), 0);
  for (;;) {
    visit(index);
    std::size_t i = 0;
    while (i < sizes.size() && ++index[i] == sizes[i]) index[i++] = 0;
    if (i == sizes.size()) return;
  }
}

TEST(Check, OverlapAgreesWithBruteForce) {
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  auto const below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  int distinct = 0, overlapping = 0;
  for (int round = 0; round < 6000; ++round) {
    std::size_t const rank = 1 + random() % 4;
    Sizes sizes;
    for (std::size_t i = 0; i < rank; ++i) sizes.push_back(1 + below(5));
    Problem problem = c2c(sizes);
    for (Axis& axis : problem.axes) axis.out_stride = below(40);
    std::set<std::int64_t> places;
    std::size_t points = 0;
    for_each_index(sizes, [&](Sizes const& index) {
      std::int64_t at = 0;
      for (std::size_t i = 0; i < rank; ++i) at += index[i] * problem.axes[i].out_stride;
      places.insert(at);
      ++points;
    });
    bool accepted = true;
    try {
      check(problem);
    } catch (Error const&) {
      accepted = false;
    }
    ASSERT_EQ(accepted, places.size() == points) << text(problem) << " seed " << seed;
    ++(accepted ? distinct : overlapping);
  }
  // Both verdicts were really exercised.
  EXPECT_GT(distinct, 500);
  EXPECT_GT(overlapping, 500);
}

// Every real in-place layout that passes lets an engine transform line after line: no byte belongs
// to two lines, be it as a real or as part of a complex number.
TEST(Check, InPlaceLinesDoNotShareBytes) {
  std::mt19937 random(seed);
  auto const below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    Sizes const shape{1 + below(3), 1 + below(6)};
    Problem problem = in_place(random() % 2 ? r2c(shape, 2) : c2r(shape, 2));
    for (std::int64_t* stride :
         {&problem.axes[0].in_stride, &problem.axes[0].out_stride, &problem.axes[1].in_stride,
          &problem.batch[0].in_stride, &problem.batch[0].out_stride})
      if (random() % 4 == 0) *stride = std::max<std::int64_t>(0, *stride + below(9) - 4);
    try {
      check(problem);
    } catch (Error const&) {
      continue;
    }
    ++accepted;
    std::set<std::int64_t> taken;
    for_each_index({problem.batch[0].size, shape[0]}, [&](Sizes const& index) {
      std::set<std::int64_t> line;
      auto const touch = [&](std::int64_t begin, std::int64_t size, std::int64_t stride,
                             std::int64_t element) {
        for (std::int64_t j = 0; j < size; ++j)
          for (std::int64_t b = 0; b < element; ++b) line.insert((begin + j * stride) * element + b);
      };
      touch(index[0] * problem.batch[0].in_stride + index[1] * problem.axes[0].in_stride, in_size(problem, 1),
            problem.axes[1].in_stride, in_element_bytes(problem));
      touch(index[0] * problem.batch[0].out_stride + index[1] * problem.axes[0].out_stride,
            out_size(problem, 1), problem.axes[1].out_stride, out_element_bytes(problem));
      for (std::int64_t const byte : line)
        ASSERT_TRUE(taken.insert(byte).second) << text(problem) << " seed " << seed;
    });
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace skipper
