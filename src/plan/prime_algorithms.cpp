// See prime_algorithms.h.
#include "plan/prime_algorithms.h"

#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "kernel/spec.h"
#include "plan/lengths.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// Whether to weigh a direct DFT for n points: a matrix product in f64, a symmetric prime DFT in f32.
bool suits_direct_dft(Index n, Index element) {
  if (element == 8)
    return n > last_fast_codelet_f32 && n <= kernel::max_direct_dft && is_symmetric_dft(n, element);
  return n <= max_matrix_dft_f64 && factorise(n).back().prime > last_light_codelet_f64;
}

/// Splits an axis that one sweep has whole into two digits: a prime for the symmetric DFT, and a short cofactor.
void part_by_symmetry(Program& program, Sweep& sweep, DigitKey d) {
  Index const n = program.radices[d.dim][d.part], element = element_bytes(program.problem);
  Index const prime = factorise(n).back().prime, rest = n / prime;
  bool const plain = !program.convolved.count(d.dim) && !real_transform_of(program, d.dim);
  if (element != 8 || !plain || program.radices[d.dim].size() > 1 || rest < 2 ||
      rest > max_symmetric_cofactor || !suits_direct_dft(prime, element))
    return;
  program.radices[d.dim] = {prime, rest};
  program.transformed_by[d] = prime;
  sweep.transforms.insert(std::find(sweep.transforms.begin(), sweep.transforms.end(), d) + 1, {d.dim, 1});
}

}  // namespace

void apply(PrimeAlgorithm algorithm, Program& program) {
  Index const element = element_bytes(program.problem);
  if (algorithm == PrimeAlgorithm::direct)
    for (Sweep& sweep : program.sweeps)
      for (DigitKey d : std::vector<DigitKey>(sweep.transforms)) part_by_symmetry(program, sweep, d);
  for (Sweep const& sweep : program.sweeps)
    for (DigitKey d : sweep.transforms) {
      auto const& radices = program.radices[d.dim];
      Index const n = radices[d.part];
      bool const alone = sweep.transforms.size() == 1 && radices.size() == 1;
      Index const rest = algorithm == PrimeAlgorithm::rader && alone ? rader_cofactor(n) : 0;
      if (rest == 1 || (rest > 1 && !real_transform_of(program, d.dim))) program.transformed_by[d] = n - rest;
      if (algorithm == PrimeAlgorithm::bluestein && n > largest_common_radix_prime && is_prime(n) &&
          !program.convolved.count(d.dim))
        program.transformed_by[d] =
            convolution_length(least_on_chip(program.problem, program.dims[d.dim], n), element);
      bool const plain = !program.convolved.count(d.dim) && !real_transform_of(program, d.dim);
      if (algorithm == PrimeAlgorithm::direct && plain && suits_direct_dft(n, element))
        program.transformed_by[d] = n;
    }
}

}  // namespace skipper
