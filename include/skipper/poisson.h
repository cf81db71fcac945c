// Poisson and Helmholtz problems on a box: laplace(phi) + shift phi = f in one, two or three dimensions, solved
// directly by transforms along the axes (and, where asked, tridiagonal elimination along one of them). Each axis is
// periodic, or has a Neumann or Dirichlet condition on either side. The mathematics is in docs/poisson.md.
//
//   skipper::PoissonProblem problem;
//   problem.axes = {{64}, {64, 1.0, skipper::Boundary::neumann, skipper::Boundary::neumann}};
//   skipper::Poisson poisson(problem);
//   double defect = poisson.solve(f, phi).defect;   // float const* f; float* phi; both 64 x 64, row-major
#pragma once

#include <skipper/plan.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skipper {

// periodic stands on both sides of an axis or on neither. neumann: the derivative is given; dirichlet: the value.
enum class Boundary { periodic, neumann, dirichlet };

// Where the unknowns of an axis are. cell: in the middle of n equal cells, boundaries on the outer faces.
// node: on nodes, boundaries on nodes. Only unknowns are stored: a Dirichlet node is not, nor is the second of the
// two ends of a period that are one point. So n nodes are L/n apart, but L/(n-1) between two Neumann ends and L/(n+1)
// between two Dirichlet ends.
enum class Centring { cell, node };

struct PoissonAxis {
  std::int64_t size = 1;  // unknowns
  double length = 1;      // of the box, L
  Boundary low = Boundary::periodic, high = Boundary::periodic;
  Centring centring = Centring::cell;

  // Solve along this axis by tridiagonal elimination, always of second order; for one axis at most, and not a periodic one.
  bool tridiagonal = false;

  // A stretched grid, increasing; implies tridiagonal, and `length` is ignored. cell: the n+1 faces of the cells, whose
  // middles the unknowns are. node: all nodes, also those of Dirichlet ends.
  std::vector<double> coordinates = {};

  bool operator==(PoissonAxis const&) const = default;
};

// second_order: the three-point Laplacian, which the solution then satisfies exactly. spectral: the Laplacian of the
// trigonometric interpolant; f should be smooth across the boundaries when it is continued by their symmetry.
enum class Symbols { second_order, spectral };

// What is done where only the mean of phi is undetermined: no Dirichlet side anywhere and no shift.
// zero_mean: phi has mean zero. pin: phi is zero at its first point. error: as zero_mean, but a right side without a
// solution (a defect beyond rounding) is an Error, and phi is then untouched.
enum class ZeroMode { zero_mean, pin, error };

struct PoissonProblem {
  Precision precision = Precision::f32;
  std::vector<PoissonAxis> axes = {};  // slowest first; one to three
  double shift = 0;  // zero or below: always solvable. Above: Error where it meets an eigenvalue
  Symbols symbols = Symbols::second_order;
  ZeroMode zero_mode = ZeroMode::zero_mean;

  // f and phi are complex: two problems at once. For StreamPoisson alone, and without boundary values.
  bool complex = false;

  bool operator==(PoissonProblem const&) const = default;
};

// What is prescribed on the two sides of an axis: phi where the side is Dirichlet, its derivative along the axis (on
// both sides towards larger coordinates) where it is Neumann. Empty: zero. One number: everywhere. Else one for each
// point of the face, the other axes in their order.
template <class T>
struct Faces {
  std::vector<T> low = {}, high = {};
};

// GCC 12 fails on {{low, {}}, {}} in a template unless it has looked at these before.
static_assert(std::is_nothrow_default_constructible_v<Faces<float>> &&
              std::is_nothrow_default_constructible_v<Faces<double>>);

// What a solve may be given beside its arrays, by name: solve(f, phi, {.faces = faces, .stream = stream}).
template <class T>
struct SolveSettings {
  ExecuteSettings::ByName by_name = ExecuteSettings::ByName(0);  // has no value to give, as in execute.h

  std::vector<Faces<T>> faces = {};  // boundary values: an entry for each axis; empty: zero everywhere
  std::size_t workspace_bytes = 0;   // and the next two: as in ExecuteSettings
  void* workspace = nullptr;
  void* stream = nullptr;
};

struct PoissonResult {
  // The mean of f, less what flows in through the boundaries: what had to be taken off f to have a solution. Zero where
  // every f has one.
  double defect = 0;
};

// Throws Error unless the problem can be solved as it stands.
void check(PoissonProblem const& problem);

// Whether phi is determined only up to a constant.
bool is_singular(PoissonProblem const& problem);

// Where the unknowns of an axis are. Throws Error for an axis that check() would refuse.
std::vector<double> points(PoissonAxis const& axis);

// A value as plans are, and empty when moved from. For arrays that a device does not hold there is StreamPoisson
// (stream_poisson.h).
class Poisson {
 public:
  // Throws Error where the problem makes no sense. Devices and arrays are as a plan's: on the best device unless the settings
  // name one, on a GPU arrays are the device's, or staged. Functions on load and store, programs and tuning files are
  // plans' alone: giving them is an Error.
  explicit Poisson(PoissonProblem const& problem, PlanSettings const& settings = {});

  // Both arrays are dense and row-major; they may be one. The type must be that of the problem's precision. Any number of
  // threads may solve at once, each on its own arrays.
  //
  // Workspace and stream as a plan's. On a GPU phi is there when the stream is. Where phi is determined only up to a constant
  // a solve waits for the defect, so that it cannot be captured into a graph. Values on boundaries may take memory beside the
  // workspace.
  PoissonResult solve(float const* f, float* phi, SolveSettings<float> const& settings = {}) const;
  PoissonResult solve(double const* f, double* phi, SolveSettings<double> const& settings = {}) const;

  // Memory that solve() needs beyond the two arrays: the size of settings.workspace.
  std::size_t workspace_bytes() const;

  Device const& device() const;
  PoissonProblem const& problem() const;

  // What solve() does, step by step, as text.
  std::string describe() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

std::string_view name(Boundary boundary);

}  // namespace skipper
