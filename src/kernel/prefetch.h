#pragma once
// Prefetches a later tile into L2 while this block transforms its own.
#include "kernel/memory.h"
#include "kernel/thread_coordinates.h"

namespace skipper::kernel {

/// A thread's share of a tile's lines.
template <class T, class Spec, class Block>
class TileLines : ThreadCoordinates<T, Spec, Block> {
  using Base = ThreadCoordinates<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::args_, Base::thread_, Base::rank_, Base::conjugate_apart;

 public:
  TileLines(Spec spec, Block& block, Args<T> const& args, Wide tile) : Base(spec, block, args, tile) {}

  /// Calls f for where each line that is this thread's begins, of those that the tile reads.
  template <class F>
  void each_line(F f) const {
    Wide const base =
        this->origin(sum<MapName::read>, Const<0>{}) + get<first_offset>(spec_, sum<MapName::read>);
    Wide const apart = conjugate_apart(sum<MapName::read>, Const<0>{}, Const<0>{});
    auto const& pieces = table<prefetch_pieces>(spec_);
    repeat(get<prefetch_rounds>(spec_), [&](int k) {
      unsigned const i = (k * get<cluster_ranks>(spec_) + rank_) * get<threads>(spec_) + thread_;
      if (i >= unsigned(get<prefetch_count>(spec_))) return;
      Wide at = base;
      repeat(get<prefetch_parts>(spec_),
             [&](int p) { at += Wide(i / pieces.span[p] % pieces.extent[p]) * pieces.weight[p]; });
      f(at);
      when(get<has_grid_conjugates>(spec_), [&](auto...) { f(at + apart); });
    });
  }

  /// Of a tile that is partly empty nothing is asked for: there are few.
  bool is_whole() const {
    bool whole = true;
    each(get<guards>(spec_), [&](auto g) {
      when(get<guards_side>(spec_, sum<MapName::read>, g), [&](auto...) {
        Wide const begin = this->origin(sum<MapName::guard>, g);
        whole = whole && begin >= get<guard_first>(spec_, g) &&
                begin + get<guard_reach>(spec_, g) < get<guard_bound>(spec_, g);
      });
    });
    return whole;
  }
};

/// What was read of the block's own tile.
template <class T, class Spec, class Block>
void discard_tile(Spec spec, Block& block, Args<T> const& args) {
  TileLines<T, Spec, Block> const lines(spec, block, args, block.tile());
  lines.each_line([&](Wide at) { block.discard(args.in, at); });
}

template <class T, class Spec, class Block>
void prefetch_tile(Spec spec, Block& block, Args<T> const& args) {
  Wide const tile = block.tile() + get<prefetch_distance>(spec);
  TileLines<T, Spec, Block> const lines(spec, block, args, tile);
  if (tile >= block.tiles() || !lines.is_whole()) return;
  Memory<T, Spec, Block> const memory{spec, block, args};
  lines.each_line([&](Wide at) { memory.prefetch(at); });
}

}  // namespace skipper::kernel
