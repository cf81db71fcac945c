// Splits one long axis over several ranks: n = first x second, as in Bailey's six-step transform. With j = j1 second + j2 and
// k = k1 + first k2,
//   X[k] = sum over j2 of w(second)^(j2 k2)  w(n)^(k1 j2)  sum over j1 of w(first)^(j1 k1) x[j],   w(m) = exp(-2 pi i / m).
// So the axis becomes two axes, its digits. The first is transformed before the second, with the twiddles w(n)^(k1 j2) between
// them. Natural order is [j1][j2] in the input and [k2][k1] in the output; permuted order is the reverse.
#pragma once

#include <skipper/distributed.h>

#include <optional>
#include <utility>
#include <vector>

#include "distributed/box.h"

namespace skipper::distributed {

struct Split {
  SplitAxis digits;
  AxisOrder in = AxisOrder::natural, out = AxisOrder::natural;

  AxisOrder order(bool input) const { return input ? in : out; }
  bool operator==(Split const&) const = default;
};

/// The problem with its axis as two, dense; and back.
Problem problem_of_digits(Problem const& problem, SplitAxis const& digits);
Problem problem_of_axis(Problem const& of_digits, SplitAxis const& digits);

/// The order of the dimensions of a caller's array, by dimension of the problem of digits, slowest first. Without a split the
/// usual one.
std::vector<std::size_t> array_order(std::optional<Split> const& split, Problem const& problem, bool input);

/// A box of the array of digits as a caller sees it: in natural order of the axis, in permuted order of both digits as they
/// stand in the array. Nothing where the axis has no such box.
std::optional<Box> caller_box(std::optional<Split> const& split, Problem const& problem, bool input,
                              Box const& box);

/// A box of the array in natural order as one of digits: whole rows of the faster digit, or a part of one row. Else nothing.
std::optional<Box> box_of_digits(SplitAxis const& digits, Problem const& of_digits, bool input,
                                 Box const& box);

/// Element i of a box of the array of digits, as a caller counts it, in the global array in natural order; `sizes` are those of
/// the array of digits.
Index global_index(std::optional<Split> const& split, Problem const& problem, bool input,
                   std::vector<Index> const& sizes, Box const& box, Index i);

/// The ways to split a length, the best for so many ranks first: the pair whose busiest rank has least to do, then the most square.
/// Empty for primes.
std::vector<std::pair<Index, Index>> digit_pairs(Index length, Index ranks);

/// The longest axis, where it has fewer lines than there are ranks; else nothing.
std::optional<std::size_t> axis_short_of_lines(Problem const& problem, Index ranks);

/// Why an axis of this kind cannot be split; nothing where it can.
char const* why_not_split(Problem const& problem, std::size_t axis);

}  // namespace skipper::distributed
