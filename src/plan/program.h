// A program: the flat list of sweeps that solves a problem. Every dimension of the problem is cut into digits, one
// for each sub-transform along it (a batch dimension is one digit); a sweep names the digits it transforms, what
// else its tile holds, which tier shares the tile, and in which order it writes the digits down.
//
// Digits follow the decimation in frequency of Wu and JaJa (docs/lexicon.md): an axis n = r1 r2 .. rm has input index
// j = j1 n/r1 + j2 n/(r1 r2) + .. + jm and output index k = k1 + k2 r1 + k3 r1 r2 + ..; the i-th sub-transform
// turns digit j_i into k_i. Leaving each digit where it was read gives the digit-reversed order.
//
// What no radices multiply to is transformed by convolution (base/convolution_tables.h): a digit on chip, where it is padded to
// another length, transformed, multiplied, and transformed again; or a whole axis over several sweeps, whose digits
// are then those of the padded length. There each digit is transformed, the last one at once a second time after the
// product, and the others back in the opposite order; the index at the end has the digits of the one at the start.
//
// An axis of a real kind is real (plan/real_transform.h): its digits are those of a complex transform of another length. Before
// its first sub-transform and after its last it stands in memory as what the problem says it is, one stored index.
#pragma once

#include <skipper/problem.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"
#include "plan/real_transform.h"

namespace skipper {

/// Who shares a tile: one thread, the threads of a block, or those of a cluster of blocks. Its elements are in their registers;
/// shared memory, of the cluster's blocks too, is what they exchange them through.
enum class Tier { thread, block, cluster };

/// What a sweep reads or writes: the user's arrays, workspace as large as the data, or the L2 buffer of an L2 block.
enum class Buffer { in, out, work, work2, l2_buffer };

/// One dimension of the data, as programs see it. Fastest first: the axes, then the batch dimensions.
struct Dimension {
  std::string name;  // X, Y, Z.. from the fastest; batch dimensions outside the axes are B, B2, ..
  Index size = 1;
  Index in = 1, out = 1;  // strides
  bool axis = true;       // transformed, or only carried along
  AxisKind kind = AxisKind::fourier;
  bool halved = false;                  // the axis that r2c and c2r store as n/2+1 complex numbers
  Index load = 0, first = 0, keep = 0;  // inputs that are stored; outputs that are, from the first on; 0: all
  bool operator==(Dimension const&) const = default;
};
/// An axis that is transformed by way of a real transform (plan/real_transform.h).
inline bool is_real_kind(Dimension const& d) { return d.axis && (d.halved || d.kind != AxisKind::fourier); }

/// In DigitKey::part: the stored index of a real axis, before and after it is transformed.
inline constexpr int stored_before = -1, stored_after = -2;

/// In DigitKey::dim, of digits that only tiles have: the parts of complex numbers, where a sweep takes them as reals; and a
/// row and its conjugate.
inline constexpr int complex_parts = -1, conjugate_row_pair = -2;

/// The digit that sub-transform number `part` of dimension `dim` transforms.
struct DigitKey {
  int dim = 0;
  int part = 0;
  auto operator<=>(DigitKey const&) const = default;
};

/// A piece of a digit: (digit / unit) % extent. Whole digits, low parts (X%16) and high parts (X/16).
struct Piece {
  DigitKey digit;
  Index unit = 1;
  Index extent = 1;
  auto operator<=>(Piece const&) const = default;
};

struct Sweep {
  std::vector<DigitKey> transforms;  // sub-transforms, in the order they are printed
  std::vector<Piece> with;           // pieces of other digits that the tile holds
  Tier tier = Tier::block;
  int cluster_ranks = 1;  // blocks of the cluster
  Buffer from = Buffer::in, to = Buffer::out;
  std::vector<Piece>
      layout;  // the dense order written, slowest first; empty for the last sweep: the problem's
  Index l2_block =
      0;  // bytes of the L2 blocks that this sweep and the next go by (plan/l2_block.h); 0: all data at once
  int streams = 1;     // L2 blocks that are under way at once, each in an L2 buffer of its own
  bool fused = false;  // of those L2 blocks: both sweeps share one kernel (kernel/fused_passes.h)
  bool operator==(Sweep const&) const = default;
};

/// What the last sweep of a program multiplies by before it transforms back (fused_inverse.h).
enum class Factors {
  none,
  shared,   // one spectrum for all of the batch
  each,     // a spectrum for each entry of the batch
  symbol,   // one over a symbol, the sum of one term a dimension
  cosines,  // the same where the axis, alone in one sweep, is transformed by dct2 there and dct3 back
  sines     // and by dst2 and dst3
};
constexpr bool with_partners(Factors f) { return f == Factors::cosines || f == Factors::sines; }
constexpr bool divides(Factors f) { return f == Factors::symbol || with_partners(f); }

struct Program {
  Problem problem;
  std::vector<Dimension> dims;              // dimensions(problem)
  std::vector<std::vector<Index>> radices;  // of each dimension, in the order its digits are transformed
  std::vector<Sweep> sweeps;
  // Digits whose sub-transforms are no codelets: the m of `by m`. Bluestein: m > radix; Rader: m < radix; a direct DFT: m = radix.
  std::map<DigitKey, Index> transformed_by = {};
  std::set<int> convolved = {};  // dimensions transformed by convolution over several sweeps
  Factors factors = Factors::none;
  bool real_in = false,
       real_out = false;  // complex numbers without their imaginary parts, in the user's arrays
  bool operator==(Program const&) const = default;
};

/// The dimensions of a problem. Batch dimensions that address memory as one are one; sizes of 1 are left out,
/// except axes, which keep their letter.
std::vector<Dimension> dimensions(Problem const& problem);

/// Points of all transforms of the problem, of one work array of the program, and bytes of a complex number as it is
/// computed with.
Index points(Problem const& problem);
Index work_points(Program const& program);
Index element_bytes(Problem const& problem);

/// What a sweep does to a digit: transforms it forward; or, of an axis convolved over several sweeps, transforms the last digit
/// there and back with the product between, or transforms a digit back.
enum class ConvolutionPhase { forward, middle, back };
/// Whether sweep s is a fused inverse: transforms, multiplies by factors, and transforms back.
bool has_fused_inverse(Program const& program, int s);
ConvolutionPhase phase_of(Program const& program, int s, DigitKey digit);

/// The core length of a dimension: of the complex transform along it, before a convolution pads it; and the real transform that
/// leads to it, nothing for dimensions that are complex or not transformed.
Index core(Program const& program, int dim);
std::optional<RealTransform> real_transform_of(Program const& program, int dim);
/// The digits of an axis that is real by columns: the one of which half is kept, n/2+1 indices of n, wherever it is not
/// being transformed; and the one whose neighbouring indices are pairs of columns to the sweep that transforms the other.
/// Nothing for other axes.
struct Columns {
  DigitKey half, pair;
};
std::optional<Columns> columns_of(Program const& program, int dim);
/// The same of sweep s, where it transforms the half-kept digit.
std::optional<Columns> columns_in(Program const& program, int s);
/// Whether an axis of reals is transformed by real Rader (plan/real_transform.h).
bool by_real_rader(Program const& program, int dim);
/// Whether an axis of this kind can be the crossed axis of another one: both forward kinds, or both inverse ones; sines only
/// along the other.
bool may_be_crossed(AxisKind kind, AxisKind beside);
/// Of two cosine axes that share a sweep, the one to which pairs of the other, halved one are complex numbers.
std::optional<int> crossed_axis(Program const& program, int s);
/// The real transform of sweep s's axis that begins (ends) there; at most one does, beside one that is crossed.
std::optional<int> pre_processed_axis(Program const& program, int s);
std::optional<int> post_processed_axis(Program const& program, int s);
/// Whether sweep s holds a Hermitian split.
bool has_hermitian_split(Program const& program, int s);
/// Whether the halved axis is transformed after all others in r2c, before them in c2r: to the other sweeps two neighbouring
/// reals are one complex number. Nothing of r2c but its last sweep, and of c2r but its first, then has rows of n/2+1 numbers.
bool is_packed_real(Program const& program);
/// Whether sweep s splits rows of which the grid counts digits: its tile holds each row with its conjugate, at the negated index.
bool has_conjugate_rows(Program const& program, int s);

/// The product of radices first .. last-1.
Index radix_product(std::vector<Index> const& radices, int first, int last);
/// Weight of a digit in the index along its axis, as it is read or written.
Index index_weight(Program const& program, DigitKey digit, bool output);
/// The distance along the axis from an element to the next, where the sweep reads or writes it.
Index axis_spacing(AxisProcessing const& side);

/// Whether sweep s takes each complex number as two reals: cosine and sine transforms act on both alike.
bool takes_complex_as_reals(Program const& program, int s);

/// Why the sweeps cannot compute the real transforms of this factorisation, if they cannot.
std::optional<std::string> why_not_real(Program const& program);

/// Whether the data before sweep b (b = sweeps: the result) is real, whether it is in 16-bit storage, which only the
/// user's arrays are, and bytes of one of its elements.
bool real_before(Program const& program, int b);
bool narrow_before(Program const& program, int b);
Index bytes_before(Program const& program, int b);
/// Places that the data between two sweeps takes, before sweep b: its elements, and what makes rows whole sectors.
Index places_between(Program const& program, int b);
/// Bytes that a work array needs for what the program leaves in it, L2 buffers aside.
Index work_bytes(Program const& program);
/// What the last sweep multiplies by: the problem's scale and what the real transforms still lack.
double program_scale(Program const& program);
/// The part of it that is of axes of one point, which no sweep transforms.
double single_point_scale(Program const& program);

/// Extent of a digit, or of a stored index.
Index extent_of(Program const& program, DigitKey digit);

/// A sub-transform in the notation of Wu and JaJa: `count` transforms of length `radix` over elements `stride` apart in
/// groups of `span`, twiddled or not.
struct SubTransform {
  Index count, radix, stride, span;
  bool twiddled;
  Index by = 0;  // m of `by m` (Program::transformed_by); 0: none
  ConvolutionPhase phase = ConvolutionPhase::forward;
  bool operator==(SubTransform const&) const = default;
};
SubTransform sub_transform(Program const& program, DigitKey digit,
                           ConvolutionPhase phase = ConvolutionPhase::forward);

/// The sweeps in which a convolved axis is first and last transformed: before and after them only the points of the
/// problem exist, between them all of the padded length.
struct Span {
  int first = 0, last = 0;
};
Span convolution_span(Program const& program, int dim);

/// The least length of a convolution that transforms `radix` points.
constexpr Index least_convolution(Index radix) { return 2 * radix - 1; }

/// Strides of a digit in the problem's input and output.
Index input_stride(Program const& program, DigitKey digit);
Index output_stride(Program const& program, DigitKey digit);

/// A piece and where it stands in memory.
struct Placed {
  Piece piece;
  Index stride = 0;
};
/// The problem's own output: every dimension with its stored size and stride.
std::vector<Placed> stored_output(Program const& program);
/// What sweep `s` reads (0 <= s < sweeps) and what it writes.
std::vector<Placed> read_layout(Program const& program, int s);
std::vector<Placed> write_layout(Program const& program, int s);

/// Every digit of every dimension, whole, fastest first.
std::vector<Piece> all_digits(Program const& program);
/// The same with the stored index in place of a real axis's digits where those are not in memory: as sweep s sees
/// them, and as the data before sweep b has them.
std::vector<Piece> sweep_digits(Program const& program, int s);
std::vector<Piece> digits_before(Program const& program, int b);

/// Throws unless the program computes its problem: every axis fully transformed, its sub-transforms in order, every
/// layout holding all digits once, buffers written before they are read and the input preserved.
void check(Program const& program);

/// The first part of that, which asks nothing of the sweeps: throws unless radices and convolutions make up each axis and fit
/// in 63 bits.
void check_radices(Program const& program);

/// The canonical text: the problem on the first line, then a line a sweep. Tile and segment bytes are printed too.
std::string text(Program const& program);

/// Reads a program back. A sweep may also be just its sub-transforms, as the papers print it: then the layouts are
/// in place and the tile is chosen as the planner would. `problem` stands in where the text has no first line.
Program parse_program(std::string_view text);
Program parse_program(std::string_view sweeps, Problem const& problem);

std::string text(SubTransform const& sub);
std::string_view name(Tier tier);
std::string_view name(Buffer buffer);
/// "128B", "64KB", "16MB"
std::string bytes_text(Index bytes);

}  // namespace skipper
