// Distributed plans over threads against the transform on one rank.
#include <gtest/gtest.h>
#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <type_traits>

#include "distributed/box.h"
#include "distributed/on_ranks.h"
#include "support/quick.h"
#include "support/scalars.h"
#include "support/uniform.h"
#include "support/untyped.h"

namespace skipper {
namespace {

using testing::on_ranks;
using Bytes = std::vector<std::byte>;

Index element(Problem const& p, bool input) { return input ? in_element_bytes(p) : out_element_bytes(p); }

/// Copies between a dense global array and a rank's box of it, whose rows along the padded axis may be longer.
void copy(Bytes& global, std::vector<Index> const& sizes, Box const& box, std::byte* local,
          std::vector<Index> const& strides, Index bytes, bool to_local) {
  std::vector<Index> const dense = dense_strides(sizes);
  Index const all = distributed::volume(box);
  for (Index i = 0; i < all; ++i) {
    Index rest = i, from = 0, to = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      Index const at = rest % box.size[d];
      rest /= box.size[d];
      from += (box.first[d] + at) * dense[d];
      to += at * strides[d];
    }
    std::byte* const outer = global.data() + from * bytes;
    std::byte* const inner = local + to * bytes;
    to_local ? std::memcpy(inner, outer, std::size_t(bytes)) : std::memcpy(outer, inner, std::size_t(bytes));
  }
}

/// Strides of a rank's array: rows are as long as those of the whole, and of reals padded, where r2c or c2r is in place.
std::vector<Index> strides_of(Problem const& p, Box const& box, bool input) {
  std::vector<Index> sizes = box.size;
  auto const halved = halved_axis(p);
  bool const real = input == (p.kind == Kind::r2c);
  if (halved && p.placement == Placement::in_place && !sizes.empty())
    sizes[p.batch.size() + *halved] = (real ? 2 : 1) * (p.axes[*halved].size / 2 + 1);
  return dense_strides(sizes);
}

double allowed(Precision precision) {
  if (is_16_bit(precision)) return testing::allowed_once_rounded(precision);
  return precision == Precision::f32 ? 1e-6 : 1e-14;
}

Bytes random_data(Problem const& p, std::mt19937& random) {
  skipper::testing::Uniform<double> value;
  Bytes data(std::size_t(distributed::volume(distributed::whole_box(in_sizes(p))) * in_element_bytes(p)));
  auto const fill = [&]<class T>(T) {
    for (std::size_t i = 0; i < data.size() / sizeof(T); ++i) {
      T const x = T(std::conditional_t<sizeof(T) == 8, double, float>(value(random)));
      std::memcpy(data.data() + sizeof(T) * i, &x, sizeof(T));
    }
  };
  with_scalar(p.precision, fill);
  return data;
}

double error_of(Bytes const& a, Bytes const& b, Precision precision) {
  double difference = 0, size = 0;
  auto const add = [&](double x, double y) {
    difference += (x - y) * (x - y);
    size += y * y;
  };
  with_scalar(precision, [&]<class T>(T) {
    for (std::size_t i = 0; i < a.size() / sizeof(T); ++i) {
      T x, y;
      std::memcpy(&x, a.data() + sizeof(T) * i, sizeof(T));
      std::memcpy(&y, b.data() + sizeof(T) * i, sizeof(T));
      add(double(x), double(y));
    }
  });
  return std::sqrt(difference / std::max(size, 1e-300));
}

void expect_right(Problem const& p, int ranks, DistributedSettings const& settings, std::mt19937& random) {
  SCOPED_TRACE(text(p) + " over " + std::to_string(ranks));
  Bytes global = random_data(p, random);
  Problem single = p;
  single.placement = Placement::out_of_place;
  single = dense_layout(single);
  Bytes expected(std::size_t(out_bytes(single))), result(expected.size());
  PlanSettings on_cpu;
  on_cpu.device = Device("cpu");
  Plan(single, on_cpu).execute(testing::untyped(global.data()), testing::untyped(expected.data()));
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  std::string program;
  std::mutex mutex;
  auto const errors = on_ranks(ranks, [&](int r) {
    DistributedPlan const plan(p, communicators[std::size_t(r)], settings);
    Index const in_bytes_here = plan.in_elements() * element(p, true),
                out_bytes_here = plan.out_elements() * element(p, false);
    Bytes in, out;
    in.resize(std::size_t(in_bytes_here));
    out.resize(std::size_t(out_bytes_here));
    bool const in_place = p.placement == Placement::in_place;
    if (in_place) in.resize(std::max(in.size(), out.size()));
    for (int repeat = 0; repeat < 3; ++repeat) {  // windows change roles between executions
      {
        std::lock_guard const lock(mutex);
        copy(global, in_sizes(p), plan.in_box(), in.data(), strides_of(p, plan.in_box(), true),
             element(p, true), true);
      }
      plan.execute(testing::untyped(in.data()), testing::untyped(in_place ? in.data() : out.data()));
    }
    std::lock_guard const lock(mutex);
    program = plan.describe();
    copy(result, out_sizes(p), plan.out_box(), in_place ? in.data() : out.data(),
         strides_of(p, plan.out_box(), false), element(p, false), false);
  });
  for (std::string const& e : errors) ASSERT_EQ(e, "");
  EXPECT_LT(error_of(result, expected, p.precision), allowed(p.precision)) << program;
}

TEST(DistributedPlan, EveryNumberOfRanksIsRight) {
  std::mt19937 random(7);
  for (int ranks = 1; ranks <= 12; ++ranks) {
    if (testing::quick() && (ranks == 4 || (ranks > 5 && ranks < 12))) continue;
    expect_right(c2c({12, 10, 7}), ranks, {}, random);
    expect_right(c2c({12, 10, 7}, 2, Precision::f64, Direction::inverse), ranks, {.any_output = true},
                 random);
    expect_right(r2c({9, 8, 11}), ranks, {.exchange = ExchangeMethod::messages, .pieces = 3}, random);
    expect_right(c2r({9, 8, 11}, 1, Precision::f64), ranks, {.any_output = true}, random);
    expect_right(in_place(r2c({8, 6, 10})), ranks, {}, random);
    expect_right(in_place(c2r({8, 6, 9})), ranks, {.exchange = ExchangeMethod::direct}, random);
    expect_right(r2r({8, 9}, {AxisKind::dct2, AxisKind::dst3}, 3), ranks, {}, random);
    expect_right(r2r({8, 9, 7}, {AxisKind::dht, AxisKind::dst3, AxisKind::dht}), ranks, {}, random);
  }
}

TEST(DistributedPlan, LongAxesOfEveryKindAreRight) {
  std::mt19937 random(23);
  DistributedSettings settings;  // links that take no time, so that axes are split wherever they can be
  settings.links = "links free ranks_per_node 64 node 0 1e18 network 0 1e18";
  for (int ranks = 1; ranks <= 8; ++ranks)
    for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages}) {
      if (testing::quick() && (method == ExchangeMethod::messages) != (ranks / 2 % 2 == 1)) continue;
      settings.exchange = method;
      settings.any_output = ranks % 2 == 0;
      expect_right(c2c({1000}), ranks, settings, random);
      expect_right(r2c({240, 4}), ranks, settings, random);
      expect_right(c2r({90, 3}, 1, Precision::f64), ranks, settings, random);
      settings.any_output = false;
      expect_right(in_place(r2c({2, 128, 3})), ranks, settings, random);
      expect_right(in_place(c2r({128, 6}, 1, Precision::f64)), ranks, settings, random);
      expect_right(r2c({1000}), ranks, settings, random);  // one rank has it
      expect_right(r2r({100, 2}, {AxisKind::dct2, AxisKind::dst3}), ranks, settings, random);
    }
}

TEST(DistributedPlan, SixteenBitStorageIsRight) {
  std::mt19937 random(5);
  for (Precision const format : {Precision::f16, Precision::bf16}) {
    for (int ranks = 1; ranks <= 4; ++ranks)
      for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::messages})
        for (bool const any_output : {true, false}) {
          DistributedSettings const settings{.any_output = any_output, .exchange = method, .pieces = 2};
          expect_right(c2c({12, 10, 7}, 2, format), ranks, settings, random);
          expect_right(c2c({24, 18}, 1, format, Direction::inverse), ranks, settings, random);
          expect_right(r2c({9, 8, 11}, 1, format), ranks, settings, random);
          expect_right(c2r({9, 8, 11}, 1, format), ranks, settings, random);
          expect_right(in_place(r2c({8, 6, 10}, 1, format)), ranks, settings, random);
          expect_right(in_place(c2c({8, 6, 10}, 1, format)), ranks, settings, random);
          expect_right(r2r({8, 9}, {AxisKind::dct2, AxisKind::dst3}, 3, format), ranks, settings, random);
        }
    // Pencils, and a stage that only hands on numbers of 16 bits.
    DistributedSettings settings{.in = bricks({8, 6, 12}, {2, 1, 2}, 4),
                                 .out = bricks({8, 6, 12}, {1, 2, 2}, 4)};
    expect_right(c2c({8, 6, 12}, 1, format), 4, settings, random);
  }
}

/// Two axes of ones sum to 131072, which no half can hold; the scale comes with the last axis.
TEST(DistributedPlan, HalvesDoNotOverflowBetweenStages) {
  Problem p = c2c({4, 256, 512}, 1, Precision::f16);
  p.scale = 1.0 / (4 * 256 * 512);
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  std::vector<Half> first(4);
  auto const errors = on_ranks(2, [&](int r) {
    DistributedPlan const plan(p, communicators[std::size_t(r)], {.any_output = true});
    std::vector<Half> in(std::size_t(plan.in_elements()) * 2), out(std::size_t(plan.out_elements()) * 2);
    for (std::size_t i = 0; i < in.size(); i += 2) in[i] = Half(1.0f);
    plan.execute(testing::untyped(in.data()), testing::untyped(out.data()));
    if (r == 0) first.assign(out.begin(), out.begin() + 4);
  });
  for (std::string const& e : errors) ASSERT_EQ(e, "");
  EXPECT_EQ(float(first[0]), 1.0f);
  for (std::size_t i : {1, 2, 3}) EXPECT_EQ(float(first[i]), 0.0f);
}

TEST(DistributedPlan, RandomBoxesAreRight) {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    int const ranks = 1 + int(random() % 6);
    std::vector<Index> shape;
    for (std::size_t d = 0, n = 1 + random() % 3; d < n; ++d) shape.push_back(1 + Index(random() % 13));
    Precision const any[] = {Precision::f16, Precision::bf16, Precision::f32, Precision::f32};
    Precision const precision = any[random() % 4];
    Problem p = random() % 2 ? c2c(shape, 1, precision) : r2c(shape, 1, precision);
    p.scale = 0.5;
    auto const grid = [&](std::vector<Index> const& sizes) {
      std::vector<int> parts(sizes.size(), 1);
      int left = ranks;
      for (int& part : parts) {
        part = 1 + int(random() % unsigned(left));
        left /= part;
      }
      return bricks(sizes, parts, ranks);
    };
    DistributedSettings settings{.in = grid(in_sizes(p)), .out = grid(out_sizes(p))};
    std::shuffle(settings.in.begin(), settings.in.end(), random);
    std::shuffle(settings.out.begin(), settings.out.end(), random);
    settings.exchange = random() % 2 ? ExchangeMethod::messages : ExchangeMethod::automatic;
    expect_right(p, ranks, settings, random);
  }
}

TEST(DistributedPlan, RanksThatDisagreeAreToldWhere) {
  auto const communicators = thread_communicators(3, std::chrono::seconds(60));
  auto const errors = on_ranks(3, [&](int r) {
    DistributedPlan(c2c({8, 8}, 1, r == 2 ? Precision::f64 : Precision::f32), communicators[std::size_t(r)]);
  });
  for (std::string const& e : errors) {
    EXPECT_NE(e.find("precision"), std::string::npos) << e;
    EXPECT_NE(e.find("rank 2"), std::string::npos) << e;
  }
}

TEST(DistributedPlan, ScalesThatDifferLittleAreTold) {
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  auto const errors = on_ranks(2, [&](int r) {
    Problem p = c2c({8, 8});
    p.scale = r == 0 ? 1e-9 : 1.0000001e-9;
    DistributedPlan(p, communicators[std::size_t(r)]);
  });
  for (std::string const& e : errors)
    EXPECT_NE(e.find("scale: is '1e-09' on rank 0"), std::string::npos) << e;
}

TEST(DistributedPlan, ARankThatFailsEndsTheOthers) {
  for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::messages}) {
    auto const communicators = thread_communicators(3, std::chrono::seconds(60));
    auto const errors = on_ranks(3, [&](int r) {
      DistributedPlan const plan(c2c({9, 8}), communicators[std::size_t(r)], {.exchange = method});
      std::vector<std::complex<float>> in, out;
      in.resize(std::size_t(plan.in_elements()));
      out.resize(std::size_t(plan.out_elements()));
      plan.execute(testing::untyped(r == 1 ? nullptr : in.data()), testing::untyped(out.data()));
    });
    EXPECT_NE(errors[1].find("in: is a null pointer"), std::string::npos) << errors[1];
    for (int r : {0, 2})
      EXPECT_NE(errors[std::size_t(r)].find("rank 1 failed"), std::string::npos) << errors[std::size_t(r)];
  }
}

TEST(DistributedPlan, MovedFromPlansAndWrongRanksAreRefused) {
  DistributedPlan plan(c2c({8, 8}), thread_communicators(1)[0]);
  EXPECT_THROW(plan.in_box(1), Error);
  EXPECT_THROW(plan.out_box(-1), Error);
  DistributedPlan const other = std::move(plan);
  EXPECT_THROW(plan.describe(), Error);
  EXPECT_EQ(other.exchanges(), 0);
}

TEST(DistributedPlan, ProgramsRunByTheirText) {
  std::mt19937 random(3);
  DistributedSettings settings;
  settings.program =
      "c2c f32 forward 8x6x5 over 4 ranks\ngrid 4x1x1\ngrid 2x2x1 axes 2\ngrid 2x1x2 axes 1\ngrid 1x2x2 axes "
      "0";
  expect_right(c2c({8, 6, 5}), 4, settings, random);
}

TEST(ThreadCommunicators, KeepTwoMessagesApartByTheirTagsOnly) {
  auto const communicators = thread_communicators(2, std::chrono::milliseconds(50));
  int sent[] = {1, 2}, received[] = {0, 0};
  communicators[0]->send({1, &sent[0], sizeof(int), 5});
  EXPECT_THROW(communicators[0]->send({1, &sent[1], sizeof(int), 5}), Error);
  communicators[0]->send({1, &sent[1], sizeof(int), 6});
  communicators[1]->receive({0, &received[1], sizeof(int), 6});
  communicators[1]->receive({0, &received[0], sizeof(int), 5});
  communicators[1]->wait();
  EXPECT_EQ(received[0], 1);
  EXPECT_EQ(received[1], 2);
  communicators[0]->send({1, &sent[1], sizeof(int), 5});  // the tag is free again
}

TEST(DistributedPlan, ARankThatStaysAwayEndsTheWait) {
  auto const communicators = thread_communicators(2, std::chrono::milliseconds(50));
  auto const errors = on_ranks(2, [&](int r) {
    if (r == 0) DistributedPlan(c2c({8, 8}), communicators[0]);
  });
  EXPECT_NE(errors[0].find("50 ms"), std::string::npos) << errors[0];
}

}  // namespace
}  // namespace skipper
