#pragma once
// A real line of a prime number p of points by Rader (spec.h), through its Hartley transform, as half as many complex numbers.
// With
//   H[k] = sum x[j] (cos + sin)(2 pi jk / p)
// all is real, and by Rader a convolution of p - 1 reals: of (p - 1) / 2 complex numbers z = (x[g^2q], x[g^(2q+1)]),
// where the middle is, with two tables S and S' (base/convolution_tables.h),
//   z[f] S[f] + z*[-f] S'[f].
// On the side of the reals an element is x[j] and x[p-j]. On that of the spectrum it is H[k] and H[p-k], which are the sum and
// the difference of the parts of X[k]. In shared memory points stand one by one.
#include "kernel/hermitian.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
class RealRader : protected Hermitian<T, Spec, Block> {
 public:
  using Hermitian<T, Spec, Block>::Hermitian;

 protected:
  using Base = Hermitian<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::args_, Base::v_, Base::tile_offset, Base::thread_offset,
      Base::short_thread_offset, Base::is_active;

  /// Point 0 is its own opposite; what is not real in it is left out.
  static Complex<T> alike(T x) { return {x, x}; }

  /// c2r is inverse, r2c forward.
  static Complex<T> from_spectrum(Complex<T> x) { return {x.re - x.im, x.re + x.im}; }
  static Complex<T> to_spectrum(Complex<T> h) { return {h.re + h.im, h.im - h.re}; }

  /// The registers of step `at` to, or from, the exchange into step s, in the order of memory, or in that of Rader.
  template <class S, class At>
  void put_real_rader(S s, At at) {
    put_reals(at, real_rader_places(s, at));
  }
  template <class S, class At>
  void scatter_rader(S s, At at) {
    put_reals(at, neighbouring_rader(s, at));
  }
  template <class S>
  void take_real_rader(S s) {
    if (auto const here = this->block_.only(is_active(s))) take_reals(s, real_rader_places(s, s));
  }
  template <class S>
  void gather_rader(S s) {
    if (auto const here = this->block_.only(is_active(s))) take_reals(s, neighbouring_rader(s, s));
  }

  template <class S>
  void multiply_with_partners(S s) {
    auto const map = affine<MapName::middle>;
    auto const own =
        args_.roots + get<pointwise_table>(spec_, map, s) + tile_offset(map, s) + thread_offset(map, s, s);
    auto const other = own - get<real_rader_points>(spec_);  // whose table comes before
    auto const& part = aggregate<register_offsets<Wide>>(spec_, map, s, s);
    auto const partner = this->partner(s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      v_[q] = v_[q] * block_.root(own, part[q]) + conj(partner(q)) * block_.root(other, part[q]);
    });
  }

 private:
  /// Places of the real and the imaginary part of an element, counted in reals.
  struct Places {
    Int<Block> re, im;
  };
  template <class S, class Place>
  void put_reals(S s, Place place) {
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      Places const at = place(q);
      block_.put_real(at.re, v_[q].re);
      block_.put_real(at.im, v_[q].im);
    });
  }
  template <class S, class Place>
  void take_reals(S s, Place place) {
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      Places const at = place(q);
      v_[q] = {block_.template take_real<T>(at.re), block_.template take_real<T>(at.im)};
    });
  }

  template <class S, class At>
  auto real_rader_places(S s, At at) const {
    Int<Block> const base = 2 * get<exchange_base>(spec_, s),
                     first = base + short_thread_offset(affine<MapName::shared>, s, at),
                     last = base + get<last_real_pair>(spec_) +
                            short_thread_offset(affine<MapName::real_pair>, s, at);
    return [this, first, last, s, at](int q) {
      return Places{first + aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, at)[q],
                    last + aggregate<register_offsets<int>>(spec_, affine<MapName::real_pair>, s, at)[q]};
    };
  }

  /// One number of the table has the places of both.
  template <class S, class At>
  auto neighbouring_rader(S s, At at) const {
    Int<Block> const first =
        2 * get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::beside>, s, at);
    auto const entry = this->rader_entries(s, at);
    return [this, first, entry, s, at](int q) {
      Int<Block> const beside =
          first + aggregate<register_offsets<int>>(spec_, affine<MapName::beside>, s, at)[q];
      auto const both = Unsigned<Block>(entry(q));
      return Places{beside + Int<Block>(both & 0xffff), beside + Int<Block>(both >> 16)};
    };
  }
};

}  // namespace skipper::kernel
