#pragma once
// What a Hermitian split (untangling) makes of the rows that wait in shared memory (real_processing.h): element k and its
// partner at -k, given where both stand. An inverse transform has real and imaginary parts swapped, which negates conjugates
// and i.
#include "kernel/complex.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
struct HermitianRows {
  Spec spec;
  Block& block;

  Complex<T> at(Int<Block> place) const { return block.template take<T>(place); }
  Complex<T> opposite(Complex<T> x) const { return get<hermitian_negates>(spec) ? -conj(x) : conj(x); }
  Complex<T> rotated(Complex<T> x) const {
    return get<hermitian_negates>(spec) ? times_i(x) : times_minus_i(x);
  }
  Complex<T> symmetric(Complex<T> x, Complex<T> partner) const {
    return Element<T>(0.5) * (x + opposite(partner));
  }

  /// An element of packed reals with its partner; `rotate` is for what is not symmetric.
  template <class Rotate>
  Complex<T> joined_with(Complex<T> own, Complex<T> partner, Rotate rotate) const {
    auto const other = opposite(partner);
    return own + other + rotate(times_minus_i(own - other));
  }

  /// Element `extent`, from element 0 and its partner.
  Complex<T> last(Complex<T> own, Complex<T> partner) const {
    auto const other = opposite(partner);
    return own + other - times_minus_i(own - other);
  }

  /// At index 0, before the butterflies, the element and its partner, number `extent`, stand for reals: what is not symmetric
  /// in either, as imaginary parts that should be zero, is left out. So `x`, which they were joined to, is the mean of itself
  /// and of what comes of the other two: the element at the negated index, and number `extent` of the element's own line.
  Complex<T> ends_joined(Complex<T> x, Complex<T> other, Complex<T> end) const {
    auto const own = opposite(other);
    return Element<T>(0.5) * (x + own + end + times_minus_i(own - end));
  }

  /// One column of a pair, from rows k and -k of both.
  Complex<T> parted(Int<Block> here, Int<Block> there, Bool<Block> odd) const {
    auto const own = at(here), other = opposite(at(there));
    return select(odd, rotated(own - other), own + other);
  }

  /// Row k, or from half way on row -k, of two columns as one. Rows 0 and half way are real: what is not is left out.
  Complex<T> joined(Int<Block> here, Int<Block> k, Bool<Block> opposed) const {
    auto const& way = aggregate<hermitian_of>(spec);
    Int<Block> const hop = way.weight[0] * (way.extent[0] / 2 - 2 * k);
    Int<Block> const near = here + select(opposed, hop, Int<Block>(0));
    auto const a = at(near), b = at(near + way.weight[0] * (way.extent[0] / 2 + 1));
    auto const of_row = [&](Complex<T> x) {
      return select(k == 0, symmetric(x, x), select(opposed, opposite(x), x));
    };
    return of_row(a) - rotated(of_row(b));
  }
};

}  // namespace skipper::kernel
