// Atoms: the tile's digits cut so small that each atom has one stride in every layout and is wholly with the
// threads, the registers or the ranks in every step. Also the stages: which codelet radices make up each
// sub-transform.
#pragma once

#include <vector>

#include "plan/tile.h"

namespace skipper {

/// One butterfly of a sub-transform: radix r on the input digit of weight j, which becomes the output digit of
/// weight k.
struct Stage {
  int sub = 0;  // which of tile.transformed
  int radix = 1;
  Index j = 1, k = 1;
  bool last = false;   // of its sub-transform
  int waits_for = -1;  // the sub-transform before this one along the same axis, if it is in the tile too
  int again =
      -1;  // in the second transform of a convolution: the stage of the first whose atoms it transforms
  bool dense = false;  // all of its sub-transform, multiplied by its matrix in shared memory
  int registers() const { return dense ? 1 : radix; }  // that its elements need in one thread
};

struct Atom {
  int extent = 2;
  Index read = 0, write = 0;  // strides
  int stage = -1;             // the stage whose butterfly it belongs to, or -1: only carried
  Index j = 0, k = 0;         // weights in the index of its sub-transform (staged atoms)
  int carried = -1;           // which of tile.carried (carried atoms)
  Index unit = 0;             // weight in its digit (carried atoms)
  Index apart = 0;            // stride when neighbouring elements are of different lines (by powers)
};

struct Atoms {
  std::vector<Stage> stages;  // of each sub-transform in order, sub-transforms one after the other
  std::vector<Atom> atoms;    // of one stage: fastest first
  bool read_zigzag = false, write_zigzag = false;  // loads, or stores, are in another order than stages
  bool by_powers = false;     // the only sub-transform is: loads and stores are in another order than stages
  bool by_chirps = false;     // the only sub-transform is
  bool routed = false;        // and no block holds a line
  std::vector<int> in_place;  // no stages, but lines that stay in shared memory: these radices (in_place.h)
  int rest = 1;     // of it, the radix that is no part of the convolution: the first stage, which loads
  int folded = -1;  // of a mirrored tile, the sub-transform along the axis that is halved
  bool mirrors_head = false;  // before all others, or after
  bool joint = false;         // one product for all sub-transforms: stages go back in the order they came
  bool coprime = false;       // its radices have no common factors: there are no twiddles between them
  bool ladders = false;       // short tables of twiddles are ladders too, as long ones

  /// Whether a stage is of what is beside the prime of powers: its digit counts lines of the convolution.
  bool beside_powers(int stage) const { return rest > 1 && stage == 0; }

  /// The stage that a stage's atoms belong to. A convolution goes over its atoms twice: through the stages of the
  /// first transform, then back through them, so that each atom ends as the digit of the index that it was.
  int home(int stage) const { return stage >= 0 && stages[stage].again >= 0 ? stages[stage].again : stage; }
  bool first_half(int stage) const {  // of a convolution, its last stage: here comes the product
    return stages[stage].again < 0 && stage + 1 < int(stages.size()) && stages[stage + 1].again == stage;
  }
};

/// Cuts a tile. Radices are chosen as few as possible, seldom above `comfortable_radix`, and so that they fit the
/// cuts of the layouts. `choice` > 0: of as many radices the next ones, where there are some; of
/// cosine lines first these in the other orders, and their primes in both. `rows`: how many of the lowest
/// indices the ranks of a cluster count with their twins (kernel/twins.h), half of them the one and half the other.
Atoms atoms_of(Tile const& tile, int comfortable_radix, int choice = 0, Index rows = 1);

}  // namespace skipper
