// The problem that `skipper fft` solves, out of its options and the array: which axes, of what kinds, of what lengths.
#include "fft_work.h"

#include <algorithm>

namespace skipper::cli {
namespace {

// Strides of an array in the order of its file.
std::vector<std::int64_t> strides(std::vector<std::int64_t> shape, bool fortran_order) {
  if (fortran_order) std::reverse(shape.begin(), shape.end());
  std::vector<std::int64_t> result = dense_strides(shape);
  if (fortran_order) std::reverse(result.begin(), result.end());
  return result;
}

std::vector<std::int64_t> numbers_of(Args const& args, std::string const& option, char separator,
                                     std::string const& what) {
  if (!args.has(option)) return {};
  try {
    return integers(*args.value(option), separator, what);
  } catch (BadArgument const& e) {
    args.refuse(option + " " + e.what());
  }
}

// Those of --axes; else all, or with --s as many of the last as it has lengths, as NumPy does.
std::vector<std::size_t> axes_of(Args const& args, std::size_t rank, std::size_t lengths) {
  std::vector<std::size_t> axes;
  if (!args.has("--axes")) {
    if (lengths > rank)
      args.refuse("--s has " + std::to_string(lengths) + " lengths but the array has " +
                  std::to_string(rank) + " axes");
    for (std::size_t i = lengths > 0 ? rank - lengths : 0; i < rank; ++i) axes.push_back(i);
    return axes;
  }
  for (std::int64_t const axis : numbers_of(args, "--axes", ',', "a list of axes such as 0,2 or -1")) {
    std::int64_t const r = std::int64_t(rank);
    if (axis < -r || axis >= r)
      args.refuse("--axes names " + std::to_string(axis) + " but the array has " + std::to_string(rank) +
                  " axes");
    std::size_t const at = std::size_t(axis < 0 ? axis + r : axis);
    if (std::find(axes.begin(), axes.end(), at) != axes.end()) args.refuse("--axes names an axis twice");
    axes.push_back(at);
  }
  if (lengths > 0 && lengths != axes.size())
    args.refuse("--s has " + std::to_string(lengths) + " lengths for " + std::to_string(axes.size()) +
                " axes; give one for each");
  return axes;
}

// What each of the axes is asked for: --kind for all of them, --kinds for one by one.
std::vector<AxisKind> kinds_of(Args const& args, std::size_t count) {
  args.demand_apart("--kind", "--kinds");
  std::string const option = args.has("--kinds") ? "--kinds" : "--kind";
  std::vector<std::string> words = split(args.value_or(option, "fourier"), ',');
  if (option == "--kind" && words.size() == 1) words.resize(count, words[0]);
  if (words.size() != count)
    args.refuse(option + " names " + std::to_string(words.size()) + " kinds for " + std::to_string(count) +
                " axes; " + (option == "--kind" ? "--kind takes one for all" : "give one for each"));
  std::vector<AxisKind> kinds;
  for (std::string const& word : words) {
    int k = 0;
    while (k < 9 && name(AxisKind(k)) != word) ++k;
    if (k == 9) args.refuse(option + " names " + word + "; kinds are fourier, dct1 to dct4, dst1 to dst4");
    kinds.push_back(AxisKind(k));
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

Kind kind_of(Args const& args, NpyType type, std::vector<AxisKind> const& kinds) {
  bool const real = args.has("--real"), inverse = args.has("--inverse");
  bool const fourier = std::find(kinds.begin(), kinds.end(), AxisKind::fourier) != kinds.end();
  if (!fourier && real) args.refuse("--real is about Fourier axes and there is none; leave it out");
  if (!fourier) return type.complex ? Kind::c2c : Kind::r2r;
  if (real && !inverse && type.complex)
    args.refuse("--real transforms real arrays, and the input is " + name(type) + "; leave out --real");
  if (!real) return Kind::c2c;
  return inverse ? Kind::c2r : Kind::r2c;
}

// Which of the axes --n is about, and which is stored by halves: the last Fourier axis, or the last where there is none.
std::size_t last_of(std::vector<AxisKind> const& kinds) {
  for (std::size_t i = kinds.size(); i-- > 0;)
    if (kinds[i] == AxisKind::fourier) return i;
  return kinds.size() - 1;
}

// The lengths of --s or --n for each of the axes; 0 where the array decides.
std::vector<std::int64_t> lengths_of(Args const& args, std::vector<std::int64_t> const& s,
                                     std::vector<AxisKind> const& kinds) {
  args.demand_apart("--n", "--s");
  std::vector<std::int64_t> lengths(kinds.size(), 0);
  lengths[last_of(kinds)] = args.integer_or("--n", 0, 1, INT64_MAX);
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] < 1 && s[i] != -1)
      args.refuse("--s has the length " + std::to_string(s[i]) +
                  "; lengths are at least 1, or -1 for that of the array");
    lengths[i] = std::max<std::int64_t>(s[i], 0);
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

void set_precision(Args const& args, NpyType type, FftWork& work) {
  std::string const precision =
      args.choice_or("--precision", "f" + std::to_string(type.bits), {"f16", "f32", "f64"});
  int const bits = std::stoi(precision.substr(1));
  Kind const kind = work.problem.kind;
  work.problem.precision = bits == 16 ? Precision::f16 : bits == 32 ? Precision::f32 : Precision::f64;
  work.in = {kind == Kind::c2c || kind == Kind::c2r, bits};
  work.out = {kind == Kind::c2c || kind == Kind::r2c, bits};
}

}  // namespace

FftWork fft_work(Args const& args, NpyType type, bool fortran_order, std::vector<std::int64_t> const& shape) {
  if (shape.empty()) args.refuse("the input is a single number; it needs at least one axis");
  FftWork work;
  Problem& p = work.problem;
  std::vector<std::int64_t> const s = numbers_of(args, "--s", 'x', "lengths such as 64x100");
  std::vector<std::size_t> const axes = axes_of(args, shape.size(), s.size());
  std::vector<AxisKind> const kinds = kinds_of(args, axes.size());
  std::vector<std::int64_t> const lengths = lengths_of(args, s, kinds);
  bool const inverse = args.has("--inverse");
  p.kind = kind_of(args, type, kinds);
  p.direction = inverse && p.kind != Kind::r2r ? Direction::inverse : Direction::forward;
  set_precision(args, type, work);
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
    p.axes[i].kind = inverse ? inverse_kind(kinds[i]) : kinds[i];
  }
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (std::find(axes.begin(), axes.end(), a) == axes.end()) p.batch.push_back({shape[a], in[a], out[a]});
  set_norm(p, args.choice_or("--norm", "backward", {"backward", "ortho", "forward"}), inverse);
  check(p);
  return work;
}

}  // namespace skipper::cli
