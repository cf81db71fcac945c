// How a prime length is transformed where there is more than one algorithm for it: by a codelet, by Bluestein, by Rader, or
// without a convolution, by the product with its matrix (f64, tensor cores) or as a symmetric prime DFT (f32).
#pragma once

#include "plan/program.h"

namespace skipper {

/// `codelets` where there are some; `rader` where nothing else is in the sweep. `matrix_product` is the symmetric prime DFT in
/// f32 (kernel/symmetric_dft.h): programs write both as `by` the radix itself.
enum class PrimeAlgorithm { codelets, bluestein, rader, matrix_product };

/// Has the digits of a factorised program transformed by that algorithm, where they can be.
void apply(PrimeAlgorithm algorithm, Program& program);

}  // namespace skipper
