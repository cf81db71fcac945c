#pragma once
// What a sweep multiplies or divides elements by: where it loads or stores them, or between two transforms.
#include "kernel/affine_map.h"

namespace skipper::kernel {

/// Multiplies every element by an entry of a table: where it is loaded or stored, or, as a middle, between two transforms.
struct Pointwise {
  bool needed = false;
  // The factors are args.factors, of a user's convolution; after the product real and imaginary parts are swapped, so that the
  // second forward transform acts as an inverse.
  bool given = false;
  AffineMap at;    // which entry
  Wide table = 0;  // offset into the sweep's roots
  constexpr bool operator==(Pointwise const&) const = default;
};

/// Instead of the factors of a fused inverse: a division by the symbol of an operator, which is a sum of one real number for each
/// axis. Three short tables are read where a factor for each element would be as much traffic as the data. Where the sum is
/// zero, the element, the constant mode, is handed out and zero goes on.
struct Symbol {
  int axes = 0;  // 0: the middle is a product
  AffineMap at[max_symbols];
  Wide table[max_symbols] = {};  // offsets into the factors, in reals
  int hermitian =
      -1;  // the axis along which elements are divided with their partners (HermitianSplit::in_middle); none
  Wide partners = 0;  // the same table in the order of the partners
  constexpr bool operator==(Symbol const&) const = default;
};

}  // namespace skipper::kernel
