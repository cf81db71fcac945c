// Lowering of folded axes: the ends' taps and rotations, the steps a mirror needs, and the forms it counts by.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// Which sub-transform of a mirrored tile is halved, and whether the mirror comes first.
void note_mirror(Program const& program, int s, Tile const& tile, Atoms& atoms);

/// Adds the step that a mirror needs for itself: before the first butterfly, to load in, or after the last, to store
/// from. `late` gets, for each step, the sub-transform whose twiddles wait until the mirror is done, or -1.
void add_mirror_steps(Program const& program, int s, Tile const& tile, std::vector<MapStep>& steps,
                      std::vector<int>& late);

/// The index along an axis as a form over the atoms and the grid: of the digits that are transformed here as they are
/// read, or written; where a folded axis is not its digits, the stored index.
AtomForm index_along(Program const& program, Tile const& tile, Draft const& draft, int dim, bool output);

/// The ends and the mirror of a draft whose atoms, steps, grid and addresses are known.
void fold_ends(Program const& program, int s, Tile const& tile, Draft& draft, std::vector<RootTable>& tables);

/// Whether an atom tells a row from its twin.
bool is_twin(Tile const& tile, Atom const& atom);

/// How the threads that load, or store, share out the extra elements of a mirror's lines.
AtomMap extra_lines(Draft const& draft, AtomMap const& elements, AtomForm const& places);

/// The factors w^(scale i + shift) for i up to `last`, w being a root of unity of that order, and their tables.
kernel::Rotation rotation_of(Index order, Index scale, Index shift, Index last,
                             std::vector<RootTable>& tables);

/// Has each element's factor looked up, where otherwise a thread looks one up and turns it by constants.
void look_rotations_up(kernel::SweepSpec& spec);

/// Appends a table, unless it is there, and returns where it begins.
Index add_table(std::vector<RootTable>& tables, RootTable const& table);

}  // namespace skipper
