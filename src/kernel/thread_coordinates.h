#pragma once
// The coordinates of one thread: the offsets that tile, thread and cluster rank add to each affine map of the spec, which
// elements the thread holds, and which of these exist.
#include "kernel/complex.h"
#include "kernel/known.h"
#include "kernel/memory.h"
#include "kernel/numbers.h"
#include "kernel/registers.h"

namespace skipper::kernel {

template <MapName map>
inline constexpr Const<map> affine{};

template <class T, class Spec, class Block>
class ThreadCoordinates {
 public:
  ThreadCoordinates(Spec spec, Block& block, Args<T> const& args)
      : ThreadCoordinates(spec, block, args, block.tile()) {}
  ThreadCoordinates(Spec spec, Block& block, Args<T> const& args, Offset<Block> tile)
      : spec_(spec), block_(block), args_(args), thread_(block.thread()), rank_(block.cluster_rank()) {
    using Count = typename NumbersOf<Block>::template Unsigned32If<decltype(get<few_tiles>(spec_))>;
    Count rest = static_cast<Count>(tile);
    each(get<grids>(spec_), [&](auto g) {
      auto const extent = static_cast<Count>(get<grid_extent>(spec_, g));
      grid_[g] = rest % extent;
      rest /= extent;
    });
    when(get<has_grid_conjugates>(spec_), [&](auto...) {
      each(get<grids>(spec_), [&](auto g) { conjugate_[g] = grid_[g]; });
      negate(get<negated_digits>(spec_), aggregate<conjugate_rows_of>(spec_), grid_, conjugate_);
    });
  }

 protected:
  constexpr auto last() const { return get<last_step>(spec_); }

  /// The offset that the tile's place in the grid adds to an affine map.
  template <class F, class W>
  Offset<Block> tile_offset(F map, W which) const {
    Offset<Block> total = 0;
    each(get<grids>(spec_), [&](auto g) { total += grid_[g] * get<grid_weight>(spec_, map, which, g); });
    return total;
  }

  /// The offset that this thread and its cluster rank add to an affine map in the assignment of step s.
  template <class Number = Offset<Block>, class F, class W, class S>
  Number thread_offset(F map, W which, S s) const {
    Number total = 0;
    auto const add = [&](Unsigned<Block> index, AffineTerms const& of, int p) {
      total += Number(index / of.span[p] % of.extent[p]) * Number(of.weight[p]);
    };
    auto const& threads = aggregate<thread_terms>(spec_, map, which, s);
    repeat(get<thread_term_count>(spec_, map, which, s), [&](int p) { add(thread_, threads, p); });
    when(get<in_cluster>(spec_), [&](auto...) {
      auto const& cluster_ranks = aggregate<rank_terms>(spec_, map, which, s);
      repeat(get<rank_term_count>(spec_, map, which, s), [&](int p) { add(rank_, cluster_ranks, p); });
    });
    return total;
  }

  /// From a row to its conjugate, in the assignment of step s.
  template <class F, class W, class S>
  Offset<Block> conjugate_distance(F map, W which, S s) const {
    Offset<Block> apart = 0;
    when(get<has_grid_conjugates>(spec_), [&](auto...) {
      each(get<grids>(spec_),
           [&](auto g) { apart += (conjugate_[g] - grid_[g]) * get<grid_weight>(spec_, map, which, g); });
    });
    when(get<ranks_are_rows>(spec_, s), [&](auto...) {
      auto const conjugate =
          Unsigned<Block>(rank_of_conjugate(aggregate<conjugate_rows_of>(spec_), Int<Block>(rank_)));
      auto const& cluster_ranks = aggregate<rank_terms>(spec_, map, which, s);
      repeat(get<rank_term_count>(spec_, map, which, s), [&](int p) {
        auto const digit = [&](Unsigned<Block> cluster_rank) {
          return Offset<Block>(cluster_rank / cluster_ranks.span[p] % cluster_ranks.extent[p]);
        };
        apart += (digit(conjugate) - digit(rank_)) * cluster_ranks.weight[p];
      });
    });
    return apart;
  }

  /// What register q of step s adds where its element is of the row's conjugate.
  template <class F, class W, class S>
  auto conjugate_offset(F map, W which, S s) const {
    auto const apart = conjugate_distance(map, which, s);
    Int<Block> own = 0;
    when(get<has_conjugate_rows>(spec_),
         [&](auto...) { own = this->short_thread_offset(affine<MapName::conjugate>, s, s); });
    return [this, apart, own, s](int q) {
      Offset<Block> total = 0;
      when(get<has_conjugate_rows>(spec_), [&](auto...) {
        total = apart * (own + aggregate<register_offsets<int>>(spec_, affine<MapName::conjugate>, s, s)[q]);
      });
      return total;
    };
  }

  /// Number of register q's element along a real axis, given what the thread has of it.
  template <class F, class S>
  auto along(F map, S s, Offset<Block> first) const {
    Wide const most = get<max_tile_thread_offset>(spec_, map, Const<0>{}, s) + get<by_rader>(spec_);
    auto const conjugate = conjugate_offset(map, Const<0>{}, s);
    return [this, map, s, first, most, conjugate](int q) {
      Wide const part = aggregate<register_offsets<Wide>>(spec_, map, s, s)[q];
      return Along<Offset<Block>>{first + part + conjugate(q), part, part + most};
    };
  }

  /// What register q of step s adds where the rows of another cosine axis are read, or written, in Makhoul's order.
  template <class Side, class S>
  auto row_offset(Side side, S s) const {
    return [this, side, s](int q) {
      Offset<Block> at = 0;
      when(get<crosses_side>(spec_, side), [&](auto...) {
        auto const& crossing = aggregate<crossed_axis_of>(spec_);
        auto const number =
            this->along(affine<MapName::row>, s, this->thread_offset(affine<MapName::row>, s, s));
        at = crossing.stride * index_of(crossing.gather_index, number(q));
      });
      return at;
    };
  }

  template <class F, class W, class S>
  Int<Block> short_thread_offset(F map, W which, S s) const {
    return thread_offset<Int<Block>>(map, which, s);
  }

  /// Whether this block has the ends of its lines: of a line by itself rank 0 alone.
  Bool<Block> has_line_ends() const { return !get<has_conjugate_lines>(spec_) || rank_ == 0; }

  template <class S>
  Bool<Block> is_active(S s) const {
    return get<all_active>(spec_, s) || thread_ < unsigned(get<active>(spec_, s));
  }

  /// Calls f(q) for each register q of step s whose element exists where the sweep reads, or writes.
  template <class Side, class S, class F>
  void each_existing(Side side, S s, F f) const {
    Registers<RegisterArray::existing, Bool<Block>, Spec> inside(spec_);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) { inside[q] = true; });
    each(get<guards>(spec_), [&](auto g) {
      when(get<guards_side>(spec_, side, g), [&](auto...) {
        using Number = typename NumbersOf<Block>::template Int32If<decltype(get<small_guard>(spec_, g))>;
        auto const left = Number(get<guard_bound>(spec_, g)) -
                          Number(tile_offset(affine<MapName::guard>, g)) -
                          thread_offset<Number>(affine<MapName::guard>, g, s);
        auto const& part = aggregate<register_offsets<Wide>>(spec_, affine<MapName::guard>, g, s);
        Wide const bound = get<guard_bound>(spec_, g);
        auto const least = left - Number(bound) + Number(get<guard_first>(spec_, g));
        when(get<guards_conjugates>(spec_, g), [&](auto...) {
          auto const conjugate = conjugate_offset(affine<MapName::guard>, g, s);
          repeat(get<elements_per_thread>(spec_, s), [&](int q) {
            Number const at = Number(part[q]) + Number(conjugate(q));
            inside[q] = inside[q] && at < left && at >= least;
          });
        });
        if (get<guards_conjugates>(spec_, g)) return;
        // Where a register alone reaches the bound, or is below it whatever the thread and the tile, no code is left.
        Wide const sure = bound - get<max_tile_thread_offset>(spec_, affine<MapName::guard>, g, s);
        repeat(get<elements_per_thread>(spec_, s), [&](int q) {
          inside[q] = inside[q] && part[q] < bound && (part[q] < sure || Number(part[q]) < left);
        });
        when(get<guards_below>(spec_, g), [&](auto...) {
          repeat(get<elements_per_thread>(spec_, s),
                 [&](int q) { inside[q] = inside[q] && Number(part[q]) >= least; });
        });
      });
    });
    when(get<has_grid_conjugates>(spec_), [&](auto...) {
      auto const here =
          block_.only(side != MapName::read &&
                      is_counted(aggregate<conjugate_rows_of>(spec_), conjugate_, get<rows_half_way>(spec_)));
      if (!here) return;
      auto const own = short_thread_offset(affine<MapName::conjugate>, s, s);
      auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::conjugate>, s, s);
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { inside[q] = inside[q] && own + part[q] == 0; });
    });
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      if (auto const here = block_.only(inside[q])) f(q);
    });
  }

  /// Calls f(q) for each register q of step s that has index 0 of a line.
  template <class S, class F>
  void each_index_zero(S s, F f) const {
    auto const here = block_.only(short_thread_offset(affine<MapName::entry>, s, s) == 0);
    if (!here) return;
    auto const& entry = aggregate<register_offsets<int>>(spec_, affine<MapName::entry>, s, s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      if (entry[q] == 0) f(q);
    });
  }

  /// Where point zero of register q's line waits, in the assignment of step s.
  template <class S>
  auto line_places(S s) const {
    auto const first = short_thread_offset(affine<MapName::line>, s, s);
    return [this, first, s](int q) {
      return first + aggregate<register_offsets<int>>(spec_, affine<MapName::line>, s, s)[q];
    };
  }

  /// Where register q of the assignment of step `at` stands in the exchange into step s, in Rader's order.
  template <class S, class At>
  auto rader_places(S s, At at) const {
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::beside>, s, at);
    auto const entry = rader_entries(s, at);
    return [this, place, entry, s, at](int q) {
      return place + aggregate<register_offsets<int>>(spec_, affine<MapName::beside>, s, at)[q] + entry(q);
    };
  }

  /// What the table of Rader has for register q.
  template <class S, class At>
  auto rader_entries(S s, At at) const {
    auto const entries = array_of<int>(args_.roots) + get<rader_table>(spec_) +
                         short_thread_offset(affine<MapName::entry>, s, at);
    return [this, entries, s, at](int q) {
      return block_.root(entries, aggregate<register_offsets<int>>(spec_, affine<MapName::entry>, s, at)[q]);
    };
  }

  /// Number `table` of the tables of a line across a cluster, each with an entry for every point.
  auto routes(int table) const {
    return array_of<int>(args_.roots) + get<rader_table>(spec_) + table * get<across_cluster_points>(spec_);
  }

  Spec spec_;
  Block& block_;
  Args<T> const& args_;
  Unsigned<Block> thread_, rank_;
  Offset<Block> grid_[max_grid], conjugate_[max_grid];  // of a row, and of its conjugate
  Registers<RegisterArray::elements, Complex<T>, Spec> v_{spec_};
  Registers<RegisterArray::extra, Complex<T>, Spec> extra_{spec_};
};

}  // namespace skipper::kernel
