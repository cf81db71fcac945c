// The check of whole batches: right results pass, whatever the kind and layout, and one wrong number anywhere does not.
#include "reference/whole_check.h"

#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <random>

#include "buffer.h"
#include "reference/accuracy.h"
#include "support/random_mixed.h"

namespace skipper::cli {
namespace {

using reference::whole_check;

/// The result of the CPU, and what it was made of.
struct Result {
  explicit Result(Problem const& problem) : in(in_bytes(problem)), out(out_bytes(problem)) {
    in.fill_random(problem.precision);
    PlanSettings settings;
    settings.device = Device("cpu");
    bool const same = problem.placement == Placement::in_place;
    if (same) std::memcpy(out.data(), in.data(), in.bytes());
    Plan(problem, settings).execute(static_cast<void const*>(same ? out.data() : in.data()), out.data());
  }
  Buffer in, out;
};

double worst(Problem const& problem, Result const& result) {
  return whole_check(problem, result.in.data(), result.out.data(), 2).worst;
}

template <class T>
void expect_found(Problem const& problem) {
  SCOPED_TRACE(text(problem));
  Result result(problem);
  EXPECT_LE(worst(problem, result), 0.5);
  EXPECT_EQ(whole_check(problem, result.in.data(), result.out.data()).transforms,
            problem.batch.empty() ? 1 : problem.batch[0].size);
  T* const numbers = static_cast<T*>(result.out.data());
  for (std::size_t const i :
       {std::size_t(0), result.out.bytes() / sizeof(T) / 2, result.out.bytes() / sizeof(T) - 1}) {
    T const kept = numbers[i];
    numbers[i] = kept + T(0.1);
    EXPECT_GT(worst(problem, result), 1) << i;
    numbers[i] = T(NAN);
    EXPECT_GT(worst(problem, result), 1) << i;
    numbers[i] = kept;
  }
  EXPECT_LE(worst(problem, result), 1);
}

TEST(WholeCheck, FindsOneWrongNumber) {
  expect_found<float>(c2c({16}, 300));
  expect_found<float>(c2c({30, 20}, 7, Precision::f32, Direction::inverse));
  expect_found<float>(c2c({2}, 5000));
  expect_found<double>(c2c({100}, 3, Precision::f64));
  expect_found<float>(r2c({100, 30}, 2));
  expect_found<double>(c2r({9, 16}, 70, Precision::f64));
  expect_found<double>(r2r({20, 33}, {AxisKind::dct1, AxisKind::dst3}, 1, Precision::f64));
  expect_found<float>(parse_problem("r2c f32 forward 64x48 load 40x33 keep 3+20x5+20"));
  Problem scaled = c2c({64}, 4, Precision::f64);
  scaled.scale = 1.0 / 64;
  expect_found<double>(scaled);
}

TEST(WholeCheck, FindsTwoOutputsInEachOthersPlaces) {
  Problem const problem = c2c({100000}, 1, Precision::f64);
  Result result(problem);
  EXPECT_LE(worst(problem, result), 0.5);
  auto* const numbers = static_cast<std::complex<double>*>(result.out.data());
  std::swap(numbers[7], numbers[99000]);
  EXPECT_GT(worst(problem, result), 1);
}

TEST(WholeCheck, ReadsHalves) {
  Problem const problem = c2c({16}, 30, Precision::f16);
  Result result(problem);
  EXPECT_LE(worst(problem, result), 0.5);
  Half* const numbers = static_cast<Half*>(result.out.data());
  numbers[77] = Half(float(numbers[77]) + 1);
  EXPECT_GT(worst(problem, result), 1);
}

/// Zeros before and behind what is stored, which the problem without them says in full.
TEST(WholeCheck, AgreesWithSamplesOfTheDefinition) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    Problem problem = testing::random_mixed(random, 20000, {3000, 200, 40, 12});
    if (problem.placement == Placement::out_of_place && i % 2)
      for (Axis& a : problem.axes) {
        bool const half = problem.kind == Kind::c2r && &a == &problem.axes[*halved_axis(problem)];
        if (!half) a.in_count = 1 + std::int64_t(random() % std::uint64_t(a.size));
        bool const halved = problem.kind == Kind::r2c && &a == &problem.axes[*halved_axis(problem)];
        std::int64_t const outputs = halved ? a.size / 2 + 1 : a.size;
        a.out_first = std::int64_t(random() % std::uint64_t(outputs));
        a.out_count = 1 + std::int64_t(random() % std::uint64_t(outputs - a.out_first));
      }
    problem = dense_layout(problem);
    SCOPED_TRACE(text(problem));
    Result const result(problem);
    EXPECT_LE(worst(problem, result), 1);
    if (i % 5) continue;  // they take long
    reference::Accuracy const error = reference::accuracy(problem, result.in.data(), result.out.data());
    EXPECT_LE(error.l2, 2 * reference::allowed_l2(problem));
  }
}

TEST(WholeCheck, LeavesReversedOrdersAlone) {
  Buffer zeros(1 << 12);
  EXPECT_EQ(whole_check(parse_problem("c2c f32 forward 8 reversed"), zeros.data(), zeros.data()).transforms,
            0);
}

}  // namespace
}  // namespace skipper::cli
