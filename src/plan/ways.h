// Ways to transform a length that has several: by codelets, convolved with chirps, in the order of powers, by its matrix.
#pragma once

#include "plan/program.h"

namespace skipper {

/// How primes are transformed: by codelets where there are some, convolved with chirps, in the order of powers where nothing
/// else is in their sweep, or by their matrix on tensor cores.
enum class PrimeWay { codelets, chirps, powers, matrix };

/// Has the digits of a program that is dealt transformed that way, where they can be.
void take(PrimeWay way, Program& program);

}  // namespace skipper
