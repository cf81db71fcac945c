// Padding: where an exchange puts the atoms in shared memory. The atoms are laid down in some order with a few
// unused elements after some of them, so that neither the warps that write in one map nor those that read in the
// next meet in a bank. Orders and paddings are tried and their conflicts counted exactly.
#pragma once

#include "plan/lower/maps.h"

namespace skipper {

struct SharedLayout {
  std::vector<Index> weight;  // of each atom; 0 for those that count the reader's ranks
  Index size = 0;             // elements
  Index conflicts = 0;        // of the warps looked at
};

/// The layout with the fewest conflicts, then the smallest, of at most `capacity` elements.
SharedLayout pad(Atoms const& atoms, AtomMap const& from, AtomMap const& to, Index element_bytes,
                 Index capacity);

/// A layout in which whole indices are straight lines, so that the place of a negated index is known: each line has the
/// weights of the atoms in its index and so many places. Atoms of no line have places of their own.
struct StraightLine {
  std::vector<Index> index;  // of each atom, 0 for those of other lines
  Index places = 1;
};
/// `also`: another map in which it is read.
SharedLayout pad_straight(Atoms const& atoms, std::vector<StraightLine> const& lines, AtomMap const& from,
                          AtomMap const& to, Index element_bytes, Index capacity,
                          AtomMap const* also = nullptr);

/// A layout in which an index is a line of neighbours, whose parts `parts` puts or takes in zigzag (kernel/zigzag.h) and
/// whose elements `whole` moves.
SharedLayout pad_zigzag(Atoms const& atoms, std::vector<Index> const& index, AtomMap const& parts,
                        AtomMap const& whole, Index element_bytes, Index capacity);

}  // namespace skipper
