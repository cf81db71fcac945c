// Solves, put back into the discrete equation: it must hold to rounding. Every mix of boundaries and centrings.
#include "poisson/solver.h"

#include <gtest/gtest.h>

#include <limits>

#include "poisson/laplacian.h"

namespace skipper {
namespace {

constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

std::string text(PoissonProblem const& p) {
  std::string result;
  for (PoissonAxis const& a : p.axes)
    result += std::to_string(a.size) + " " + std::string(name(a.low)) + " " + std::string(name(a.high)) +
              (a.centring == Centring::cell ? " cell" : " node") + (a.tridiagonal ? " swept, " : ", ");
  return result + "shift " + std::to_string(p.shift);
}

double largest(std::vector<double> const& v) {
  return testing::largest_difference(v, std::vector<double>(v.size()));
}

template <class T>
void expect_solved(PoissonProblem p, std::vector<Faces<T>> const& faces = {}) {
  SCOPED_TRACE(text(p));
  p.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  poisson::Solver<T> const solver(p, cpu::host_machine(), {2, ""});
  std::vector<T> const f = testing::noise<T>(testing::count(p));
  std::vector<T> phi(f.size(), T(7));
  double const defect = solver.solve(f.data(), phi.data(), faces).defect;
  EXPECT_EQ(f, testing::noise<T>(testing::count(p))) << "input changed";
  std::vector<double> rest = testing::laplacian(p, phi, faces);
  double norm = std::fabs(p.shift), size = 1;
  for (PoissonAxis const& a : p.axes) norm += 4 / std::pow(testing::step(a), 2);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] -= double(f[i]) - defect;
    size = std::max(size, norm * std::fabs(double(phi[i])));
  }
  for (Faces<T> const& face : faces)
    for (auto const& side : {face.low, face.high})
      for (T const v : side) size = std::max(size, norm * std::fabs(double(v)));
  EXPECT_LT(largest(rest), 20 * double(std::numeric_limits<T>::epsilon()) * size);
  EXPECT_TRUE(is_singular(p) || defect == 0);

  std::vector<T> here = f;  // in place: the same bits
  solver.solve(here.data(), here.data(), faces);
  EXPECT_EQ(here, phi);
}

PoissonAxis axis(std::int64_t n, double length, Boundary low, Boundary high,
                 Centring centring = Centring::cell, bool swept = false) {
  return {n, length, low, high, centring, swept, {}};
}

template <class T>
void expect_solved_with_shifts(PoissonProblem p) {
  for (double const shift : {0.0, -2.5}) {
    p.shift = shift;
    expect_solved<T>(p);
  }
}

TEST(Solver, Periodic) {
  for (std::int64_t const n : {1, 2, 3, 8, 17, 60}) {
    PoissonProblem p;
    p.axes = {axis(n, 2, P, P)};
    expect_solved_with_shifts<double>(p);
    p.axes = {axis(n, 2, P, P), axis(12, 1, P, P)};
    expect_solved_with_shifts<double>(p);
    expect_solved_with_shifts<float>(p);
    p.axes = {axis(n, 2, P, P), axis(5, 1, P, P), axis(9, 3, P, P)};
    expect_solved_with_shifts<double>(p);
    expect_solved_with_shifts<float>(p);
  }
}

// Each place of the swept axis, each pair of its ends.
TEST(Solver, TridiagonalWithPeriodicAxes) {
  for (std::size_t at = 0; at < 3; ++at)
    for (Centring const centring : {Centring::cell, Centring::node})
      for (Boundary const low : {N, D})
        for (Boundary const high : {N, D}) {
          PoissonProblem p;
          p.axes = {axis(6, 1, P, P), axis(5, 2, P, P), axis(8, 1, P, P)};
          p.axes[at] = axis(11, 1.5, low, high, centring, true);
          expect_solved_with_shifts<double>(p);
          expect_solved_with_shifts<float>(p);
        }
}

TEST(Solver, TridiagonalAlone) {
  for (Boundary const low : {N, D})
    for (Boundary const high : {N, D}) {
      PoissonProblem p;
      p.axes = {axis(300, 1.5, low, high, Centring::cell, true)};
      expect_solved_with_shifts<double>(p);
    }
}

// More columns than a tile holds, the last tile being smaller.
TEST(Solver, ManyTiles) {
  PoissonProblem p;
  p.axes = {axis(64, 1, P, P), axis(33, 2, P, P), axis(40, 1, P, P)};
  expect_solved<float>(p);
  p.axes[1] = axis(33, 2, N, D, Centring::cell, true);
  expect_solved<float>(p);
  p.axes[1] = axis(33, 2, P, P);
  p.axes[2] = axis(40, 2, N, N, Centring::cell, true);
  expect_solved<float>(p);
}

TEST(Solver, FacesThatAreNotZero) {
  for (Centring const centring : {Centring::cell, Centring::node})
    for (Boundary const low : {N, D})
      for (Boundary const high : {N, D}) {
        PoissonProblem p;
        for (bool const swept : {true, false}) {
          p.axes = {axis(6, 1, P, P), axis(7, 2, low, high, centring, swept), axis(4, 1, P, P)};
          expect_solved<double>(p, {{}, {{0.5}, testing::noise<double>(24)}, {}});
          expect_solved<float>(p, {{}, {testing::noise<float>(24), {}}, {}});
          p.axes[0] = axis(6, 1, high, low);
          expect_solved<double>(
              p, {{testing::noise<double>(28), {0.25}}, {{0.5}, testing::noise<double>(24)}, {}});
        }
      }
}

/// Every pair of ends with every centring, n unknowns; what one node cannot hold is left out.
std::vector<PoissonAxis> every_axis(std::int64_t n, double length) {
  std::vector<PoissonAxis> axes = {axis(n, length, P, P), axis(n, length, P, P, Centring::node)};
  for (Centring const centring : {Centring::cell, Centring::node})
    for (Boundary const low : {N, D})
      for (Boundary const high : {N, D})
        if (n > 1 || centring == Centring::cell) axes.push_back(axis(n, length, low, high, centring));
  return axes;
}

TEST(Solver, EveryAxisAlone) {
  for (std::int64_t const n : {1, 2, 3, 8, 17, 64, 101})
    for (PoissonAxis const& a : every_axis(n, 1.25)) {
      PoissonProblem p;
      p.axes = {a};
      expect_solved_with_shifts<double>(p);
      expect_solved_with_shifts<float>(p);
    }
}

TEST(Solver, EveryPairOfAxes) {
  for (PoissonAxis const& a : every_axis(7, 2))
    for (PoissonAxis const& b : every_axis(12, 1)) {
      PoissonProblem p;
      p.axes = {a, b};
      expect_solved<double>(p);
      p.shift = -1;
      expect_solved<float>(p);
    }
}

// Boxes of one cell across, of prime and odd sizes beside it.
TEST(Solver, AxesOfOneCell) {
  for (PoissonAxis const& one : every_axis(1, 0.5))
    for (PoissonAxis const& a : every_axis(7, 2)) {
      PoissonProblem p;
      for (auto const& axes : {std::vector{one, a}, {a, one}, {one, a, one}, {a, one, axis(3, 1, P, P)}}) {
        p.axes = axes;
        expect_solved_with_shifts<double>(p);
        expect_solved_with_shifts<float>(p);
      }
    }
}

TEST(Solver, EveryTripleOfAxes) {
  auto const first = every_axis(5, 1), second = every_axis(6, 2), third = every_axis(9, 1.5);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j)
      for (std::size_t k = 0; k < third.size(); k += 1 + (i + j) % 3) {
        PoissonProblem p;
        p.axes = {first[i], second[j], third[k]};
        expect_solved<double>(p);
      }
}

// Two periodic axes and a Neumann one, the paper's case: by cosines and by sweeps.
TEST(Solver, CosinesAndSweepsAgree) {
  for (std::size_t at = 0; at < 3; ++at) {
    PoissonProblem p;
    p.precision = Precision::f64;
    p.axes = {axis(12, 1, P, P), axis(10, 1, P, P), axis(16, 1, P, P)};
    p.axes[at] = axis(20, 1, N, N);
    std::vector<double> const f = testing::noise<double>(testing::count(p));
    std::vector<double> cosines(f.size()), swept(f.size());
    poisson::Solver<double>(p, cpu::host_machine(), {1, ""}).solve(f.data(), cosines.data(), {});
    p.axes[at].tridiagonal = true;
    poisson::Solver<double>(p, cpu::host_machine(), {1, ""}).solve(f.data(), swept.data(), {});
    EXPECT_LT(testing::largest_difference(cosines, swept), 1e-13);
  }
}

TEST(Solver, ThreadsChangeNoBit) {
  PoissonProblem p;
  p.axes = {axis(20, 1, P, P), axis(30, 2, N, N, Centring::cell, true), axis(16, 1, P, P)};
  std::vector<float> const f = testing::noise<float>(testing::count(p));
  std::vector<float> one(f.size()), four(f.size());
  poisson::Solver<float>(p, cpu::host_machine(), {1, ""}).solve(f.data(), one.data(), {});
  poisson::Solver<float>(p, cpu::host_machine(), {4, ""}).solve(f.data(), four.data(), {});
  EXPECT_EQ(one, four);
}

// What no memory holds is refused by its size, before tables are made.
TEST(Solver, RefusesWhatCannotFit) {
  Machine machine = cpu::host_machine();
  machine.memory_bytes = Index(16) << 30;
  for (bool const tridiagonal : {false, true})
    for (std::vector<Index> const& sizes : {std::vector<Index>{Index(1) << 29},
                                            {Index(1) << 31},
                                            {Index(1) << 55},
                                            {Index(1) << 31, 3},
                                            {4, Index(1) << 40},
                                            {Index(1) << 18, Index(1) << 18, Index(1) << 18}}) {
      PoissonProblem problem;
      problem.precision = Precision::f64;
      for (Index const n : sizes) problem.axes.push_back({n, 1, D, D, Centring::node, false, {}});
      problem.axes[0].tridiagonal = tridiagonal;
      try {
        poisson::Solver<double> const solver(problem, machine, {});
        ADD_FAILURE() << "plans for " << sizes[0] << " points";
      } catch (Error const& e) {
        EXPECT_NE(std::string(e.what()).find("bytes of memory"), std::string::npos) << e.what();
      }
    }
}

}  // namespace
}  // namespace skipper
