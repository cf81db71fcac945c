// Digits multiplied by the matrix of their transform: lines, columns, planes, parts of an axis before and after twiddles,
// even and odd lengths, lines left over of a warp's eight; under the emulator with every check.
#include <gtest/gtest.h>

#include "kernel/queries.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "plan/spec_text.h"
#include "support/quick.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

Problem problem(std::vector<Index> const& sizes, Index batch, Precision precision = Precision::f64) {
  Problem p;
  p.precision = precision;
  for (Index n : sizes) p.axes.push_back({n});
  p.batch = {{batch}};
  return dense_layout(p);
}

/// Checks the sweeps, with tiles as the planner would choose them; each must multiply so many digits.
void verify_dense(std::string const& sweeps, Problem const& p, int digits, char const* name = "h200") {
  Program const program = parse_program(sweeps, p);
  Machine const on = machine(name);
  int found = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    kernel::SweepSpec const spec = lower(program, s, on).spec;
    for (int i = 0; i < spec.steps; ++i) found += is_direct_dft(spec, i);
  }
  EXPECT_EQ(found, digits) << text(program);
  EXPECT_EQ(parse_program(text(program)), program) << text(program);
  verify(program, on, 11);
}

std::string whole(Index n) {
  std::string const t = std::to_string(n);
  return "(1," + t + ",1," + t + ",no-tw,by " + t + ")";
}

TEST(MatrixDft, LinesOfEveryLength) {
  Index const step = quick() ? 29 : 5;
  for (Index n = 2; n <= kernel::max_direct_dft; n += step) {
    verify_dense("{X" + whole(n) + "}", problem({n}, 3 + n % 19), 1);
    verify_dense("{X" + whole(n) + "}", problem({n}, 3 + n % 7, Precision::f32), 1);
  }
  verify_dense("{X" + whole(127) + "}", problem({127}, 35), 1);
}

/// Thirds, pairs and halves of (n - 1) / 2, whole and ragged; more lines than a warp has at once, and fewer.
TEST(MatrixDft, PrimesBySymmetryInSinglePrecision) {
  for (Index n : {17, 19, 23, 53, 67, 83, 101, 107, 109, 127})
    verify_dense("{X" + whole(n) + "}", problem({n}, n % 4 ? 7 : 37, Precision::f32), 1);
  verify_dense("{X" + whole(83) + "} with B%64 on block tile 42496B segments 42496B/42496B in -> out",
               problem({83}, 130, Precision::f32), 1);
  verify_dense("{X(4,67,4,268,tw,by 67), X(67,4,1,4,no-tw)}", problem({268}, 5, Precision::f32), 1);
  verify_dense("{X(2,107,2,214,tw,by 107), X(107,2,1,2,no-tw)}", problem({214}, 40, Precision::f32), 1);
  verify_dense("{X(1,8,1,8,no-tw), Y" + whole(71) + "}", problem({71, 8}, 2, Precision::f32), 1);
}

TEST(MatrixDft, ColumnsInPlaceInverseAndOnOtherMachines) {
  Problem columns = problem({59}, 12);  // the batch is the fastest
  columns.axes[0].in_stride = columns.axes[0].out_stride = 12;
  columns.batch[0].in_stride = columns.batch[0].out_stride = 1;
  verify_dense("{Y" + whole(59) + "}", columns, 1);
  Problem in_place = problem({47}, 21);
  in_place.placement = Placement::in_place;
  in_place.direction = Direction::inverse;
  in_place.scale = 0.5;
  verify_dense("{X" + whole(47) + "}", in_place, 1, "a100");
}

TEST(MatrixDft, PlanesAndCubes) {
  verify_dense("{X" + whole(11) + ", Y" + whole(13) + "}", problem({13, 11}, 5), 2);
  verify_dense("{X" + whole(8) + ", Y(1,43,1,43,no-tw,by 43)}", problem({43, 8}, 3, Precision::f32), 2);
  verify_dense("{X(1,16,1,16,no-tw), Y" + whole(37) + "}", problem({37, 16}, 2), 1);
  verify_dense("{X" + whole(5) + ", Y" + whole(6) + ", Z" + whole(7) + "}", problem({7, 6, 5}, 4), 3);
}

TEST(MatrixDft, PartsOfAnAxis) {
  verify_dense("{X(59,4,59,236,tw), X(4,59,1,59,no-tw,by 59)}", problem({236}, 5), 1);
  verify_dense("{X(4,59,4,236,tw,by 59), X(59,4,1,4,no-tw)}", problem({236}, 5), 1);
  verify_dense("{X(67,43,67,2881,tw,by 43)}\n{X(43,67,1,67,no-tw,by 67)}", problem({2881}, 2), 2);
}

TEST(MatrixDft, WhatHasNoMatrixIsRefused) {
  EXPECT_THROW(parse_program("{X" + whole(131) + "}", problem({131}, 2)), Error);
}

}  // namespace
}  // namespace skipper::testing
