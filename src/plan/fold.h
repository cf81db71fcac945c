// Folds: how an axis of a real kind becomes a complex transform between a load map and a store map. `packed` takes two
// reals as one complex number, so that the transform has half the length (with a mirror on chip, where the two are
// told apart); `whole` takes each number as a complex one: twice the work, but it can be cut into several sweeps.
// `by columns` an axis is cut without that: two neighbouring columns of reals are one complex column, and of the digit
// whose negated index has the conjugate, half is kept between the sweeps. Of a prime length numbers j and n-j of the reals
// are one complex number, its opposites: so the order of powers serves half as many (base/chirps.h).
#pragma once

#include <skipper/problem.h>

#include <optional>

#include "base/index.h"
#include "kernel/spec.h"

namespace skipper {

/// One end: the taps along the axis, and the rotation by exp(-2 pi i (scale i + shift) / order), order 0 for none.
struct FoldEnd {
  bool tapped = false;  // else element i is number i
  kernel::Tap tap[2];
  Index limit = 0;
  Index edge[2] = {-1, -1};  // numbers that are read times sqrt(2), or written over it
  bool zigzag = false;       // where it can, moves pairs as they stand and orders them on chip
  bool mirror = false;
  Index order = 0, scale = 0, shift = 0;
};

struct Fold {
  Index core = 1;  // length of the complex transform
  FoldEnd head, tail;
  Index mirror_order = 0;
  double factor = 1;  // that the outputs still lack
  bool columns = false;
  bool opposites = false;
  bool mirrored() const { return head.mirror || tail.mirror; }
  bool pairs() const { return mirrored() || columns; }  // a complex number is two neighbouring reals
};

/// The folds of an axis of size n: r2c or c2r where halved, else the cosine or sine transform of `kind`. No packed fold
/// exists where n is odd, or too short for pairs; none at all is needed where the core would be 1.
std::optional<Fold> packed_fold(Kind problem, AxisKind kind, Index n);
Fold whole_fold(Kind problem, AxisKind kind, Index n);

/// Whether an axis of a real kind is a transform of reals with a Hermitian spectrum, which has two more folds: by columns,
/// and of a prime length in opposites, whose core is point 0 and (n - 1) / 2 pairs.
bool has_hermitian_spectrum(Kind problem, AxisKind kind);
Fold column_fold(Kind problem, AxisKind kind, Index n);
Fold opposite_fold(Kind problem, AxisKind kind, Index n);

/// The weights of Norm::ortho at the end points, and what they make of an axis of one number.
void weigh_edges(Fold& fold, AxisKind kind, Index n);
double weight_of_one(AxisKind kind);

/// The fold whose complex transform has this length, if there is one.
std::optional<Fold> fold_with_core(Kind problem, AxisKind kind, Index n, Index core);

}  // namespace skipper
