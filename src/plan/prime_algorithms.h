// Ways to transform a length that has several: by codelets, by Bluestein, by Rader, by its matrix.
#pragma once

#include "plan/program.h"

namespace skipper {

/// How primes are transformed: by codelets where there are some, by Bluestein, by Rader where nothing
/// else is in their sweep, or by their matrix on tensor cores.
enum class PrimeAlgorithm { codelets, bluestein, rader, matrix_product };

/// Has the digits of a program that is assigned transformed that way, where they can be.
void take(PrimeAlgorithm way, Program& program);

}  // namespace skipper
