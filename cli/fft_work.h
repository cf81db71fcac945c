// What `skipper fft` computes: its options and the shape of an array, as a problem.
#pragma once

#include <skipper/problem.h>

#include <optional>
#include <string>
#include <vector>

#include "args.h"
#include "npy.h"

namespace skipper::cli {

struct FftWorkOptions {
  std::vector<std::int64_t> axes, s;  // empty: not given
  bool inverse = false, real = false;
  std::string kind = "fourier";
  std::vector<std::string> kinds;
  std::int64_t n = 0;  // 0: not given
  std::string norm = "backward";
  std::optional<std::string> precision;
};

// --axes, --inverse, --kind, --kinds, --real, --n, --s, --norm and --precision.
void fft_work_options(CLI::App& command, FftWorkOptions& to);

struct FftWork {
  Problem problem;  // has passed check()
  NpyType in, out;  // that the arrays must have, and get
  std::vector<std::int64_t> out_shape;
};

FftWork fft_work(FftWorkOptions const& options, NpyType type, bool fortran_order,
                 std::vector<std::int64_t> const& shape);

// The array that is written, still without data. float16 and bfloat16 have no complex type: their numbers are pairs along a
// last axis of 2, and in Fortran order they are refused.
NpyArray output_of(FftWork const& work, bool fortran_order);

}  // namespace skipper::cli
