// Cosine lines: the predicted slowdown of their blocks, and how many lines a block takes. They pass shared memory eight
// times, by a Makhoul permutation, exchanges and a Hermitian split, where a complex line passes it four times, and meet at as
// many barriers: so L1 bounds them, by what is counted exactly (counts.h), and blocks wait the less the more of them an SM
// holds.
#pragma once

#include "plan/lower/configuration.h"

namespace skipper {

/// Whether a sweep has nothing but lines of cosines or sines, in single precision, of radices and no power of two (those were
/// measured by themselves), and more of them than L2 holds.
bool has_cosine_lines(Program const& program, Tile const& tile, Machine const& machine);

/// How often the elements of a block pass L1: as many times as they would without conflicts and in whole sectors, or as it is
/// counted of a spec.
double least_passes(Work const& work);
double counted_passes(kernel::SweepSpec const& spec, Index points);

/// The predicted slowdown of such a sweep's blocks (occupancy.h), whose elements pass L1 so often.
double cosine_slowdown(Configuration const& configuration, double passes, Machine const& machine);

/// Has the tiles of such a sweep take as many lines as are fastest.
void choose_cosine_lines(Program& program, int s, Machine const& machine);

}  // namespace skipper
