// The interface between the engine, compiled once, and its vector kernels, compiled once for each instruction set: tables
// of plain functions. A pass does the butterflies of one radix R over data seen as [lines][rows][R][columns]. Passes differ
// in what they read and write: the user's interleaved complex numbers, or a buffer.
#pragma once

#include "base/index.h"
#include "cpu/conversions.h"
#include "cpu/row_ops.h"

namespace skipper::cpu {

// All strides count scalars (T). Element j >= 1 of a butterfly is read at in_first + j in_step after element 0. A negative
// in_step reads the elements in reverse order, which makes the transform an inverse one.
struct PassArgs {
  Index in_imag = 0, out_imag = 0;  // from real to imaginary parts, where these are planar
  Index lines = 1, in_line = 0, out_line = 0;
  Index rows = 1, in_row = 0, out_row = 0;
  Index columns = 1;
  Index in_first = 0, in_step = 0;
  Index out_step = 0;
  void const* twiddles = nullptr;
  Index radix = 0;                // of symmetric prime passes only, as is `weights`
  void const* weights = nullptr;  // cosines and sines, see symmetric_prime.h
  double scale = 1;
  // Where the user's arrays are not in cache: how many scalars ahead of a read, or a write, to prefetch; 0 is not at all.
  Index prefetch_in = 0, prefetch_out = 0;
  // Of the Hermitian split (hermitian_split.h): the k to do of 0..h/2, with their partners h-k. There h is `columns`, and the
  // twiddles are exp(-2 pi i k / 2h), interleaved.
  Index begin = 0, end = 0;
  Index first_twiddle = 0;  // the k that the twiddles begin with
};

using Pass = void (*)(PassArgs const&, void const* in, void* out);

inline constexpr int max_radix = 16;
inline constexpr int max_radix_prime = 13;  // the largest prime up to max_radix
inline constexpr int pass_radices[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

// The passes for vectors of `lanes` scalars, by radix; null where there is none. Lanes run along columns, except in
// first_line, where they run along rows, which must then be contiguous, at least `lanes` many, and the radix not
// below `lanes`.
//   first_line  user -> buffer, one column, twiddles [block of rows][R-1][re lanes, im lanes]
//   first       user -> buffer, twiddles [row][R-1][re, im], readable for a vector beyond the end
//   inner       buffer -> buffer, twiddles as for first
//   last        buffer -> user, no twiddles
// Columns need only be as many as there are lanes: the last vector overlaps the one before.
struct PassSet {
  Pass first_line[max_radix + 1] = {};
  Pass first[max_radix + 1] = {};
  Pass inner[max_radix + 1] = {};
  Pass last[max_radix + 1] = {};
};

// Passes that need no buffer.
//   only        user -> user, no twiddles, scaled; columns must be a multiple of the lanes
//   small_line  contiguous lines of R x lanes points, R not below the lanes, one at a time; twiddles as for first_line
//   dit         the last pass of decimation in time, user -> user: R lines of `columns` points each are multiplied by
//               twiddles [block of columns][R-1][re lanes, im lanes] and transformed across; blocks overlap as those of
//               first_line do; read in the order of `only`
// small_line and the passes of lines below take only the sign of in_step, negative for an inverse.
struct UnbufferedPasses {
  Pass only[max_radix + 1] = {};
  Pass small_line[max_radix + 1] = {};
  Pass dit[max_radix + 1] = {};
};

// Contiguous lines of R points, lanes/2 of them at a time: lines must be a multiple of that, the radix not below it.
inline constexpr int max_short_line = 32;
static_assert(max_short_line >= max_radix);  // ShortPasses has every length up to max_radix on all vectors
struct ShortPasses {
  Pass of[max_short_line + 1] = {};
};
// The same for 2R reals and R+1 complex numbers.
struct RealShortPasses {
  Pass from_real[max_radix + 1] = {};
  Pass to_real[max_radix + 1] = {};
};

// Symmetric prime DFTs (variant/symmetric_prime.h) of a radix that is known at run time, a prime from 17 to max_symmetric_prime: each
// kind of pass as above, for a planar and for a blocked buffer. `line` transforms whole lines of up to max_symmetric_line points
// each, which need not be contiguous when read.
inline constexpr int max_symmetric_prime = 127, max_symmetric_line = 61;
struct SymmetricPrimePasses {
  Pass first_line = nullptr, first = nullptr, inner = nullptr, last = nullptr;
  Pass blocked_first = nullptr, blocked_inner = nullptr, blocked_last = nullptr;
  Pass only = nullptr, line = nullptr;
};

// All passes for vectors of one width. `planar` keeps the buffer as two arrays, of real and of imaginary parts. `blocked`
// keeps it as blocks, a vector of real parts and one of imaginary parts: faster, but columns (and the radix of first_line)
// must be multiples of the lanes.
struct PassTable {
  int lanes = 0;
  PassSet const *planar = nullptr, *blocked = nullptr;
  UnbufferedPasses const* unbuffered = nullptr;
  ShortPasses const* lines = nullptr;
  RealShortPasses const* real_lines = nullptr;
  SymmetricPrimePasses symmetric_prime;
  Index lines_at_once() const { return lanes / 2; }  // of short passes
};

// out[r][c] = in[r][c] factor[r], complex numbers, rows `in_row` and `out_row` apart.
struct MultiplyArgs {
  void const* in = nullptr;
  void* out = nullptr;
  void const* factors = nullptr;
  Index rows = 0, columns = 1, in_row = 0, out_row = 0;
};

// The first and the last product of a long Bluestein convolution (long_columns.h), for a part of a row. The chirp is
// chirp[i] step[i], or chirp[i] where `step` is null; rotations are two numbers.
//   even[i], odd[i] = x[i] times the chirp and a rotation; x complex, or real with sign partner[-i] added where there is one
struct ChirpArgs {
  void const *x = nullptr, *partner = nullptr;
  double sign = 1;
  void const *chirp = nullptr, *step = nullptr, *rotations = nullptr;
  void *even = nullptr, *odd = nullptr;
  Index count = 0;
};
//   out[i] = (even[i] and odd[i], each times its rotation) times the chirp, or one part of that
struct DechirpArgs {
  void const *even = nullptr, *odd = nullptr;
  void const *chirp = nullptr, *step = nullptr, *rotations = nullptr;
  void* out = nullptr;
  Index count = 0;
};
// out[r][c] = in[r][c] factor[r] within[r][c], the factors factor_step apart, or their conjugates. Of in and out, the one whose
// rows are farther apart is prefetched.
struct TwiddleArgs {
  void const* in = nullptr;
  void* out = nullptr;
  void const *factors = nullptr, *within = nullptr;
  Index rows = 0, columns = 0, in_row = 0, out_row = 0, factor_step = 2, within_row = 0;
  bool conjugate = false;
};
struct ChirpKernels {
  void (*real_points)(ChirpArgs const&) = nullptr;
  void (*complex_points)(ChirpArgs const&) = nullptr;
  void (*result)(DechirpArgs const&) = nullptr;
  void (*real_part)(DechirpArgs const&) = nullptr;
  void (*imaginary_part)(DechirpArgs const&) = nullptr;
  void (*twiddle)(TwiddleArgs const&) = nullptr;
  void (*multiply_hermitian)(MultiplyArgs const&) =
      nullptr;  // one column, contiguous; the factors go downwards
};

// A transposing copy with twiddles: out[j][q] = in[q][j] w^(j (first + q)), for `columns` q, out rows
// `out_row` apart; w^(j k) is the product of two tables for every q: fine[q][j % 2^shift] coarse[q][j >> shift]. Without
// twiddles, what is read or written so many scalars on is prefetched.
struct TransposeArgs {
  void const* in = nullptr;
  void* out = nullptr;
  Index rows = 0, columns = 0, in_column = 0, out_row = 0;
  void const* fine = nullptr;  // null: no twiddles
  void const* coarse = nullptr;
  Index fine_column = 0, coarse_column = 0;  // scalars from one q to the next
  Index first = 0;                           // j of the first row, a multiple of the lanes
  int shift = 0;
  Index prefetch_in = 0, prefetch_out = 0;
};

// `narrowest_lines` and `narrowest_real_lines` are for vectors of one complex number: any number of lines. The spectra are the
// step between a complex transform of h = n/2 points and a real one of n: see hermitian_split.h.
struct Kernels {
  int tables = 0;
  PassTable table[3];  // widest first
  ShortPasses const* narrowest_lines = nullptr;
  RealShortPasses const* narrowest_real_lines = nullptr;
  Pass to_real_spectrum = nullptr;
  Pass from_real_spectrum = nullptr;
  void (*multiply)(MultiplyArgs const&) = nullptr;
  void (*transpose)(TransposeArgs const&) = nullptr;
  RowKernels rows;
  ChirpKernels chirps;
  Conversions f16, bf16;
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
