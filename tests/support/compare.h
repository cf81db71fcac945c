#pragma once
// Compares what programs of complex problems make with the reference (reference/transform.h), whole where that is
// affordable and at random outputs where it is not. Knows nothing of sweeps or kernels.
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "plan/program.h"
#include "support/run_program.h"
#include "support/uniform.h"

namespace skipper::testing {

struct Errors {
  double l2 = 0;   // relative
  double max = 0;  // largest error over the root mean square of the outputs
};

/// What the issue allows: max(2e-7, 1.5e-7 sqrt(log2 N)) in f32, max(4e-16, 3e-16 sqrt(log2 N)) in f64.
double allowed_error(Problem const& problem);

/// Elements that an array needs to hold one side of the problem.
Index array_size(Problem const& problem, bool output);

template <class T>
Array<T> random_array(Index size, std::mt19937_64& random) {
  Uniform<T> uniform;
  Array<T> x(size);
  for (auto& v : x) v = {uniform(random), uniform(random)};
  return x;
}

/// Compares what a program made of `in` with the definition. Output k of an axis is looked for where the program's
/// digits put it, so digit-reversed programs are checked too.
Errors compare(Program const& program, Array<float> const& in, Array<float> const& out,
               std::mt19937_64& random);
Errors compare(Program const& program, Array<double> const& in, Array<double> const& out,
               std::mt19937_64& random);

/// Linearity, impulse and shift in one, for outputs of any number: if X is the transform of x, that of x shifted
/// cyclically plus an impulse is w^(shift k) X[k] + height w^(place k). Needs no other reference.
struct Disturbance {
  std::vector<Index> shift, place;  // of each axis; the impulse is in every transform of the batch
  double height = 1;
};
Disturbance random_disturbance(Problem const& problem, std::mt19937_64& random);
template <class T>
Array<T> disturbed(Program const& program, Array<T> const& in, Disturbance const& disturbance);
template <class T>
Errors oracle(Program const& program, Array<T> const& out, Array<T> const& out_disturbed,
              Disturbance const& disturbance);

extern template Array<float> disturbed(Program const&, Array<float> const&, Disturbance const&);
extern template Array<double> disturbed(Program const&, Array<double> const&, Disturbance const&);
extern template Errors oracle(Program const&, Array<float> const&, Array<float> const&, Disturbance const&);
extern template Errors oracle(Program const&, Array<double> const&, Array<double> const&, Disturbance const&);

}  // namespace skipper::testing
