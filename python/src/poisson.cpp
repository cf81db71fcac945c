// skipper._core.Poisson and StreamPoisson: solvers of Poisson and Helmholtz problems on a box, in memory or slice by slice.
#include <skipper/stream_poisson.h>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <functional>
#include <memory>
#include <type_traits>

#include "bindings.h"
#include "gil.h"
#include "progress.h"
#include "run.h"
#include "words.h"

namespace skipper::python {
namespace {

using Values = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Boundary boundary_of(std::string const& word) {
  return value_of<Boundary>(
      "bc", word,
      {{"periodic", Boundary::periodic}, {"neumann", Boundary::neumann}, {"dirichlet", Boundary::dirichlet}});
}

PoissonAxis axis_of(std::int64_t size, double length, std::string const& low, std::string const& high,
                    std::string const& centring, bool tridiagonal, std::vector<double> coordinates) {
  PoissonAxis axis;
  axis.size = size;
  axis.length = length;
  axis.low = boundary_of(low);
  axis.high = boundary_of(high);
  axis.centring =
      value_of<Centring>("centring", centring, {{"cell", Centring::cell}, {"node", Centring::node}});
  axis.tridiagonal = tridiagonal;
  axis.coordinates = std::move(coordinates);
  return axis;
}

PoissonProblem problem_of(std::vector<PoissonAxis> axes, std::string const& precision, bool complex,
                          double shift, std::string const& symbols, std::string const& zero_mode) {
  PoissonProblem problem;
  problem.axes = std::move(axes);
  problem.precision = precision_of(precision);
  problem.complex = complex;
  problem.shift = shift;
  problem.symbols = value_of<Symbols>(
      "symbols", symbols, {{"second_order", Symbols::second_order}, {"spectral", Symbols::spectral}});
  problem.zero_mode = value_of<ZeroMode>(
      "zero_mode", zero_mode,
      {{"zero_mean", ZeroMode::zero_mean}, {"pin", ZeroMode::pin}, {"error", ZeroMode::error}});
  return problem;
}

// Low and high values of each axis, one after the other: 2 for every axis, or none at all.
template <class T>
std::vector<Faces<T>> faces_of(std::vector<Values> const& values) {
  std::vector<Faces<T>> faces(values.size() / 2);
  auto const copy = [](Values const& from) { return std::vector<T>(from.data(), from.data() + from.size()); };
  for (std::size_t i = 0; i < faces.size(); ++i) faces[i] = {copy(values[2 * i]), copy(values[2 * i + 1])};
  return faces;
}

// A solve as a function that owns what it needs but the arrays. Called with the GIL, because of `values`.
template <class T, class Solver>
std::function<PoissonResult()> real_solve(Solver const& solver, void const* f, void* phi,
                                          std::vector<Values> const& values,
                                          ExecuteSettings const& settings) {
  auto const* const from = static_cast<T const*>(f);
  auto* const to = static_cast<T*>(phi);
  SolveSettings<T> given{
      .faces = faces_of<T>(values), .workspace = settings.workspace, .stream = settings.stream};
  return [=, given = std::move(given)] { return solver.solve(from, to, given); };
}

template <class T>
std::function<PoissonResult()> complex_solve(StreamPoisson const& solver, void const* f, void* phi,
                                             ExecuteSettings const& settings) {
  auto const* const from = static_cast<std::complex<T> const*>(f);
  auto* const to = static_cast<std::complex<T>*>(phi);
  return [=] { return solver.solve(from, to, settings); };
}

template <class Solver>
std::function<PoissonResult()> solve_of(Solver const& solver, void const* f, void* phi,
                                        std::vector<Values> const& values, ExecuteSettings const& settings) {
  PoissonProblem const& problem = solver.problem();
  bool const is_double = problem.precision == Precision::f64;
  if constexpr (std::is_same_v<Solver, StreamPoisson>) {
    if (problem.complex && !values.empty())
      throw Error("values", "are not taken for complex f; solve for its real and its imaginary part");
    if (problem.complex)
      return is_double ? complex_solve<double>(solver, f, phi, settings)
                       : complex_solve<float>(solver, f, phi, settings);
  }
  return is_double ? real_solve<double>(solver, f, phi, values, settings)
                   : real_solve<float>(solver, f, phi, values, settings);
}

std::int64_t bytes_of(PoissonProblem const& problem) {
  std::int64_t bytes = problem.precision == Precision::f64 ? 8 : 4;
  for (PoissonAxis const& axis : problem.axes) bytes *= axis.size;
  return bytes;
}

// (whether it came to its end, the defect). Streamed solves look for Ctrl-C between slices, others on the CPU where they are long.
template <class Solver>
nb::tuple solve(Solver const& solver, std::uintptr_t f, std::uintptr_t phi, std::vector<Values> const& faces,
                std::uintptr_t stream, std::uintptr_t workspace, nb::object progress, nb::handle owner) {
  auto const work = solve_of(solver, pointer(f), pointer(phi), faces, execution(stream, workspace));
  auto const result = std::make_shared<PoissonResult>();
  auto const into_result = [work, result] { *result = work(); };
  bool finished = true;
  if constexpr (std::is_same_v<Solver, StreamPoisson>) {
    ProgressScope scope(std::move(progress));
    finished = scope.run(into_result);
  } else {
    bool const is_on_cpu = solver.device().name() == "cpu";
    run_work(into_result, is_on_cpu ? 2 * bytes_of(solver.problem()) : 0, {owner, owner});
  }
  return nb::make_tuple(finished, result->defect);
}

// What both solvers have.
template <class Solver>
nb::class_<Solver> bind_solver(nb::module_& m, char const* name) {
  return nb::class_<Solver>(m, name)
      .def("solve", &solve<Solver>, nb::arg("f"), nb::arg("phi"), nb::arg("faces"), nb::arg("stream"),
           nb::arg("workspace"), nb::arg("progress").none(), nb::arg("owner"))
      .def("describe", &Solver::describe)
      .def_prop_ro("workspace_bytes", &Solver::workspace_bytes)
      .def_prop_ro("device", [](Solver const& self) { return self.device().name(); });
}

}  // namespace

void bind_poisson(nb::module_& m) {
  nb::class_<PoissonAxis>(m, "PoissonAxis")
      .def("__init__",
           [](PoissonAxis* self, std::int64_t size, double length, std::string const& low,
              std::string const& high, std::string const& centring, bool tridiagonal,
              std::vector<double> coordinates) {
             new (self)
                 PoissonAxis(axis_of(size, length, low, high, centring, tridiagonal, std::move(coordinates)));
           })
      .def("points", [](PoissonAxis const& self) { return points(self); });
  nb::class_<PoissonProblem>(m, "PoissonProblem")
      .def("__init__",
           [](PoissonProblem* self, std::vector<PoissonAxis> axes, std::string const& precision, bool complex,
              double shift, std::string const& symbols, std::string const& zero_mode) {
             PoissonProblem problem =
                 problem_of(std::move(axes), precision, complex, shift, symbols, zero_mode);
             check(problem);
             new (self) PoissonProblem(std::move(problem));
           })
      .def_prop_ro("is_singular", [](PoissonProblem const& self) { return is_singular(self); });
  bind_solver<Poisson>(m, "Poisson")
      .def("__init__",
           [](Poisson* self, PoissonProblem const& problem, std::string const& device, int threads) {
             ReleasedGil const released;
             new (self) Poisson(problem, settings_of(device, threads));
           });
  bind_solver<StreamPoisson>(m, "StreamPoisson")
      .def("__init__",
           [](StreamPoisson* self, PoissonProblem const& problem, std::string const& device, int threads,
              std::int64_t memory_limit, std::string const& strategy) {
             ReleasedGil const released;
             new (self) StreamPoisson(problem, stream_settings(device, threads, memory_limit, strategy));
           })
      .def_prop_ro("device_bytes", &StreamPoisson::device_bytes)
      .def_prop_ro("trips", &StreamPoisson::trips);
}

}  // namespace skipper::python
