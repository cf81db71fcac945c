#pragma once
// What a sweep moves between the user's arrays and registers: complex numbers or reals, in full or in 16-bit storage,
// and along a real axis through the gather indices of its pre- and post-processing (real_processing.h).
#include "kernel/complex.h"
#include "kernel/numbers.h"
#include "kernel/real_processing.h"

namespace skipper::kernel {

template <class T>
struct Args {
  Complex<T> const* in;
  Complex<T>* out;
  Complex<T> const* roots;  // this sweep's twiddle tables
  T scale;
  Complex<T> const* factors;            // of a convolution, or the tables of a symbol
  void* data;                           // of a user's functions, or the base addresses that outputs go to
  Complex<T>* constant_mode = nullptr;  // takes the element where the symbol is zero
};

/// An output that is spread over several arrays has no address of its own: this one stands for its first element, and base
/// address i of the table for that of the array which holds elements i unit .. (i + 1) unit - 1. The array's own element that
/// would be number 0 need not exist.
inline constexpr unsigned long long peer_origin = 4096;

template <class T, class Spec, class Block>
struct Memory {
  Spec spec;
  Block& block;
  Args<T> const& args;

  static constexpr Const<MapName::pre> pre{};
  static constexpr Const<MapName::post> post{};

  /// Calls f with a Type of the numbers that a side has in memory.
  template <class S>
  struct Type {
    using type = S;
  };
  template <class Side, class F>
  void with_stored(Side side, F f) const {
    when(get<in_full>(spec, side), [&](auto...) { f(Type<T>{}); });
    when(get<in_f16>(spec, side), [&](auto...) { f(Type<Half>{}); });
    when(get<in_bf16>(spec, side), [&](auto...) { f(Type<BFloat16>{}); });
  }

  /// The pairs, or the reals, from there on will be read soon.
  void prefetch(Offset<Block> at) const {
    with_stored(pre, [&](auto s) {
      using S = typename decltype(s)::type;
      if (get<kernel::real>(spec, pre)) return block.prefetch(array_of<S>(args.in), at);
      block.prefetch(array_of<Complex<S>>(args.in), at);
    });
  }

  Complex<T> pair(Offset<Block> at) const {
    Complex<T> x{};
    with_stored(pre, [&](auto s) {
      auto const there = block.load(array_of<Complex<typename decltype(s)::type>>(args.in), at);
      x = {T(there.re), T(there.im)};
    });
    when(get<has_complex_callback>(spec, pre), [&](auto...) { x = block.on_load(x, at, args.data); });
    when(get<has_real_callback>(spec, pre), [&](auto...) {
      x = {block.on_load(x.re, 2 * at, args.data), block.on_load(x.im, 2 * at + 1, args.data)};
    });
    return x;
  }
  T real(Offset<Block> at) const {
    T x{};
    with_stored(pre, [&](auto s) { x = T(block.load(array_of<typename decltype(s)::type>(args.in), at)); });
    when(get<has_callback>(spec, pre), [&](auto...) { x = block.on_load(x, at, args.data); });
    return x;
  }

  template <class Number>
  Complex<T> processed(PrePostProcessing const& e, Offset<Block> at, Along<Number> i) const {
    auto x = zero<Complex<T>>();
    if (!e.real_axis) x.re = real(at);
    if (e.real_axis && !e.real && !e.widened) {
      auto const index = index_of(e.gather_index[0], i);
      auto const after = bent(e.gather_index[0], i);
      if (auto const here = block.only(within(e.gather_index[0], i, e.limit)))
        x = pair(at + e.stride * index);
      if (e.gather_index[0].flip) x.im = select(after, -x.im, x.im);
      if (e.gather_index[0].negate) x = {select(after, -x.re, x.re), select(after, -x.im, x.im)};
    }
    if (e.real_axis && (e.real || e.widened)) {
      x.re = by_gather_index(e, e.gather_index[0], at, i);
      x.im = by_gather_index(e, e.gather_index[1], at, i);
    }
    return x;
  }

  template <class Number>
  T by_gather_index(PrePostProcessing const& e, GatherIndex const& gather_index, Offset<Block> line,
                    Along<Number> i) const {
    Offset<Block> const index = index_of(gather_index, i), at = line + e.stride * index;
    T x = zero<T>();
    if (auto const here = block.only(gather_index.used && within(gather_index, i, e.limit))) {
      x = weighed(e, index, e.widened ? pair(at).re : real(at), T(1.4142135623730950488));
      x = select(is_negated(gather_index, i), -x, x);
    }
    return x;
  }
  template <class Number>
  Bool<Block> is_negated(GatherIndex const& gather_index, Along<Number> i) const {
    return gather_index.negate != (gather_index.flip && bent(gather_index, i));
  }

  T weighed(PrePostProcessing const& e, Offset<Block> index, T x, T weight) const {
    return select(index == e.edge[0] || index == e.edge[1], weight * x, x);
  }

  void put_pair(Offset<Block> at, Complex<T> x) const {
    when(get<coalesced>(spec), [&](auto...) { block.put(Int<Block>(at), x); });
    when(get<stores_directly>(spec), [&](auto...) { store_pair(at, x); });
  }
  void put_real(Offset<Block> at, T x) const {
    when(get<coalesced>(spec), [&](auto...) { block.put_real(Int<Block>(at), x); });
    when(get<stores_directly>(spec), [&](auto...) { store_real(at, x); });
  }

  void store_pair(Offset<Block> at, Complex<T> x) const {
    when(get<has_complex_callback>(spec, post), [&](auto...) { x = block.on_store(x, at, args.data); });
    when(get<has_real_callback>(spec, post), [&](auto...) {
      x = {block.on_store(x.re, 2 * at, args.data), block.on_store(x.im, 2 * at + 1, args.data)};
    });
    with_stored(post, [&](auto s) {
      using S = typename decltype(s)::type;
      using R = typename NumbersOf<Block>::template Computed<S>;
      store_at<Complex<S>>(array_of<Complex<S>>(args.out), at, get<pair_unit>(spec),
                           Complex<R>{R(x.re), R(x.im)});
    });
  }
  void store_real(Offset<Block> at, T x) const {
    when(get<has_callback>(spec, post), [&](auto...) { x = block.on_store(x, at, args.data); });
    with_stored(post, [&](auto s) {
      using S = typename decltype(s)::type;
      using R = typename NumbersOf<Block>::template Computed<S>;
      store_at<S>(array_of<S>(args.out), at, get<peer_unit>(spec), R(x));
    });
  }

  /// Into the one output, or into whichever array the table has for the element.
  template <class E, class Out, class Unit, class V>
  void store_at(Out out, Offset<Block> at, Unit unit, V x) const {
    when(get<stores_to_one>(spec), [&](auto...) { block.store(out, at, x); });
    when(get<stores_to_peers>(spec), [&](auto...) {
      auto const place = not_negative(elements_behind(out, peer_origin) + at);
      auto const base = block.root(base_addresses(args.data), Offset<Block>(place / Wide(unit)));
      block.store(array_at<E>(base), Offset<Block>(place), x);
    });
  }

  template <class Number>
  void put_processed(PrePostProcessing const& e, Offset<Block> at, Along<Number> i, Complex<T> x) const {
    if (!e.real_axis) put_real(at, x.re);
    if (e.real_axis && !e.real && !e.widened) {
      auto const index = index_of(e.gather_index[0], i);
      auto const after = bent(e.gather_index[0], i);
      auto const here = block.only(!(e.gather_index[0].flip && after && is_written_before(e, i)));
      if (!here) return;
      if (e.gather_index[0].negate) x = {select(after, -x.re, x.re), select(after, -x.im, x.im)};
      if (e.gather_index[0].flip) x.im = select(after, -x.im, x.im);
      if (auto const there = block.only(within(e.gather_index[0], i, e.limit)))
        put_pair(at + e.stride * index, x);
    }
    if (e.real_axis && (e.real || e.widened)) {
      gather_index_into(e, e.gather_index[0], at, i, x.re);
      if (auto const here = block.only(!is_written_before(e, i)))
        gather_index_into(e, e.gather_index[1], at, i, x.im);
    }
  }
  template <class Number>
  Bool<Block> is_written_before(PrePostProcessing const& e, Along<Number> i) const {
    if (e.conjugate == 0) return false;
    return i.i % e.conjugate == 0;
  }

  template <class Number>
  void gather_index_into(PrePostProcessing const& e, GatherIndex const& gather_index, Offset<Block> line,
                         Along<Number> i, T x) const {
    Offset<Block> const index = index_of(gather_index, i), at = line + e.stride * index;
    auto const here = block.only(gather_index.used && within(gather_index, i, e.limit));
    if (!here) return;
    x = select(is_negated(gather_index, i), -x, x);
    x = weighed(e, index, x, T(0.70710678118654752440));
    if (e.widened)
      put_pair(at, {x, zero<T>()});
    else
      put_real(at, x);
  }
};

}  // namespace skipper::kernel
