// Padding: where an exchange puts the fine digits in shared memory. The fine digits are laid down in some order with a few
// unused elements after some of them, so that neither the warps that write in one assignment nor those that read in the
// next meet in a bank. Orders and paddings are tried and their conflicts counted exactly.
#pragma once

#include "plan/lower/assignments.h"

namespace skipper {

struct SharedLayout {
  std::vector<Index> weight;  // of each fine digit; 0 for those that count the reader's ranks
  Index size = 0;             // elements
  Index conflicts = 0;        // of the warps that are tried
};

/// The layout with the fewest conflicts, then the smallest, of at most `capacity` elements.
SharedLayout pad(FineDigits const& fine_digits, FineAssignment const& from, FineAssignment const& to,
                 Index element_bytes, Index capacity);

/// A layout in which whole indices are straight lines, so that the place of a negated index is known: each line has the
/// weights of the fine digits in its index and so many places. Fine digits of no line have places of their own.
struct StraightLine {
  std::vector<Index> index;  // of each fine digit, 0 for those of other lines
  Index places = 1;
};
/// `also`: another assignment in which it is read.
SharedLayout pad_straight(FineDigits const& fine_digits, std::vector<StraightLine> const& lines,
                          FineAssignment const& from, FineAssignment const& to, Index element_bytes,
                          Index capacity, FineAssignment const* also = nullptr);

/// A layout in which an index is a line of neighbours, whose parts `parts` puts or takes in Makhoul's order
/// (kernel/makhoul.h) and whose elements `whole` moves.
SharedLayout pad_makhoul(FineDigits const& fine_digits, std::vector<Index> const& index,
                         FineAssignment const& parts, FineAssignment const& whole, Index element_bytes,
                         Index capacity);

}  // namespace skipper
