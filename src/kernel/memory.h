#pragma once
// What a sweep moves between the user's arrays and registers: complex numbers or reals, in full or in 16-bit storage,
// and along a real axis through the gather indices of its pre- and post-processing (real_processing.h).
#include "kernel/complex.h"
#include "kernel/known.h"
#include "kernel/storage.h"

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
  void prefetch(Wide at) const {
    with_stored(pre, [&](auto s) {
      using S = typename decltype(s)::type;
      if (get<kernel::real>(spec, pre)) return block.prefetch(reinterpret_cast<S const*>(args.in), at);
      block.prefetch(reinterpret_cast<Complex<S> const*>(args.in), at);
    });
  }

  Complex<T> pair(Wide at) const {
    Complex<T> x{};
    with_stored(pre, [&](auto s) {
      auto const there =
          block.load(reinterpret_cast<Complex<typename decltype(s)::type> const*>(args.in), at);
      x = {T(there.re), T(there.im)};
    });
    when(get<has_complex_callback>(spec, pre), [&](auto...) { x = block.on_load(x, at, args.data); });
    when(get<has_real_callback>(spec, pre), [&](auto...) {
      x = {block.on_load(x.re, 2 * at, args.data), block.on_load(x.im, 2 * at + 1, args.data)};
    });
    return x;
  }
  T real(Wide at) const {
    T x{};
    with_stored(pre, [&](auto s) {
      x = T(block.load(reinterpret_cast<typename decltype(s)::type const*>(args.in), at));
    });
    when(get<has_callback>(spec, pre), [&](auto...) { x = block.on_load(x, at, args.data); });
    return x;
  }

  Complex<T> processed(PrePostProcessing const& e, Wide at, Along i) const {
    Complex<T> x{};
    if (!e.real_axis) x.re = real(at);
    if (e.real_axis && !e.real && !e.widened) {
      Wide const index = index_of(e.gather_index[0], i);
      if (within(e.gather_index[0], i, e.limit)) x = pair(at + e.stride * index);
      if (e.gather_index[0].flip && bent(e.gather_index[0], i)) x = conj(x);
      if (e.gather_index[0].negate && bent(e.gather_index[0], i)) x = -x;
    }
    if (e.real_axis && (e.real || e.widened)) {
      x.re = by_gather_index(e, e.gather_index[0], at, i);
      x.im = by_gather_index(e, e.gather_index[1], at, i);
    }
    return x;
  }

  T by_gather_index(PrePostProcessing const& e, GatherIndex const& gather_index, Wide line, Along i) const {
    Wide const index = index_of(gather_index, i), at = line + e.stride * index;
    if (!gather_index.used || !within(gather_index, i, e.limit)) return T{};
    T const x = weighed(e, index, e.widened ? pair(at).re : real(at), T(1.4142135623730950488));
    return gather_index.negate != (gather_index.flip && bent(gather_index, i)) ? -x : x;
  }

  T weighed(PrePostProcessing const& e, Wide index, T x, T weight) const {
    return index == e.edge[0] || index == e.edge[1] ? weight * x : x;
  }

  void put_pair(Wide at, Complex<T> x) const {
    when(get<coalesced>(spec), [&](auto...) { block.put(int(at), x); });
    when(get<stores_directly>(spec), [&](auto...) { store_pair(at, x); });
  }
  void put_real(Wide at, T x) const {
    when(get<coalesced>(spec), [&](auto...) { block.put_real(int(at), x); });
    when(get<stores_directly>(spec), [&](auto...) { store_real(at, x); });
  }

  void store_pair(Wide at, Complex<T> x) const {
    when(get<has_complex_callback>(spec, post), [&](auto...) { x = block.on_store(x, at, args.data); });
    when(get<has_real_callback>(spec, post), [&](auto...) {
      x = {block.on_store(x.re, 2 * at, args.data), block.on_store(x.im, 2 * at + 1, args.data)};
    });
    with_stored(post, [&](auto s) {
      using S = typename decltype(s)::type;
      using R = typename ComputedIn<S>::type;
      store_at(reinterpret_cast<Complex<S>*>(args.out), at, get<pair_unit>(spec),
               Complex<R>{R(x.re), R(x.im)});
    });
  }
  void store_real(Wide at, T x) const {
    when(get<has_callback>(spec, post), [&](auto...) { x = block.on_store(x, at, args.data); });
    with_stored(post, [&](auto s) {
      using S = typename decltype(s)::type;
      using R = typename ComputedIn<S>::type;
      store_at(reinterpret_cast<S*>(args.out), at, get<peer_unit>(spec), R(x));
    });
  }

  /// Into the one output, or into whichever array the table has for the element.
  template <class E, class Unit, class V>
  void store_at(E* out, Wide at, Unit unit, V x) const {
    when(get<stores_to_one>(spec), [&](auto...) { block.store(out, at, x); });
    when(get<stores_to_peers>(spec), [&](auto...) {
      auto const place = (reinterpret_cast<unsigned long long>(out) - peer_origin) / sizeof(E) + Wide(at);
      auto const* const bases = static_cast<unsigned long long const*>(args.data);
      auto const base = block.root(bases, Wide(place / static_cast<unsigned long long>(Wide(unit))));
      block.store(reinterpret_cast<E*>(base), Wide(place), x);
    });
  }

  void put_processed(PrePostProcessing const& e, Wide at, Along i, Complex<T> x) const {
    if (!e.real_axis) put_real(at, x.re);
    if (e.real_axis && !e.real && !e.widened) {
      Wide const index = index_of(e.gather_index[0], i);
      bool const after = e.gather_index[0].flip && bent(e.gather_index[0], i);
      if (after && e.conjugate > 0 && i.i % e.conjugate == 0) return;
      if (e.gather_index[0].negate && bent(e.gather_index[0], i)) x = -x;
      if (within(e.gather_index[0], i, e.limit)) put_pair(at + e.stride * index, after ? conj(x) : x);
    }
    if (e.real_axis && (e.real || e.widened)) {
      gather_index_into(e, e.gather_index[0], at, i, x.re);
      if (e.conjugate == 0 || i.i % e.conjugate != 0) gather_index_into(e, e.gather_index[1], at, i, x.im);
    }
  }

  void gather_index_into(PrePostProcessing const& e, GatherIndex const& gather_index, Wide line, Along i,
                         T x) const {
    Wide const index = index_of(gather_index, i), at = line + e.stride * index;
    if (!gather_index.used || !within(gather_index, i, e.limit)) return;
    if (gather_index.negate != (gather_index.flip && bent(gather_index, i))) x = -x;
    x = weighed(e, index, x, T(0.70710678118654752440));
    if (e.widened)
      put_pair(at, {x, T{}});
    else
      put_real(at, x);
  }
};

}  // namespace skipper::kernel
