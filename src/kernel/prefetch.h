#pragma once
// Prefetches a later tile into L2 (prefetch.global.L2) while this block transforms its own, and discards lines that have been
// read.
#include "kernel/memory.h"
#include "kernel/thread_coordinates.h"

namespace skipper::kernel {

/// The L2 lines of a tile that one thread prefetches or discards.
template <class T, class Spec, class Block>
class TileLines : ThreadCoordinates<T, Spec, Block> {
  using Base = ThreadCoordinates<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::args_, Base::thread_, Base::rank_, Base::conjugate_distance;

 public:
  TileLines(Spec spec, Block& block, Args<T> const& args, Offset<Block> tile)
      : Base(spec, block, args, tile) {}

  /// Calls f(offset) for each of them.
  template <class F>
  void each_line(F f) const {
    auto const base = this->tile_offset(affine<MapName::read>, Const<0>{}) +
                      get<first_offset>(spec_, affine<MapName::read>);
    auto const apart = conjugate_distance(affine<MapName::read>, Const<0>{}, Const<0>{});
    auto const& pieces = aggregate<prefetch_terms>(spec_);
    repeat(get<prefetch_rounds>(spec_), [&](int k) {
      Unsigned<Block> const i = (k * get<cluster_ranks>(spec_) + rank_) * get<threads>(spec_) + thread_;
      auto const here = block_.only(i < unsigned(get<prefetch_count>(spec_)));
      if (!here) return;
      Offset<Block> at = base;
      repeat(get<prefetch_term_count>(spec_),
             [&](int p) { at += Offset<Block>(i / pieces.span[p] % pieces.extent[p]) * pieces.weight[p]; });
      f(at);
      when(get<has_grid_conjugates>(spec_), [&](auto...) { f(at + apart); });
    });
  }

  /// Whether no element of the tile is missing. A tile that is partly empty is not prefetched: there are few.
  Bool<Block> is_whole() const {
    Bool<Block> whole = true;
    each(get<guards>(spec_), [&](auto g) {
      when(get<guards_side>(spec_, affine<MapName::read>, g), [&](auto...) {
        auto const begin = this->tile_offset(affine<MapName::guard>, g);
        whole = whole && begin >= get<guard_first>(spec_, g) &&
                begin + get<guard_reach>(spec_, g) < get<guard_bound>(spec_, g);
      });
    });
    return whole;
  }
};

/// Discards from L2 what the block has read of its own tile.
template <class T, class Spec, class Block>
void discard_tile(Spec spec, Block& block, Args<T> const& args) {
  TileLines<T, Spec, Block> const lines(spec, block, args, block.tile());
  lines.each_line([&](Offset<Block> at) { block.discard(args.in, at); });
}

/// Prefetches the tile at the spec's distance, where there is one.
template <class T, class Spec, class Block>
void prefetch_tile(Spec spec, Block& block, Args<T> const& args) {
  Offset<Block> const tile = block.tile() + get<prefetch_distance>(spec);
  TileLines<T, Spec, Block> const lines(spec, block, args, tile);
  auto const here = block.only(tile < block.tiles() && lines.is_whole());
  if (!here) return;
  Memory<T, Spec, Block> const memory{spec, block, args};
  lines.each_line([&](Offset<Block> at) { memory.prefetch(at); });
}

}  // namespace skipper::kernel
