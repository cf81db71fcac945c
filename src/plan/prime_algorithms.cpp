// See prime_algorithms.h.
#include "plan/prime_algorithms.h"

#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "plan/lengths.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// Whether to weigh a matrix-product DFT (f64) or a symmetric prime DFT (f32, kernel/symmetric_dft.h) for n points.
/// f64: few points, with a prime factor so large that its codelet crowds a thread's registers. f32: primes too long
/// for a codelet. The bounds are in points (docs/decisions/0022). Fitted: bench/results/h200-choices.md.
bool has_matrix(Index n, Index element) {
  constexpr Index longest = 62, comfortable = 19, longest_codelet = 37;
  if (element == 8) return n > longest_codelet && n <= max_matrix_dft && is_symmetric_dft(n, element);
  return n <= longest && factorise(n).back().prime > comfortable;
}

/// Splits an axis that one sweep has whole into two digits: a prime for the symmetric DFT, and a short cofactor.
void part_by_symmetry(Program& program, Sweep& sweep, DigitKey d) {
  constexpr Index max_cofactor = 16;
  Index const n = program.radices[d.dim][d.part], element = element_bytes(program.problem);
  Index const prime = factorise(n).back().prime, rest = n / prime;
  bool const plain = !program.convolved.count(d.dim) && !real_transform_of(program, d.dim);
  if (element != 8 || !plain || program.radices[d.dim].size() > 1 || rest < 2 || rest > max_cofactor ||
      !has_matrix(prime, element))
    return;
  program.radices[d.dim] = {prime, rest};
  program.padded[d] = prime;
  sweep.transforms.insert(std::find(sweep.transforms.begin(), sweep.transforms.end(), d) + 1, {d.dim, 1});
}

}  // namespace

void apply(PrimeAlgorithm algorithm, Program& program) {
  Index const element = element_bytes(program.problem);
  if (algorithm == PrimeAlgorithm::matrix_product)
    for (Sweep& sweep : program.sweeps)
      for (DigitKey d : std::vector<DigitKey>(sweep.transforms)) part_by_symmetry(program, sweep, d);
  for (Sweep const& sweep : program.sweeps)
    for (DigitKey d : sweep.transforms) {
      auto const& radices = program.radices[d.dim];
      Index const n = radices[d.part];
      bool const alone = sweep.transforms.size() == 1 && radices.size() == 1;
      Index const rest = algorithm == PrimeAlgorithm::rader && alone ? rader_cofactor(n) : 0;
      if (rest == 1 || (rest > 1 && !real_transform_of(program, d.dim))) program.padded[d] = n - rest;
      if (algorithm == PrimeAlgorithm::bluestein && n > largest_prime && is_prime(n) &&
          !program.convolved.count(d.dim))
        program.padded[d] =
            convolution_length(least_on_chip(program.problem, program.dims[d.dim], n), element);
      bool const plain = !program.convolved.count(d.dim) && !real_transform_of(program, d.dim);
      if (algorithm == PrimeAlgorithm::matrix_product && plain && has_matrix(n, element))
        program.padded[d] = n;
    }
}

}  // namespace skipper
