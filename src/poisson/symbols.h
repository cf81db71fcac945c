// What an axis of a Poisson problem becomes: its spacing, the transforms that diagonalise its second derivative, and
// the eigenvalues (the symbol). P is periodic, N Neumann, D Dirichlet, at the low and at the high end; n unknowns with spacing h on a
// length L; w is the frequency of mode k.
//
//            cell-centred         node-centred         eigenvalue of mode k, second order   spectral
//   P  P     Fourier              Fourier              -(2/h sin(pi k/n))^2                 -(2 pi k/L)^2, |k| <= n/2
//   N  N     dct2, back dct3      dct1, back dct1      -(2/h sin(h/2 w))^2                  -w^2,  w = pi k/L
//   D  D     dst2, back dst3      dst1, back dst1      the same                             w = pi (k+1)/L
//   N  D     dct4, back dct4      dct3, back dct2      the same                             w = pi (k+1/2)/L
//   D  N     dst4, back dst4      dst3, back dst2      the same                             w = pi (k+1/2)/L
#pragma once

#include <skipper/poisson.h>

#include <vector>

namespace skipper::poisson {

bool is_tridiagonal(PoissonAxis const& axis);

/// Throws Error, naming a field of `at`, unless the axis can be solved along.
void check_axis(PoissonAxis const& axis, std::string const& at);

/// From unknown to unknown of a uniform axis.
double spacing(PoissonAxis const& axis);

struct Transforms {
  AxisKind forward = AxisKind::fourier, back = AxisKind::fourier;
  double gain =
      1;  // of the unnormalised way there and back; also of the mean in mode 0, where that is constant
};
Transforms transforms(PoissonAxis const& axis);
/// Of the transforms of all axes together.
double gain_of(PoissonProblem const& problem);

/// Refuses a shift that meets an eigenvalue: a sum of one number of either list below the rounding of its parts. `across` has the
/// shift in it already.
void check_resonance(std::vector<double> const& symbol, std::vector<double> const& across, double shift);
[[noreturn]] void refuse_resonance(double shift);

/// Throws Error where the eigenvalues of all axes, which every solver makes, have more than `limit` bytes.
void refuse_long_axes(PoissonProblem const& problem, double limit);

/// One for each mode; for a Fourier axis all n of them.
std::vector<double> eigenvalues(PoissonAxis const& axis, Symbols symbols);

}  // namespace skipper::poisson
