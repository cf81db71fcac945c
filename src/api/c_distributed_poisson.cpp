// The C interface to Poisson problems over ranks.
#include <skipper/distributed_poisson.h>

#include "api/c_distributed.h"

struct skipper_distributed_poisson {
  skipper::DistributedPoisson poisson;
  int rank = 0;
};

namespace {

using namespace skipper::c;
using skipper::Error;

skipper::Boundary boundary_of(std::string const& argument, int value) {
  if (value == SKIPPER_PERIODIC) return skipper::Boundary::periodic;
  if (value == SKIPPER_NEUMANN) return skipper::Boundary::neumann;
  if (value == SKIPPER_DIRICHLET) return skipper::Boundary::dirichlet;
  refuse(argument.c_str(), value, "SKIPPER_PERIODIC, SKIPPER_NEUMANN or SKIPPER_DIRICHLET");
}

skipper::PoissonAxis axis_of(skipper_poisson_axis const& given, std::string const& at) {
  skipper::PoissonAxis axis;
  axis.size = given.size;
  axis.length = given.length;
  axis.low = boundary_of(at + ".low", given.low);
  axis.high = boundary_of(at + ".high", given.high);
  if (given.centring != SKIPPER_CELL && given.centring != SKIPPER_NODE)
    refuse((at + ".centring").c_str(), given.centring, "SKIPPER_CELL or SKIPPER_NODE");
  axis.centring = given.centring == SKIPPER_CELL ? skipper::Centring::cell : skipper::Centring::node;
  axis.tridiagonal = truth_of((at + ".tridiagonal").c_str(), given.tridiagonal);
  // As many as there are unknowns, or one or two more: what else the count may say is not looked at.
  if (given.coordinates_count < 0 ||
      (given.coordinates_count > 0 && given.coordinates_count - 2 > given.size))
    throw Error(at + ".coordinates_count", "is " + std::to_string(given.coordinates_count) + " for " +
                                               std::to_string(given.size) +
                                               " unknowns; give 0, or as many as the grid has");
  if (given.coordinates_count > 0)
    axis.coordinates.assign(&demanded(given.coordinates, (at + ".coordinates").c_str()),
                            given.coordinates + given.coordinates_count);
  return axis;
}

skipper::PoissonProblem problem_of(int precision, int rank, skipper_poisson_axis const* axes, double shift,
                                   int symbols, int zero_mode) {
  skipper::PoissonProblem problem;
  problem.precision = precision_of(precision);
  if (rank < 1 || rank > 3) throw Error("rank", "is " + std::to_string(rank) + " but must be 1 to 3");
  demanded(axes, "axes");
  for (int a = 0; a < rank; ++a) problem.axes.push_back(axis_of(axes[a], "axes[" + std::to_string(a) + "]"));
  problem.shift = shift;
  if (symbols != SKIPPER_SECOND_ORDER && symbols != SKIPPER_SPECTRAL)
    refuse("symbols", symbols, "SKIPPER_SECOND_ORDER or SKIPPER_SPECTRAL");
  problem.symbols = symbols == SKIPPER_SPECTRAL ? skipper::Symbols::spectral : skipper::Symbols::second_order;
  if (zero_mode != SKIPPER_ZERO_MEAN && zero_mode != SKIPPER_PIN && zero_mode != SKIPPER_ZERO_MODE_ERROR)
    refuse("zero_mode", zero_mode, "SKIPPER_ZERO_MEAN, SKIPPER_PIN or SKIPPER_ZERO_MODE_ERROR");
  problem.zero_mode = zero_mode == SKIPPER_PIN               ? skipper::ZeroMode::pin
                      : zero_mode == SKIPPER_ZERO_MODE_ERROR ? skipper::ZeroMode::error
                                                             : skipper::ZeroMode::zero_mean;
  return problem;
}

/// Values for the points of each face beside this rank's box.
template <class T>
std::vector<skipper::Faces<T>> faces_of(skipper::DistributedPoisson const& poisson, void const* const* low,
                                        void const* const* high) {
  skipper::Box const& box = poisson.in_box();
  std::vector<skipper::Faces<T>> faces;
  for (std::size_t a = 0; a < box.size.size() && (low || high); ++a) {
    std::int64_t points = 1;
    for (std::size_t b = 0; b < box.size.size(); ++b) points *= b == a ? 1 : box.size[b];
    auto const side = [&](void const* const* given) {
      T const* const values = given ? static_cast<T const*>(given[a]) : nullptr;
      return values ? std::vector<T>(values, values + points) : std::vector<T>();
    };
    faces.push_back({side(low), side(high)});
  }
  return faces;
}

template <class T>
double solved(skipper::DistributedPoisson const& poisson, void const* f, void* phi, void const* const* low,
              void const* const* high, skipper::ExecuteSettings const& settings) {
  return poisson
      .solve(static_cast<T const*>(f), static_cast<T*>(phi), faces_of<T>(poisson, low, high), settings)
      .defect;
}

}  // namespace

extern "C" {

int skipper_distributed_poisson_create(skipper_distributed_poisson** poisson, int precision, int rank,
                                       skipper_poisson_axis const* axes, double shift, int symbols,
                                       int zero_mode, skipper_communicator* communicator,
                                       skipper_distributed_settings const* settings) {
  return guarded([&] {
    if (poisson) *poisson = nullptr;
    together(communicator, [&](std::shared_ptr<skipper::Communicator> const& ranks) {
      demanded(poisson, "poisson");
      skipper::PoissonProblem const problem = problem_of(precision, rank, axes, shift, symbols, zero_mode);
      *poisson = new skipper_distributed_poisson{
          skipper::DistributedPoisson(problem, ranks, settings_of(settings, problem.axes.size())),
          ranks->rank()};
    });
  });
}

void skipper_distributed_poisson_destroy(skipper_distributed_poisson* poisson) { delete poisson; }

int skipper_distributed_poisson_solve(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                      void const* const* low, void const* const* high, double* defect) {
  return skipper_distributed_poisson_solve_on(poisson, f, phi, low, high, nullptr, nullptr, defect);
}

int skipper_distributed_poisson_solve_on(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                         void const* const* low, void const* const* high, void* workspace,
                                         void* stream, double* defect) {
  return guarded([&] {
    skipper::ExecuteSettings const settings{workspace, stream};
    skipper::DistributedPoisson const& p = demanded(poisson, "poisson").poisson;
    bool const wide = p.problem().precision == skipper::Precision::f64;
    double const found =
        wide ? solved<double>(p, f, phi, low, high, settings) : solved<float>(p, f, phi, low, high, settings);
    if (defect) *defect = found;
  });
}

int skipper_distributed_poisson_workspace_bytes(skipper_distributed_poisson const* poisson,
                                                long long* bytes) {
  return guarded([&] {
    skipper_distributed_poisson const& p = demanded(poisson, "poisson");
    demanded(bytes, "bytes") = p.poisson.workspace_bytes(p.rank);
  });
}

int skipper_distributed_poisson_in_box(skipper_distributed_poisson const* poisson, int rank, long long* first,
                                       long long* size) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.in_box(rank), first, size); });
}

int skipper_distributed_poisson_out_box(skipper_distributed_poisson const* poisson, int rank,
                                        long long* first, long long* size) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.out_box(rank), first, size); });
}

int skipper_distributed_poisson_elements(skipper_distributed_poisson const* poisson, long long* in,
                                         long long* out) {
  return guarded([&] {
    skipper::DistributedPoisson const& p = demanded(poisson, "poisson").poisson;
    demanded(in, "in") = p.in_elements();
    demanded(out, "out") = p.out_elements();
  });
}

int skipper_distributed_poisson_costs(skipper_distributed_poisson const* poisson, int* exchanges,
                                      long long* sent_bytes, long long* memory_bytes) {
  return guarded(
      [&] { hand_out_costs(demanded(poisson, "poisson").poisson, exchanges, sent_bytes, memory_bytes); });
}

int skipper_distributed_poisson_describe(skipper_distributed_poisson const* poisson, char* text,
                                         long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.describe(), text, size, needed); });
}

}  // extern "C"
