#pragma once
// One sweep: read a tile, take it through its steps on chip, write it. Lines, columns, planes, cubes, parts of
// long axes and clusters of blocks are all this one text; the spec's digit maps make the difference.
//
//   for each step:  load or exchange  ->  butterflies on the digit held in registers  ->  twiddles
//
// `Spec` is Fixed, Named or Loaded (known.h); `Block` is the only door to the hardware (block.h).
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
    using Count = Narrow<decltype(get<few_tiles>(spec_))>;
    Count rest = static_cast<Count>(block.tile());
    each(get<grids>(spec_), [&](auto g) {
      auto const extent = static_cast<Count>(get<grid_extent>(spec_, g));
      grid_[g] = rest % extent;
      rest /= extent;
    });
  }

  void run() {
    load(Const<0>{});
    each(get<steps>(spec_), [&](auto s) {
      when(get<exchanged>(spec_, s), [&](auto...) { exchange(s); });
      transform(s);
      twiddle(s);
      when(get<has_middle>(spec_, s), [&](auto...) { middle(s); });
    });
    store(last());
  }

 private:
  template <Sum form>
  static constexpr Const<form> sum{};

  constexpr auto last() const { return get<last_step>(spec_); }

  /// What the block's place in the grid adds to a form.
  template <class F, class W>
  Wide origin(F form, W which) const {
    Wide total = 0;
    each(get<grids>(spec_), [&](auto g) { total += grid_[g] * get<grid_weight>(spec_, form, which, g); });
    return total;
  }

  /// What this thread, in its rank of the cluster, adds to a form in the map of step s.
  template <class Number = Wide, class F, class W, class S>
  Number share(F form, W which, S s) const {
    Number total = 0;
    each(get<thread_digits>(spec_, s), [&](auto p) {
      auto const digit =
          thread_ / unsigned(get<thread_span>(spec_, s, p)) % unsigned(get<extent_at>(spec_, s, p));
      total += Number(digit) * Number(get<thread_weight>(spec_, form, which, s, p));
    });
    each(get<rank_digits>(spec_, s), [&](auto p) {
      auto const digit =
          rank_ / unsigned(get<rank_span>(spec_, s, p)) % unsigned(get<rank_extent>(spec_, s, p));
      total += Number(digit) * Number(get<rank_part_weight>(spec_, form, which, s, p));
    });
    return total;
  }

  template <class S>
  bool holds(S s) const {
    return get<all_active>(spec_, s) || thread_ < unsigned(get<active>(spec_, s));
  }

  /// Calls f(q) for each register q of step s whose element exists on a side, Sum::read or Sum::write.
  template <class Side, class S, class F>
  void each_inside(Side side, S s, F f) const {
    bool inside[Spec::capacity];
    repeat(get<held>(spec_, s), [&](int q) { inside[q] = true; });
    each(get<guards>(spec_), [&](auto g) {
      when(get<guards_side>(spec_, side, g), [&](auto...) {
        Wide const left =
            get<guard_bound>(spec_, g) - origin(sum<Sum::guard>, g) - share(sum<Sum::guard>, g, s);
        auto const& part = table<parts<Wide>>(spec_, sum<Sum::guard>, g, s);
        auto const bound = get<guard_bound>(spec_, g);  // where a register alone reaches it, no code is left
        repeat(get<held>(spec_, s),
               [&](int q) { inside[q] = inside[q] && part[q] < bound && part[q] < left; });
      });
    });
    repeat(get<held>(spec_, s), [&](int q) {
      if (inside[q]) f(q);
    });
  }

  template <class S>
  void load(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::read>, s) + share(sum<Sum::read>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::read>, s, s);
    if (get<any_read_guard>(spec_)) repeat(get<held>(spec_, s), [&](int q) { v_[q] = Complex<T>{}; });
    each_inside(sum<Sum::read>, s, [&](int q) {
      auto const x = block_.load(args_.in, base + part[q]);
      v_[q] = get<swaps_read>(spec_) ? swap(x) : x;
    });
    when(get<has_load_end>(spec_), [&](auto...) {
      auto const factor = pointwise(sum<Sum::load_end>, s);
      each_inside(sum<Sum::read>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
  }

  template <class S>
  void store(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::write>, s) + share(sum<Sum::write>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::write>, s, s);
    when(get<has_store_end>(spec_), [&](auto...) {
      auto const factor = pointwise(sum<Sum::store_end>, s);
      each_inside(sum<Sum::write>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
    each_inside(sum<Sum::write>, s, [&](int q) {
      auto x = get<swaps_write>(spec_) ? swap(v_[q]) : v_[q];
      if (get<scaled>(spec_)) x = x * args_.scale;
      block_.store(args_.out, base + part[q], x);
    });
  }

  /// The factor of register q of step s, from the table of an end or a middle.
  template <class F, class S>
  auto pointwise(F form, S s) const {
    auto const* const entries =
        args_.roots + get<pointwise_table>(spec_, form, s) + origin(form, s) + share(form, s, s);
    return [this, entries, form, s](int q) {
      return block_.root(entries, table<parts<Wide>>(spec_, form, s, s)[q]);
    };
  }

  template <class S>
  void middle(S s) {
    if (!holds(s)) return;
    auto const factor = pointwise(sum<Sum::middle>, s);
    repeat(get<held>(spec_, s), [&](int q) { v_[q] = v_[q] * factor(q); });
  }

  /// From the map of the step before into the map of step s, through shared memory.
  template <class S>
  void exchange(S s) {
    auto const from = get<step_before>(spec_, s);
    if (get<fenced>(spec_, s)) barrier(s);
    if (holds(from)) {
      int const place = get<exchange_base>(spec_, s) + share<int>(sum<Sum::shared>, s, from);
      auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, from);
      if (!get<remote>(spec_, s))
        repeat(get<held>(spec_, from), [&](int q) { block_.put(place + part[q], v_[q]); });
      when(get<remote>(spec_, s), [&](auto...) { put_remote(s, from, place); });
    }
    barrier(s);
    if (holds(s)) {
      int const place = get<exchange_base>(spec_, s) + share<int>(sum<Sum::shared>, s, s);
      auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, s);
      repeat(get<held>(spec_, s), [&](int q) { v_[q] = block_.template take<T>(place + part[q]); });
    }
  }

  /// Each element into the block of the cluster that holds it in step s.
  template <class S, class From>
  void put_remote(S s, From from, int place) {
    int const target = share<int>(sum<Sum::rank>, s, from);
    auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, from);
    auto const& hop = table<parts<int>>(spec_, sum<Sum::rank>, s, from);
    repeat(get<held>(spec_, from),
           [&](int q) { block_.put_remote(target + hop[q], place + part[q], v_[q]); });
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
    auto const& joined = table<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        Complex<T> u[decltype(r)::value];
        repeat(r, [&](int k) { u[k] = v_[joined[b * r + k]]; });
        dft(u);
        repeat(r, [&](int k) { v_[joined[b * r + k]] = u[k]; });
      });
    });
  }

  template <class S>
  void twiddle(S s) {
    if (!holds(s)) return;
    when(get<by_matrix>(spec_, s), [&](auto...) { twiddle_by_matrix(s); });
    when(get<by_ladder>(spec_, s), [&](auto...) { twiddle_by_ladder(s); });
    when(get<by_product>(spec_, s), [&](auto...) { twiddle_by_product(s); });
  }

  /// w^(k low) from a table with a row for each k >= 1: neighbouring threads read neighbouring entries.
  template <class S>
  void twiddle_by_matrix(S s) {
    auto const* const column = args_.roots + get<twiddle_table>(spec_, s) + share(sum<Sum::low>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::low>, s, s);
    auto const& joined = table<butterfly_registers>(spec_, s);
    repeat(get<held>(spec_, s), [&](int p) {
      int const q = joined[p], k = p % get<radix>(spec_, s);
      if (k > 0) v_[q] = v_[q] * block_.root(column, part[q] + get<twiddle_rows>(spec_, s) * (k - 1));
    });
  }

  /// The same from the rows of w^low, w^(2 low), w^(4 low), ..: a quarter of the loads, from a table that stays in L1.
  template <class S>
  void twiddle_by_ladder(S s) {
    auto const* const column = args_.roots + get<twiddle_table>(spec_, s) + share(sum<Sum::low>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::low>, s, s);
    auto const& joined = table<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        auto const* const own = column + part[joined[b * r]];
        climb<true>(r, joined, b, {},
                    [&](int t) { return block_.root(own, get<twiddle_rows>(spec_, s) * t); });
      });
    });
  }

  /// w^(K low) with K x low up to the whole axis. The outputs k of a butterfly have K = K0 + k unit: so one factor for
  /// K0 and one for each power of two in k are looked up, each a product of two table entries rounded once.
  template <class S>
  void twiddle_by_product(S s) {
    using Exponent = Narrow<decltype(get<small_exponent>(spec_, s))>;
    auto const k0 = Exponent(share(sum<Sum::k>, s, s));
    auto const low0 = Exponent(origin(sum<Sum::low>, s) + share(sum<Sum::low>, s, s));
    auto const& k_part = table<parts<Wide>>(spec_, sum<Sum::k>, s, s);
    auto const& low_part = table<parts<Wide>>(spec_, sum<Sum::low>, s, s);
    auto const& joined = table<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        int const first = joined[b * r];
        Exponent const k = k0 + Exponent(k_part[first]), low = low0 + Exponent(low_part[first]);
        Exponent const unit = Exponent(k_part[joined[b * r + r - 1]] - k_part[first]) / (r > 1 ? r - 1 : 1);
        climb<false>(r, joined, b, root_of(s, k * low), [&](int t) { return root_of(s, (unit << t) * low); });
      });
    });
  }

  /// Multiplies output k of butterfly b by start x w^k (a plain climb has no start), given rung(t) = w^(2^t). Factors
  /// below w^8 are kept, the others are a product of one of them and a multiple of eight: so few are held at a time.
  template <bool plain, class R, class Joined, class Rung>
  void climb(R r, Joined const& joined, int b, Complex<T> start, Rung rung_at) {
    Complex<T> near[8] = {start}, far[8], step{};
    repeat(r, [&](int k) {
      int const q = joined[b * r + k], i = k % 8, j = k / 8;
      if (j == 0 && i > 0) {
        int const top = 1 << rung(i);
        if (i == top) step = rung_at(rung(i));
        near[i] = plain && i == top ? step : near[i - top] * step;
      }
      if (j > 0 && i == 0) {
        int const top = 1 << rung(j);
        far[j] = j == top ? rung_at(3 + rung(j)) : far[top] * far[j - top];
      }
      if (!plain || k > 0) v_[q] = v_[q] * (j == 0 ? near[i] : plain && i == 0 ? far[j] : near[i] * far[j]);
    });
  }

  template <class S, class Exponent>
  Complex<T> root_of(S s, Exponent e) const {
    auto const mask = (Exponent(1) << get<twiddle_shift>(spec_, s)) - 1;
    auto const high =
        block_.root(args_.roots, get<twiddle_table>(spec_, s) + Wide(e >> get<twiddle_shift>(spec_, s)));
    return high * block_.root(args_.roots, get<twiddle_table_low>(spec_, s) + Wide(e & mask));
  }

  Spec spec_;
  Block& block_;
  Args<T> const& args_;
  unsigned thread_, rank_;
  Wide grid_[max_grid];
  Complex<T> v_[Spec::capacity];
};

template <class T, class Spec, class Block>
void sweep(Spec spec, Block& block, Args<T> const& args) {
  Sweep<T, Spec, Block>(spec, block, args).run();
}

}  // namespace skipper::kernel
