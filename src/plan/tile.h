// The tile of a sweep: which digits a block (or cluster) holds at once, with their strides where they are read and
// written. Segments, tile bytes, the number of tiles and whether a sweep may run in place all follow from it.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "plan/program.h"

namespace skipper {

enum class Access { read, write };

/// A run of a digit with one stride: (digit / unit) % extent stands at multiples of `stride`.
struct Run {
  Index unit = 1, extent = 1, stride = 1;
  bool operator==(Run const&) const = default;
};
/// The stride in memory of `unit` of the digit; 0 where no run has it.
Index stride_at(std::vector<Run> const& runs, Index unit);

/// A digit that the sweep transforms: read as j, written as k, each cut where its layout cuts it (fastest first).
struct Transformed {
  DigitKey digit;
  Index radix = 1;
  std::vector<Run> read, write;
  Index by = 0;  // m of `by m` (Program::transformed_by); 0: none
  ConvolutionPhase phase = ConvolutionPhase::forward;
  Run read_span, write_span;  // extent > 1: the stored index of a real axis that the tile holds whole
  bool real_rader = false;    // point 0 and pairs of points of a real line, by Rader
  Index points() const { return by ? by : radix; }  // that it takes on chip
  bool by_rader() const { return by > 0 && by < radix; }
  Index cofactor() const {
    return by_rader() ? radix - by : 1;
  }  // by which the prime that Rader transforms is multiplied
  Index prime() const { return real_rader ? 2 * radix - 1 : radix / cofactor(); }
  bool is_direct() const { return by == radix; }
  bool by_bluestein() const { return by > radix; }
  bool transforms_twice() const { return by_rader() || by_bluestein() || phase == ConvolutionPhase::middle; }
};

/// A piece of a digit that the sweep moves but does not transform. `bound` > 0: the digit is ragged, tiles do not divide it,
/// and its index must stay below that.
struct Carried {
  Piece piece;
  Index read = 0, write = 0;
  bool held = false;  // in the tile; else the grid counts it
  Index bound = 0;
  bool negated = false;  // the conjugate of a row has the negated index along its axis
  Index whole = 0;  // not 0: the grid counts half of the rows, whose conjugates are the other half; so many are there in all
};

struct Tile {
  std::vector<Transformed> transformed;
  std::vector<Carried> carried;
  Index read_bytes = 8, write_bytes = 8;  // what strides count: complex numbers or reals
  bool fused_inverse = false;             // all that is transformed is so twice, with a product between
  bool read_narrow = false, write_narrow = false;    // these in 16-bit storage
  bool read_makhoul = false, write_makhoul = false;  // these in Makhoul's order, made on chip
  bool read_pairs = false, write_pairs = false;  // a real axis in pairs of reals, moved as complex numbers
};

/// Whether a tile reads, or writes, reals.
inline bool reads_reals(Tile const& tile, Index element) {
  return tile.read_bytes < (tile.read_narrow ? element / 2 : element);
}
inline bool writes_reals(Tile const& tile, Index element) {
  return tile.write_bytes < (tile.write_narrow ? element / 2 : element);
}

Tile tile_of(Program const& program, int s);

/// The tiles of sweep s, whatever they hold besides what it transforms: what follows from the layouts is worked out
/// once. The program must outlive it, and its sweeps keep their layouts.
class Tiling {
 public:
  Tiling(Program const& program, int s);
  Tile holding(std::vector<Piece> const& held) const;
  void hold(std::vector<Piece> const& held, Tile& tile) const;  // the same in a tile of its own making
  std::set<DigitKey> const& cut_by_layouts() const { return cut_by_layouts_; }

 private:
  void add_conjugate_rows(Tile& tile) const;
  struct Other {  // a digit that the sweep only carries
    Piece whole;
    std::vector<Run> read, write;
    std::vector<Index> cuts;  // where either layout cuts it
  };
  void pair_columns(Columns const& columns);
  static void add_pieces(Other const& other, std::vector<Piece> const& held, std::vector<Carried>& carried);
  Program const& program_;
  int s_;
  Tile bare_;
  std::vector<Other> others_;
  std::set<DigitKey> cut_by_layouts_;
  std::optional<int> pre_, post_;  // real axes
  bool splits_ = false, conjugate_rows_ = false;
  bool reads_pairs_ = false, writes_pairs_ = false;  // complex numbers that are two reals to the user
};

Index tile_points(Tile const& tile);  // elements that a tile holds
Index tile_count(Tile const& tile);   // tiles of the grid

/// Contiguous elements that a tile reads, or writes, at a time.
Index read_segment(Tile const& tile);
Index write_segment(Tile const& tile);

/// Whether each tile, or in the thread tier each thread, writes exactly the places it reads.
bool writes_where_it_reads(Program const& program, int s);
/// Whether what sweep s writes stays within the elements of the user's output.
bool keeps_within_output(Program const& program, int s);

/// What the tile should hold: segments of at least `segment` elements, and about `fill` elements in all, if there
/// are so many, without going over `capacity`. Adds pieces to sweep.with; `tile`, one of the tiling's, becomes the
/// tile with them.
struct TileAim {
  Index segment = 1, fill = 1, capacity = 1;
  bool even = false;  // of digits that threads share out badly, powers of two instead of the whole
};
void extend_tile(Program& program, int s, TileAim aim);
void extend_tile(Program& program, int s, TileAim aim, Tiling const& tiling, Tile& tile);

}  // namespace skipper
