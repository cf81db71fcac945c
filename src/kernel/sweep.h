#pragma once
// One sweep: read a tile, take it through its steps on chip, write it. Lines, columns, planes, cubes, parts of
// long axes and clusters of blocks are all this one text; the spec's digit maps make the difference.
//
//   for each step:  load or exchange  ->  butterflies on the digit held in registers  ->  twiddles
//
// `Spec` is Fixed or Loaded (known.h); `Block` is the only door to the hardware (block.h).
#include "kernel/codelets.h"
#include "kernel/complex.h"
#include "kernel/known.h"

namespace skipper::kernel {

template <class T>
struct Args {
  Complex<T> const* in;
  Complex<T>* out;
  Complex<T> const* roots;  // this sweep's twiddle tables
  T scale;
};

template <class T, class Spec, class Block>
class Sweep {
 public:
  Sweep(Spec spec, Block& block, Args<T> const& args)
      : spec_(spec), block_(block), args_(args), thread_(block.thread()), rank_(block.rank()) {
    Wide rest = block.tile();
    each(get<grids>(spec_), [&](auto g) {
      grid_[g] = rest % get<grid_extent>(spec_, g);
      rest /= get<grid_extent>(spec_, g);
    });
  }

  void run() {
    load(Const<0>{});
    each(get<steps>(spec_), [&](auto s) {
      if (get<exchanged>(spec_, s)) exchange(s);
      transform(s);
      twiddle(s);
    });
    store(last());
  }

 private:
  template <Sum form>
  static constexpr Const<form> sum{};

  constexpr auto last() const {
    return get<last_step>(spec_);
  }

  /// What the block's place in the grid adds to a form.
  template <class F, class W>
  Wide origin(F form, W which) const {
    Wide total = 0;
    each(get<grids>(spec_), [&](auto g) { total += grid_[g] * get<grid_weight>(spec_, form, which, g); });
    return total;
  }

  /// What this thread, in its rank of the cluster, adds to a form in the map of step s.
  template <class F, class W, class S>
  Wide share(F form, W which, S s) const {
    Wide total = 0;
    each(get<thread_digits>(spec_, s), [&](auto p) {
      total += Wide(thread_ / get<thread_span>(spec_, s, p) % get<extent_at>(spec_, s, p)) *
               get<thread_weight>(spec_, form, which, s, p);
    });
    each(get<rank_digits>(spec_, s), [&](auto p) {
      total += Wide(rank_ / get<rank_span>(spec_, s, p) % get<rank_extent>(spec_, s, p)) *
               get<rank_part_weight>(spec_, form, which, s, p);
    });
    return total;
  }

  template <class S>
  bool holds(S s) const {
    return get<all_active>(spec_, s) || thread_ < get<active>(spec_, s);
  }

  /// Calls f(q) for each register q of step s whose element lies inside the data.
  template <class S, class F>
  void each_inside(S s, F f) const {
    Wide at[max_guards];
    each(get<guards>(spec_), [&](auto g) { at[g] = origin(sum<Sum::guard>, g) + share(sum<Sum::guard>, g, s); });
    each(get<held>(spec_, s), [&](auto q) {
      bool inside = true;
      each(get<guards>(spec_), [&](auto g) {
        inside = inside && at[g] + get<register_part>(spec_, sum<Sum::guard>, g, s, q) < get<guard_bound>(spec_, g);
      });
      if (inside) f(q);
    });
  }

  template <class S>
  void load(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::read>, s) + share(sum<Sum::read>, s, s);
    if (get<guards>(spec_)) each(get<held>(spec_, s), [&](auto q) { v_[q] = Complex<T>{}; });
    each_inside(s, [&](auto q) {
      auto const x = block_.load(args_.in, base + get<register_part>(spec_, sum<Sum::read>, s, s, q));
      v_[q] = get<swaps_read>(spec_) ? swap(x) : x;
    });
  }

  template <class S>
  void store(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::write>, s) + share(sum<Sum::write>, s, s);
    each_inside(s, [&](auto q) {
      auto x = get<swaps_write>(spec_) ? swap(v_[q]) : v_[q];
      if (get<scaled>(spec_)) x = x * args_.scale;
      block_.store(args_.out, base + get<register_part>(spec_, sum<Sum::write>, s, s, q), x);
    });
  }

  /// From the map of the step before into the map of step s, through shared memory.
  template <class S>
  void exchange(S s) {
    auto const from = get<step_before>(spec_, s);
    if (get<fenced>(spec_, s)) barrier(s);
    if (holds(from)) {
      int const place = get<exchange_base>(spec_, s) + int(share(sum<Sum::shared>, s, from));
      int const target = get<remote>(spec_, s) ? int(share(sum<Sum::rank>, s, from)) : 0;
      each(get<held>(spec_, from), [&](auto q) {
        int const to = place + int(get<register_part>(spec_, sum<Sum::shared>, s, from, q));
        if (get<remote>(spec_, s))
          block_.put_remote(target + int(get<register_part>(spec_, sum<Sum::rank>, s, from, q)), to, v_[q]);
        else
          block_.put(to, v_[q]);
      });
    }
    barrier(s);
    if (holds(s)) {
      int const place = get<exchange_base>(spec_, s) + int(share(sum<Sum::shared>, s, s));
      each(get<held>(spec_, s), [&](auto q) {
        v_[q] = block_.template take<T>(place + int(get<register_part>(spec_, sum<Sum::shared>, s, s, q)));
      });
    }
  }

  template <class S>
  void barrier(S s) {
    if (get<remote>(spec_, s))
      block_.sync_cluster();
    else
      block_.sync();
  }

  template <class S>
  void transform(S s) {
    if (!holds(s)) return;
    with_radix(get<radix>(spec_, s), [&](auto r) {
      each(get<butterflies>(spec_, s), [&](auto b) {
        Complex<T> u[decltype(r)::value];
        each(r, [&](auto k) { u[k] = v_[get<butterfly_register>(spec_, s, b, k)]; });
        dft(u);
        each(r, [&](auto k) { v_[get<butterfly_register>(spec_, s, b, k)] = u[k]; });
      });
    });
  }

  template <class S>
  void twiddle(S s) {
    if (!holds(s)) return;
    if (get<twiddling>(spec_, s) == int(Twiddling::matrix)) twiddle_by_matrix(s);
    if (get<twiddling>(spec_, s) == int(Twiddling::product)) twiddle_by_product(s);
  }

  /// w^(k low) from a table with a row for each k >= 1: neighbouring threads read neighbouring entries.
  template <class S>
  void twiddle_by_matrix(S s) {
    Wide const low = share(sum<Sum::low>, s, s) - get<twiddle_rows>(spec_, s) + get<twiddle_table>(spec_, s);
    each(get<butterflies>(spec_, s), [&](auto b) {
      each(get<radix>(spec_, s), [&](auto k) {
        if (k == 0) return;
        auto const q = get<butterfly_register>(spec_, s, b, k);
        v_[q] = v_[q] * block_.root(args_.roots, low + get<register_part>(spec_, sum<Sum::low>, s, s, q) +
                                                     get<twiddle_rows>(spec_, s) * k);
      });
    });
  }

  /// w^(k low) with k x low up to the whole axis: a product of two table entries, each rounded once.
  template <class S>
  void twiddle_by_product(S s) {
    Wide const k = share(sum<Sum::k>, s, s);
    Wide const low = origin(sum<Sum::low>, s) + share(sum<Sum::low>, s, s);
    Wide const mask = (Wide(1) << get<twiddle_shift>(spec_, s)) - 1;
    each(get<held>(spec_, s), [&](auto q) {
      Wide const e = (k + get<register_part>(spec_, sum<Sum::k>, s, s, q)) *
                     (low + get<register_part>(spec_, sum<Sum::low>, s, s, q));
      auto const high = block_.root(args_.roots, get<twiddle_table>(spec_, s) + (e >> get<twiddle_shift>(spec_, s)));
      auto const fine = block_.root(args_.roots, get<twiddle_table_low>(spec_, s) + (e & mask));
      v_[q] = v_[q] * (high * fine);
    });
  }

  Spec spec_;
  Block& block_;
  Args<T> const& args_;
  int thread_, rank_;
  Wide grid_[max_grid];
  Complex<T> v_[Spec::capacity];
};

template <class T, class Spec, class Block>
void sweep(Spec spec, Block& block, Args<T> const& args) {
  Sweep<T, Spec, Block>(spec, block, args).run();
}

}  // namespace skipper::kernel
