// Real transforms: how an axis of a real kind becomes a complex transform between pre- and post-processing.
//   packed      two neighbouring reals are one complex number, so that the transform has half the length; a Hermitian split on chip
//               tells the two apart (untangling)
//   whole       each real is a complex number: twice the work, but it can be cut into several sweeps
//   by columns  cut without that: two neighbouring columns of reals are one complex column (the two-for-one trick); of the digit
//               whose negated index has the conjugate, half is kept between the sweeps
//   real Rader  a prime length in half as many complex numbers (kernel/real_rader.h has the identity)
#pragma once

#include <skipper/problem.h>

#include <optional>

#include "base/index.h"
#include "kernel/spec.h"

namespace skipper {

/// Pre- or post-processing along an axis: its gather indices, and the rotation by exp(-2 pi i (scale i + shift) / order),
/// order 0 for none.
struct AxisProcessing {
  bool by_gather_index = false;  // else element i is number i
  kernel::GatherIndex gather_index[2];
  Index limit = 0;
  Index edge[2] = {-1, -1};  // numbers that are read times sqrt(2), or written over it
  bool makhoul = false;      // where it can, moves pairs as they stand and orders them on chip
  bool hermitian = false;
  Index order = 0, scale = 0, shift = 0;
};

struct RealTransform {
  Index core = 1;  // length of the complex transform
  AxisProcessing pre, post;
  Index hermitian_order = 0;
  double factor = 1;  // that the outputs still lack
  bool columns = false;
  bool real_rader = false;
  bool has_hermitian_split() const { return pre.hermitian || post.hermitian; }
  bool pairs() const {
    return has_hermitian_split() || columns;
  }  // a complex number is two neighbouring reals
};

/// The real transforms of an axis of size n: r2c or c2r where halved, else the cosine or sine transform of `kind`. No packed
/// real transform exists where n is odd, or too short for pairs; none at all is needed where the core would be 1.
std::optional<RealTransform> packed_real(Kind problem, AxisKind kind, Index n);
RealTransform unpacked_real(Kind problem, AxisKind kind, Index n);

/// Whether an axis of a real kind is a transform of reals with a Hermitian spectrum, which has two more real transforms: by
/// columns, and of a prime length by real Rader, whose core is point 0 and (n - 1) / 2 pairs.
bool has_hermitian_spectrum(Kind problem, AxisKind kind);
RealTransform real_by_columns(Kind problem, AxisKind kind, Index n);
RealTransform real_rader(Kind problem, AxisKind kind, Index n);

/// The weights of Norm::ortho at the end points, and what they make of an axis of one number.
void weigh_edges(RealTransform& real, AxisKind kind, Index n);
double weight_of_one(AxisKind kind);

/// The real transform whose complex transform has this length, if there is one.
std::optional<RealTransform> real_with_core(Kind problem, AxisKind kind, Index n, Index core);

}  // namespace skipper
