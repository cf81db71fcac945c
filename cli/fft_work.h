// What `skipper fft` computes: its options and the shape of an array, as a problem.
#pragma once

#include <skipper/problem.h>

#include <vector>

#include "args.h"
#include "npy.h"

namespace skipper::cli {

struct FftWork {
  Problem problem;  // has passed check()
  NpyType in, out;  // that the arrays must have, and get
  std::vector<std::int64_t> out_shape;
};

FftWork fft_work(Args const& args, NpyType type, bool fortran_order, std::vector<std::int64_t> const& shape);

}  // namespace skipper::cli
