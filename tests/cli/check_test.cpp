// The check of whole batches: right results pass, one wrong number anywhere does not.
#include "check.h"

#include <gtest/gtest.h>
#include <skipper/plan.h>

#include "buffer.h"
#include "reference/accuracy.h"

namespace skipper::cli {
namespace {

template <class T>
void expect_found(Problem const& problem) {
  SCOPED_TRACE(text(problem));
  PlanSettings settings;
  settings.device = Device("cpu");
  Buffer in(in_bytes(problem)), out(out_bytes(problem));
  in.fill_random(problem.precision);
  Plan(problem, settings).execute(in.data(), out.data());
  auto const worst = [&] {
    return whole_check(problem, in.data(), out.data(), reference::allowed_l2(problem));
  };
  EXPECT_TRUE(worst().good()) << worst().worst;
  EXPECT_EQ(worst().transforms, problem.batch.empty() ? 1 : problem.batch[0].size);
  T* const numbers = static_cast<T*>(out.data());
  for (std::size_t const i : {std::size_t(0), out.bytes() / sizeof(T) / 2, out.bytes() / sizeof(T) - 1}) {
    T const kept = numbers[i];
    numbers[i] = kept == T(0) ? T(1) : T(1.001) * kept + T(0.01);
    EXPECT_FALSE(worst().good()) << i;
    numbers[i] = T(NAN);
    EXPECT_FALSE(worst().good()) << i;
    numbers[i] = kept;
  }
  EXPECT_TRUE(worst().good());
}

TEST(WholeCheck, FindsOneWrongNumber) {
  expect_found<float>(c2c({16}, 300));
  expect_found<float>(c2c({30, 20}, 7, Precision::f32, Direction::inverse));
  expect_found<float>(c2c({2}, 5000));
  expect_found<double>(c2c({100}, 3, Precision::f64));
  Problem scaled = c2c({64}, 4, Precision::f64);
  scaled.scale = 1.0 / 64;
  expect_found<double>(scaled);
}

TEST(WholeCheck, ReadsHalves) {
  Problem const problem = c2c({16}, 30, Precision::f16);
  PlanSettings settings;
  settings.device = Device("cpu");
  Buffer in(in_bytes(problem)), out(out_bytes(problem));
  in.fill_random(problem.precision);
  Plan(problem, settings).execute(in.data(), out.data());
  EXPECT_TRUE(whole_check(problem, in.data(), out.data(), reference::allowed_l2(problem)).good());
  Half* const numbers = static_cast<Half*>(out.data());
  numbers[77] = Half(float(numbers[77]) + 1);
  EXPECT_FALSE(whole_check(problem, in.data(), out.data(), reference::allowed_l2(problem)).good());
}

TEST(WholeCheck, LeavesOthersAlone) {
  Buffer zeros(1 << 12);
  EXPECT_EQ(whole_check(r2c({100}), zeros.data(), zeros.data(), 1e-7).transforms, 0);
}

}  // namespace
}  // namespace skipper::cli
