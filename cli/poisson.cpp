// `skipper poisson f.npy phi.npy`: solves Poisson's and Helmholtz' equation for a right side in a file.
#include <skipper/stream_poisson.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "command.h"
#include "format.h"
#include "npy.h"
#include "output_file.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

struct PoissonOptions {
  std::string in, out;
  std::vector<std::string> bc{"periodic"}, box{"1"}, centring{"cell"}, values;
  std::string symbols = "second-order", zero_mode = "zero-mean";
  double shift = 0;
  std::optional<std::string> tridiagonal, grid, precision;
  std::optional<std::int64_t> memory_limit;
  DeviceOptions device;
};

// One word for each axis, or one for all.
std::vector<std::string> for_each_axis(std::string const& option, std::vector<std::string> words,
                                       std::size_t rank) {
  if (words.size() == 1) words.resize(rank, words[0]);
  if (words.size() != rank)
    refuse(formatted("{} has {} entries but the array has {} axes; give one for each, or one for all", option,
                     words.size(), rank));
  return words;
}

std::size_t axis_of(std::string const& option, std::string const& word, std::size_t rank) {
  for (std::size_t i = 0; i < rank; ++i)
    if (word == formatted("{}", i)) return i;
  refuse(formatted("{} names the axis {} but the axes are 0 to {}", option, in_quotes(word), rank - 1));
}

void set_boundaries(std::string const& word, PoissonAxis& axis) {
  auto const side = [&](std::string const& w) {
    for (Boundary const b : {Boundary::periodic, Boundary::neumann, Boundary::dirichlet})
      if (w == name(b)) return b;
    refuse(formatted(
        "--bc has {} but must have periodic, neumann, dirichlet, neumann-dirichlet or dirichlet-neumann",
        in_quotes(word)));
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
  convert(array, {false, Precision::f64});
  auto const* const first = reinterpret_cast<double const*>(array.data.data());
  return {first, first + array.data.size() / sizeof(double)};
}

PoissonProblem problem_of(PoissonOptions const& o, NpyArray const& array) {
  std::size_t const rank = array.shape.size();
  PoissonProblem p;
  p.precision = array.type.precision;
  auto const conditions = for_each_axis("--bc", o.bc, rank);
  auto const lengths = for_each_axis("--box", o.box, rank);
  auto const centrings = for_each_axis("--centring", o.centring, rank);
  for (std::size_t i = 0; i < rank; ++i) {
    PoissonAxis axis;
    axis.size = array.shape[i];
    axis.length = number("--box", lengths[i]);
    set_boundaries(conditions[i], axis);
    if (centrings[i] != "cell" && centrings[i] != "node")
      refuse(formatted("--centring has {} but must have cell or node", in_quotes(centrings[i])));
    axis.centring = centrings[i] == "cell" ? Centring::cell : Centring::node;
    p.axes.push_back(axis);
  }
  if (o.tridiagonal) p.axes[axis_of("--tridiagonal", *o.tridiagonal, rank)].tridiagonal = true;
  if (o.grid) {
    std::vector<std::string> const words = split(*o.grid, '=');
    if (words.size() != 2) refuse("--grid must be an axis and a file, 2=z.npy");
    p.axes[axis_of("--grid", words[0], rank)].coordinates = numbers_of(words[1], array.fortran_order);
  }
  p.shift = o.shift;
  if (o.symbols == "spectral") p.symbols = Symbols::spectral;
  p.zero_mode = o.zero_mode == "pin"     ? ZeroMode::pin
                : o.zero_mode == "error" ? ZeroMode::error
                                         : ZeroMode::zero_mean;
  return p;
}

// "0:low=1.5,2:high=face.npy"
template <class T>
std::vector<Faces<T>> faces_of(PoissonOptions const& o, NpyArray const& array) {
  std::vector<Faces<T>> faces;
  if (o.values.empty()) return faces;
  faces.resize(array.shape.size());
  for (std::string const& entry : o.values) {
    std::size_t const colon = entry.find(':'), equals = entry.find('=');
    if (colon == entry.npos || equals == entry.npos || colon > equals)
      refuse(formatted("--values has {} but must have entries such as 0:low=1.5 or 2:high=face.npy",
                       in_quotes(entry)));
    std::string const side = entry.substr(colon + 1, equals - colon - 1), what = entry.substr(equals + 1);
    Faces<T>& axis = faces[axis_of("--values", entry.substr(0, colon), array.shape.size())];
    if (side != "low" && side != "high")
      refuse(formatted("--values has the side {} but sides are low and high", in_quotes(side)));
    std::vector<double> const values = what.ends_with(".npy") ? numbers_of(what, array.fortran_order)
                                                              : std::vector{number("--values", what)};
    (side == "low" ? axis.low : axis.high).assign(values.begin(), values.end());
  }
  return faces;
}

// In core, or with a limit through buffers of the device, slice by slice.
template <class T>
PoissonResult solved(PoissonOptions const& o, PoissonProblem const& problem, T* data,
                     SolveSettings<T> const& faces) {
  PlanSettings const settings = plan_settings_from(o.device);
  if (!o.memory_limit) return Poisson(problem, settings).solve(data, data, faces);
  std::optional<Progress> progress;
  StreamSettings through;
  through.device = settings.device;
  through.cpu = settings.cpu;
  through.memory_limit = *o.memory_limit;
  through.progress = [&](StreamProgress const& p) {
    if (!progress) progress.emplace(std::size_t(p.slices));
    progress->step("slices of " + o.in);
    return true;
  };
  return StreamPoisson(problem, through).solve(data, data, faces);
}

template <class T>
PoissonResult solved(PoissonOptions const& o, PoissonProblem problem, NpyArray& array) {
  std::vector<Faces<T>> faces = faces_of<T>(o, array);
  if (array.fortran_order) {  // the last axis is the slowest one
    std::reverse(problem.axes.begin(), problem.axes.end());
    std::reverse(faces.begin(), faces.end());
  }
  return solved(o, problem, reinterpret_cast<T*>(array.data.data()), {.faces = std::move(faces)});
}

int run(PoissonOptions const& o) {
  OutputFile out(o.out);
  demand_no_terminal(out);
  NpyArray array = read_npy(o.in);
  if (array.type.complex) throw FileError(o.in + ": it is complex; right sides are real");
  if (array.shape.empty() || array.shape.size() > 3)
    refuse(formatted("the input has {} axes but a box has one to three", array.shape.size()));
  Precision const given = compute_precision(array.type.precision);
  convert(array, {false, o.precision ? precision_named(*o.precision) : given});
  PoissonProblem const problem = problem_of(o, array);
  check(problem);  // in the user's order of axes
  PoissonResult const result = problem.precision == Precision::f32 ? solved<float>(o, problem, array)
                                                                   : solved<double>(o, problem, array);
  write_npy(out, array);
  if (is_singular(problem))
    print(out.is_standard_output() ? stderr : stdout, "defect {:.17g}\n", result.defect);
  return done;
}

}  // namespace

Command poisson_command(CLI::App& program) {
  auto const o = std::make_shared<PoissonOptions>();
  CLI::App& c =
      add_command(program, "poisson", "solves Poisson's equation on a box for the right side in a .npy file",
                  "laplace(phi) + shift phi = f, in one to three dimensions. Lists have an entry for each "
                  "axis of the array, or\n"
                  "one for all. Where phi is determined up to a constant only, the defect (what was taken "
                  "off f to have a\n"
                  "solution) is printed. docs/poisson.md has the mathematics.");
  add_operand(c, "f.npy", o->in, "the right side");
  add_operand(c, "phi.npy", o->out, "where the solution goes");
  add_list(c, "--bc", o->bc, "periodic (default), neumann, dirichlet, neumann-dirichlet, dirichlet-neumann");
  add_list(c, "--box", o->box, "lengths of the box (default: 1)");
  add_list(c, "--centring", o->centring,
           "unknowns in the middle of cells (default: cell) or on nodes (node)");
  add_choice(c, "--symbols", "S", o->symbols, {"second-order", "spectral"},
             "second-order (default) or spectral");
  add_number(c, "--shift", "X", o->shift, -INFINITY, "the Helmholtz shift (default: 0)");
  add_list(c, "--values", o->values, "on boundaries: 0:low=1.5,2:high=face.npy (default: 0)");
  add_text(c, "--tridiagonal", "AXIS", o->tridiagonal, "solve along this axis by tridiagonal elimination");
  add_text(c, "--grid", "AXIS=FILE", o->grid, "a stretched axis: coordinates of its cell faces or nodes");
  add_choice(c, "--zero-mode", "Z", o->zero_mode, {"zero-mean", "pin", "error"},
             "zero-mean (default), pin (first point 0), error (refuse a defect)");
  add_choice(c, "--precision", "P", o->precision, {"f32", "f64"}, "f32 or f64 (default: that of the input)");
  add_bytes(c, "--memory-limit", o->memory_limit,
            "use buffers of at most 4G, 512M, ..., on a GPU of its memory (default: no limit)");
  device_options(c, o->device);
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
