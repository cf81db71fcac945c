// The check of results over ranks holds for right results of all kinds, however boxes cut them, and finds one wrong or
// misplaced element.
#include <gtest/gtest.h>

#include <skipper/plan.h>

#include <cmath>

#include "buffer.h"
#include "linear_check.h"

namespace skipper::cli {
namespace {

struct Transformed {
  explicit Transformed(Problem const& p) : problem(p), check(p), in(in_bytes(p)), out(out_bytes(p)) {
    in.fill_random(p.precision);
    check.make_sound(slabs(in_sizes(p), 1)[0], in.data());
    PlanSettings settings;
    settings.device = Device("cpu");
    Plan(p, settings).execute(in.data(), out.data());
  }
  double defect() const {
    WeightedSum const x = check.of_input(slabs(in_sizes(problem), 1)[0], in.data());
    return check.defect(x, check.of_output(slabs(out_sizes(problem), 1)[0], out.data()));
  }
  Problem problem;
  LinearCheck check;
  Buffer in, out;
};

std::vector<Problem> problems() {
  Problem scaled = c2c({6, 10}, 1, Precision::f64, Direction::inverse), ortho = scaled;
  scaled.scale = 0.125;
  ortho.norm = Norm::ortho;
  Problem mixed = c2c({12, 9}, 2, Precision::f64);
  mixed.axes[0].kind = AxisKind::dct2;
  Problem cosines = r2r({8, 9, 5}, {AxisKind::dct1, AxisKind::dst3, AxisKind::dct4}, 1, Precision::f64);
  Problem ortho_cosines = cosines;
  ortho_cosines.norm = Norm::ortho;
  return {c2c({12, 10, 14}),
          c2c({12, 10, 14}, 2, Precision::f16),
          c2c({4, 6, 5}, 1, Precision::bf16),  // of more, one is lost in what 8 digits round away
          r2c({6, 5, 12}, 1, Precision::bf16),
          r2c({6, 5, 12}, 1, Precision::f16),
          c2r({6, 5, 12}, 1, Precision::f16),
          r2r({8, 9}, {AxisKind::dct2, AxisKind::dst2}, 1, Precision::f16),
          c2c({12, 10, 14}, 3, Precision::f64, Direction::inverse),
          r2c({6, 5, 12}),
          r2c({7, 9}, 2, Precision::f64),
          c2r({6, 5, 12}),
          c2r({4, 9}, 2, Precision::f64),
          r2r({8, 9}, {AxisKind::dct2, AxisKind::dst2}),
          scaled,
          ortho,
          mixed,
          cosines,
          ortho_cosines};
}

TEST(LinearCheck, AcceptsRightResultsOfAllKinds) {
  for (Problem const& p : problems()) EXPECT_LT(Transformed(p).defect(), 1) << text(p);
}

TEST(LinearCheck, FindsOneWrongAndTwoSwappedElements) {
  for (Problem const& p : problems()) {
    Transformed t(p);
    std::size_t const element = std::size_t(out_element_bytes(p)), count = t.out.bytes() / element;
    auto* const data = static_cast<std::byte*>(t.out.data());
    std::swap_ranges(data + element, data + 2 * element, data + (count - 2) * element);
    EXPECT_GT(t.defect(), 1) << text(p) << ": swapped";
    std::swap_ranges(data + element, data + 2 * element, data + (count - 2) * element);
    EXPECT_LT(t.defect(), 1) << text(p);
    std::fill_n(data + (count / 2) * element, element, std::byte(0));
    EXPECT_GT(t.defect(), 1) << text(p) << ": missing";
  }
}

TEST(LinearCheck, SumsOfBoxesAddUp) {
  Problem const p = c2c({9, 8, 7}, 1, Precision::f64);
  Transformed const t(p);
  WeightedSum parts;
  std::int64_t before = 0;
  for (Box const& box : slabs(out_sizes(p), 4)) {
    parts += t.check.of_output(box, static_cast<std::complex<double> const*>(t.out.data()) + before);
    before += box.size[0] * box.size[1] * box.size[2];
  }
  WeightedSum const whole = t.check.of_output(slabs(out_sizes(p), 1)[0], t.out.data());
  EXPECT_LT(std::abs(parts.value - whole.value), 1e-12 * std::sqrt(whole.squares));
  EXPECT_NEAR(parts.squares, whole.squares, 1e-12 * whole.squares);
}

TEST(LinearCheck, RefusesCosinesTooLongToCheck) {
  EXPECT_THROW(LinearCheck(r2r({10000}, {AxisKind::dct2})), Error);
}

}  // namespace
}  // namespace skipper::cli
