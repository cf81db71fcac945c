// One long axis over several ranks: n = first x second, as Bailey's six-step transform has it. With j = j1 second + j2 and
// k = k1 + first k2,
//   X[k] = sum over j2 of w(second)^(j2 k2)  w(n)^(k1 j2)  sum over j1 of w(first)^(j1 k1) x[j],   w(m) = exp(-2 pi i / m).
// So the axis is two axes of a problem of its digits, the first is done before the second, and what is between them is
// multiplied by the twiddles w(n)^(k1 j2). Natural order is [j1][j2] on the side of the input and [k2][k1] on that of the
// output; permuted, the other way round.
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

/// How a length may be split, the best for so many ranks first: the pair whose busiest rank has least to do, then the most
/// square. None for primes.
std::vector<std::pair<Index, Index>> digit_pairs(Index length, Index ranks);

/// The longest axis where it has fewer lines than there are ranks.
std::optional<std::size_t> axis_short_of_lines(Problem const& problem, Index ranks);

/// Why an axis of this kind cannot be split; nothing where it can.
char const* why_not_split(Problem const& problem, std::size_t axis);

}  // namespace skipper::distributed
