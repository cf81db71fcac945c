// `skipper poisson f.npy phi.npy`: solves Poisson's and Helmholtz' equation for a right side in a file.
#include <skipper/poisson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "command.h"
#include "npy.h"
#include "output_file.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

double number(Args const& args, std::string const& option, std::string const& word) {
  double value = 0;
  auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(value))
    args.refuse(option + ": '" + word + "' is not a number");
  return value;
}

// One word for each axis, or one for all.
std::vector<std::string> for_each_axis(Args const& args, std::string const& option, std::string const& usual,
                                       std::size_t rank) {
  std::vector<std::string> words = split(args.value_or(option, usual), ',');
  if (words.size() == 1) words.resize(rank, words[0]);
  if (words.size() != rank)
    args.refuse(option + " has " + std::to_string(words.size()) + " entries but the array has " +
                std::to_string(rank) + " axes; give one for each, or one for all");
  return words;
}

std::size_t axis_of(Args const& args, std::string const& option, std::string const& word, std::size_t rank) {
  for (std::size_t i = 0; i < rank; ++i)
    if (word == std::to_string(i)) return i;
  args.refuse(option + " names the axis '" + word + "' but the axes are 0 to " + std::to_string(rank - 1));
}

void set_boundaries(Args const& args, std::string const& word, PoissonAxis& axis) {
  auto const side = [&](std::string const& w) {
    for (Boundary const b : {Boundary::periodic, Boundary::neumann, Boundary::dirichlet})
      if (w == name(b)) return b;
    args.refuse("--bc has '" + word +
                "' but must have periodic, neumann, dirichlet, neumann-dirichlet or dirichlet-neumann");
  };
  std::vector<std::string> const sides = split(word, '-');
  axis.low = side(sides.front());
  axis.high = side(sides.size() > 2 ? word : sides.back());
}

std::vector<double> numbers_of(std::string const& path, bool fortran_order) {
  NpyArray array = read_npy(path);
  if (array.type.complex) throw FileError(path + ": it is complex; give real numbers");
  if (array.shape.size() > 1 && array.fortran_order != fortran_order)
    throw FileError(path + ": it is not in the same order (C or Fortran) as the right side");
  convert(array, {false, 64});
  auto const* const first = reinterpret_cast<double const*>(array.data.data());
  return {first, first + array.data.size() / sizeof(double)};
}

PoissonProblem problem_of(Args const& args, NpyArray const& array) {
  std::size_t const rank = array.shape.size();
  PoissonProblem p;
  p.precision = array.type.bits == 64 ? Precision::f64 : Precision::f32;
  auto const conditions = for_each_axis(args, "--bc", "periodic", rank);
  auto const lengths = for_each_axis(args, "--box", "1", rank);
  auto const centrings = for_each_axis(args, "--centring", "cell", rank);
  for (std::size_t i = 0; i < rank; ++i) {
    PoissonAxis axis;
    axis.size = array.shape[i];
    axis.length = number(args, "--box", lengths[i]);
    set_boundaries(args, conditions[i], axis);
    if (centrings[i] != "cell" && centrings[i] != "node")
      args.refuse("--centring has '" + centrings[i] + "' but must have cell or node");
    axis.centring = centrings[i] == "cell" ? Centring::cell : Centring::node;
    p.axes.push_back(axis);
  }
  if (args.has("--tridiagonal"))
    p.axes[axis_of(args, "--tridiagonal", *args.value("--tridiagonal"), rank)].tridiagonal = true;
  if (args.has("--grid")) {
    std::vector<std::string> const words = split(*args.value("--grid"), '=');
    if (words.size() != 2) args.refuse("--grid must be an axis and a file, 2=z.npy");
    p.axes[axis_of(args, "--grid", words[0], rank)].coordinates = numbers_of(words[1], array.fortran_order);
  }
  p.shift = args.has("--shift") ? number(args, "--shift", *args.value("--shift")) : 0;
  if (args.choice_or("--symbols", "second-order", {"second-order", "spectral"}) == "spectral")
    p.symbols = Symbols::spectral;
  std::string const policy = args.choice_or("--zero-mode", "zero-mean", {"zero-mean", "pin", "error"});
  p.zero_mode = policy == "pin" ? ZeroMode::pin : policy == "error" ? ZeroMode::error : ZeroMode::zero_mean;
  return p;
}

// "0:low=1.5,2:high=face.npy"
template <class T>
std::vector<Faces<T>> faces_of(Args const& args, NpyArray const& array) {
  std::vector<Faces<T>> faces;
  if (!args.has("--values")) return faces;
  faces.resize(array.shape.size());
  for (std::string const& entry : split(*args.value("--values"), ',')) {
    std::size_t const colon = entry.find(':'), equals = entry.find('=');
    if (colon == entry.npos || equals == entry.npos || colon > equals)
      args.refuse("--values has '" + entry + "' but must have entries such as 0:low=1.5 or 2:high=face.npy");
    std::string const side = entry.substr(colon + 1, equals - colon - 1), what = entry.substr(equals + 1);
    Faces<T>& axis = faces[axis_of(args, "--values", entry.substr(0, colon), array.shape.size())];
    if (side != "low" && side != "high")
      args.refuse("--values has the side '" + side + "' but sides are low and high");
    std::vector<double> const values = what.ends_with(".npy") ? numbers_of(what, array.fortran_order)
                                                              : std::vector{number(args, "--values", what)};
    (side == "low" ? axis.low : axis.high).assign(values.begin(), values.end());
  }
  return faces;
}

// In core, or with a limit through buffers of the device, slice by slice.
Poisson solver_for(Args const& args, PoissonProblem const& problem, std::optional<Progress>& progress) {
  PlanSettings settings = plan_settings_from(args);
  if (!args.has("--device")) settings.device = Device("cpu");
  if (!args.has("--memory-limit")) return Poisson(problem, settings);
  StreamSettings through;
  through.device = settings.device;
  through.threads = settings.threads;
  through.memory_limit = args.bytes_or("--memory-limit", 0);
  through.progress = [&](StreamProgress const& p) {
    if (!progress) progress.emplace(std::size_t(p.slices));
    progress->step("slices of " + args.operands()[0]);
    return true;
  };
  return Poisson(problem, through);
}

template <class T>
PoissonResult solved(Args const& args, PoissonProblem problem, NpyArray& array) {
  std::vector<Faces<T>> faces = faces_of<T>(args, array);
  if (array.fortran_order) {  // the last axis is the slowest one
    std::reverse(problem.axes.begin(), problem.axes.end());
    std::reverse(faces.begin(), faces.end());
  }
  T* const data = reinterpret_cast<T*>(array.data.data());
  std::optional<Progress> progress;
  return solver_for(args, problem, progress).solve(data, data, faces);
}

int run(Args const& args) {
  args.demand_operands(2, 2, "an input and an output: f.npy phi.npy");
  OutputFile out(args.operands()[1]);
  demand_no_terminal(args, out);
  NpyArray array = read_npy(args.operands()[0]);
  if (array.type.complex) throw FileError(args.operands()[0] + ": it is complex; right sides are real");
  if (array.shape.empty() || array.shape.size() > 3)
    args.refuse("the input has " + std::to_string(array.shape.size()) + " axes but a box has one to three");
  std::string const precision =
      args.choice_or("--precision", array.type.bits == 64 ? "f64" : "f32", {"f32", "f64"});
  convert(array, {false, precision == "f32" ? 32 : 64});
  PoissonProblem const problem = problem_of(args, array);
  check(problem);  // in the user's order of axes
  PoissonResult const result = problem.precision == Precision::f32 ? solved<float>(args, problem, array)
                                                                   : solved<double>(args, problem, array);
  write_npy(out, array);
  if (is_singular(problem))
    std::fprintf(out.is_standard_output() ? stderr : stdout, "defect %.17g\n", result.defect);
  return done;
}

}  // namespace

Command poisson_command() {
  return {
      "poisson",
      "f.npy phi.npy",
      "solves Poisson's equation on a box for the right side in a .npy file",
      "laplace(phi) + shift phi = f, in one to three dimensions. Lists have an entry for each axis of "
      "the array, or\n"
      "one for all. Where phi is determined up to a constant only, the defect (what was taken off f to "
      "have a\n"
      "solution) is printed. docs/poisson.md has the mathematics.",
      together(
          {{{"--bc", "LIST", "periodic (default), neumann, dirichlet, neumann-dirichlet, dirichlet-neumann"},
            {"--box", "LIST", "lengths of the box (default: 1)"},
            {"--centring", "LIST", "unknowns in the middle of cells (default: cell) or on nodes (node)"},
            {"--symbols", "S", "second-order (default) or spectral"},
            {"--shift", "X", "the Helmholtz shift (default: 0)"},
            {"--values", "LIST", "on boundaries: 0:low=1.5,2:high=face.npy (default: 0)"},
            {"--tridiagonal", "AXIS", "solve along this axis by tridiagonal sweeps"},
            {"--grid", "AXIS=FILE", "a stretched axis: coordinates of its cell faces or nodes"},
            {"--zero-mode", "Z", "zero-mean (default), pin (first point 0), error (refuse a defect)"},
            {"--precision", "P", "f32 or f64 (default: that of the input)"},
            {"--memory-limit", "BYTES",
             "use at most 4G, 512M, ... of the device's memory (default: no limit)"}},
           {{"--device", "NAME", "cpu (default), best, cuda:0"},
            {"--threads", "N", "threads of a CPU (default: one for each core)"},
            {"--instruction-set", "NAME", "of a CPU, out of `skipper info` (default: the best)"}}}),
      run};
}

}  // namespace skipper::cli
