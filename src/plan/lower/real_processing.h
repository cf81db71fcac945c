// Lowering of real axes: gather indices and rotations of loads and stores, the steps a Hermitian split needs, and the affine maps it
// counts by.
#pragma once

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// Which sub-transform of a Hermitian tile is halved, and whether the Hermitian split comes first.
void note_hermitian_split(Program const& program, int s, Tile const& tile, FineDigits& fine_digits);

/// Adds the step that a Hermitian split needs for itself: before the first butterfly, to load in, or after the last, to store
/// from. `late` gets, for each step, the sub-transform whose twiddles wait until the Hermitian split is done, or -1.
void add_hermitian_steps(Program const& program, int s, Tile const& tile, std::vector<AssignedStep>& steps,
                         std::vector<int>& late);

/// The index along an axis as an affine map over the fine digits and the grid: of the digits that are transformed here as
/// they are read, or written; where a real axis is not its digits, the stored index.
FineAffineMap index_along(Program const& program, Tile const& tile, Draft const& draft, int dim, bool output);

/// Pre- and post-processing and the Hermitian split of a draft whose fine digits, steps, grid and addresses are known.
void add_real_processing(Program const& program, int s, Tile const& tile, Draft& draft,
                         std::vector<RootTable>& tables);

/// Throws where shared memory has no room for a Hermitian split: each line waits there with the element more that it begins with.
void demand_room_for_split(Program const& program, int s, Tile const& tile, Machine const& machine);

/// Whether a fine digit tells a row from its conjugate.
bool is_conjugate(Tile const& tile, FineDigit const& fine_digit);

/// How the extra elements of a Hermitian split's lines are assigned to threads: those that load, or store, elements, and more
/// of the block where each of them would have more than it can hold.
FineAssignment extra_lines(Draft const& draft, FineAssignment const& elements, FineAffineMap const& places,
                           Index threads_block);

/// The rotations w^(scale i + shift) for i up to `last`, w being a root of unity of that order, and their tables.
kernel::Rotation rotation_of(Index order, Index scale, Index shift, Index last,
                             std::vector<RootTable>& tables);

/// Has the rotation of each element read from its table, where otherwise a thread reads one and rotates it by constants.
void look_rotations_up(kernel::SweepSpec& spec);

/// Appends a table, unless it is there, and returns where it begins.
Index add_table(std::vector<RootTable>& tables, RootTable const& table);

}  // namespace skipper
