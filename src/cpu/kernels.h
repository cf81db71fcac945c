// The door between the engine, compiled once, and its vector kernels, compiled once per instruction set: tables
// of plain functions. A pass is one radix over data seen as [lines][rows][R][columns]; the sorts differ in
// where they read and write (the user's interleaved complex numbers, or scratch with the parts split).
#pragma once

#include "base/index.h"

namespace skipper::cpu {

// All strides count scalars (T). Element j >= 1 of a butterfly is read at in_first + j in_step after element 0;
// a negative in_step reads them backwards, which makes the transform an inverse one.
struct PassArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index in_plane = 0, out_plane = 0;  // from real to imaginary parts, where split
  Index lines = 1, in_line = 0, out_line = 0;
  Index rows = 1, in_row = 0, out_row = 0;
  Index columns = 1;
  Index in_first = 0, in_step = 0;
  Index out_step = 0;
  void const* twiddles = nullptr;
  double scale = 1;
  // Where the user's arrays are not in cache: what is read, or written, is also prefetched so many scalars ahead.
  Index in_ahead = 0, out_ahead = 0;
};

using Pass = void (*)(PassArgs const&);

inline constexpr int most_radix = 16;
inline constexpr int pass_radices[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

// The passes for vectors of `lanes` scalars, by radix; null where there is none. Lanes run along columns, except in
// first_line, where they run along rows, which must then be contiguous, at least `lanes` many, and the radix not
// below `lanes`.
//   first_line  user -> scratch, one column, twiddles [block of rows][R-1][re lanes, im lanes]
//   first       user -> scratch, twiddles [row][R-1][re, im], readable for a vector beyond the end
//   inner       scratch -> scratch, twiddles as for first
//   last        scratch -> user, no twiddles
// Columns need only be as many as there are lanes: the last vector overlaps the one before.
struct PassSet {
  Pass first_line[most_radix + 1] = {};
  Pass first[most_radix + 1] = {};
  Pass inner[most_radix + 1] = {};
  Pass last[most_radix + 1] = {};
};

// The set itself keeps scratch as two planes, re and im. `blocked` keeps it as blocks of a vector of each, 2 scalars
// a point like the user's: faster, but columns (and the radix of first_line) must be multiples of the lanes.
//   only        user -> user, no twiddles, scaled; columns must be a multiple of the lanes
//   only_lines  the same for contiguous lines of R points, `lanes` lines at a time: lines must be a multiple of the
//               lanes, the radix not below them
//   small_line  contiguous lines of R x lanes points, one at a time; twiddles as for first_line
// For the last two a negative in_step says inverse; other steps are not looked at.
struct PassTable : PassSet {
  int lanes = 0;
  PassSet blocked;
  Pass only[most_radix + 1] = {};
  Pass only_lines[most_radix + 1] = {};
  Pass small_line[most_radix + 1] = {};
};

// The step between a complex transform of h = n/2 points and a real one of n: see halves.h.
struct HalvesArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index half = 0;
  Index lines = 1, in_line = 0, out_line = 0;
  void const* roots = nullptr;  // exp(-2 pi i k / n), 0 <= k <= h/2, interleaved
  Index begin = 0, end = 0;     // the k to do, with their mirrors h-k; all of them: 0 and h/2+1
};

// out[r][c] = in[r][c] factor[r], complex numbers, rows `in_row` and `out_row` apart.
struct MultiplyArgs {
  void const* in = nullptr;
  void* out = nullptr;
  void const* factors = nullptr;
  Index rows = 0, columns = 1, in_row = 0, out_row = 0;
};

// A transposing copy with twiddles: out[j][q] = in[q][j] w^(j (first + q)), for `columns` q, out rows
// `out_row` apart; w^(j k) is the product of two tables for every q: fine[q][j % 2^shift] coarse[q][j >> shift].
struct TransposeArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index rows = 0, columns = 0, in_column = 0, out_row = 0;
  void const* fine = nullptr;  // null: no twiddles
  void const* coarse = nullptr;
  Index fine_column = 0, coarse_column = 0;  // scalars from one q to the next
  int shift = 0;
};

struct Kernels {
  int tables = 0;
  PassTable table[3];  // widest first
  void (*to_real_spectrum)(HalvesArgs const&) = nullptr;
  void (*from_real_spectrum)(HalvesArgs const&) = nullptr;
  void (*multiply)(MultiplyArgs const&) = nullptr;
  void (*transpose)(TransposeArgs const&) = nullptr;
};

struct Variant {
  char const* name;
  Kernels const* f32;
  Kernels const* f64;
};

template <class T>
Kernels const& kernels(Variant const& variant) {
  return sizeof(T) == 4 ? *variant.f32 : *variant.f64;
}

}  // namespace skipper::cpu
