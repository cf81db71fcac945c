// Transforms between reals against their definitions: every kind and short length, longer ones, batches, shapes with
// mixed kinds on real and complex data, strides, in place, orthonormal.
#include <gtest/gtest.h>
#include <skipper/plan.h>

#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

Precision const both[] = {Precision::f32, Precision::f64};

TEST(Trig, EveryLengthTo130) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n = smallest_size(kind); n <= 130; n += quick() ? 7 : 1)
      for (Precision precision : both) {
        expect_right(r2r({n}, {kind}, 1, precision));
        Problem p = r2r({n}, {kind}, n % 4 ? 3 : 9, precision);
        p.norm = n % 2 ? Norm::ortho : Norm::none;
        p.scale = n % 3 ? 1 : -0.75;
        expect_right(p);
      }
}

TEST(Trig, LongerLengths) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n : {255, 256, 257, 331, 511, 512, 513, 640})
      for (Precision precision : both) {
        if (quick() && n > 300) continue;
        expect_right(r2r({n}, {kind}, 1, precision));
        if (precision == Precision::f32) expect_right(r2r({n, 3}, {kind, AxisKind::dct2}, 1, precision));
      }
}

TEST(Trig, EveryInstructionSet) {
  for (AxisKind kind : real_axis_kinds)
    for (Precision precision : both)
      for (Index n : {2, 7, 16, 33, 64})
        for (Index batch : {1, 5, 24}) {
          expect_right_by_all(r2r({n}, {kind}, batch, precision));
          expect_right_by_all(r2r({n, batch}, {kind, AxisKind::dst3}, 1, precision));
        }
}

TEST(Trig, RandomMixedKindsShapesAndStrides) {
  std::mt19937 random(11);
  Index const lengths[] = {2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 19, 24, 31, 33, 40};
  for (int i = 0; i < (quick() ? 60 : 250); ++i) {
    Problem p;
    p.kind = Kind(random() % 4);
    p.precision = both[random() % 2];
    if (p.kind == Kind::c2r || (p.kind == Kind::c2c && random() % 2)) p.direction = Direction::inverse;
    Index points = 1;
    for (int rank = 1 + static_cast<int>(random() % 4); rank > 0; --rank) {
      Index const n = lengths[random() % 15];
      if (points * n > 4000) continue;
      points *= n;
      p.axes.push_back({n, 0, 0, real_axis_kinds[random() % real_axis_kinds.size()]});
      if (p.kind != Kind::r2r && random() % 3 == 0) p.axes.back().kind = AxisKind::fourier;
    }
    if ((p.kind == Kind::r2c || p.kind == Kind::c2r) && !halved_axis(p))
      p.axes[random() % p.axes.size()].kind = AxisKind::fourier;
    if (random() % 2) p.batch.push_back({1 + static_cast<Index>(random() % 9), 0, 0});
    if (random() % 3 == 0) p.norm = Norm::ortho;
    p = dense_layout(p);
    switch (random() % 4) {
      case 0:
        lay_out_at_random(p, random);
        break;
      case 1:
        p = in_place(p);
        break;
    }
    expect_right(p, {}, static_cast<unsigned>(i));
  }
}

TEST(Trig, ThereAndBack) {
  for (AxisKind kind : real_axis_kinds)
    for (Norm norm : {Norm::none, Norm::ortho}) {
      Problem p = r2r({33, 20}, {kind, AxisKind::dst2}, 2, Precision::f64);
      p.norm = norm;
      std::vector<double> const x = random_scalars<double>(33 * 20 * 2, 3);
      std::vector<double> y(x.size()), back(x.size());
      execute_unset(Transform(p, host_machine()), x.data(), y.data());
      execute_unset(Transform(inverse_problem(p), host_machine()), y.data(), back.data());
      double wrong = 0, energy = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        wrong = std::max(wrong, std::abs(back[i] - x[i]));
        energy += y[i] * y[i] - x[i] * x[i];
      }
      EXPECT_LT(wrong, 1e-14) << text(p);
      if (norm == Norm::ortho) {
        EXPECT_NEAR(energy, 0, 1e-11) << text(p);
      }
    }
}

TEST(Trig, ThreadsGiveTheSameBits) {
  Problem const p = r2r({96, 100, 90}, {AxisKind::dct2, AxisKind::dst1, AxisKind::dct4});
  std::vector<float> const x = random_scalars<float>(96 * 100 * 90, 5);
  std::vector<float> one(x.size()), three(x.size());
  execute_unset(Transform(p, host_machine(), {1, ""}), x.data(), one.data());
  execute_unset(Transform(p, host_machine(), {3, ""}), x.data(), three.data());
  EXPECT_EQ(std::memcmp(one.data(), three.data(), sizeof(float) * x.size()), 0);
}

TEST(Trig, NothingLeaksBetweenNeighbours) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n : {15, 16}) {
      Problem const p = r2r({n}, {kind}, 9, Precision::f64), single = r2r({n}, {kind}, 1, Precision::f64);
      std::vector<double> x = random_scalars<double>(9 * n, 4), y(x.size()), alone(n);
      for (Index j = 0; j < n; ++j) x[4 * n + j] *= std::numeric_limits<double>::infinity();
      execute_unset(Transform(p, host_machine()), x.data(), y.data());
      for (Index line : {3, 5}) {
        execute_unset(Transform(single, host_machine()), x.data() + line * n, alone.data());
        for (Index k = 0; k < n; ++k) EXPECT_NEAR(y[line * n + k], alone[k], 1e-13) << text(p);
      }
    }
}

}  // namespace
}  // namespace skipper::cpu::testing
