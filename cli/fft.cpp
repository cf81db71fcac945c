// `skipper fft in.npy out.npy`: transforms an array in a file, as numpy.fft's fftn, ifftn, rfftn and irfftn do, and
// scipy.fft's dctn, idctn, dstn and idstn.
#include <skipper/plan.h>
#include <skipper/stream.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "command.h"
#include "mapped.h"
#include "npy.h"
#include "settings.h"
#include "temporary.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

// Strides of an array in the order of its file.
std::vector<std::int64_t> strides(std::vector<std::int64_t> shape, bool fortran_order) {
  if (fortran_order) std::reverse(shape.begin(), shape.end());
  std::vector<std::int64_t> result = dense_strides(shape);
  if (fortran_order) std::reverse(result.begin(), result.end());
  return result;
}

std::vector<std::size_t> axes_of(Args const& args, std::size_t rank) {
  std::vector<std::size_t> axes;
  if (!args.has("--axes")) {
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(i);
    return axes;
  }
  std::vector<std::int64_t> list;
  try {
    list = integers(*args.value("--axes"), ',', "a list of axes such as 0,2 or -1");
  } catch (BadArgument const& e) {
    args.refuse(std::string("--axes ") + e.what());
  }
  for (std::int64_t const axis : list) {
    std::int64_t const r = std::int64_t(rank);
    if (axis < -r || axis >= r)
      args.refuse("--axes names " + std::to_string(axis) + " but the array has " + std::to_string(rank) +
                  " axes");
    std::size_t const at = std::size_t(axis < 0 ? axis + r : axis);
    if (std::find(axes.begin(), axes.end(), at) != axes.end()) args.refuse("--axes names an axis twice");
    axes.push_back(at);
  }
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

struct Work {
  Problem problem;
  NpyType in, out;
  std::vector<std::int64_t> out_shape;
};

Kind kind_of(Args const& args, NpyArray const& array, std::vector<AxisKind> const& kinds) {
  bool const real = args.has("--real"), inverse = args.has("--inverse");
  bool const fourier = std::find(kinds.begin(), kinds.end(), AxisKind::fourier) != kinds.end();
  if (!fourier && real) args.refuse("--real is about Fourier axes and there is none; leave it out");
  if (!fourier) return array.type.complex ? Kind::c2c : Kind::r2r;
  if (real && !inverse && array.type.complex)
    args.refuse("--real transforms real arrays, and the input is " + name(array.type) + "; leave out --real");
  if (!real) return Kind::c2c;
  return inverse ? Kind::c2r : Kind::r2c;
}

// The size of the halved axis on the real side: --n, or the even one of the two that fit, as NumPy does.
std::int64_t real_size(Args const& args, std::int64_t stored) {
  std::int64_t const usual = std::max<std::int64_t>(1, 2 * (stored - 1));
  std::int64_t const n = args.integer_or("--n", usual, 1, INT64_MAX);
  if (n / 2 + 1 != stored)
    args.refuse("--n is " + std::to_string(n) + " but the input has " + std::to_string(stored) +
                " numbers on that axis, which fit n = " + std::to_string(usual) + " or " +
                std::to_string(2 * stored - 1));
  return n;
}

Work work_for(Args const& args, NpyArray const& array) {
  if (array.shape.empty()) args.refuse("the input is a single number; it needs at least one axis");
  Work work;
  Problem& p = work.problem;
  std::vector<std::size_t> const axes = axes_of(args, array.shape.size());
  std::vector<AxisKind> const kinds = kinds_of(args, axes.size());
  bool const inverse = args.has("--inverse");
  p.kind = kind_of(args, array, kinds);
  if (args.has("--n") && p.kind != Kind::c2r) args.refuse("--n goes with --real --inverse only");
  p.direction = inverse && p.kind != Kind::r2r ? Direction::inverse : Direction::forward;
  std::string const precision =
      args.choice_or("--precision", "f" + std::to_string(array.type.bits), {"f16", "f32", "f64"});
  int const bits = std::stoi(precision.substr(1));
  p.precision = bits == 16 ? Precision::f16 : bits == 32 ? Precision::f32 : Precision::f64;
  work.in = {p.kind == Kind::c2c || p.kind == Kind::c2r, bits};
  work.out = {p.kind == Kind::c2c || p.kind == Kind::r2c, bits};
  work.out_shape = array.shape;
  std::vector<std::int64_t> logical = array.shape;
  std::size_t last = kinds.size();
  while (last > 1 && kinds[last - 1] != AxisKind::fourier) --last;
  std::size_t const halved = axes[last - 1];
  if (p.kind == Kind::r2c) work.out_shape[halved] = array.shape[halved] / 2 + 1;
  if (p.kind == Kind::c2r) work.out_shape[halved] = logical[halved] = real_size(args, array.shape[halved]);
  auto const in = strides(array.shape, array.fortran_order),
             out = strides(work.out_shape, array.fortran_order);
  for (std::size_t i = 0; i < axes.size(); ++i)
    p.axes.push_back(
        {logical[axes[i]], in[axes[i]], out[axes[i]], inverse ? inverse_kind(kinds[i]) : kinds[i]});
  for (std::size_t a = 0; a < array.shape.size(); ++a)
    if (std::find(axes.begin(), axes.end(), a) == axes.end())
      p.batch.push_back({array.shape[a], in[a], out[a]});
  set_norm(p, args.choice_or("--norm", "backward", {"backward", "ortho", "forward"}), inverse);
  return work;
}

void demand_elements(std::string const& path, std::vector<std::int64_t> const& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    throw FileError(path + ": it has no elements, so there is nothing to transform");
}

// The header of a mapped file, whose data are used as they lie there.
NpyHeader mapped_header(MappedFile const& file, std::string const& path) {
  try {
    NpyHeader const header =
        parse_npy_header({reinterpret_cast<char const*>(file.data()),
                          std::min<std::uint64_t>(file.bytes(), longest_npy_header + 12)},
                         file.bytes());
    if (header.swapped || header.data_at % (std::size_t(header.type.bits) / 8) != 0)
      throw FileError(
          "it has another byte order or odd places; --memory-limit takes files as NumPy saves them here");
    return header;
  } catch (FileError const& e) {
    throw FileError(path + ": " + e.what());
  }
}

// From mapped file to mapped file, with buffers within the limit.
int run_mapped(Args const& args) {
  std::string const& from = args.operands()[0];
  std::string const& to = args.operands()[1];
  MappedFile const in(from);
  NpyHeader const header = mapped_header(in, from);
  demand_elements(from, header.shape);
  Work const work = work_for(args, {header.type, header.fortran_order, header.shape, {}});
  if (header.type != work.in)
    args.refuse("with --memory-limit nothing is converted, and the input is " + name(header.type) +
                " where " + name(work.in) + " is wanted; see --real and --precision, or convert the file");
  PlanSettings const plan_settings = plan_settings_from(args);
  StreamSettings settings;
  settings.device = plan_settings.device;
  settings.threads = plan_settings.threads;
  settings.memory_limit = args.bytes_or("--memory-limit", 0);
  std::string const beginning = npy_header_text({work.out, header.fortran_order, work.out_shape, {}});
  Temporary target(to), between(to);
  std::optional<MappedFile> out, middle;
  std::optional<Progress> progress;
  settings.progress = [&](StreamProgress const& p) {
    if (!progress) progress.emplace(std::size_t(p.slices));
    progress->step("slices of " + from);
    in.forget_pages();
    out->forget_pages();
    if (middle) middle->forget_pages();
    return true;
  };
  StreamPlan const plan(work.problem, settings);
  out.emplace(target.path(), beginning.size() + std::uint64_t(out_bytes(work.problem)));
  if (plan.work_bytes() > 0) middle.emplace(between.path(), std::uint64_t(plan.work_bytes()));
  std::memcpy(out->data(), beginning.data(), beginning.size());
  plan.execute(in.data() + header.data_at, out->data() + beginning.size(), middle ? middle->data() : nullptr);
  out->flush();
  target.put_in_place();
  return done;
}

// float16 has no complex type: numbers are pairs along a last axis of 2.
void join_pairs(Args const& args, NpyArray& array) {
  if (array.shape.empty() || array.shape.back() != 2 || array.type.complex || array.fortran_order)
    args.refuse(
        "--pairs wants a real array in C order whose last axis, of 2, holds real and imaginary parts");
  array.shape.pop_back();
  array.type.complex = true;
}
void part_pairs(Args const& args, NpyArray& array) {
  if (array.fortran_order)
    args.refuse("complex numbers in f16 are written in C order, and the input is in Fortran order; use f32");
  array.shape.push_back(2);
  array.type.complex = false;
}

int run(Args const& args) {
  args.demand_operands(2, 2, "an input and an output: in.npy out.npy");
  if (args.has("--memory-limit")) return run_mapped(args);
  PlanSettings const settings = plan_settings_from(args);
  NpyArray array = read_npy(args.operands()[0]);
  demand_elements(args.operands()[0], array.shape);
  if (args.has("--pairs")) join_pairs(args, array);
  Work const work = work_for(args, array);
  Plan const plan(work.problem, settings);
  convert(array, work.in);
  NpyArray result{work.out, array.fortran_order, work.out_shape, {}};
  result.data.resize(std::size_t(out_bytes(work.problem)));
  plan.execute(array.data.data(), result.data.data(), nullptr);
  if (result.type.complex && result.type.bits == 16) part_pairs(args, result);
  write_npy(args.operands()[1], result);
  return done;
}

}  // namespace

Command fft_command() {
  std::vector<Option> const options{
      {"--axes", "LIST", "which axes, 0,2 or -1 (default: all)"},
      {"--inverse", "", "the inverse transform"},
      {"--kind", "KIND", "fourier (default), dct1 to dct4 or dst1 to dst4, on all of the axes"},
      {"--kinds", "LIST", "the kind of each of the axes, dct2,dct2,fourier"},
      {"--real", "", "real to complex, or with --inverse complex to real"},
      {"--n", "N", "with --real --inverse: real size of the last axis (default: 2(m-1))"},
      {"--norm", "NORM",
       "backward (default: 1/N on the inverse), ortho (1/sqrt N), forward (1/N on the forward)"},
      {"--precision", "P", "f16, f32 or f64 (default: that of the input)"},
      {"--pairs", "", "the last axis of the input, of 2, holds real and imaginary parts"},
      {"--memory-limit", "BYTES",
       "map the files and use buffers of at most 4G, 512M, ... (default: all in memory)"}};
  return {"fft",
          "in.npy out.npy",
          "transforms the array of a .npy file into another one",
          "Arrays are complex64, complex128, float16, float32 or float64. Without --real, real input becomes "
          "complex; "
          "with it\n"
          "the last Fourier axis is stored as n/2+1 complex numbers. The output appears whole or not at all.",
          together({options, device_options()}),
          run};
}

}  // namespace skipper::cli
