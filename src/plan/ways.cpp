// See ways.h.
#include "plan/ways.h"

#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "plan/lengths.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// Whether n points may be better off multiplied by their matrix: few, in double precision, with a prime among them
/// that crowds a thread's registers. Measured on an H200 (2026-11, x copy, the other ways in brackets): 23 1.07 (1.74),
/// 31 1.07 (1.70), 43 1.32 (2.23), 47 1.24 (2.06), 53 1.43 (1.61), 59 1.43 (2.17), 61 1.44 (1.53); but 83 2.00 (1.88),
/// and f32 59 1.95 (1.46). In single precision there is the way by halves for primes (kernel/halves.h), where a codelet
/// does not do.
bool has_matrix(Index n, Index element) {
  constexpr Index longest = 62, comfortable = 19, longest_codelet = 37;
  if (element == 8) return n > longest_codelet && n <= most_dense && goes_by_halves(n, element);
  return n <= longest && factorise(n).back().prime > comfortable;
}

/// A prime by halves and then a short factor, in the sweep that has the whole axis: a digit each.
void part_by_halves(Program& program, Sweep& sweep, DigitKey d) {
  constexpr Index most_beside = 16;
  Index const n = program.radices[d.dim][d.part], element = element_bytes(program.problem);
  Index const prime = factorise(n).back().prime, rest = n / prime;
  bool const plain = !program.convolved.count(d.dim) && !fold_of(program, d.dim);
  if (element != 8 || !plain || program.radices[d.dim].size() > 1 || rest < 2 || rest > most_beside ||
      !has_matrix(prime, element))
    return;
  program.radices[d.dim] = {prime, rest};
  program.padded[d] = prime;
  sweep.transforms.insert(std::find(sweep.transforms.begin(), sweep.transforms.end(), d) + 1, {d.dim, 1});
}

}  // namespace

void take(PrimeWay way, Program& program) {
  Index const element = element_bytes(program.problem);
  if (way == PrimeWay::matrix)
    for (Sweep& sweep : program.sweeps)
      for (DigitKey d : std::vector<DigitKey>(sweep.transforms)) part_by_halves(program, sweep, d);
  for (Sweep const& sweep : program.sweeps)
    for (DigitKey d : sweep.transforms) {
      auto const& radices = program.radices[d.dim];
      Index const n = radices[d.part];
      bool const alone = sweep.transforms.size() == 1 && radices.size() == 1;
      Index const rest = way == PrimeWay::powers && alone ? beside_powers(n) : 0;
      if (rest == 1 || (rest > 1 && !fold_of(program, d.dim))) program.padded[d] = n - rest;
      if (way == PrimeWay::chirps && n > largest_prime && is_prime(n) && !program.convolved.count(d.dim))
        program.padded[d] =
            convolution_length(least_on_chip(program.problem, program.dims[d.dim], n), element);
      bool const plain = !program.convolved.count(d.dim) && !fold_of(program, d.dim);
      if (way == PrimeWay::matrix && plain && has_matrix(n, element)) program.padded[d] = n;
    }
}

}  // namespace skipper
