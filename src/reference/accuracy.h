// How exact a result is: sampled outputs against the reference (transform.h).
#pragma once

#include <skipper/problem.h>

#include <cstddef>

namespace skipper::reference {

struct Accuracy {
  double l2 = 0;   // root of sum |error|^2 over sum |exact|^2
  double max = 0;  // largest |error| over the root mean square of |exact|
  std::size_t samples = 0;
};

/// How many outputs are sampled: for a second of work or two at the most, or for a tenth of that, where whole_check() has seen
/// all outputs.
enum class Samples { many, few };

/// `in` is what the transform read, unchanged; `out` what it wrote. Throws Error for problems in digit-reversed order.
Accuracy accuracy(Problem const& problem, void const* in, void const* out, Samples samples = Samples::many);

/// What a good transform stays below: a few roundings for each doubling of the length.
double allowed_l2(Problem const& problem);
double allowed_max(Problem const& problem);

}  // namespace skipper::reference
