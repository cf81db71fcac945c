#pragma once
// One sweep: read a tile, take it through its steps on chip, write it. Lines, columns, planes, cubes, parts of
// long axes and clusters of blocks are all this one text; the spec's digit maps make the difference.
//
//   for each step:  load or exchange  ->  butterflies on the digit held in registers  ->  twiddles
//
// `Spec` is Fixed, Named or Loaded (known.h); `Block` is the only door to the hardware (block.h).
#include "kernel/butterflies.h"
#include "kernel/climb.h"
#include "kernel/codelets.h"
#include "kernel/complex.h"
#include "kernel/dense.h"
#include "kernel/known.h"
#include "kernel/memory.h"
#include "kernel/mirror.h"
#include "kernel/seat.h"
#include "kernel/symbol.h"
#include "kernel/zigzag.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
class Sweep : Seat<T, Spec, Block> {
 public:
  using Seat<T, Spec, Block>::Seat;

  void run() {
    load(Const<0>{});
    when(get<has_extra>(spec_, sum<Sum::head>), [&](auto...) { load_extra(get<lines_step>(spec_)); });
    when(get<by_powers>(spec_), [&](auto...) { load_left_over(get<lines_step>(spec_)); });
    each(get<steps>(spec_), [&](auto s) {
      when(get<exchanged>(spec_, s), [&](auto...) { exchange(s); });
      when(get<mirrors>(spec_, s), [&](auto...) {
        when(get<by_columns>(spec_), [&](auto...) { mirror_columns(s); });
        when(get<by_itself>(spec_), [&](auto...) { mirror(s); });
      });
      if (holds(s)) transform(s, v_);
      twiddle(s);
      when(get<has_middle>(spec_, s), [&](auto...) { middle(s); });
    });
    when(get<gathered>(spec_), [&](auto...) { keep_extra(get<lines_step>(spec_)); });
    if (get<waits>(spec_) || get<gathered>(spec_)) block_.sync();
    store(last());
    when(get<has_extra>(spec_, sum<Sum::tail>), [&](auto...) { store_extra(get<lines_step>(spec_)); });
    when(get<by_powers>(spec_), [&](auto...) { store_left_over(get<lines_step>(spec_)); });
    when(get<gathered>(spec_), [&](auto...) { store_gathered(); });
  }

 private:
  using Seat<T, Spec, Block>::spec_, Seat<T, Spec, Block>::block_, Seat<T, Spec, Block>::args_,
      Seat<T, Spec, Block>::thread_, Seat<T, Spec, Block>::grid_, Seat<T, Spec, Block>::v_,
      Seat<T, Spec, Block>::left_over_, Seat<T, Spec, Block>::last, Seat<T, Spec, Block>::origin,
      Seat<T, Spec, Block>::share, Seat<T, Spec, Block>::short_share, Seat<T, Spec, Block>::holds,
      Seat<T, Spec, Block>::each_inside;

  template <class S>
  void load(S s) {
    if (!holds(s)) return;
    Wide const base =
        origin(sum<Sum::read>, s) + share(sum<Sum::read>, s, s) + get<first_offset>(spec_, sum<Sum::read>);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::read>, s, s);
    Wide const first = origin(sum<Sum::head>, s) + share(sum<Sum::head>, s, s) + get<by_powers>(spec_);
    auto const& index = table<parts<Wide>>(spec_, sum<Sum::head>, s, s);
    auto const& end_ = table<end>(spec_, sum<Sum::head>);
    if (get<any_read_guard>(spec_)) repeat(get<held>(spec_, s), [&](int q) { v_[q] = Complex<T>{}; });
    auto const rotate = rotations(sum<Sum::head>, s, first);
    each_inside(sum<Sum::read>, s,
                [&](int q) { v_[q] = rotate(q, fetched(end_, base + part[q], first + index[q])); });
    when(get<has_load_end>(spec_), [&](auto...) {
      auto const factor = pointwise(sum<Sum::load_end>, s);
      each_inside(sum<Sum::read>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
  }

  /// Point 0 of each line.
  template <class S>
  void load_left_over(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::read>, s) + share(sum<Sum::read>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::read>, s, s);
    auto const& end_ = table<end>(spec_, sum<Sum::head>);
    repeat(get<held>(spec_, s), [&](int q) { left_over_[q] = Complex<T>{}; });
    each_inside(sum<Sum::read>, s, [&](int q) {
      left_over_[q] = singly_rotated(sum<Sum::head>, 0, fetched(end_, base + part[q], 0));
    });
    transform(s, left_over_);
  }

  Memory<T, Spec, Block> memory() const { return {spec_, block_, args_}; }

  /// Element i of the axis; `at` is its place, or where folded that of the axis. What no end asks for is not compiled.
  Complex<T> fetched(End const& e, Wide at, Wide i) const {
    Complex<T> x{};
    when(get<plain>(spec_, sum<Sum::head>), [&](auto...) { x = memory().pair(at); });
    when(get<shaped>(spec_, sum<Sum::head>), [&](auto...) { x = memory().shaped(e, at, i); });
    if (get<swaps_read>(spec_)) x = swap(x);
    return x;
  }

  template <class S>
  void store(S s) {
    if (!holds(s)) return;
    Wide const base = place_of_tile() + share(sum<Sum::write>, s, s);
    Wide const first = origin(sum<Sum::tail>, s) + share(sum<Sum::tail>, s, s) + get<by_powers>(spec_);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::write>, s, s);
    when(get<has_store_end>(spec_), [&](auto...) {
      auto const factor = pointwise(sum<Sum::store_end>, s);
      each_inside(sum<Sum::write>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
    auto const& index = table<parts<Wide>>(spec_, sum<Sum::tail>, s, s);
    auto const& end_ = table<end>(spec_, sum<Sum::tail>);
    auto const rotate = rotations(sum<Sum::tail>, s, first);
    each_inside(sum<Sum::write>, s,
                [&](int q) { emit(end_, base + part[q], first + index[q], rotate(q, v_[q])); });
  }

  /// The extra element of each line.
  template <class S>
  void store_extra(S s) {
    if (!holds(s)) return;
    auto const& end_ = table<end>(spec_, sum<Sum::tail>);
    Wide const base = place_of_tile() + share(sum<Sum::write>, s, s) + end_.extra_offset;
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::write>, s, s);
    each_inside(sum<Sum::write>, s, [&](int q) {
      auto const x = get<gathered>(spec_) ? left_over_[q] : last_of_mirror(s, q);
      emit(end_, base + part[q], end_.extent, singly_rotated(sum<Sum::tail>, end_.extent, x));
    });
  }

  /// Where the tile's first output goes: where it is gathered first, to the beginning of shared memory.
  Wide place_of_tile() const {
    if (get<gathered>(spec_)) return 0;
    return origin(sum<Sum::write>, Const<0>{}) + get<first_offset>(spec_, sum<Sum::write>);
  }

  /// The extra elements before what they come from is written over.
  template <class S>
  void keep_extra(S s) {
    if (!get<has_extra>(spec_, sum<Sum::tail>) || !holds(s)) return;
    repeat(get<held>(spec_, s), [&](int q) { left_over_[q] = last_of_mirror(s, q); });
  }

  /// The tile's output, one run of memory, from shared memory: whole sectors, whatever the rows.
  void store_gathered() {
    block_.sync();
    auto const& end_ = table<end>(spec_, sum<Sum::tail>);
    Wide const base = origin(sum<Sum::write>, Const<0>{}) / (end_.real ? 2 : 1);
    Wide there = end_.gathered;
    if (end_.gathered_unit > 0) {
      Wide const left =
          (get<guard_bound>(spec_, Const<0>{}) - origin(sum<Sum::guard>, Const<0>{})) * end_.gathered_unit;
      there = left < there ? left : there;
    }
    int const before = get<gathered_amid>(spec_) ? int(base % get<sector_pairs>(spec_)) : 0;
    repeat(get<gathered_turns>(spec_), [&](int q) {
      int const i = int(thread_) + q * get<threads>(spec_) - before;
      bool const all = end_.gathered_unit == 0 && (q + 1) * get<threads>(spec_) <= end_.gathered;
      if ((all || i < there) && i >= 0) memory().store_pair(base + i, block_.template take<T>(i));
    });
  }

  /// Point 0 of each line, by now the sum of all.
  template <class S>
  void store_left_over(S s) {
    if (!holds(s)) return;
    Wide const base = origin(sum<Sum::write>, s) + share(sum<Sum::write>, s, s);
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::write>, s, s);
    auto const& end_ = table<end>(spec_, sum<Sum::tail>);
    auto const place = line_places(s);
    repeat(get<held>(spec_, s), [&](int q) { left_over_[q] = block_.template take<T>(place(q)); });
    each_inside(sum<Sum::write>, s, [&](int q) {
      emit(end_, base + part[q], 0, singly_rotated(sum<Sum::tail>, 0, left_over_[q]));
    });
  }

  void emit(End const& e, Wide at, Wide i, Complex<T> x) const {
    if (get<swaps_write>(spec_)) x = swap(x);
    if (get<scaled>(spec_)) x = x * args_.scale;
    when(get<plain>(spec_, sum<Sum::tail>), [&](auto...) { memory().put_pair(at, x); });
    when(get<shaped>(spec_, sum<Sum::tail>), [&](auto...) { memory().put_shaped(e, at, i, x); });
  }

  /// The factor of register q of step s, from the table of an end or a middle.
  template <class F, class S>
  auto pointwise(F form, S s) const {
    auto const* const first = get<given_factors>(spec_, form, s) ? args_.factors : args_.roots;
    auto const* const entries =
        first + get<pointwise_table>(spec_, form, s) + origin(form, s) + share(form, s, s);
    return [this, entries, form, s](int q) {
      return block_.root(entries, table<parts<Wide>>(spec_, form, s, s)[q]);
    };
  }

  template <class S>
  void middle(S s) {
    if (!holds(s)) return;
    when(get<by_powers>(spec_), [&](auto...) { each_first(s, [&](int q) { left_over_[q] = v_[q]; }); });
    when(get<multiplies>(spec_), [&](auto...) {
      auto const factor = pointwise(sum<Sum::middle>, s);
      repeat(get<held>(spec_, s), [&](int q) { v_[q] = v_[q] * factor(q); });
    });
    when(get<divides>(spec_), [&](auto...) {
      divide_by_symbol(spec_, block_, args_, s, v_, [&](auto a) {
        return this->origin(sum<Sum::symbol>, a) + this->share(sum<Sum::symbol>, a, s);
      });
    });
    when(get<has_given>(spec_, s),
         [&](auto...) { repeat(get<held>(spec_, s), [&](int q) { v_[q] = swap(v_[q]); }); });
    when(get<by_powers>(spec_), [&](auto...) {
      auto const place = line_places(s);
      each_first(s, [&](int q) {  // what is added here is added to all points
        auto const point = block_.template take<T>(place(q));
        v_[q] = v_[q] + point;
        left_over_[q] = left_over_[q] + point;
      });
    });
  }

  /// Calls f(q) for each register q of step s that has index 0 of a line.
  template <class S, class F>
  void each_first(S s, F f) const {
    if (short_share(sum<Sum::entry>, s, s) != 0) return;
    auto const& entry = table<parts<int>>(spec_, sum<Sum::entry>, s, s);
    repeat(get<held>(spec_, s), [&](int q) {
      if (entry[q] == 0) f(q);
    });
  }

  /// Where the point waits that is left over of register q's line, in the map of step s.
  template <class S>
  auto line_places(S s) const {
    int const first = short_share(sum<Sum::line>, s, s);
    return [this, first, s](int q) { return first + table<parts<int>>(spec_, sum<Sum::line>, s, s)[q]; };
  }

  /// Where register q of the map of step `at` stands in the exchange into step s, in the order of powers.
  template <class S, class At>
  auto power_places(S s, At at) const {
    int const place = get<exchange_base>(spec_, s) + short_share(sum<Sum::beside>, s, at);
    int const* const entries = reinterpret_cast<int const*>(args_.roots) + get<powers_table>(spec_) +
                               short_share(sum<Sum::entry>, s, at);
    return [this, place, entries, s, at](int q) {
      return place + table<parts<int>>(spec_, sum<Sum::beside>, s, at)[q] +
             block_.root(entries, table<parts<int>>(spec_, sum<Sum::entry>, s, at)[q]);
    };
  }

  /// From the map of the step before into the map of step s, through shared memory.
  template <class S>
  void exchange(S s) {
    auto const from = get<step_before>(spec_, s);
    if (get<fenced>(spec_, s)) barrier(s);
    if (holds(from)) {
      int const place = get<exchange_base>(spec_, s) + short_share(sum<Sum::shared>, s, from);
      auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, from);
      bool const moved = get<remote>(spec_, s) || get<scatters>(spec_, s) || get<zigzags_in>(spec_, s);
      if (!moved)
        repeat(get<held>(spec_, from),
               [&](int q) { block_.put(place + part[q], get<zigzags_out>(spec_, s) ? conj(v_[q]) : v_[q]); });
      when(get<zigzags_in>(spec_, s), [&](auto...) {
        int const zig = short_share(sum<Sum::zig>, s, from), zag = short_share(sum<Sum::zag>, s, from);
        repeat(get<held>(spec_, from), [&](int q) { zigzag().put(s, from, zig, zag, q, v_[q]); });
      });
      when(get<remote>(spec_, s), [&](auto...) { put_remote(s, from, place); });
      when(get<scatters>(spec_, s), [&](auto...) {
        auto const power = power_places(s, from);
        repeat(get<held>(spec_, from), [&](int q) { block_.put(power(q), v_[q]); });
      });
      when(get<follows_middle>(spec_, s), [&](auto...) {
        auto const line = line_places(from);
        each_first(from, [&](int q) { block_.put(line(q), left_over_[q]); });
      });
    }
    when(get<gathers>(spec_, s), [&](auto...) { put_left_over(get<lines_step>(spec_)); });
    when(get<mirrors_head>(spec_, s), [&](auto...) { put_extra(s, get<lines_step>(spec_)); });
    barrier(s);
    when(get<is_dense>(spec_, s), [&](auto...) {
      repeat(get<held>(spec_, from), [&](int q) { v_[q] = Complex<T>{}; });  // frees their registers
      DenseLines<T, Spec, Block>{spec_, block_, args_}.multiply(s);
      barrier(s);
    });
    when(get<gathers>(spec_, s), [&](auto...) { gather(s); });
    when(get<zigzags_out>(spec_, s), [&](auto...) {
      if (!holds(s)) return;
      int const zig = short_share(sum<Sum::zig>, s, s), zag = short_share(sum<Sum::zag>, s, s);
      repeat(get<held>(spec_, s), [&](int q) { v_[q] = zigzag().take(s, s, zig, zag, q); });
    });
    bool const taken = get<kept_in>(spec_, s) || get<gathers>(spec_, s) || get<zigzags_out>(spec_, s);
    if (!taken && holds(s)) {
      int const place = get<exchange_base>(spec_, s) + short_share(sum<Sum::shared>, s, s);
      auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, s);
      repeat(get<held>(spec_, s), [&](int q) { v_[q] = block_.template take<T>(place + part[q]); });
    }
  }

  Zigzag<T, Spec, Block> zigzag() const { return {spec_, block_}; }

  template <class S>
  void gather(S s) {
    if (!holds(s)) return;
    auto const power = power_places(s, s);
    repeat(get<held>(spec_, s), [&](int q) { v_[q] = block_.template take<T>(power(q)); });
  }

  template <class S>
  void put_left_over(S s) {
    if (!holds(s)) return;
    auto const place = line_places(s);
    repeat(get<held>(spec_, s), [&](int q) { block_.put(place(q), left_over_[q]); });
  }

  /// Each element into the block of the cluster that holds it in step s.
  template <class S, class From>
  void put_remote(S s, From from, int place) {
    int const target = short_share(sum<Sum::rank>, s, from);
    auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, from);
    auto const& hop = table<parts<int>>(spec_, sum<Sum::rank>, s, from);
    repeat(get<held>(spec_, from),
           [&](int q) { block_.put_remote(target + hop[q], place + part[q], v_[q]); });
  }

  /// The extra elements of a head, loaded with the others: they wait until the mirror's exchange.
  template <class S>
  void load_extra(S s) {
    if (!holds(s)) return;
    auto const& end_ = table<end>(spec_, sum<Sum::head>);
    Wide const base = origin(sum<Sum::read>, s) + share(sum<Sum::read>, s, s) + end_.extra_offset;
    auto const& part = table<parts<Wide>>(spec_, sum<Sum::read>, s, s);
    repeat(get<held>(spec_, s), [&](int q) { left_over_[q] = Complex<T>{}; });
    each_inside(sum<Sum::read>, s, [&](int q) {
      left_over_[q] = singly_rotated(sum<Sum::head>, end_.extent, fetched(end_, base + part[q], end_.extent));
    });
  }

  template <class S, class Lines>
  void put_extra(S s, Lines lines) {
    if (!holds(lines)) return;
    int const place =
        get<exchange_base>(spec_, s) + short_share(sum<Sum::shared>, s, lines) + get<mirror_far>(spec_);
    auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, lines);
    repeat(get<held>(spec_, lines), [&](int q) { block_.put(place + part[q], left_over_[q]); });
  }

  /// Joins each element with that of the negated index, which waits where the exchange has put it.
  template <class S>
  void mirror(S s) {
    if (!holds(s)) return;
    int const place = get<exchange_base>(spec_, s) + short_share(sum<Sum::shared>, s, s);
    auto const& part = table<parts<int>>(spec_, sum<Sum::shared>, s, s);
    auto const& index = table<parts<int>>(spec_, sum<Sum::mirror>, Const<0>{}, s);
    auto const& way = table<mirror_of>(spec_);
    auto const hop = hops(s);
    int const first = short_share(sum<Sum::mirror>, Const<0>{}, s);
    auto const rotate = rotations(sum<Sum::mirror>, s, first);
    repeat(get<held>(spec_, s), [&](int q) {
      v_[q] = rows().joined_with(v_[q], place + part[q] + hop(q), [&](auto x) { return rotate(q, x); });
    });
    when(get<mirrors_head>(spec_, s), [&](auto...) {
      if (first != 0) return;
      int const far = way.weight[0] * way.extent[0];
      repeat(get<held>(spec_, s), [&](int q) {
        int const here = place + part[q];
        if (index[q] == 0) v_[q] = rows().ends_joined(here, here + hop(q) - far, far);
      });
    });
  }

  /// Tells two columns apart, or joins them: row k of both waits where the exchange has put it.
  template <class S>
  void mirror_columns(S s) {
    if (!holds(s)) return;
    int const place = get<exchange_base>(spec_, s) + short_share(sum<Sum::near>, s, s);
    auto const& part = table<parts<int>>(spec_, sum<Sum::near>, s, s);
    auto const& index = table<parts<int>>(spec_, sum<Sum::mirror>, Const<0>{}, s);
    auto const& second = table<parts<int>>(spec_, sum<Sum::parity>, s, s);
    auto const hop = hops(s);
    int const first = short_share(sum<Sum::mirror>, Const<0>{}, s),
              lane = short_share(sum<Sum::parity>, s, s);
    repeat(get<held>(spec_, s), [&](int q) {
      int const here = place + part[q], k = first + index[q];
      bool const odd = lane + second[q] != 0;
      v_[q] =
          get<mirrors_head>(spec_, s) ? rows().joined(here, k, odd) : rows().parted(here, here + hop(q), odd);
    });
  }

  /// Row half way of the line whose row 0 is in register q.
  template <class S>
  Complex<T> half_way_row(S s, int q) {
    auto const step = get<mirror_step>(spec_);
    int const here = get<exchange_base>(spec_, step) + short_share(sum<Sum::near>, step, s) +
                     table<parts<int>>(spec_, sum<Sum::near>, step, s)[q] + get<mirror_far>(spec_);
    bool const odd =
        short_share(sum<Sum::parity>, step, s) + table<parts<int>>(spec_, sum<Sum::parity>, step, s)[q] != 0;
    return rows().parted(here, here, odd);
  }

  /// Element `extent` of the line whose element 0 is in register q, from what the exchange into the mirror's step has left.
  template <class S>
  Complex<T> last_of_mirror(S s, int q) {
    Complex<T> x{};
    when(get<by_columns>(spec_), [&](auto...) { x = half_way_row(s, q); });
    when(get<by_itself>(spec_), [&](auto...) { x = last_by_itself(s, q); });
    each(get<steps>(spec_), [&](auto t) {
      when(get<twiddles_singly>(spec_, t),
           [&](auto...) { x = x * single_twiddle(t, s, q, get<half_way>(spec_)); });
    });
    return x;
  }

  template <class S>
  Complex<T> last_by_itself(S s, int q) {
    auto const step = get<mirror_step>(spec_);
    int const here = get<exchange_base>(spec_, step) + short_share(sum<Sum::shared>, step, s) +
                     table<parts<int>>(spec_, sum<Sum::shared>, step, s)[q];
    return rows().last(here, here + hops(s)(q));
  }

  Rows<T, Spec, Block> rows() const { return {spec_, block_}; }

  /// From the place of register q's element to that of its partner. Where a register alone has some index of a digit, so
  /// has the element: then what is left to the thread is the same for all, and the rest a constant.
  template <class S>
  auto hops(S s) const {
    struct Hops {
      int some[max_mirrored], none[max_mirrored];  // where a register has some index of a digit, or none
    } of{};
    auto const& way = table<mirror_of>(spec_);
    each(get<mirror_digits>(spec_), [&](auto m) {
      int const i = this->short_share(sum<Sum::mirror>, m, s);
      of.some[m] = way.weight[m] * (way.extent[m] - 2 * i);
      of.none[m] = mirror_hop(way, m, i);
    });
    return [this, of, s](int q) {
      auto const& mirror = table<mirror_of>(spec_);
      int total = 0;
      each(get<mirror_digits>(spec_), [&](auto m) {
        int const i = table<parts<int>>(spec_, sum<Sum::mirror>, m, s)[q];
        total += i != 0 ? of.some[m] - 2 * mirror.weight[m] * i : of.none[m];
      });
      return total;
    };
  }

  template <class S>
  void barrier(S s) {
    if (get<remote>(spec_, s))
      block_.sync_cluster();
    else
      block_.sync();
  }

  template <class S>
  void transform(S s, Complex<T>* v) {
    auto const& joined = table<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        Complex<T> u[decltype(r)::value];
        repeat(r, [&](int k) { u[k] = v[joined[b * r + k]]; });
        dft(u);
        repeat(r, [&](int k) { v[joined[b * r + k]] = u[k]; });
      });
    });
  }

  /// After a mirror, or a product with a matrix, no butterfly gives the elements an order: each has its factor looked up, unless the outputs that a
  /// thread holds are evenly apart.
  template <class S>
  void twiddle_singly(S s) {
    when(get<in_strides>(spec_, s), [&](auto...) {
      auto const& evenly = table<evenly_apart>(spec_, s);
      auto const r = get<strides>(spec_, s);
      repeat(get<stride_groups>(spec_, s), [&](int b) { climb_product(s, r, evenly, b); });
    });
    when(get<not_in_strides>(spec_, s), [&](auto...) {
      repeat(get<held>(spec_, s), [&](int q) { v_[q] = v_[q] * single_twiddle(s, s, q, 0); });
    });
  }

  /// The factor of step t for register q in the map of step s, of an output `further` than the register's.
  template <class Step, class S>
  Complex<T> single_twiddle(Step t, S s, int q, int further) const {
    using Exponent = Narrow<decltype(get<small_exponent>(spec_, t))>;
    auto const k = share(sum<Sum::k>, t, s) + table<parts<Wide>>(spec_, sum<Sum::k>, t, s)[q] + further;
    auto const low = origin(sum<Sum::low>, t) + share(sum<Sum::low>, t, s) +
                     table<parts<Wide>>(spec_, sum<Sum::low>, t, s)[q];
    return root_of(t, Exponent(k) * Exponent(low));
  }

  template <class S>
  void twiddle(S s) {
    if (!holds(s)) return;
    when(get<twiddles_singly>(spec_, s), [&](auto...) { twiddle_singly(s); });
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
        climb<true>(r, joined, b, Complex<T>{}, v_,
                    [&](int t) { return block_.root(own, get<twiddle_rows>(spec_, s) * t); });
      });
    });
  }

  /// w^(K low) with K x low up to the whole axis. The outputs k of a butterfly have K = K0 + k unit: so one factor for
  /// K0 and one for each power of two in k are looked up, each a product of two table entries rounded once.
  template <class S>
  void twiddle_by_product(S s) {
    auto const& joined = table<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) { climb_product(s, r, joined, b); });
    });
  }

  template <class S, class R, class Joined>
  void climb_product(S s, R r, Joined const& joined, int b) {
    using Exponent = Narrow<decltype(get<small_exponent>(spec_, s))>;
    auto const k0 = Exponent(share(sum<Sum::k>, s, s));
    auto const low0 = Exponent(origin(sum<Sum::low>, s) + share(sum<Sum::low>, s, s));
    auto const& k_part = table<parts<Wide>>(spec_, sum<Sum::k>, s, s);
    auto const& low_part = table<parts<Wide>>(spec_, sum<Sum::low>, s, s);
    int const first = joined[b * r];
    Exponent const k = k0 + Exponent(k_part[first]), low = low0 + Exponent(low_part[first]);
    Exponent const unit = Exponent(k_part[joined[b * r + r - 1]] - k_part[first]) / (r > 1 ? r - 1 : 1);
    climb<false>(r, joined, b, root_of(s, k * low), v_, [&](int t) { return root_of(s, (unit << t) * low); });
  }

  template <class S, class Exponent>
  Complex<T> root_of(S s, Exponent e) const {
    auto const mask = (Exponent(1) << get<twiddle_shift>(spec_, s)) - 1;
    auto const high =
        block_.root(args_.roots, get<twiddle_table>(spec_, s) + Wide(e >> get<twiddle_shift>(spec_, s)));
    return high * block_.root(args_.roots, get<twiddle_table_low>(spec_, s) + Wide(e & mask));
  }

  /// x turned by the rotation of an end or the mirror at index i of the axis.
  template <class F>
  Complex<T> singly_rotated(F form, Wide i, Complex<T> x) const {
    when(get<rotated>(spec_, form), [&](auto...) { x = x * root_at(table<rotation>(spec_, form), i); });
    return x;
  }

  /// The same for register q of step s, given what the thread has of the index.
  template <class F, class S>
  auto rotations(F form, S s, Wide first) const {
    Complex<T> start{};
    if (get<rotates_evenly>(spec_, form, s)) start = root_at(table<rotation>(spec_, form), first);
    return [this, start, first, form, s](int q, Complex<T> x) {
      Wide const i = table<parts<Wide>>(spec_, form, Const<0>{}, s)[q];
      if (!get<rotates_evenly>(spec_, form, s)) return singly_rotated(form, first + i, x);
      auto const& r = table<rotation>(spec_, form);
      return x * (i == 0 ? start : start * block_.root(args_.roots, r.table + (r.scale * i >> r.bits)));
    };
  }

  Complex<T> root_at(Rotation const& r, Wide i) const {
    if (!r.split) return block_.root(args_.roots, r.table + i);
    Wide const e = r.scale * i + r.shift;
    return block_.root(args_.roots, r.table + (e >> r.bits)) *
           block_.root(args_.roots, r.table_low + (e & ((Wide(1) << r.bits) - 1)));
  }
};

template <class T, class Spec, class Block>
void sweep(Spec spec, Block& block, Args<T> const& args) {
  Sweep<T, Spec, Block>(spec, block, args).run();
}

}  // namespace skipper::kernel
