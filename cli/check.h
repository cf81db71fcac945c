// Whether every output of every transform of a batch is right, by one number a transform: for random weights r,
// sum r[k] X[k] must equal sum s[j] x[j], where s is the transform of r, in double by the CPU. It costs two dot products
// a transform, and one wrong or missing output shows. Transforms too long for that are held to Parseval's identity.
#pragma once

#include <skipper/problem.h>

#include <cstdint>

namespace skipper::cli {

struct WholeCheck {
  std::int64_t transforms = 0;  // that were checked
  double worst = 0;             // largest defect over what rounding makes likely; beyond 1 something is wrong
  bool good() const { return worst <= 1; }
};

// Of c2c on dense arrays in natural order; of other problems nothing is checked and `transforms` is 0. `in` is what was
// read, unchanged. `error_l2` is the relative error that is usual for the problem.
WholeCheck whole_check(Problem const& problem, void const* in, void const* out, double error_l2);

}  // namespace skipper::cli
