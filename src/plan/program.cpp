// What the digits of a program mean: their strides in the problem's arrays and between sweeps, and whether the
// sweeps add up to the transform.
#include "plan/lengths.h"
#include "plan/program.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/numbers.h"
#include "kernel/spec.h"
#include "plan/l2_block.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
namespace {

std::string letter(int i) {
  static constexpr std::string_view letters = "XYZWVUTSRQPONMLKJIHGFEDC";
  return i < int(letters.size()) ? std::string(1, letters[i]) : "A" + std::to_string(i + 1);
}

/// Batch dimensions fastest first, those that step through memory as one merged.
std::vector<Dim> merged_batch(Problem const& problem) {
  std::vector<Dim> dims;
  for (Dim const& d : problem.batch)
    if (d.size > 1) dims.push_back(d);
  std::stable_sort(dims.begin(), dims.end(),
                   [](Dim const& a, Dim const& b) { return a.out_stride < b.out_stride; });
  std::vector<Dim> merged;
  for (Dim const& d : dims) {
    bool const joins = !merged.empty() && d.in_stride == merged.back().in_stride * merged.back().size &&
                       d.out_stride == merged.back().out_stride * merged.back().size;
    if (joins)
      merged.back().size *= d.size;
    else
      merged.push_back(d);
  }
  return merged;
}

}  // namespace

Index radix_product(std::vector<Index> const& radices, int first, int last) {
  return std::accumulate(radices.begin() + first, radices.begin() + last, Index(1), std::multiplies<>());
}

std::vector<Dimension> dimensions(Problem const& problem) {
  auto const batch = merged_batch(problem);
  Index fastest_axis = std::numeric_limits<Index>::max();
  for (Axis const& a : problem.axes)
    if (a.size > 1) fastest_axis = std::min(fastest_axis, a.in_stride);
  std::vector<Dimension> inner, axes, outer;
  int inside = 0;
  for (Dim const& b : batch) inside += b.in_stride < fastest_axis && b.in_stride > 0;
  int letters = inside, outsiders = 0;
  auto const halved = halved_axis(problem);
  for (std::size_t a = problem.axes.size(); a-- > 0;) {
    Axis const& x = problem.axes[a];
    axes.push_back({letter(letters++), x.size, x.in_stride, x.out_stride, true, x.kind, halved == a,
                    x.in_count, x.out_first, x.out_count});
  }
  letters = 0;
  for (Dim const& b : batch) {
    bool const in_front = b.in_stride < fastest_axis && b.in_stride > 0;
    std::string const name = in_front      ? letter(letters++)
                             : outsiders++ ? "B" + std::to_string(outsiders)
                                           : "B";
    (in_front ? inner : outer).push_back({name, b.size, b.in_stride, b.out_stride, false, {}, false});
  }
  inner.insert(inner.end(), axes.begin(), axes.end());
  inner.insert(inner.end(), outer.begin(), outer.end());
  return inner;
}

Index points(Problem const& problem) {
  Index n = 1;
  for (Axis const& a : problem.axes) n *= a.size;
  for (Dim const& b : problem.batch) n *= b.size;
  return n;
}

Index work_points(Program const& program) {
  Index n = 1;
  for (auto const& radices : program.radices) n *= radix_product(radices, 0, int(radices.size()));
  return n;
}

Index element_bytes(Problem const& problem) { return problem.precision == Precision::f64 ? 16 : 8; }

bool has_fused_inverse(Program const& program, int s) {
  return program.factors != Factors::none && s + 1 == int(program.sweeps.size());
}

ConvolutionPhase phase_of(Program const& program, int s, DigitKey digit) {
  if (has_fused_inverse(program, s)) return ConvolutionPhase::middle;
  if (!program.convolved.count(digit.dim)) return ConvolutionPhase::forward;
  if (digit.part + 1 == int(program.radices[digit.dim].size())) return ConvolutionPhase::middle;
  for (int before = 0; before < s; ++before)
    for (DigitKey d : program.sweeps[before].transforms)
      if (d == digit) return ConvolutionPhase::back;
  return ConvolutionPhase::forward;
}

SubTransform sub_transform(Program const& program, DigitKey digit, ConvolutionPhase phase) {
  auto const& r = program.radices[digit.dim];
  int const m = int(r.size());
  bool const hermitian = program.problem.order == Order::from_reversed && !program.convolved.count(digit.dim);
  Index const n = radix_product(r, 0, m), radix = r[digit.part];
  Index const stride = hermitian ? radix_product(r, 0, digit.part) : radix_product(r, digit.part + 1, m);
  auto const by = program.transformed_by.find(digit);
  return {n / radix,
          radix,
          stride,
          stride * radix,
          phase == ConvolutionPhase::forward ? digit.part + 1 < m : digit.part > 0,
          by == program.transformed_by.end() ? 0 : by->second,
          phase};
}

Span convolution_span(Program const& program, int dim) {
  Span span{-1, -1};
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    for (DigitKey d : program.sweeps[s].transforms)
      if (d.dim == dim) {
        if (span.first < 0) span.first = s;
        span.last = s;
      }
  return span;
}

Index input_stride(Program const& program, DigitKey digit) {
  auto const& r = program.radices[digit.dim];
  bool const hermitian = program.problem.order == Order::from_reversed && !program.convolved.count(digit.dim);
  return program.dims[digit.dim].in *
         (hermitian ? radix_product(r, 0, digit.part) : radix_product(r, digit.part + 1, int(r.size())));
}

Index output_stride(Program const& program, DigitKey digit) {
  auto const& r = program.radices[digit.dim];
  bool const reversed = program.problem.order == Order::reversed || program.convolved.count(digit.dim);
  return program.dims[digit.dim].out *
         (reversed ? radix_product(r, digit.part + 1, int(r.size())) : radix_product(r, 0, digit.part));
}

namespace {

[[noreturn]] void fail(std::string const& where, std::string const& what) {
  throw Error("program: " + where, what);
}

bool multiplies_to(std::vector<Index> const& radices, Index size) {
  for (Index r : radices) {
    if (r < 1 || size % r != 0) return false;
    size /= r;
  }
  return size == 1;
}

/// The part that is due when so many sub-transforms of an axis are done: on a convolved axis there and back again.
int part_due(Program const& program, int dim, int done) {
  int const parts = int(program.radices[dim].size());
  return program.convolved.count(dim) && done >= parts ? 2 * parts - 2 - done : done;
}

bool multiplies_to_length(Program const& program, int d) {
  Dimension const& dim = program.dims[d];
  if (!is_real_kind(dim)) return multiplies_to(program.radices[d], dim.size);
  for (Index r : program.radices[d])
    if (r < 1) return false;
  return real_with_core(program.problem.kind, dim.kind, dim.size, core(program, d)).has_value();
}

void check_transforms(Program const& program, std::vector<Dimension> const& dims) {
  std::vector<int> done(dims.size(), 0);
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    std::set<int> here;
    for (DigitKey d : program.sweeps[s].transforms) {
      std::string const where = "sweep " + std::to_string(s + 1);
      if (d.dim < 0 || d.dim >= int(dims.size()) || !dims[d.dim].axis)
        fail(where, "transforms something that is not an axis");
      if (!here.insert(d.dim).second && program.convolved.count(d.dim))
        fail(where, "transforms two digits of the convolved axis " + dims[d.dim].name + "; use two sweeps");
      if (d.part != part_due(program, d.dim, done[d.dim]))
        fail(where, "sub-transform " + std::to_string(d.part + 1) + " of " + dims[d.dim].name +
                        " comes when number " + std::to_string(part_due(program, d.dim, done[d.dim]) + 1) +
                        " is due; keep the sub-transforms of an axis in order");
      ++done[d.dim];
    }
  }
  for (int d = 0; d < int(dims.size()); ++d) {
    int const parts = int(program.radices[d].size());
    int const due = program.convolved.count(d) ? 2 * parts - 1 : parts;
    if (dims[d].axis && done[d] != due)
      fail(dims[d].name, std::to_string(done[d]) + " of its " + std::to_string(due) +
                             " sub-transforms are done; add the missing ones");
  }
}

/// Whether a convolution of length m can transform n points: padded to `least`, or of a prime factor by Rader. Of
/// length n it is none, but the product with the matrix.
bool convolves(Index n, Index m, Index least) {
  if (m == n) return n <= kernel::max_direct_dft;
  return m < n ? n - m == rader_cofactor(n) : is_smooth(m, largest_common_radix_prime) && m >= least;
}

void check_convolutions(Program const& program) {
  for (auto const& [digit, length] : program.transformed_by) {
    bool const known = digit.dim >= 0 && digit.dim < int(program.dims.size()) && digit.part >= 0 &&
                       digit.part < int(program.radices[digit.dim].size());
    if (!known) fail("transformed_by", "names a digit that the program does not have");
    Index const n = program.radices[digit.dim][digit.part];
    Index const least = least_convolution(program.problem, program.dims[digit.dim], n);
    bool const fits = by_real_rader(program, digit.dim) ? length == n - 1 && has_rader(2 * n - 1)
                                                        : convolves(n, length, least);
    if (!fits || program.convolved.count(digit.dim))
      fail(program.dims[digit.dim].name,
           "a convolution of " + std::to_string(length) + " does not transform " + std::to_string(n) +
               " points; give it at least " + std::to_string(least) + " without a prime factor above " +
               std::to_string(largest_common_radix_prime));
  }
  for (int d : program.convolved) {
    Index left = 1;
    for (Index r : program.radices[d]) left = multiply(left, r).value_or(0);
    Index const least = least_convolution(program.problem, program.dims[d], core(program, d));
    if (left < least)
      fail(program.dims[d].name, "is convolved over " + std::to_string(left) +
                                     " points, but needs at least " + std::to_string(least));
  }
}

/// Of axes of real kinds, or of all others.
void check_lengths(Program const& program, bool real) {
  for (int d = 0; d < int(program.dims.size()); ++d) {
    Dimension const& dim = program.dims[d];
    if (is_real_kind(dim) == real && !program.convolved.count(d) && !multiplies_to_length(program, d))
      fail(dim.name, "the radices do not multiply to " + std::to_string(dim.size) +
                         (real ? ", nor to what its kind makes of it" : "") +
                         "; a sub-transform is missing or wrong");
  }
}

/// How far the digits of an axis reach in all: padded where they are transformed by convolution.
std::optional<Index> padded_length(Program const& program, int dim) {
  std::optional<Index> length = 1;
  for (int part = 0; length && part < int(program.radices[dim].size()); ++part) {
    auto const by = program.transformed_by.find({dim, part});
    Index const padded = by == program.transformed_by.end() ? 0 : by->second;
    Index const radix = program.radices[dim][part];
    length = radix < 1 ? std::nullopt : multiply(*length, std::max(radix, padded));
  }
  return length;
}

/// Bytes and strides of whatever the digits make up are products of these at most, so none overflows.
void check_addresses(Program const& program) {
  std::optional<Index> bytes = element_bytes(program.problem);
  for (int d = 0; d < int(program.dims.size()); ++d) {
    Dimension const& dim = program.dims[d];
    std::optional<Index> const length = padded_length(program, d);
    bytes = bytes && length ? multiply(*bytes, *length) : std::nullopt;
    if (!bytes || !multiply(*length, std::max(dim.in, dim.out)))
      fail(dim.name,
           "has radices, or lengths behind 'by', whose product takes more bytes than 63 bits count; "
           "give it smaller ones");
  }
}

void check_layout(Program const& program, int s) {
  std::map<DigitKey, std::vector<Piece>> pieces;
  for (Piece const& p : program.sweeps[s].layout) pieces[p.digit].push_back(p);
  bool once = true;
  for (Piece const& whole : digits_before(program, s + 1)) {
    auto& list = pieces[whole.digit];
    std::sort(list.begin(), list.end());
    Index unit = 1;
    for (Piece const& p : list) {
      once = once && p.unit == unit && p.extent >= 1 && p.extent <= whole.extent;
      if (once) unit *= p.extent;
    }
    once = once && unit == whole.extent;
    pieces.erase(whole.digit);
  }
  if (!once || !pieces.empty())
    fail("layout of sweep " + std::to_string(s + 1), "does not hold every digit exactly once");
}

/// What a tile holds besides its transforms: parts of other digits, none of them twice.
void check_with(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  std::map<DigitKey, std::vector<Piece>> pieces;
  for (Piece const& p : sweep.with) pieces[p.digit].push_back(p);
  for (auto& [digit, list] : pieces) {
    std::string const where = "sweep " + std::to_string(s + 1);
    auto const all = sweep_digits(program, s);
    bool const known =
        std::any_of(all.begin(), all.end(), [d = digit](Piece const& p) { return p.digit == d; });
    if (!known) fail(where, "holds a digit that the program does not have");
    std::string const named = program.dims[digit.dim].name + " number " + std::to_string(digit.part + 1);
    if (std::find(sweep.transforms.begin(), sweep.transforms.end(), digit) != sweep.transforms.end())
      fail(where, "holds the digit of " + named + " anyway, since it transforms it; leave it out of 'with'");
    std::sort(list.begin(), list.end());
    Index const whole = extent_of(program, digit);
    Index held = 1;  // the digit's parts below this are taken
    for (Piece const& p : list) {
      if (p.unit < 1 || p.extent < 1 || p.unit > whole || p.extent > whole)
        fail(where, "holds a part that the digit of " + named + " does not have");
      if (p.unit < held) fail(where, "holds a part of the digit of " + named + " twice");
      held = p.unit * p.extent;
    }
  }
}

void check_l2_block(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  std::string const where = "sweep " + std::to_string(s + 1);
  bool const after = s > 0 && program.sweeps[s - 1].l2_block != 0;
  if ((sweep.to == Buffer::l2_buffer) != (sweep.l2_block != 0))
    fail(where,
         sweep.l2_block
             ? "leaves L2 blocks and must write l2_buffer"
             : "writes l2_buffer, which only holds L2 blocks; say 'l2_block' and how large, or use work");
  if (!sweep.l2_block) return;
  if (after) {
    Sweep const& before = program.sweeps[s - 1];
    if (sweep.l2_block != before.l2_block || sweep.streams != before.streams)
      fail(where, "takes L2 blocks and cannot leave other ones; use work after it");
    return;
  }
  int const sweeps = sweeps_of_l2_block(program, s);
  std::string reason;
  auto const l2_block = l2_block_of(program, s, sweep.l2_block, &reason, sweeps);
  if (!l2_block)
    fail(where, "cannot go L2 block by L2 block: " + reason + "; leave out 'l2_block' and use work");
  if (sweep.l2_block < 0 || sweep.streams < 1 || sweep.l2_block % (l2_block->unit * l2_block->together) != 0)
    fail(where, "has L2 blocks of " + bytes_text(sweep.l2_block) + ", but they must be multiples of " +
                    bytes_text(l2_block->unit * l2_block->together));
  Index const count =
      sweep.l2_block ? (l2_block->all() * l2_block->unit + sweep.l2_block - 1) / sweep.l2_block : 0;
  if (sweep.fused && (sweeps != 2 || sweep.tier != Tier::block || program.sweeps[s + 1].tier != Tier::block ||
                      sweep.streams < std::min<Index>(3, count)))
    fail(
        where,
        "is fused with the next, which takes two sweeps on blocks and three L2 blocks at once or more; leave "
        "out 'fused'");
  Buffer const from =
      program.problem.placement == Placement::in_place && sweep.from == Buffer::in ? Buffer::out : sweep.from;
  if (from == program.sweeps[s + sweeps - 1].to && !l2_blocks_stay(program, s, sweep.l2_block, sweeps))
    fail(where,
         "reads what the last of its L2 blocks writes, and other L2 blocks still read it; give that another "
         "buffer");
}

/// No sweep may write the user's input out of place, and a sweep that stays in one buffer must have tiles that
/// write just what they read.
void check_buffers(Program const& program) {
  bool const in_place = program.problem.placement == Placement::in_place;
  int const m = int(program.sweeps.size());
  for (int s = 0; s < m; ++s) {
    Sweep const& sweep = program.sweeps[s];
    std::string const where = "sweep " + std::to_string(s + 1);
    Buffer const expected = s == 0 ? Buffer::in : program.sweeps[s - 1].to;
    if (sweep.from != expected)
      fail(where,
           "reads " + std::string(name(sweep.from)) + ", but the data is in " + std::string(name(expected)));
    if (sweep.to == Buffer::in) fail(where, "writes the input; write out or work");
    check_l2_block(program, s);
    if (s == m - 1 && sweep.to != Buffer::out) fail(where, "is the last and must write out");
    bool const same =
        sweep.from == sweep.to || (in_place && sweep.from == Buffer::in && sweep.to == Buffer::out);
    if (same && !writes_where_it_reads(program, s))
      fail(where, "writes its own buffer where other tiles still read; give it another buffer");
    if (s < m - 1 && sweep.to == Buffer::out && !keeps_within_output(program, s))
      fail(where, "would write an intermediate result outside the elements of out; use work");
  }
}

}  // namespace

void check_radices(Program const& program) {
  auto const& dims = program.dims;
  if (dims != dimensions(program.problem)) fail("dims", "are not the dimensions of the problem");
  if (program.radices.size() != dims.size())
    fail("radices", "are given for " + std::to_string(program.radices.size()) + " of " +
                        std::to_string(dims.size()) + " dimensions");
  for (int d : program.convolved)
    if (d < 0 || d >= int(dims.size()) || !dims[d].axis)
      fail("convolved", "names something that is not an axis");
  check_lengths(program, false);
  check_addresses(program);
  check_convolutions(program);
  check_lengths(program, true);
}

void check(Program const& program) {
  check(program.problem);
  check_radices(program);
  if (program.sweeps.empty()) fail("sweeps", "there are none; a program needs at least one");
  check_transforms(program, program.dims);
  if (auto const trouble = why_not_real(program)) fail("real axes", *trouble);
  for (int s = 0; s + 1 < int(program.sweeps.size()); ++s) check_layout(program, s);
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    check_with(program, s);
    (void)tile_of(program, s);  // throws where the pieces do not fit
  }
  check_buffers(program);
}

}  // namespace skipper
