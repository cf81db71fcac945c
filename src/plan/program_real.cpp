// What the real axes of a program are in memory, and when: a stored index before and after their sub-transforms, digits
// of a complex transform between. Layouts follow from it, and where data is real.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "plan/program.h"

namespace skipper {

Index core(Program const& program, int dim) {
  Dimension const& d = program.dims[dim];
  auto const& r = program.radices[dim];
  if (!program.convolved.count(dim)) return radix_product(r, 0, int(r.size()));
  if (!is_real_kind(d)) return d.size;
  // A convolution over several sweeps leaves no place for a Hermitian split.
  auto const packed = packed_real(program.problem.kind, d.kind, d.size);
  return packed && !packed->has_hermitian_split() ? packed->core
                                                  : unpacked_real(program.problem.kind, d.kind, d.size).core;
}

std::optional<RealTransform> real_transform_of(Program const& program, int dim) {
  Dimension const& d = program.dims[dim];
  if (!is_real_kind(d) || core(program, dim) == 1) return {};
  if (columns_of(program, dim)) return real_by_columns(program.problem.kind, d.kind, d.size);
  auto real = real_with_core(program.problem.kind, d.kind, d.size, core(program, dim));
  if (real && program.problem.norm == Norm::ortho) weigh_edges(*real, d.kind, d.size);
  return real;
}

std::optional<Columns> columns_of(Program const& program, int dim) {
  Dimension const& d = program.dims[dim];
  auto const& r = program.radices[dim];
  if (!is_real_kind(d) || !has_hermitian_spectrum(program.problem.kind, d.kind) || r.size() < 2 ||
      program.convolved.count(dim) || core(program, dim) != d.size)
    return {};
  DigitKey const first{dim, 0}, last{dim, int(r.size()) - 1};
  Columns const columns =
      program.problem.kind == Kind::c2r ? Columns{.half = last, .pair = first} : Columns{first, last};
  bool const even = r.front() % 2 == 0 && r.back() % 2 == 0;
  if (!even || program.transformed_by.count(columns.half) || d.load || d.keep) return {};
  return columns;
}

bool by_real_rader(Program const& program, int dim) {
  auto const real = real_transform_of(program, dim);
  return real && real->real_rader;
}

std::optional<Columns> columns_in(Program const& program, int s) {
  for (DigitKey d : program.sweeps[s].transforms)
    if (auto const columns = columns_of(program, d.dim); columns && columns->half == d) return columns;
  return {};
}

Index axis_spacing(AxisProcessing const& side) {
  if (!side.by_gather_index) return 1;
  if (side.makhoul) return 2;
  return std::abs((side.gather_index[0].used ? side.gather_index[0] : side.gather_index[1]).scale);
}

namespace {

bool is_real_axis(Program const& program, int dim) {
  Dimension const& d = program.dims[dim];
  return is_real_kind(d) && core(program, dim) > 1;
}

/// The sweep that has the first (last) sub-transform of a dimension; past all sweeps where none has.
int begins(Program const& program, int dim) {
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    for (DigitKey d : program.sweeps[s].transforms)
      if (d.dim == dim) return s;
  return int(program.sweeps.size());
}
int ends(Program const& program, int dim) {
  if (program.convolved.count(dim)) return convolution_span(program, dim).last;
  for (int s = int(program.sweeps.size()) - 1; s >= 0; --s)
    for (DigitKey d : program.sweeps[s].transforms)
      if (d.dim == dim && d.part + 1 == int(program.radices[dim].size())) return s;
  return int(program.sweeps.size());
}

Index stored_size(Program const& program, int dim, bool before) {
  Dimension const& d = program.dims[dim];
  Kind const kind = program.problem.kind;
  bool const half = d.halved && ((kind == Kind::r2c && !before) || (kind == Kind::c2r && before));
  return half ? d.size / 2 + 1 : d.size;
}

/// What stands for a dimension that is to be transformed from a sweep on, or has been since: its stored index, unless it
/// is pairs to all.
int stored_state(Program const& program, int dim, bool before) {
  bool const pairs =
      program.dims[dim].halved && (program.problem.kind == Kind::r2c) == before && is_packed_real(program);
  return pairs ? 0 : before ? stored_before : stored_after;
}

/// Digits of a dimension, whole: its own, or the stored index of a real one.
void add_digits(Program const& program, int d, int state, std::vector<Piece>& pieces) {
  if (state < 0) {
    pieces.push_back({{d, state}, 1, stored_size(program, d, state == stored_before)});
    return;
  }
  for (int p = int(program.radices[d].size()) - 1; p >= 0; --p)
    pieces.push_back({{d, p}, 1, extent_of(program, {d, p})});
}

/// All of a digit that the sweep transforms; of others, what is kept of them.
Index extent_in(Program const& program, int s, DigitKey digit) {
  auto const& own = program.sweeps[s].transforms;
  bool const transformed = std::find(own.begin(), own.end(), digit) != own.end();
  return transformed ? program.radices[digit.dim][digit.part] : extent_of(program, digit);
}

/// Places from one row of the data between two sweeps to the next. The n/2+1 numbers of a halved axis would put all rows but
/// the first between sectors; where there are many, a few unused ones after them cost little. In bytes and numbers.
/// A choice, not measured.
Index row(Program const& program, Piece const& fastest) {
  constexpr Index sector = 32, many = 64;
  bool const halved = fastest.digit.part < 0 && program.dims[fastest.digit.dim].halved;
  if (!halved || fastest.extent < many || program.problem.placement == Placement::in_place)
    return fastest.extent;
  Index const whole = sector / element_bytes(program.problem);
  return (fastest.extent + whole - 1) / whole * whole;
}

/// What the data before sweep b is, with its strides.
std::vector<Placed> layout_before(Program const& program, int b) {
  std::vector<Placed> placed;
  bool const first = b == 0, last = b == int(program.sweeps.size());
  if (first || last) {
    bool const pairs = (program.problem.kind == Kind::r2c ? first : last) && is_packed_real(program);
    for (Piece const& p : digits_before(program, b)) {
      Dimension const& dim = program.dims[p.digit.dim];
      Index const own = first ? dim.in : dim.out;
      Index const stride = p.digit.part < 0 ? own
                           : first          ? input_stride(program, p.digit)
                                            : output_stride(program, p.digit);
      placed.push_back({p, pairs && !dim.halved ? stride / 2 : stride});
    }
    return placed;
  }
  auto const& layout = program.sweeps[b - 1].layout;
  Index stride = 1;
  for (auto p = layout.rbegin(); p != layout.rend(); ++p) {
    placed.push_back({*p, stride});
    stride *= p == layout.rbegin() ? row(program, *p) : p->extent;
  }
  return placed;
}

}  // namespace

std::vector<Placed> stored_output(Program const& program) {
  std::vector<Placed> placed;
  for (int d = 0; d < int(program.dims.size()); ++d)
    placed.push_back({{{d, stored_after}, 1, stored_size(program, d, false)}, program.dims[d].out});
  return placed;
}

std::vector<Piece> all_digits(Program const& program) {
  std::vector<Piece> pieces;
  for (int d = 0; d < int(program.radices.size()); ++d) add_digits(program, d, 0, pieces);
  return pieces;
}

std::vector<Piece> sweep_digits(Program const& program, int s) {
  std::vector<Piece> pieces;
  for (int d = 0; d < int(program.radices.size()); ++d) {
    int state = 0;
    if (is_real_axis(program, d)) {
      if (begins(program, d) > s) state = stored_state(program, d, true);
      if (ends(program, d) < s) state = stored_state(program, d, false);
    }
    add_digits(program, d, state, pieces);
  }
  return pieces;
}

std::vector<Piece> digits_before(Program const& program, int b) {
  std::vector<Piece> pieces;
  for (int d = 0; d < int(program.radices.size()); ++d) {
    int state = 0;
    if (is_real_axis(program, d)) {
      if (begins(program, d) >= b) state = stored_state(program, d, true);
      if (ends(program, d) < b) state = stored_state(program, d, false);
    }
    add_digits(program, d, state, pieces);
  }
  return pieces;
}

Index extent_of(Program const& program, DigitKey digit) {
  if (digit.part < 0) return stored_size(program, digit.dim, digit.part == stored_before);
  Index const radix = program.radices[digit.dim][digit.part];
  auto const columns = columns_of(program, digit.dim);
  return columns && digit == columns->half ? radix / 2 + 1 : radix;
}

bool may_be_crossed(AxisKind kind, AxisKind beside) {
  if (kind == AxisKind::dct2) return beside == AxisKind::dct2 || beside == AxisKind::dst2;
  return kind == AxisKind::dct3 && (beside == AxisKind::dct3 || beside == AxisKind::dst3);
}

std::optional<int> crossed_axis(Program const& program, int s) {
  auto const& own = program.sweeps[s].transforms;
  if (program.problem.kind != Kind::r2r || program.problem.norm == Norm::ortho || own.size() != 2) return {};
  auto const whole = [&](int dim, Index parts) {
    Dimension const& d = program.dims[dim];
    return program.radices[dim].size() == 1 && !program.convolved.count(dim) &&
           !program.transformed_by.count({dim, 0}) && !d.load && !d.keep &&
           parts * core(program, dim) == d.size;
  };
  for (int i : {0, 1}) {
    int const crossed = own[i].dim, beside = own[1 - i].dim;
    if (may_be_crossed(program.dims[crossed].kind, program.dims[beside].kind) && whole(crossed, 1) &&
        whole(beside, 2))
      return crossed;
  }
  return {};
}

std::optional<int> pre_processed_axis(Program const& program, int s) {
  for (DigitKey d : program.sweeps[s].transforms)
    if (is_real_axis(program, d.dim) && begins(program, d.dim) == s && crossed_axis(program, s) != d.dim)
      return d.dim;
  return {};
}

std::optional<int> post_processed_axis(Program const& program, int s) {
  for (DigitKey d : program.sweeps[s].transforms)
    if (is_real_axis(program, d.dim) && ends(program, d.dim) == s && crossed_axis(program, s) != d.dim)
      return d.dim;
  return {};
}

Index index_weight(Program const& program, DigitKey digit, bool output) {
  auto const& r = program.radices[digit.dim];
  bool const natural = output && !program.convolved.count(digit.dim);
  return natural ? radix_product(r, 0, digit.part) : radix_product(r, digit.part + 1, int(r.size()));
}

bool has_hermitian_split(Program const& program, int s) {
  if (columns_in(program, s)) return true;
  auto const pre = pre_processed_axis(program, s), post = post_processed_axis(program, s);
  return (pre && real_transform_of(program, *pre)->pre.hermitian) ||
         (post && real_transform_of(program, *post)->post.hermitian);
}

bool is_packed_real(Program const& program) {
  Kind const kind = program.problem.kind;
  int const m = int(program.sweeps.size());
  if ((kind != Kind::r2c && kind != Kind::c2r) || m < 2) return false;
  for (int d = 0; d < int(program.dims.size()); ++d) {
    Dimension const& dim = program.dims[d];
    if (dim.axis && dim.kind != AxisKind::fourier) return false;
    if (!dim.halved) continue;
    auto const& own = program.sweeps[kind == Kind::r2c ? m - 1 : 0].transforms;
    bool const there = std::any_of(own.begin(), own.end(), [&](DigitKey o) { return o.dim == d; });
    auto const& r = program.radices[d];
    if (!there || r.size() != 1 || 2 * r[0] != dim.size || program.convolved.count(d)) return false;
  }
  return true;
}

bool has_conjugate_rows(Program const& program, int s) {
  return s == (program.problem.kind == Kind::r2c ? int(program.sweeps.size()) - 1 : 0) &&
         is_packed_real(program);
}

bool takes_complex_as_reals(Program const& program, int s) {
  if (program.problem.kind != Kind::c2c) return false;
  for (DigitKey d : program.sweeps[s].transforms)
    if (program.dims[d.dim].kind != AxisKind::fourier) return true;
  return false;
}

namespace {

/// A fused inverse amid the sweeps writes what it read.
int written_as(Program const& program, int b) {
  return b > 1 && has_fused_inverse(program, b - 1) ? b - 1 : b;
}

}  // namespace

bool real_before(Program const& program, int b) {
  b = written_as(program, b);
  if (is_packed_real(program)) return false;
  if (b == 0 ? program.real_in : b == int(program.sweeps.size()) && program.real_out) return true;
  Kind const kind = program.problem.kind;
  int const m = int(program.sweeps.size());
  int first = m - 1, last = 0;  // sweeps with Fourier sub-transforms
  bool any = false;
  for (int s = 0; s < m; ++s)
    for (DigitKey d : program.sweeps[s].transforms)
      if (program.dims[d.dim].kind == AxisKind::fourier) {
        if (!any) first = s;
        last = s;
        any = true;
      }
  bool const complex =
      kind == Kind::c2c || (kind == Kind::r2c && b > first) || (kind == Kind::c2r && b <= last);
  if (complex) return false;
  for (int d = 0; d < int(program.dims.size()); ++d)  // amid its sub-transforms a real axis is complex
    if (is_real_axis(program, d) && begins(program, d) < b && ends(program, d) >= b) return false;
  return true;
}

bool narrow_before(Program const& program, int b) {
  b = written_as(program, b);
  return is_16_bit(program.problem.precision) && (b == 0 || b == int(program.sweeps.size()));
}

Index bytes_before(Program const& program, int b) {
  return element_bytes(program.problem) / (real_before(program, b) ? 2 : 1) /
         (narrow_before(program, b) ? 2 : 1);
}

Index work_bytes(Program const& program) {
  Index most = 0;
  for (int b = 1; b < int(program.sweeps.size()); ++b) {
    if (program.sweeps[b].from == Buffer::l2_buffer) continue;
    most = std::max(most, bytes_before(program, b) * places_between(program, b));
  }
  Index const element = element_bytes(program.problem);
  return (most + element - 1) / element * element;
}

Index places_between(Program const& program, int b) {
  Index places = 1;
  for (Placed const& p : layout_before(program, b)) places = std::max(places, p.stride * p.piece.extent);
  return places;
}

namespace {
bool is_crossed(Program const& program, int dim) {
  int const s = begins(program, dim);
  return s < int(program.sweeps.size()) && crossed_axis(program, s) == dim;
}
}  // namespace

double single_point_scale(Program const& program) {
  double scale = 1;
  for (int d = 0; d < int(program.dims.size()); ++d) {
    Dimension const& dim = program.dims[d];
    if (dim.axis && dim.kind != AxisKind::fourier && core(program, d) == 1)
      scale *= unpacked_real(program.problem.kind, dim.kind, dim.size).factor *
               (program.problem.norm == Norm::ortho ? weight_of_one(dim.kind) : 1);
  }
  return scale;
}

double program_scale(Program const& program) {
  double scale = whole_scale(program.problem) * single_point_scale(program);
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (auto const real = real_transform_of(program, d); real && !is_crossed(program, d))
      scale *= real->factor;
  return scale;
}

std::vector<Placed> read_layout(Program const& program, int s) {
  std::vector<Placed> placed;
  for (Placed const& p : layout_before(program, s)) {
    if (p.piece.digit.part != stored_before || begins(program, p.piece.digit.dim) != s) {
      placed.push_back(p);
      continue;
    }
    int const d = p.piece.digit.dim;
    auto const& r = program.radices[d];
    Index const stride = p.stride * axis_spacing(real_transform_of(program, d)->pre);
    for (int part = int(r.size()) - 1; part >= 0; --part)
      placed.push_back({{{d, part}, 1, extent_in(program, s, {d, part})},
                        stride * index_weight(program, {d, part}, false)});
  }
  return placed;
}

std::vector<Placed> write_layout(Program const& program, int s) {
  if (written_as(program, s + 1) == s) return read_layout(program, s);
  std::vector<Placed> placed;
  for (Placed const& p : layout_before(program, s + 1)) {
    if (p.piece.digit.part != stored_after || ends(program, p.piece.digit.dim) != s) {
      placed.push_back(p);
      continue;
    }
    int const d = p.piece.digit.dim;
    auto const& r = program.radices[d];
    Index const stride = p.stride * axis_spacing(real_transform_of(program, d)->post);
    for (int part = int(r.size()) - 1; part >= 0; --part)
      placed.push_back({{{d, part}, 1, extent_in(program, s, {d, part})},
                        stride * index_weight(program, {d, part}, true)});
  }
  return placed;
}

// ---- The order that real data imposes.

namespace {

bool is_fourier(Program const& program, DigitKey d) { return program.dims[d.dim].kind == AxisKind::fourier; }

/// What is half kept is not cut in layouts, and pairs of columns stay together.
std::optional<std::string> trouble_by_columns(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  for (Piece const& p : sweep.layout) {
    auto const columns = columns_of(program, p.digit.dim);
    if (!columns) continue;
    std::string const& name = program.dims[p.digit.dim].name;
    if (p.digit == columns->half && p.extent != extent_of(program, p.digit))
      return "the digit of " + name + " that is half kept is cut in a layout; leave it whole";
    if (p.digit == columns->pair && p.unit > 1 && p.unit % 2)
      return "a layout parts two columns of " + name + " that are a pair; cut it at an even place";
  }
  if (auto const columns = columns_in(program, s))
    for (Piece const& p : sweep.with)
      if (p.digit == columns->pair && p.unit % 2)
        return "a tile parts two columns of " + program.dims[p.digit.dim].name +
               " that are a pair; hold pieces of even units";
  return {};
}

/// Rows and their conjugate rows are found by whole digits; and pairs of reals are complex numbers only where all else keeps
/// them so.
std::optional<std::string> trouble_in_pairs(Program const& program) {
  bool const forward = program.problem.kind == Kind::r2c;
  int const m = int(program.sweeps.size()), own = forward ? m - 1 : 0;
  if (is_partial(program.problem) || program.problem.order != Order::natural || !program.convolved.empty() ||
      program.factors != Factors::none)
    return "the halved axis comes last in r2c, and first in c2r, only where axes are whole and nothing is "
           "convolved";
  for (Dimension const& d : program.dims) {
    Index const stride = forward ? d.in : d.out;
    if (d.halved ? stride != 1 : d.size > 1 && stride % 2 != 0)
      return "the halved axis comes last in r2c, and first in c2r, only where pairs of reals are complex "
             "numbers; " +
             d.name + " has stride " + std::to_string(stride);
  }
  auto const negated = [&](Piece const& p) {
    auto const& t = program.sweeps[own].transforms;
    return program.dims[p.digit.dim].axis && std::find(t.begin(), t.end(), p.digit) == t.end();
  };
  for (Piece const& p : program.sweeps[own].with)
    if (negated(p))
      return "the tile of a Hermitian sweep holds a part of " + program.dims[p.digit.dim].name +
             ", whose rows it has in conjugate rows; hold a batch instead";
  for (Piece const& p : program.sweeps[forward ? m - 2 : 0].layout)
    if (negated(p) && p.extent != extent_of(program, p.digit))
      return "a digit of " + program.dims[p.digit.dim].name +
             " that is Hermitian is cut in a layout; leave it whole";
  return {};
}

std::optional<std::string> trouble_in_sweep(Program const& program, int s) {
  auto const& transforms = program.sweeps[s].transforms;
  bool const hermitian = has_hermitian_split(program, s);
  for (DigitKey d : transforms) {
    std::string const& name = program.dims[d.dim].name;
    if (!is_fourier(program, d) && transforms.size() > 1 && !crossed_axis(program, s))
      return name + " is a cosine or sine transform and shares a sweep; give it one of its own";
    bool const twice =
        std::count_if(transforms.begin(), transforms.end(), [&](DigitKey o) { return o.dim == d.dim; }) > 1;
    if (hermitian && twice)
      return name + " has two sub-transforms in a sweep that is Hermitian; make them one";
    if (is_real_axis(program, d.dim) && real_transform_of(program, d.dim)->has_hermitian_split() &&
        program.radices[d.dim].size() > 1)
      return name + " is Hermitian, so it cannot be cut; use the whole length instead of half of it";
  }
  for (DigitKey d : transforms)
    if (auto const by = program.transformed_by.find(d);
        by_real_rader(program, d.dim) && (by == program.transformed_by.end() ||
                                          by->second + 1 != core(program, d.dim) || transforms.size() > 1))
      return program.dims[d.dim].name +
             " is a prime by real Rader, which goes by half of all points but one, in a sweep of its own";
  for (DigitKey d : transforms)
    if (hermitian && (program.transformed_by.count(d) || program.convolved.count(d.dim)))
      return program.dims[d.dim].name + " is convolved in a sweep that is Hermitian; give it one of its own";
  if (hermitian && int(transforms.size()) > kernel::max_split_digits)
    return "a Hermitian sweep has more than " + std::to_string(kernel::max_split_digits) + " sub-transforms";
  for (Piece const& p : program.sweeps[s].layout)
    if (p.digit.part < 0 && p.extent != extent_of(program, p.digit))
      return "the stored index of " + program.dims[p.digit.dim].name + " is cut in a layout; leave it whole";
  return trouble_by_columns(program, s);
}

}  // namespace

std::optional<std::string> why_not_real(Program const& program) {
  bool const any = std::any_of(program.dims.begin(), program.dims.end(),
                               [](Dimension const& d) { return d.halved || d.kind != AxisKind::fourier; });
  if (!any) return {};
  int const m = int(program.sweeps.size());
  Kind const kind = program.problem.kind;
  int first = m, last = -1, halved = -1, first_real = m, last_real = -1;
  for (int s = 0; s < m; ++s) {
    if (auto trouble = trouble_in_sweep(program, s)) return trouble;
    for (DigitKey d : program.sweeps[s].transforms) {
      bool const fourier = is_fourier(program, d);
      (fourier ? last : last_real) = s;
      int& begin = fourier ? first : first_real;
      begin = std::min(begin, s);
      if (program.dims[d.dim].halved) halved = d.dim;
    }
  }
  for (int d = 0; d < int(program.dims.size()) && kind == Kind::c2c; ++d)
    if (is_real_axis(program, d) && program.radices[d].size() > 1)
      return program.dims[d].name + " is a cosine or sine transform of complex data, which is not cut so far";
  for (int d = 0; d < int(program.dims.size()); ++d)  // whose sub-transforms leave complex data between them
    for (int s = begins(program, d) + 1; is_real_axis(program, d) && s < ends(program, d); ++s)
      for (DigitKey other : program.sweeps[s].transforms)
        if (other.dim != d && !is_fourier(program, other))
          return program.dims[other.dim].name + " takes real data and stands between the parts of " +
                 program.dims[d].name + "; put it before them or after";
  if (kind == Kind::r2c && first < m && last_real >= first)
    return "r2c has its cosine and sine transforms before the others, on real data";
  if (kind == Kind::c2r && first_real <= last)
    return "c2r has its cosine and sine transforms after the others, on real data";
  if (halved < 0) return {};
  if (is_packed_real(program)) return trouble_in_pairs(program);
  bool const columns = columns_of(program, halved).has_value();
  for (int s = begins(program, halved); columns && kind == Kind::r2c && s <= ends(program, halved); ++s)
    for (DigitKey d : program.sweeps[s].transforms)
      if (d.dim != halved) return "the halved axis of r2c comes before all others where it is cut";
  if (kind == Kind::r2c && begins(program, halved) != first) return "the halved axis of r2c comes first";
  if (kind == Kind::c2r && ends(program, halved) != last) return "the halved axis of c2r comes last";
  if (kind == Kind::c2r && !real_transform_of(program, halved)->has_hermitian_split())
    for (int s = begins(program, halved); s <= last; ++s)
      for (DigitKey d : program.sweeps[s].transforms)
        if (d.dim != halved)
          return "the halved axis of c2r comes after all others, unless it is packed in pairs";
  return {};
}

}  // namespace skipper
