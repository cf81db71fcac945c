// How a prime length is transformed where there is more than one algorithm for it: by a codelet, by Bluestein, by Rader, or
// without a convolution, by a direct DFT of O(n^2) operations: the product with its matrix (f64, tensor cores), or a symmetric
// prime DFT (f32), which adds and subtracts x[j] and x[n-j] first (kernel/symmetric_dft.h).
#pragma once

#include "plan/program.h"

namespace skipper {

/// `codelets` where there are some; `rader` where nothing else is in the sweep; `direct`, which programs write as `by` the radix
/// itself.
enum class PrimeAlgorithm { codelets, bluestein, rader, direct };

/// Bounds of direct DFTs, in points (docs/decisions/0022). f64: few points, with a prime factor so large that its codelet
/// crowds a thread's registers. f32: primes too long for a fast codelet; at most kernel::max_direct_dft.
/// Fitted: bench/results/h200-choices.md.
inline constexpr Index max_matrix_dft_f64 = 62, last_light_codelet_f64 = 19, last_fast_codelet_f32 = 37;
/// The other factor of n where a symmetric prime DFT does one, in points.
inline constexpr Index max_symmetric_cofactor = 16;

/// Has the digits of a factorised program transformed by that algorithm, where they can be.
void apply(PrimeAlgorithm algorithm, Program& program);

}  // namespace skipper
