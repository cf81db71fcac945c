// Programs of discrete Hartley transforms under the emulator, held to the definition: packed as r2c, of primes by real
// Rader, of long lines by columns; they move no more than r2c does.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/machine.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/verify_real.h"

namespace skipper::testing {
namespace {

using enum AxisKind;

/// A machine so small that short axes are long ones.
Machine tiny() {
  Machine m = machine("a100");
  m.shared_block = 1024;
  return m;
}

Program verified(Program const& program, Machine const& m, std::uint64_t seed) {
  check(program);
  EXPECT_EQ(parse_program(text(program)), program) << text(program);
  verify_real(program, m, seed);
  return program;
}

Program verify_planned(Problem const& problem, std::uint64_t seed, Machine const& m = machine("h200")) {
  SCOPED_TRACE(text(problem));
  return verified(planner(problem, m).front().program, m, seed);
}

TEST(Hartley, EvenLengthsAreTransformsOfHalfTheLength) {
  for (Index n : {4, 6, 16, 60, 64, 250, 256, 1024, 4096})
    for (Precision precision : {Precision::f32, Precision::f64}) {
      if (quick() && n > 256) continue;
      Program const program = verify_planned(r2r({n}, {dht}, 3, precision), std::uint64_t(n));
      EXPECT_EQ(core(program, 0), n / 2) << text(program);
      EXPECT_EQ(program.sweeps.size(), 1u) << text(program);
    }
}

TEST(Hartley, SeveralAxesMixedKindsStridesAndInPlace) {
  std::vector<Problem> problems{r2r({12, 10}, {dht, dht}, 3),
                                r2r({6, 8, 10}, {dht, dct2, dst4}, 1, Precision::f64),
                                r2r({9, 7, 13}, {dst1, dht, dht}),
                                in_place(r2r({12, 10}, {dht, dct3}, 2)),
                                in_place(r2r({15, 17}, {dct1, dht}, 2, Precision::f64)),
                                r2r({1, 2, 3}, {dht, dht, dht}, 2)};
  Problem inside = r2r({24}, {dht}, 5);  // the batch is inside
  inside.axes[0].in_stride = 5, inside.axes[0].out_stride = 6;
  inside.batch[0].in_stride = inside.batch[0].out_stride = 1;
  problems.push_back(inside);
  Problem odd = r2r({32}, {dht}, 3);  // rows of an odd number of reals
  odd.batch[0].in_stride = 33;
  problems.push_back(odd);
  Problem parts = c2c({6, 8, 10}, 2, Precision::f32, Direction::inverse);
  parts.axes[1].kind = dht;
  problems.push_back(parts);
  for (Problem p : {r2c({6, 8, 10}), c2r({6, 8, 10})}) {
    p.axes[0].kind = dht;
    problems.push_back(dense_layout(p));
  }
  for (Problem& p : problems) {
    verify_planned(p, 1);
    p.norm = Norm::ortho;
    p.scale = -0.5;
    verify_planned(p, 2);
  }
}

/// H is what real Rader computes: neither side has a spectrum to take apart.
TEST(Hartley, PrimesByRealRader) {
  for (Problem const& p :
       {r2r({67}, {dht}, 5), r2r({127}, {dht}, 9), r2r({241}, {dht}, 4, Precision::f64), r2r({601}, {dht}, 3),
        r2r({6, 127}, {dct2, dht}, 3), r2r({127, 5}, {dht, dht}, 2), in_place(r2r({251}, {dht}, 5))}) {
    if (quick() && p.axes[0].size > 200) continue;
    SCOPED_TRACE(text(p));
    bool found = false;
    for (Candidate const& c : planner(p, machine("h200"), {.max_candidates = 64})) {
      bool own = false;
      for (int d = 0; d < int(c.program.dims.size()); ++d) own = own || by_real_rader(c.program, d);
      if (own && !found) verified(c.program, machine("h200"), 5);
      found = found || own;
    }
    EXPECT_TRUE(found);
  }
}

/// Reals of what stands in memory before every sweep and after the last.
double moved(Program const& program) {
  double bytes = 0;
  for (int b = 0; b <= int(program.sweeps.size()); ++b)
    bytes += double(bytes_before(program, b)) * double(places_between(program, b));
  return bytes;
}

TEST(Hartley, LongLinesMoveAsMuchAsRealToComplex) {
  for (Machine const& m : {machine("h200"), machine("a100")})
    for (Index n : {131072, 1000000, 1 << 22}) {
      Program const program = planner(r2r({n}, {dht}, 16), m).front().program;
      Program const halved = planner(r2c({n}, 16), m).front().program;
      EXPECT_EQ(program.sweeps.size(), halved.sweeps.size()) << text(program) << text(halved);
      EXPECT_LE(moved(program), 1.01 * moved(halved)) << text(program) << text(halved);
    }
}

TEST(Hartley, LongLinesByColumns) {
  std::vector<Index> const lengths =
      quick() ? std::vector<Index>{256} : std::vector<Index>{256, 300, 1000, 4096};
  for (Index n : lengths) {
    Precision const precision = n % 16 ? Precision::f32 : Precision::f64;
    Program const program = verify_planned(r2r({n}, {dht}, 2, precision), 7, tiny());
    EXPECT_TRUE(columns_of(program, 0)) << text(program);
    if (quick() || n > 1000) continue;
    verify_planned(in_place(r2r({n}, {dht}, 2, precision)), 8, tiny());
    Problem inside = r2r({n}, {dht}, 3, precision);
    inside.axes[0].in_stride = inside.axes[0].out_stride = 3;
    inside.batch[0].in_stride = inside.batch[0].out_stride = 1;
    verify_planned(inside, 9, tiny());
  }
  if (quick()) return;
  verify_planned(r2r({3, 512}, {dct2, dht}), 10, tiny());
  verify_planned(r2r({512, 6}, {dht, dst1}), 11, tiny());
  verify_planned(r2r({405}, {dht}, 3), 12, tiny());  // odd: each number as a complex one
}

TEST(Hartley, LengthsThatAreConvolved) {
  for (Index n : {107, 3 * 167, 1019}) verify_planned(r2r({n}, {dht}, 2), 4);
  if (!quick()) verify_planned(r2r({20011}, {dht}), 5, machine("a100"));
}

}  // namespace
}  // namespace skipper::testing
