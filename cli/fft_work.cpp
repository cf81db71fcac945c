// The problem that `skipper fft` solves, out of its options and the array: which axes, of what kinds, of what lengths.
#include "fft_work.h"

#include <algorithm>

#include "base/kinds.h"
#include "format.h"

namespace skipper::cli {
namespace {

// Strides of an array in the order of its file.
std::vector<std::int64_t> strides(std::vector<std::int64_t> shape, bool fortran_order) {
  if (fortran_order) std::reverse(shape.begin(), shape.end());
  std::vector<std::int64_t> result = dense_strides(shape);
  if (fortran_order) std::reverse(result.begin(), result.end());
  return result;
}

// Those of --axes; else all, or with --s as many of the last as it has lengths, as NumPy does.
std::vector<std::size_t> axes_of(FftWorkOptions const& o, std::size_t rank) {
  std::vector<std::size_t> axes;
  if (o.axes.empty()) {
    if (o.s.size() > rank)
      refuse(formatted("--s has {} lengths but the array has {} axes", o.s.size(), rank));
    for (std::size_t i = o.s.empty() ? 0 : rank - o.s.size(); i < rank; ++i) axes.push_back(i);
    return axes;
  }
  for (std::int64_t const axis : o.axes) {
    std::int64_t const r = std::int64_t(rank);
    if (axis < -r || axis >= r) refuse(formatted("--axes names {} but the array has {} axes", axis, rank));
    std::size_t const at = std::size_t(axis < 0 ? axis + r : axis);
    if (std::find(axes.begin(), axes.end(), at) != axes.end()) refuse("--axes names an axis twice");
    axes.push_back(at);
  }
  if (!o.s.empty() && o.s.size() != axes.size())
    refuse(formatted("--s has {} lengths for {} axes; give one for each", o.s.size(), axes.size()));
  return axes;
}

std::string names_of_kinds() {
  std::string names;
  for (AxisKind const kind : all_axis_kinds) names.append(names.empty() ? "" : ", ").append(name(kind));
  return names;
}

// What each of the axes is asked for: --kind for all of them, --kinds for one by one.
std::vector<AxisKind> kinds_of(FftWorkOptions const& o, std::size_t count) {
  std::vector<std::string> const words = o.kinds.empty() ? std::vector(count, o.kind) : o.kinds;
  if (words.size() != count)
    refuse(formatted("--kinds names {} kinds for {} axes; give one for each", words.size(), count));
  std::vector<AxisKind> kinds;
  for (std::string const& word : words) {
    auto const kind = std::find_if(all_axis_kinds.begin(), all_axis_kinds.end(),
                                   [&](AxisKind k) { return name(k) == word; });
    if (kind == all_axis_kinds.end())
      refuse(formatted("{} names {}; kinds are {}", o.kinds.empty() ? "--kind" : "--kinds", in_quotes(word),
                       names_of_kinds()));
    kinds.push_back(*kind);
  }
  return kinds;
}

// The norms of NumPy and SciPy, for a problem that has everything else.
void set_norm(Problem& p, std::string const& norm, bool inverse) {
  if (norm == "ortho") {
    p.norm = Norm::ortho;
  } else if ((norm == "backward") == inverse) {
    for (Axis const& axis : p.axes) p.scale /= round_trip_factor(axis);
  }
}

Kind kind_of(FftWorkOptions const& o, NpyType type, std::vector<AxisKind> const& kinds) {
  bool const fourier = std::find(kinds.begin(), kinds.end(), AxisKind::fourier) != kinds.end();
  if (!fourier && o.real) refuse("--real is about Fourier axes and there is none; leave it out");
  if (!fourier) return type.complex ? Kind::c2c : Kind::r2r;
  if (o.real && !o.inverse && type.complex)
    refuse(formatted("--real transforms real arrays, and the input is {}; leave out --real", name(type)));
  if (!o.real) return Kind::c2c;
  return o.inverse ? Kind::c2r : Kind::r2c;
}

// Which of the axes --n is about, and which is stored by halves: the last Fourier axis, or the last where there is none.
std::size_t last_of(std::vector<AxisKind> const& kinds) {
  for (std::size_t i = kinds.size(); i-- > 0;)
    if (kinds[i] == AxisKind::fourier) return i;
  return kinds.size() - 1;
}

// The lengths of --s or --n for each of the axes; 0 where the array decides.
std::vector<std::int64_t> lengths_of(FftWorkOptions const& o, std::vector<AxisKind> const& kinds) {
  std::vector<std::int64_t> lengths(kinds.size(), 0);
  lengths[last_of(kinds)] = o.n;
  for (std::size_t i = 0; i < o.s.size(); ++i) {
    if (o.s[i] < 1 && o.s[i] != -1)
      refuse(formatted("--s has the length {}; lengths are at least 1, or -1 for that of the array", o.s[i]));
    lengths[i] = std::max<std::int64_t>(o.s[i], 0);
  }
  return lengths;
}

// An axis of the problem and of the output, for one of the array that stores so many numbers. Where the transform is
// longer, zeros follow them, and where it is shorter, the last are not read.
struct FittedAxis {
  Axis axis;
  std::int64_t out_size;
};
FittedAxis fitted(Kind kind, bool halved, std::int64_t stored, std::int64_t length) {
  bool const half_in = halved && kind == Kind::c2r, half_out = halved && kind == Kind::r2c;
  if (length == 0) length = half_in ? std::max<std::int64_t>(1, 2 * (stored - 1)) : stored;
  std::int64_t const read = half_in ? length / 2 + 1 : length;
  FittedAxis result{{}, half_out ? length / 2 + 1 : length};
  result.axis.size = length;
  result.axis.in_count = stored < read ? stored : 0;
  return result;
}

void set_precision(FftWorkOptions const& o, NpyType type, FftWork& work) {
  Precision const precision = o.precision ? precision_named(*o.precision) : type.precision;
  Kind const kind = work.problem.kind;
  work.problem.precision = precision;
  work.in = {kind == Kind::c2c || kind == Kind::c2r, precision};
  work.out = {kind == Kind::c2c || kind == Kind::r2c, precision};
}

}  // namespace

void fft_work_options(CLI::App& command, FftWorkOptions& to) {
  add_integers(command, "--axes", "LIST", ',', to.axes, "a list of axes such as 0,2 or -1",
               "which axes, 0,2 or -1 (default: all)");
  add_flag(command, "--inverse", to.inverse, "the inverse transform");
  add_text(command, "--kind", "KIND", to.kind,
           "one kind for all of the axes, fourier (default): " + names_of_kinds());
  add_list(command, "--kinds", to.kinds, "the kind of each of the axes, dct2,dct2,fourier");
  add_flag(command, "--real", to.real, "real to complex, or with --inverse complex to real");
  add_integer(
      command, "--n", "N", to.n, {1},
      "length along the last axis: crops the input, or zeros follow it (real length of --real --inverse)");
  add_integers(command, "--s", "AxB", 'x', to.s, "lengths such as 64x100",
               "lengths along the axes, or along the last ones; -1: that of the input");
  add_choice(command, "--norm", "NORM", to.norm, {"backward", "ortho", "forward"},
             "backward (default: 1/N on the inverse), ortho (1/sqrt N), forward (1/N on the forward)");
  add_choice(command, "--precision", "P", to.precision, {"f16", "bf16", "f32", "f64"},
             "f16, bf16, f32 or f64 (default: that of the input)");
  exclude(command, {"--kind", "--kinds"});
  exclude(command, {"--n", "--s"});
}

FftWork fft_work(FftWorkOptions const& o, NpyType type, bool fortran_order,
                 std::vector<std::int64_t> const& shape) {
  if (shape.empty()) refuse("the input is a single number; it needs at least one axis");
  FftWork work;
  Problem& p = work.problem;
  std::vector<std::size_t> const axes = axes_of(o, shape.size());
  std::vector<AxisKind> const kinds = kinds_of(o, axes.size());
  std::vector<std::int64_t> const lengths = lengths_of(o, kinds);
  p.kind = kind_of(o, type, kinds);
  p.direction = o.inverse && p.kind != Kind::r2r ? Direction::inverse : Direction::forward;
  set_precision(o, type, work);
  work.out_shape = shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    FittedAxis const f = fitted(p.kind, i == last_of(kinds), shape[axes[i]], lengths[i]);
    p.axes.push_back(f.axis);
    work.out_shape[axes[i]] = f.out_size;
  }
  auto const in = strides(shape, fortran_order), out = strides(work.out_shape, fortran_order);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    p.axes[i].in_stride = in[axes[i]];
    p.axes[i].out_stride = out[axes[i]];
    p.axes[i].kind = o.inverse ? inverse_kind(kinds[i]) : kinds[i];
  }
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) p.batch.push_back({shape[a], in[a], out[a]});
  set_norm(p, o.norm, o.inverse);
  check(p);
  return work;
}

NpyArray output_of(FftWork const& work, bool fortran_order) {
  NpyArray array{work.out, fortran_order, work.out_shape, {}};
  if (!work.out.complex || !is_16_bit(work.out.precision)) return array;
  if (fortran_order)
    refuse(
        formatted("complex numbers in {} are written in C order, and the input is in Fortran order; use f32",
                  name(work.out.precision)));
  array.shape.push_back(2);
  array.type.complex = false;
  return array;
}

}  // namespace skipper::cli
