// Fine digits: the tile's digits cut so small that each fine digit has one stride in every layout and is wholly with the
// threads, the registers or the ranks in every step. Also the radix stages: which codelet radices make up each
// sub-transform, in which order.
#pragma once

#include <vector>

#include "plan/tile.h"

namespace skipper {

/// One radix of a sub-transform: butterflies of radix r on the input digit of weight j, which becomes the output digit
/// of weight k.
struct RadixStage {
  int sub = 0;  // which of tile.transformed
  int radix = 1;
  Index j = 1, k = 1;
  bool last = false;   // of its sub-transform
  int waits_for = -1;  // the sub-transform before this one along the same axis, if it is in the tile too
  int again =
      -1;  // in the second transform of a convolution: the radix stage of the first whose fine digits it transforms
  bool is_direct = false;  // all of its sub-transform, by a direct DFT in shared memory
  int registers() const { return is_direct ? 1 : radix; }  // that its elements need in one thread
};

struct FineDigit {
  int extent = 2;
  Index read = 0, write = 0;  // strides
  int radix_stage = -1;       // which of FineDigits::radix_stages it belongs to, or -1: only carried
  Index j = 0, k = 0;         // weights in the index of its sub-transform (of a radix stage)
  int carried = -1;           // which of tile.carried (carried fine digits)
  Index unit = 0;             // weight in its digit (carried fine digits)
  Index apart = 0;            // stride when neighbouring elements are of different lines (by Rader)
};

struct FineDigits {
  std::vector<RadixStage> radix_stages;  // of each sub-transform in order, sub-transforms one after the other
  std::vector<FineDigit> digits;         // of one radix stage: fastest first
  bool read_makhoul = false,
       write_makhoul = false;  // loads, or stores, are in another order than radix stages
  bool by_rader =
      false;  // the only sub-transform is: loads and stores are in another order than radix stages
  bool by_bluestein = false;    // the only sub-transform is
  bool across_cluster = false;  // and no block holds a line
  std::vector<int>
      shared_rader;  // no radix stages, but lines that stay in shared memory: these radices (shared_rader.h)
  int cofactor =
      1;  // of it, the radix that is no part of the convolution: the first radix stage, which loads
  int real_axis = -1;         // of a Hermitian tile, the sub-transform along the axis that is halved
  bool splits_first = false;  // before all others, or after
  bool fused_inverse =
      false;             // one product for all sub-transforms: radix stages go back in the order they came
  bool coprime = false;  // its radices have no common factors: there are no twiddles between them
  bool chains = false;   // short tables of twiddles are chains too, as long ones

  /// Whether a radix stage is of what is beside the prime that Rader transforms: its digit counts lines of the convolution.
  bool rader_cofactor(int radix_stage) const { return cofactor > 1 && radix_stage == 0; }

  /// The radix stage that a radix stage's fine digits belong to. A convolution goes over its fine digits twice: through the
  /// radix stages of the first transform, then back through them, so that each fine digit ends as the digit of the index that
  /// it was.
  int home(int radix_stage) const {
    return radix_stage >= 0 && radix_stages[radix_stage].again >= 0 ? radix_stages[radix_stage].again
                                                                    : radix_stage;
  }
  bool first_half(int radix_stage) const {  // of a convolution, its last radix stage: here comes the product
    return radix_stages[radix_stage].again < 0 && radix_stage + 1 < int(radix_stages.size()) &&
           radix_stages[radix_stage + 1].again == radix_stage;
  }
};

/// Cuts a tile. Radices are chosen as few as possible, seldom above `comfortable_radix`, and so that they fit the
/// cuts of the layouts. `choice` > 0: of as many radices the next ones, where there are some; of
/// cosine lines first these in the other orders, and their primes in both. `rows`: how many of the lowest
/// indices the ranks of a cluster count with their conjugate rows (kernel/conjugate_rows.h), half of them the one and half
/// the other.
FineDigits fine_digits_of(Tile const& tile, int comfortable_radix, int choice = 0, Index rows = 1);

}  // namespace skipper
