// The C interface to Poisson solvers.
#include "api/c_poisson.h"

#include <skipper/stream_poisson.h>

#include "api/c_problem.h"

struct skipper_poisson {
  skipper::Poisson poisson;
};

struct skipper_stream_poisson {
  skipper::StreamPoisson poisson;
};

namespace skipper::c {
namespace {

Boundary boundary_of(std::string const& argument, int value) {
  if (value == SKIPPER_BOUNDARY_PERIODIC) return Boundary::periodic;
  if (value == SKIPPER_BOUNDARY_NEUMANN) return Boundary::neumann;
  if (value == SKIPPER_BOUNDARY_DIRICHLET) return Boundary::dirichlet;
  refuse(argument.c_str(), value,
         "SKIPPER_BOUNDARY_PERIODIC, SKIPPER_BOUNDARY_NEUMANN or SKIPPER_BOUNDARY_DIRICHLET");
}

PoissonAxis axis_of(skipper_poisson_axis const& given, std::string const& at) {
  PoissonAxis axis;
  axis.size = given.size;
  axis.length = given.length;
  axis.low = boundary_of(at + ".low", given.low);
  axis.high = boundary_of(at + ".high", given.high);
  if (given.centring != SKIPPER_CENTRING_CELL && given.centring != SKIPPER_CENTRING_NODE)
    refuse((at + ".centring").c_str(), given.centring, "SKIPPER_CENTRING_CELL or SKIPPER_CENTRING_NODE");
  axis.centring = given.centring == SKIPPER_CENTRING_CELL ? Centring::cell : Centring::node;
  axis.tridiagonal = truth_of((at + ".tridiagonal").c_str(), given.tridiagonal);
  // As many as there are unknowns, or one or two more: what else the count may say is not looked at.
  if (given.coordinates_count < 0 ||
      (given.coordinates_count > 0 && given.coordinates_count - 2 > given.size))
    throw Error(at + ".coordinates_count", "is " + std::to_string(given.coordinates_count) + " for " +
                                               std::to_string(given.size) +
                                               " unknowns; give 0, or as many as the grid has");
  if (given.coordinates_count == 0 && given.coordinates)
    throw Error(at + ".coordinates",
                "is given but coordinates_count is 0; say how many, or give a null pointer");
  if (given.coordinates_count > 0)
    axis.coordinates.assign(&demanded(given.coordinates, (at + ".coordinates").c_str()),
                            given.coordinates + given.coordinates_count);
  return axis;
}

}  // namespace

PoissonProblem poisson_of(skipper_poisson_problem const* given) {
  skipper_poisson_problem const& g = demanded(given, "problem");
  PoissonProblem problem;
  problem.precision = precision_of(g.precision);
  problem.complex = truth_of("is_complex", g.is_complex);
  if (g.rank < 1 || g.rank > 3) throw Error("rank", "is " + std::to_string(g.rank) + " but must be 1 to 3");
  demanded(g.axes, "axes");
  for (int a = 0; a < g.rank; ++a)
    problem.axes.push_back(axis_of(g.axes[a], "axes[" + std::to_string(a) + "]"));
  problem.shift = g.shift;
  if (g.symbols != SKIPPER_SYMBOLS_SECOND_ORDER && g.symbols != SKIPPER_SYMBOLS_SPECTRAL)
    refuse("symbols", g.symbols, "SKIPPER_SYMBOLS_SECOND_ORDER or SKIPPER_SYMBOLS_SPECTRAL");
  problem.symbols = g.symbols == SKIPPER_SYMBOLS_SPECTRAL ? Symbols::spectral : Symbols::second_order;
  if (g.zero_mode != SKIPPER_ZERO_MODE_ZERO_MEAN && g.zero_mode != SKIPPER_ZERO_MODE_PIN &&
      g.zero_mode != SKIPPER_ZERO_MODE_ERROR)
    refuse("zero_mode", g.zero_mode,
           "SKIPPER_ZERO_MODE_ZERO_MEAN, SKIPPER_ZERO_MODE_PIN or SKIPPER_ZERO_MODE_ERROR");
  problem.zero_mode = g.zero_mode == SKIPPER_ZERO_MODE_PIN     ? ZeroMode::pin
                      : g.zero_mode == SKIPPER_ZERO_MODE_ERROR ? ZeroMode::error
                                                               : ZeroMode::zero_mean;
  return problem;
}

}  // namespace skipper::c

namespace {

using namespace skipper::c;

std::vector<std::int64_t> sizes_of(skipper::PoissonProblem const& problem) {
  std::vector<std::int64_t> sizes;
  for (skipper::PoissonAxis const& axis : problem.axes) sizes.push_back(axis.size);
  return sizes;
}

double solved_complex(skipper::StreamPoisson const& poisson, void const* f, void* phi,
                      skipper_solve_settings const& given) {
  if (given.low || given.high)
    throw skipper::Error(given.low ? "low" : "high",
                         "is given but a complex problem takes no values; give a null pointer");
  skipper::ExecuteSettings const settings = {.workspace_bytes = size_of(given.workspace_bytes),
                                             .workspace = given.workspace,
                                             .stream = given.stream};
  if (poisson.problem().precision == skipper::Precision::f64)
    return poisson
        .solve(static_cast<std::complex<double> const*>(f), static_cast<std::complex<double>*>(phi), settings)
        .defect;
  return poisson
      .solve(static_cast<std::complex<float> const*>(f), static_cast<std::complex<float>*>(phi), settings)
      .defect;
}

}  // namespace

extern "C" {

skipper_poisson_axis skipper_poisson_axis_default(void) {
  skipper_poisson_axis axis = {};
  axis.size = 1;
  axis.length = 1;
  return axis;
}

skipper_solve_settings skipper_solve_settings_default(void) { return {}; }

skipper_poisson_problem skipper_poisson_problem_default(void) {
  skipper_poisson_problem problem = {};
  problem.precision = SKIPPER_F32;
  return problem;
}

int skipper_poisson_is_singular(skipper_poisson_problem const* problem, int* singular) {
  return guarded([&] {
    skipper::PoissonProblem const p = poisson_of(problem);
    check(p);
    demanded(singular, "singular") = is_singular(p);
  });
}

int skipper_poisson_points(skipper_poisson_axis const* axis, double* given) {
  return guarded([&] {
    std::vector<double> const places = skipper::points(axis_of(demanded(axis, "axis"), "axis"));
    std::copy(places.begin(), places.end(), &demanded(given, "points"));
  });
}

int skipper_poisson_create(skipper_poisson** poisson, skipper_poisson_problem const* problem,
                           skipper_plan_settings const* settings) {
  return guarded([&] {
    demanded(poisson, "poisson") = nullptr;
    *poisson = new skipper_poisson{skipper::Poisson(poisson_of(problem), settings_of(settings))};
  });
}

void skipper_poisson_destroy(skipper_poisson* poisson) { delete poisson; }

int skipper_poisson_solve(skipper_poisson const* poisson, void const* f, void* phi, double* defect) {
  return skipper_poisson_solve_on(poisson, f, phi, nullptr, defect);
}

int skipper_poisson_solve_on(skipper_poisson const* poisson, void const* f, void* phi,
                             skipper_solve_settings const* settings, double* defect) {
  return guarded([&] {
    skipper::Poisson const& p = demanded(poisson, "poisson").poisson;
    hand_out(solved(p, sizes_of(p.problem()), f, phi, settings), defect);
  });
}

int skipper_poisson_workspace_bytes(skipper_poisson const* poisson, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") = static_cast<long long>(demanded(poisson, "poisson").poisson.workspace_bytes());
  });
}

int skipper_poisson_device(skipper_poisson const* poisson, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.device().name(), text, size, needed); });
}

int skipper_poisson_describe(skipper_poisson const* poisson, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.describe(), text, size, needed); });
}

int skipper_stream_poisson_create(skipper_stream_poisson** poisson, skipper_poisson_problem const* problem,
                                  skipper_stream_settings const* settings) {
  return guarded([&] {
    demanded(poisson, "poisson") = nullptr;
    *poisson = new skipper_stream_poisson{skipper::StreamPoisson(poisson_of(problem), settings_of(settings))};
  });
}

void skipper_stream_poisson_destroy(skipper_stream_poisson* poisson) { delete poisson; }

int skipper_stream_poisson_solve(skipper_stream_poisson const* poisson, void const* f, void* phi,
                                 double* defect) {
  return skipper_stream_poisson_solve_on(poisson, f, phi, nullptr, defect);
}

int skipper_stream_poisson_solve_on(skipper_stream_poisson const* poisson, void const* f, void* phi,
                                    skipper_solve_settings const* settings, double* defect) {
  return guarded([&] {
    skipper::StreamPoisson const& p = demanded(poisson, "poisson").poisson;
    skipper_solve_settings const none = {};
    hand_out(p.problem().complex ? solved_complex(p, f, phi, settings ? *settings : none)
                                 : solved(p, sizes_of(p.problem()), f, phi, settings),
             defect);
  });
}

int skipper_stream_poisson_workspace_bytes(skipper_stream_poisson const* poisson, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") = static_cast<long long>(demanded(poisson, "poisson").poisson.workspace_bytes());
  });
}

int skipper_stream_poisson_costs(skipper_stream_poisson const* poisson, int* trips, long long* device_bytes) {
  return guarded([&] {
    skipper::StreamPoisson const& p = demanded(poisson, "poisson").poisson;
    if (trips) *trips = p.trips();
    if (device_bytes) *device_bytes = p.device_bytes();
  });
}

int skipper_stream_poisson_device(skipper_stream_poisson const* poisson, char* text, long long size,
                                  long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.device().name(), text, size, needed); });
}

int skipper_stream_poisson_describe(skipper_stream_poisson const* poisson, char* text, long long size,
                                    long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.describe(), text, size, needed); });
}

}  // extern "C"
