#pragma once
// What multiplies elements by roots of unity: the twiddles of a step, and the rotations of pre- and post-processing and of
// Hermitian splits.
#include "kernel/butterflies.h"
#include "kernel/twiddle_chain.h"
#include "kernel/constants.h"
#include "kernel/thread_coordinates.h"

namespace skipper::kernel {

/// The rotations of the registers of step i against what a thread has of a rotation: known when compiling.
template <class T>
constexpr PerRegister<Complex<T>> register_rotations(SweepSpec const& s, MapName map, int i) {
  PerRegister<Complex<T>> table;
  Rotation const& r = rotation(s, map);
  for (int q = 0; q < elements_per_thread(s, i) && r.order > 0; ++q) {
    Root const w = root(r.scale * register_offset(s, map, 0, i, q), r.order);
    table.at[q] = {T(w.cos.high), T(-w.sin.high)};
  }
  return table;
}

template <class T, class Spec, class Block>
class Twiddles : protected ThreadCoordinates<T, Spec, Block> {
 public:
  using ThreadCoordinates<T, Spec, Block>::ThreadCoordinates;

 protected:
  using Base = ThreadCoordinates<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::args_, Base::v_, Base::tile_offset, Base::thread_offset,
      Base::conjugate_offset, Base::is_active;

  template <class S>
  void twiddle(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    when(get<twiddles_singly>(spec_, s), [&](auto...) { twiddle_singly(s); });
    when(get<by_full_table>(spec_, s), [&](auto...) { twiddle_by_full_table(s); });
    when(get<by_chain>(spec_, s), [&](auto...) { twiddle_by_chain(s); });
    when(get<by_two_levels>(spec_, s), [&](auto...) { twiddle_by_two_levels(s); });
  }

  /// Reads the twiddles of step s from their tables, before the data are there.
  template <class S>
  void preload_twiddles(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const r = get<radix>(spec_, s);
    auto& preloaded = preloaded_;
    when(get<preloads_full_table>(spec_, s), [&](auto...) {
      auto const look_up = matrix(s);
      repeat(get<elements_per_thread>(spec_, s), [&](int p) {
        if (p % r > 0) preloaded[get<first_twiddle>(spec_, s) + p] = look_up(p);
      });
    });
    when(get<preloads_chain>(spec_, s), [&](auto...) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        auto const look_up = chain(s, b);
        repeat(get<chain_powers>(spec_, s), [&](int t) {
          preloaded[get<first_twiddle>(spec_, s) + b * get<chain_powers>(spec_, s) + t] = look_up(t);
        });
      });
    });
    when(get<preloads_two_levels>(spec_, s), [&](auto...) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        auto const look_up = power(s, r, aggregate<butterfly_registers>(spec_, s), b);
        repeat(get<chain_powers>(spec_, s), [&](int t) {
          preloaded[get<first_twiddle>(spec_, s) + b * get<chain_powers>(spec_, s) + t] = look_up(t);
        });
      });
    });
  }

  /// Factor i of step s: preloaded, or read now.
  template <class S, class LookUp>
  Complex<T> twiddle_factor(S s, int i, LookUp look_up) const {
    Complex<T> x{};
    when(get<preloads_twiddles>(spec_), [&](auto...) { x = preloaded_[get<first_twiddle>(spec_, s) + i]; });
    when(get<loads_twiddles_late>(spec_), [&](auto...) { x = look_up(); });
    return x;
  }

  /// After a Hermitian split, or a product with a matrix, no butterfly gives the elements an order: each has its factor
  /// looked up, unless the outputs that a thread holds are evenly apart.
  template <class S>
  void twiddle_singly(S s) {
    when(get<in_strides>(spec_, s), [&](auto...) {
      auto const& evenly = aggregate<evenly_apart>(spec_, s);
      auto const r = get<strides>(spec_, s);
      repeat(get<stride_groups>(spec_, s), [&](int b) { two_level_chain(s, r, evenly, b); });
    });
    when(get<not_in_strides>(spec_, s), [&](auto...) {
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = v_[q] * single_twiddle(s, s, q, 0); });
    });
  }

  /// The factor of step t for register q in the assignment of step s, of an output `further` than the register's.
  template <class Step, class S>
  Complex<T> single_twiddle(Step t, S s, int q, int further) const {
    using Exponent =
        typename NumbersOf<Block>::template Unsigned32If<decltype(get<small_exponent>(spec_, t))>;
    auto const k = thread_offset(affine<MapName::k>, t, s) +
                   aggregate<register_offsets<Wide>>(spec_, affine<MapName::k>, t, s)[q] +
                   conjugate_offset(affine<MapName::k>, t, s)(q) + further;
    auto const low = tile_offset(affine<MapName::low>, t) + thread_offset(affine<MapName::low>, t, s) +
                     aggregate<register_offsets<Wide>>(spec_, affine<MapName::low>, t, s)[q] +
                     conjugate_offset(affine<MapName::low>, t, s)(q);
    return root_of(t, Exponent(k) * Exponent(low));
  }

  /// w^(k low) from a table with a row for each k >= 1: neighbouring threads read neighbouring entries.
  template <class S>
  void twiddle_by_full_table(S s) {
    auto const& joined = aggregate<butterfly_registers>(spec_, s);
    auto const look_up = matrix(s);
    repeat(get<elements_per_thread>(spec_, s), [&](int p) {
      int const q = joined[p];
      if (p % get<radix>(spec_, s) > 0) v_[q] = v_[q] * twiddle_factor(s, p, [&] { return look_up(p); });
    });
  }

  template <class S>
  auto matrix(S s) const {
    auto const column =
        args_.roots + get<twiddle_table>(spec_, s) + thread_offset(affine<MapName::low>, s, s);
    auto const conjugate = conjugate_offset(affine<MapName::low>, s, s);
    return [this, column, conjugate, s](int p) {
      int const q = aggregate<butterfly_registers>(spec_, s)[p], k = p % get<radix>(spec_, s);
      return block_.root(column, aggregate<register_offsets<Wide>>(spec_, affine<MapName::low>, s, s)[q] +
                                     conjugate(q) + get<twiddle_rows>(spec_, s) * (k - 1));
    };
  }

  /// The same from the rows of w^low, w^(2 low), w^(4 low), ..: a quarter of the loads, from a table that stays in L1.
  template <class S>
  void twiddle_by_chain(S s) {
    auto const& joined = aggregate<butterfly_registers>(spec_, s);
    repeat(get<butterflies>(spec_, s), [&](int b) {
      auto const look_up = chain(s, b);
      twiddle_chain<true>(get<radix>(spec_, s), joined, b, Complex<T>{}, v_, [&](int t) {
        return twiddle_factor(s, b * get<chain_powers>(spec_, s) + t, [&] { return look_up(t); });
      });
    });
  }

  template <class S>
  auto chain(S s, int b) const {
    auto const column =
        args_.roots + get<twiddle_table>(spec_, s) + thread_offset(affine<MapName::low>, s, s);
    int const first = aggregate<butterfly_registers>(spec_, s)[b * get<radix>(spec_, s)];
    auto const own = column + aggregate<register_offsets<Wide>>(spec_, affine<MapName::low>, s, s)[first] +
                     conjugate_offset(affine<MapName::low>, s, s)(first);
    return [this, own, s](int t) { return block_.root(own, get<twiddle_rows>(spec_, s) * t); };
  }

  /// w^(K low) with K x low up to the whole axis. The outputs k of a butterfly have K = K0 + k unit: so one factor for
  /// K0 and one for each power of two in k are looked up, each a product of two table entries rounded once.
  template <class S>
  void twiddle_by_two_levels(S s) {
    auto const& joined = aggregate<butterfly_registers>(spec_, s);
    auto const r = get<radix>(spec_, s);
    repeat(get<butterflies>(spec_, s), [&](int b) {
      auto const look_up = power(s, r, joined, b);
      auto const at = [&](int t) {
        return twiddle_factor(s, b * get<chain_powers>(spec_, s) + t, [&] { return look_up(t); });
      };
      twiddle_chain<false>(r, joined, b, at(0), v_, [&](int t) { return at(t + 1); });
    });
  }

  template <class S, class R, class Joined>
  void two_level_chain(S s, R r, Joined const& joined, int b) {
    auto const look_up = power(s, r, joined, b);
    twiddle_chain<false>(r, joined, b, look_up(0), v_, [&](int t) { return look_up(t + 1); });
  }

  /// The factor for K0 as number 0, then those of the powers of two.
  template <class S, class R, class Joined>
  auto power(S s, R r, Joined const& joined, int b) const {
    using Exponent =
        typename NumbersOf<Block>::template Unsigned32If<decltype(get<small_exponent>(spec_, s))>;
    auto const k0 = Exponent(thread_offset(affine<MapName::k>, s, s));
    auto const low0 =
        Exponent(tile_offset(affine<MapName::low>, s) + thread_offset(affine<MapName::low>, s, s));
    auto const& k_part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::k>, s, s);
    auto const& low_part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::low>, s, s);
    int const first = joined[b * r];
    Exponent const k = k0 + Exponent(k_part[first] + conjugate_offset(affine<MapName::k>, s, s)(first)),
                   low =
                       low0 + Exponent(low_part[first] + conjugate_offset(affine<MapName::low>, s, s)(first));
    Exponent const unit = Exponent(k_part[joined[b * r + r - 1]] - k_part[first]) / (r > 1 ? r - 1 : 1);
    return [this, k, low, unit, s](int t) { return root_of(s, (t == 0 ? k : unit << (t - 1)) * low); };
  }

  template <class S, class Exponent>
  Complex<T> root_of(S s, Exponent exponent) const {
    auto const e = not_negative(exponent);
    auto const mask = (Exponent(1) << get<twiddle_shift>(spec_, s)) - 1;
    auto const high = block_.root(
        args_.roots, get<twiddle_table>(spec_, s) + Offset<Block>(e >> get<twiddle_shift>(spec_, s)));
    return high * block_.root(args_.roots, get<twiddle_table_low>(spec_, s) + Offset<Block>(e & mask));
  }

  /// x times the rotation of a side or the Hermitian split at index i of the axis.
  template <class F>
  Complex<T> singly_rotated(F map, Offset<Block> i, Complex<T> x) const {
    when(get<rotated>(spec_, map), [&](auto...) { x = x * root_at(aggregate<rotation>(spec_, map), i); });
    return x;
  }

  /// The same for register q of step s, given what the thread has of a row's index.
  template <class F, class S>
  auto rotations(F map, S s, Offset<Block> first) const {
    auto const apart = this->conjugate_distance(map, Const<0>{}, s);
    Int<Block> own = 0;
    when(get<has_conjugate_rows>(spec_),
         [&](auto...) { own = this->short_thread_offset(affine<MapName::conjugate>, s, s); });
    bool const both = get<has_conjugate_registers>(spec_, s);
    auto const factor = rotation_factors(map, s, first + apart * own),
               conjugate = rotation_factors(map, s, first + apart * (own + (both ? 1 : 0)));
    return [this, factor, conjugate, both, map, s](int q, Complex<T> x) {
      when(get<rotated>(spec_, map), [&](auto...) {
        bool const other =
            both && aggregate<register_offsets<int>>(spec_, affine<MapName::conjugate>, s, s)[q] != 0;
        x = x * (other ? conjugate(q) : factor(q));
      });
      return x;
    };
  }

  template <class F, class S>
  auto rotation_factors(F map, S s, Offset<Block> first) const {
    Complex<T> start{};
    bool const by_constants = get<rotates_by_constants>(spec_, map);
    if (by_constants || get<rotates_evenly>(spec_, map, s))
      start = root_at(aggregate<rotation>(spec_, map), first);
    return [this, start, first, map, s](int q) {
      Wide const i = aggregate<register_offsets<Wide>>(spec_, map, Const<0>{}, s)[q];
      auto const& r = aggregate<rotation>(spec_, map);
      Complex<T> x = start;
      when(get<rotates_by_constants>(spec_, map), [&](auto...) {
        if (i != 0) x = start * aggregate<register_rotations<T>>(spec_, map, s)[q];
      });
      if (get<rotates_evenly>(spec_, map, s)) {
        if (i != 0) x = start * block_.root(args_.roots, r.table + (r.scale * i >> r.bits));
      } else if (!get<rotates_by_constants>(spec_, map)) {
        x = root_at(r, first + i);
      }
      return x;
    };
  }

  Complex<T> root_at(Rotation const& r, Offset<Block> i) const {
    if (!r.split) return block_.root(args_.roots, r.table + i);
    auto const e = not_negative(r.scale * i + r.shift);
    return block_.root(args_.roots, r.table + (e >> r.bits)) *
           block_.root(args_.roots, r.table_low + (e & ((Wide(1) << r.bits) - 1)));
  }

  Registers<RegisterArray::twiddles, Complex<T>, Spec> preloaded_{spec_};
};

}  // namespace skipper::kernel
