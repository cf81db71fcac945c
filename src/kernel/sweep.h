#pragma once
// One sweep: read a tile, take it through its steps on chip, write it. Lines, columns, planes, cubes, parts of
// long axes and clusters of blocks are all this one text; the spec's assignments of digits make the difference.
//
//   for each step:  load or exchange  ->  butterflies on the digit held in registers  ->  twiddles  ->  middle
//
// `Spec` is Fixed or Named (known.h), or the emulator's; `Block` is the only interface to the hardware (block.h).
#include "kernel/prefetch.h"
#include "kernel/butterflies.h"
#include "kernel/codelets.h"
#include "kernel/complex.h"
#include "kernel/matrix_dft.h"
#include "kernel/symmetric_dft.h"
#include "kernel/known.h"
#include "kernel/memory.h"
#include "kernel/real_rader.h"
#include "kernel/perhaps.h"
#include "kernel/rader_lines.h"
#include "kernel/symbol.h"
#include "kernel/makhoul.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
class Sweep : RealRader<T, Spec, Block> {
 public:
  using RealRader<T, Spec, Block>::RealRader;

  /// Whether it ran to its end: false where it waited too long (Block::wait_for_previous), before anything was written.
  Bool<Block> run() {
    if (get<triggers_at_once>(spec_)) block_.trigger_dependents();
    each(get<steps>(spec_), [&](auto s) { this->preload_twiddles(s); });
    Bool<Block> done = true;
    if (get<waits_to_load>(spec_)) done = block_.wait_for_previous();
    auto const loads = block_.only(done);
    if (!loads) return done;
    if (get<triggers_after_waiting>(spec_)) block_.trigger_dependents();
    when(get<prefetches_first>(spec_), [&](auto...) { prefetch_tile<T>(spec_, block_, args_); });
    load(Const<0>{});
    when(get<prefetches_after>(spec_), [&](auto...) { prefetch_tile<T>(spec_, block_, args_); });
    if (get<polls_early>(spec_)) block_.poll_previous();
    when(get<has_extra>(spec_, affine<MapName::pre>), [&](auto...) { load_extra(get<lines_step>(spec_)); });
    when(get<ordered_on_chip>(spec_), [&](auto...) { load_point_zero(get<lines_step>(spec_)); });
    when(get<across_cluster>(spec_), [&](auto...) { load_first_point(get<middle_step>(spec_)); });
    each(get<steps>(spec_), [&](auto s) {
      when(get<routes_in>(spec_, s), [&](auto...) { route(s, Const<0>{}, Const<1>{}, Const<2>{}); });
      when(get<routes_out>(spec_, s), [&](auto...) { route(s, Const<2>{}, Const<3>{}, Const<0>{}); });
      when(get<exchanged>(spec_, s), [&](auto...) { exchange(s); });
      when(get<splits>(spec_, s), [&](auto...) {
        when(get<crosses_before>(spec_), [&](auto...) { this->cross(s); });
        when(get<by_columns>(spec_), [&](auto...) { hermitian_columns(s); });
        when(get<by_rows>(spec_), [&](auto...) { hermitian(s); });
        when(get<crosses_after>(spec_), [&](auto...) { this->cross_back(s); });
        if (get<splits_across>(spec_, s) && get<splits_first>(spec_, s))
          block_.sync_cluster();  // all have read
      });
      if (auto const here = block_.only(is_active(s))) transform(s, v_);
      twiddle(s);
      when(get<has_middle>(spec_, s), [&](auto...) { middle(s); });
    });
    when(get<keeps_extra>(spec_), [&](auto...) { keep_extra(get<lines_step>(spec_)); });
    if (get<sync_before_store>(spec_))
      block_.sync_cluster();
    else if (get<coalesced>(spec_))
      block_.sync();
    if (get<waits_to_store>(spec_)) done = block_.wait_for_previous();
    auto const stores = block_.only(done);
    if (!stores) return done;
    when(get<discards>(spec_), [&](auto...) {
      block_.sync();  // all have loaded
      discard_tile<T>(spec_, block_, args_);
    });
    store(last());
    when(get<has_extra>(spec_, affine<MapName::post>), [&](auto...) { store_extra(get<lines_step>(spec_)); });
    when(get<ordered_on_chip>(spec_), [&](auto...) { store_point_zero(get<lines_step>(spec_)); });
    when(get<coalesced>(spec_), [&](auto...) { store_coalesced(); });
    if (get<splits_across>(spec_, get<hermitian_step>(spec_))) block_.sync_cluster();  // others have read
    return done;
  }

 private:
  using Base = RealRader<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::args_, Base::thread_, Base::v_, Base::extra_, Base::last,
      Base::tile_offset, Base::thread_offset, Base::short_thread_offset, Base::conjugate_offset, Base::along,
      Base::row_offset, Base::is_active, Base::each_existing, Base::each_index_zero, Base::line_places,
      Base::rader_places, Base::routes, Base::preload_twiddles, Base::twiddle, Base::rotations,
      Base::singly_rotated, Base::hermitian, Base::hermitian_columns, Base::last_of_hermitian;

  template <class S>
  void load(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const base = tile_offset(affine<MapName::read>, s) + thread_offset(affine<MapName::read>, s, s) +
                      get<first_offset>(spec_, affine<MapName::read>);
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::read>, s, s);
    auto const first = tile_offset(affine<MapName::pre>, s) + thread_offset(affine<MapName::pre>, s, s) +
                       get<by_rader>(spec_);
    auto const number = along(affine<MapName::pre>, s, first);
    auto const& side = aggregate<processing>(spec_, affine<MapName::pre>);
    if (get<any_read_guard>(spec_))
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = zero<Complex<T>>(); });
    auto const rotate = rotations(affine<MapName::pre>, s, first);
    auto const conjugate = conjugate_offset(affine<MapName::read>, s, s);
    auto const row = row_offset(affine<MapName::read>, s);
    each_existing(affine<MapName::read>, s,
                  [&](int q) { v_[q] = fetched(side, base + part[q] + conjugate(q) + row(q), number(q)); });
    when(get<loads_spectrum>(spec_), [&](auto...) {
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = this->from_spectrum(v_[q]); });
    });
    // Outside the guards' branches, each of which would wait for what it has loaded.
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = rotate(q, v_[q]); });
    when(get<has_load_factor>(spec_), [&](auto...) {
      auto const factor = pointwise(affine<MapName::load_factor>, s);
      each_existing(affine<MapName::read>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
  }

  /// Point 0 of each line.
  template <class S>
  void load_point_zero(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const base = tile_offset(affine<MapName::read>, s) + thread_offset(affine<MapName::read>, s, s);
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::read>, s, s);
    auto const& side = aggregate<processing>(spec_, affine<MapName::pre>);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { extra_[q] = zero<Complex<T>>(); });
    each_existing(affine<MapName::read>, s, [&](int q) {
      extra_[q] = singly_rotated(affine<MapName::pre>, 0, fetched(side, base + part[q], exactly(0)));
      if (get<real_rader>(spec_)) extra_[q] = this->alike(extra_[q].re);
    });
    transform(s, extra_);
  }

  /// Point 0 of a line across a cluster, for the thread that has index 0 in the middle.
  template <class S>
  void load_first_point(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const& side = aggregate<processing>(spec_, affine<MapName::pre>);
    each_index_zero(
        s, [&](int q) { extra_[q] = fetched(side, tile_offset(affine<MapName::read>, s), exactly(0)); });
  }

  Memory<T, Spec, Block> memory() const { return {spec_, block_, args_}; }

  /// Element i of the axis; `at` is its place, or where real that of the axis. What the side does not need is not compiled.
  template <class Number>
  Complex<T> fetched(PrePostProcessing const& e, Offset<Block> at, Along<Number> i) const {
    Complex<T> x{};
    when(get<plain>(spec_, affine<MapName::pre>), [&](auto...) { x = memory().pair(at); });
    when(get<processed>(spec_, affine<MapName::pre>), [&](auto...) { x = memory().processed(e, at, i); });
    if (get<swaps_read>(spec_)) x = swap(x);
    return x;
  }

  template <class S>
  void store(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const base = place_of_tile() + thread_offset(affine<MapName::write>, s, s);
    auto const first = tile_offset(affine<MapName::post>, s) + thread_offset(affine<MapName::post>, s, s) +
                       get<by_rader>(spec_);
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::write>, s, s);
    when(get<has_store_factor>(spec_), [&](auto...) {
      auto const factor = pointwise(affine<MapName::store_factor>, s);
      each_existing(affine<MapName::write>, s, [&](int q) { v_[q] = v_[q] * factor(q); });
    });
    auto const number = along(affine<MapName::post>, s, first);
    auto const& side = aggregate<processing>(spec_, affine<MapName::post>);
    auto const rotate = rotations(affine<MapName::post>, s, first);
    auto const conjugate = conjugate_offset(affine<MapName::write>, s, s);
    when(get<stores_spectrum>(spec_), [&](auto...) {
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = this->to_spectrum(v_[q]); });
    });
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = rotate(q, v_[q]); });
    auto const row = row_offset(affine<MapName::write>, s);
    each_existing(affine<MapName::write>, s,
                  [&](int q) { emit(side, base + part[q] + conjugate(q) + row(q), number(q), v_[q]); });
  }

  /// The extra element of each line.
  template <class S>
  void store_extra(S s) {
    auto const here = block_.only(is_active(s) && this->has_line_ends());
    if (!here) return;
    auto const& side = aggregate<processing>(spec_, affine<MapName::post>);
    auto const base = place_of_tile() + thread_offset(affine<MapName::write>, s, s) + side.extra_offset;
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::write>, s, s);
    auto const conjugate = conjugate_offset(affine<MapName::write>, s, s);
    each_existing(affine<MapName::write>, s, [&](int q) {
      auto const x = get<keeps_extra>(spec_) ? extra_[q] : last_of_hermitian(s, q);
      emit(side, base + part[q] + conjugate(q), exactly(side.extent),
           singly_rotated(affine<MapName::post>, side.extent, x));
    });
  }

  /// Where the tile's first output goes: where it is coalesced, to the beginning of shared memory.
  Offset<Block> place_of_tile() const {
    if (get<coalesced>(spec_)) return 0;
    return tile_offset(affine<MapName::write>, Const<0>{}) + get<first_offset>(spec_, affine<MapName::write>);
  }

  /// The extra elements before what they come from is written over.
  template <class S>
  void keep_extra(S s) {
    auto const here = block_.only(get<has_extra>(spec_, affine<MapName::post>) && is_active(s));
    if (!here) return;
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { extra_[q] = last_of_hermitian(s, q); });
  }

  /// Stores the tile's output, one run of memory, from shared memory in whole sectors, whatever the rows.
  void store_coalesced() {
    block_.sync();
    auto const& side = aggregate<processing>(spec_, affine<MapName::post>);
    auto const base = tile_offset(affine<MapName::write>, Const<0>{}) / (side.real ? 2 : 1);
    Offset<Block> there = side.coalesced_pairs;
    if (side.coalesced_unit > 0) {
      Offset<Block> const left =
          (get<guard_bound>(spec_, Const<0>{}) - tile_offset(affine<MapName::guard>, Const<0>{})) *
          side.coalesced_unit;
      there = select(left < there, left, there);
    }
    Int<Block> before = 0;
    if (get<coalesced_unaligned>(spec_)) before = Int<Block>(base % get<sector_pairs>(spec_));
    repeat(get<coalesced_rounds>(spec_), [&](int q) {
      Int<Block> const i = Int<Block>(thread_) + q * get<threads>(spec_) - before;
      bool const all = side.coalesced_unit == 0 && (q + 1) * get<threads>(spec_) <= side.coalesced_pairs;
      if (auto const here = block_.only((all || i < there) && i >= 0))
        memory().store_pair(base + i, block_.template take<T>(i));
    });
  }

  /// Point 0 of each line, by now the sum of all.
  template <class S>
  void store_point_zero(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const base = tile_offset(affine<MapName::write>, s) + thread_offset(affine<MapName::write>, s, s);
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::write>, s, s);
    auto const& side = aggregate<processing>(spec_, affine<MapName::post>);
    auto const place = line_places(s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      extra_[q] = block_.template take<T>(place(q));
      if (get<stores_spectrum>(spec_)) extra_[q] = this->to_spectrum(extra_[q]);
    });
    each_existing(affine<MapName::write>, s, [&](int q) {
      emit(side, base + part[q], exactly(0), singly_rotated(affine<MapName::post>, 0, extra_[q]));
    });
  }

  template <class Number>
  void emit(PrePostProcessing const& e, Offset<Block> at, Along<Number> i, Complex<T> x) const {
    if (get<swaps_write>(spec_)) x = swap(x);
    if (get<scaled>(spec_)) x = x * args_.scale;
    when(get<plain>(spec_, affine<MapName::post>), [&](auto...) { memory().put_pair(at, x); });
    when(get<processed>(spec_, affine<MapName::post>), [&](auto...) { memory().put_processed(e, at, i, x); });
  }

  /// The factor of register q of step s, from the table of a side or a middle.
  template <class F, class S>
  auto pointwise(F map, S s) const {
    auto const first = get<given_factors>(spec_, map, s) ? args_.factors : args_.roots;
    auto const entries =
        first + get<pointwise_table>(spec_, map, s) + tile_offset(map, s) + thread_offset(map, s, s);
    return [this, entries, map, s](int q) {
      return block_.root(entries, aggregate<register_offsets<Wide>>(spec_, map, s, s)[q]);
    };
  }

  template <class S>
  void middle(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    when(get<ordered_on_chip>(spec_), [&](auto...) {
      each_index_zero(
          s, [&](int q) { extra_[q] = get<real_rader>(spec_) ? this->alike(v_[q].re + v_[q].im) : v_[q]; });
    });
    when(get<across_cluster>(spec_), [&](auto...) {
      auto const& side = aggregate<processing>(spec_, affine<MapName::post>);
      each_index_zero(s, [&](int q) {
        emit(side, tile_offset(affine<MapName::write>, s), exactly(0), v_[q] + extra_[q]);
      });
    });
    when(get<multiplies>(spec_), [&](auto...) {
      auto const factor = pointwise(affine<MapName::middle>, s);
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = v_[q] * factor(q); });
    });
    when(get<real_rader>(spec_), [&](auto...) { this->multiply_with_partners(s); });
    auto const first = [&](auto a) {
      return this->tile_offset(affine<MapName::symbol>, a) +
             this->thread_offset(affine<MapName::symbol>, a, s);
    };
    when(get<divides_singly>(spec_), [&](auto...) { divide_by_symbol(spec_, block_, args_, s, v_, first); });
    when(get<divides_with_partners>(spec_), [&](auto...) {
      divide_with_partners(spec_, block_, args_, s, v_, first, this->rotated_partner(s));
    });
    when(get<has_given>(spec_, s),
         [&](auto...) { repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = swap(v_[q]); }); });
    when(get<across_cluster>(spec_),
         [&](auto...) { each_index_zero(s, [&](int q) { v_[q] = v_[q] + extra_[q]; }); });
    when(get<ordered_on_chip>(spec_), [&](auto...) {
      auto const place = line_places(s);
      each_index_zero(s, [&](int q) {  // what is added here is added to all points
        auto const point = block_.template take<T>(place(q));
        v_[q] = v_[q] + point;
        extra_[q] = extra_[q] + point;
      });
    });
  }

  /// From the assignment of the step before into that of step s, through shared memory.
  template <class S>
  void exchange(S s) {
    auto const from = get<step_before>(spec_, s);
    if (get<fenced>(spec_, s)) barrier(s);
    if (auto const here = block_.only(is_active(from))) {
      auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, from);
      auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, from);
      bool const moved = get<remote>(spec_, s) || get<writes_rader_order>(spec_, s) ||
                         get<permutes_in>(spec_, s) || get<paired>(spec_, s) ||
                         get<reads_real_rader>(spec_, s);
      if (!moved)
        repeat(get<elements_per_thread>(spec_, from), [&](int q) {
          block_.put(place + part[q], get<permutes_out>(spec_, s) ? conj(v_[q]) : v_[q]);
        });
      when(get<permutes_in>(spec_, s), [&](auto...) {
        auto const even = short_thread_offset(affine<MapName::makhoul_even>, s, from),
                   odd = short_thread_offset(affine<MapName::makhoul_odd>, s, from);
        repeat(get<elements_per_thread>(spec_, from),
               [&](int q) { makhoul().put(s, from, even, odd, q, v_[q]); });
      });
      when(get<paired>(spec_, s), [&](auto...) {
        auto const& two = aggregate<side_by_side>(spec_, s, from);
        repeat(get<register_pairs>(spec_, from), [&](int p) {
          int const q = two[2 * p];
          block_.put_two(place + part[q], v_[q], v_[two[2 * p + 1]]);
        });
      });
      when(get<remote>(spec_, s), [&](auto...) { put_remote(s, from, place); });
      when(get<reads_real_rader>(spec_, s), [&](auto...) { this->put_real_rader(s, from); });
      when(get<writes_real_rader>(spec_, s), [&](auto...) { this->scatter_rader(s, from); });
      when(get<writes_complex_rader>(spec_, s), [&](auto...) {
        auto const power = rader_places(s, from);
        repeat(get<elements_per_thread>(spec_, from), [&](int q) { block_.put(power(q), v_[q]); });
      });
      when(get<follows_middle>(spec_, s), [&](auto...) {
        auto const line = line_places(from);
        each_index_zero(from, [&](int q) { block_.put(line(q), extra_[q]); });
      });
    }
    when(get<reads_rader_order>(spec_, s), [&](auto...) { put_point_zero(get<lines_step>(spec_)); });
    when(get<splits_first>(spec_, s), [&](auto...) { put_extra(s, get<lines_step>(spec_)); });
    if (get<splits_across>(spec_, s))
      block_.sync_cluster();
    else
      barrier(s);
    when(get<is_direct_dft>(spec_, s), [&](auto...) {
      repeat(get<elements_per_thread>(spec_, from),
             [&](int q) { v_[q] = Complex<T>{}; });  // frees their registers
      when(get<by_its_matrix>(spec_, s), [&](auto...) {
        MatrixDftLines<T, Spec, Block>{spec_, block_, args_}.multiply(s);
      });
      when(get<by_symmetry>(spec_, s), [&](auto...) {
        SymmetricDftLines<T, Spec, Block>{spec_, block_}.multiply(s);
      });
      barrier(s);
    });
    when(get<shared_rader>(spec_), [&](auto...) {
      repeat(get<elements_per_thread>(spec_, from),
             [&](int q) { v_[q] = Complex<T>{}; });  // frees their registers
      SharedRaderLines<T, Spec, Block>{spec_, block_, args_}.convolve();
    });
    when(get<reads_complex_rader>(spec_, s), [&](auto...) { gather(s); });
    when(get<reads_real_rader>(spec_, s), [&](auto...) { this->gather_rader(s); });
    when(get<writes_real_rader>(spec_, s), [&](auto...) { this->take_real_rader(s); });
    when(get<permutes_out>(spec_, s), [&](auto...) {
      auto const here = block_.only(is_active(s));
      if (!here) return;
      auto const even = short_thread_offset(affine<MapName::makhoul_even>, s, s),
                 odd = short_thread_offset(affine<MapName::makhoul_odd>, s, s);
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = makhoul().take(s, s, even, odd, q); });
    });
    when(get<one_sum_per_warp>(spec_, s), [&](auto...) { take_joined(s); });
    when(get<paired>(spec_, s), [&](auto...) { take_interleaved(s); });
    bool const taken = get<kept_in>(spec_, s) || get<reads_rader_order>(spec_, s) ||
                       get<permutes_out>(spec_, s) || get<one_sum_per_warp>(spec_, s) ||
                       get<paired>(spec_, s) || get<writes_real_rader>(spec_, s);
    if (auto const here = block_.only(!taken && is_active(s))) {
      auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s);
      auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
      repeat(get<elements_per_thread>(spec_, s),
             [&](int q) { v_[q] = block_.template take<T>(place + part[q]); });
    }
  }

  /// A line across a cluster into the assignment of step s: into slots sorted by the blocks that want them, from there to these in
  /// runs, and out of what came from all. The tables have the slot of each entry, the rank and place of each slot, and the
  /// place of each entry.
  template <class S, class Slots, class Runs, class Places>
  void route(S s, Slots slots, Runs runs, Places places) {
    auto const from = get<step_before>(spec_, s);
    auto const own = Int<Block>(this->rank_) * get<across_cluster_points_per_block>(spec_);
    auto const slot = routes(slots) + short_thread_offset(affine<MapName::entry>, s, from),
               run = routes(runs) + own + Int<Block>(thread_),
               place = routes(places) + short_thread_offset(affine<MapName::entry>, s, s);
    block_.sync();
    if (auto const here = block_.only(is_active(from))) {
      auto const& entry = aggregate<register_offsets<int>>(spec_, affine<MapName::entry>, s, from);
      repeat(get<elements_per_thread>(spec_, from),
             [&](int q) { block_.put(block_.root(slot, entry[q]), v_[q]); });
    }
    block_.sync();
    int const stride = get<active>(spec_, from);
    if (auto const here = block_.only(is_active(from)))
      repeat(get<elements_per_thread>(spec_, from),
             [&](int q) { v_[q] = block_.template take<T>(Int<Block>(thread_) + q * stride); });
    block_.sync_cluster();  // all have taken theirs
    if (auto const here = block_.only(is_active(from)))
      repeat(get<elements_per_thread>(spec_, from), [&](int q) {
        auto const there = block_.root(run, q * stride);
        block_.put_remote(there >> 16, there & 0xffff, v_[q]);
      });
    block_.sync_cluster();
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const& entry = aggregate<register_offsets<int>>(spec_, affine<MapName::entry>, s, s);
    repeat(get<elements_per_thread>(spec_, s),
           [&](int q) { v_[q] = block_.template take<T>(block_.root(place, entry[q])); });
  }

  template <class S>
  void take_interleaved(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
    auto const& two = aggregate<side_by_side>(spec_, s, s);
    repeat(get<register_pairs>(spec_, s), [&](int p) {
      int const q = two[2 * p];
      auto const both = block_.template take_two<T>(place + part[q]);
      v_[q] = both.first;
      v_[two[2 * p + 1]] = both.second;
    });
  }

  template <class S>
  void take_joined(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s),
               first = short_thread_offset(affine<MapName::direct_dft>, s, s);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
    auto const& index = aggregate<register_offsets<int>>(spec_, affine<MapName::direct_dft>, s, s);
    SymmetricDftLines<T, Spec, Block> const lines{spec_, block_};
    repeat(get<elements_per_thread>(spec_, s),
           [&](int q) { v_[q] = lines.joined(s, place + part[q], first + index[q]); });
  }

  Makhoul<T, Spec, Block> makhoul() const { return {spec_, block_}; }

  template <class S>
  void gather(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const power = rader_places(s, s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { v_[q] = block_.template take<T>(power(q)); });
  }

  template <class S>
  void put_point_zero(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = line_places(s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { block_.put(place(q), extra_[q]); });
  }

  /// Each element into the block of the cluster that holds it in step s.
  template <class S, class From>
  void put_remote(S s, From from, Int<Block> place) {
    auto const target = short_thread_offset(affine<MapName::cluster_rank>, s, from),
               own = short_thread_offset(affine<MapName::conjugate>, s, from);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, from);
    auto const& hop = aggregate<register_offsets<int>>(spec_, affine<MapName::cluster_rank>, s, from);
    auto const& conjugate = aggregate<register_offsets<int>>(spec_, affine<MapName::conjugate>, s, from);
    auto const conjugate_place = conjugate_offset(affine<MapName::shared>, s, from);
    repeat(get<elements_per_thread>(spec_, from), [&](int q) {
      Int<Block> cluster_rank = target + hop[q], at = place + part[q];
      if (get<to_rows>(spec_, s))
        cluster_rank =
            select(own + conjugate[q] != 0,
                   rank_of_conjugate(aggregate<conjugate_rows_of>(spec_), cluster_rank), cluster_rank);
      if (get<from_rows>(spec_, s)) at += Int<Block>(conjugate_place(q));
      block_.put_remote(cluster_rank, at, v_[q]);
    });
  }

  /// The extra elements, loaded with the others: they wait until the Hermitian split's exchange.
  template <class S>
  void load_extra(S s) {
    auto const here = block_.only(is_active(s) && this->has_line_ends());
    if (!here) return;
    auto const& side = aggregate<processing>(spec_, affine<MapName::pre>);
    auto const base = tile_offset(affine<MapName::read>, s) + thread_offset(affine<MapName::read>, s, s) +
                      side.extra_offset;
    auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::read>, s, s);
    auto const conjugate = conjugate_offset(affine<MapName::read>, s, s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { extra_[q] = zero<Complex<T>>(); });
    each_existing(affine<MapName::read>, s, [&](int q) {
      extra_[q] = singly_rotated(affine<MapName::pre>, side.extent,
                                 fetched(side, base + part[q] + conjugate(q), exactly(side.extent)));
    });
  }

  template <class S, class Lines>
  void put_extra(S s, Lines lines) {
    auto const here = block_.only(is_active(lines) && this->has_line_ends());
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, lines) +
                       get<hermitian_far>(spec_);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, lines);
    repeat(get<elements_per_thread>(spec_, lines), [&](int q) { block_.put(place + part[q], extra_[q]); });
  }

  template <class S>
  void barrier(S s) {
    if (get<remote>(spec_, s))
      block_.sync_cluster();
    else
      block_.sync();
  }

  template <class S, class V>
  void transform(S s, V& v) {
    auto const& joined = aggregate<butterfly_registers>(spec_, s);
    with_radix(get<radix>(spec_, s), [&](auto r) {
      repeat(get<butterflies>(spec_, s), [&](int b) {
        when(get<transforms_all>(spec_, s), [&](auto...) {
          Complex<T> u[decltype(r)::value];
          repeat(r, [&](int k) { u[k] = v[joined[b * r + k]]; });
          dft(u);
          repeat(r, [&](int k) { v[joined[b * r + k]] = u[k]; });
        });
        when(get<transforms_zeros>(spec_, s), [&](auto...) {
          auto const& there = aggregate<inputs_there>(spec_);
          Complex<Perhaps<T>> u[decltype(r)::value];
          repeat(r, [&](int k) { u[k] = perhaps(v[joined[b * r + k]], there[joined[b * r + k]]); });
          dft(u);
          repeat(r, [&](int k) { v[joined[b * r + k]] = for_sure(u[k]); });
        });
      });
    });
  }
};

template <class T, class Spec, class Block>
Bool<Block> sweep(Spec spec, Block& block, Args<T> const& args) {
  return Sweep<T, Spec, Block>(spec, block, args).run();
}

}  // namespace skipper::kernel
