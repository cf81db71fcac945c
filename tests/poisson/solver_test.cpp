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
        p.axes = {axis(6, 1, P, P), axis(7, 2, low, high, centring, true), axis(4, 1, P, P)};
        expect_solved<double>(p, {{}, {{0.5}, testing::noise<double>(24)}, {}});
        expect_solved<float>(p, {{}, {testing::noise<float>(24), {}}, {}});
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

}  // namespace
}  // namespace skipper
