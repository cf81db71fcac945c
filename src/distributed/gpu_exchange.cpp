// See gpu_exchange.h.
#include "distributed/gpu_exchange.h"

#include <algorithm>

#include "base/device_alignment.h"
#include "distributed/pieces.h"

namespace skipper::distributed {
namespace {

/// Of a caller's array that holds a box: in the order that was asked for, or as the program has it.
std::vector<Index> strides_of_caller(GpuStages const& stages, bool input, Box const& box) {
  if (!stages.arrays.order.empty()) return strides_in(stages.arrays.order, box.size);
  bool const padded = stages.arrays.in_place && !stages.program.is_round_trip();
  return caller_strides(stages.program, padded, input, box);
}

}  // namespace

GpuStages gpu_stages(Program const& program, GpuArrays const& arrays, bool all_here) {
  GpuStages all{program, arrays, {}};
  std::size_t const last = program.stages.size() - 1;
  std::vector<std::size_t> order = arrays.order;
  if (order.empty()) order = natural_layout(program.stages[0].cut.sizes().size()).order;
  for (std::size_t s = 0; s <= last; ++s) {
    GpuStage stage{s > 0 ? received_cut(program, s - 1) : program.stages[s].cut,
                   s < last ? sent_cut(program, s) : cut_after(program, s),
                   program.stages[s].computes(),
                   order,
                   {}};
    stage.element_bytes = out_element_bytes(program, s);
    if (s < last) {
      Distribution const next = received_cut(program, s);
      bool const ends = s + 1 == last && !program.stages[last].computes();
      stage.layout = exchange_layout(stage.after, next);
      std::size_t const spread = stage.layout.spread;
      // Copies keep the order of dimensions: what is only handed on is in that of callers' arrays.
      bool const handed_on = !stage.has_transforms || !program.stages[s + 1].computes();
      std::vector<std::size_t> const handed = arrays.order.empty() ? waiting_order(program, s) : arrays.order;
      if (handed_on && stage.layout.order != handed) stage.layout = {handed, 0};
      // Nobody stores into an output that is an input which may still be read.
      stage.to_output = ends && all_here && !(arrays.in_place && s == 0);
      // Rows of reals that are padded, and layouts that do not count the dimensions which tell receivers apart, have none.
      bool const padded =
          stage.to_output && arrays.in_place && !program.is_round_trip() && halved_axis(program.problem);
      stage.has_routes = stage.has_transforms && !padded && stage.layout.spread == spread;
      order = stage.layout.order;
    }
    all.stages.push_back(std::move(stage));
  }
  return all;
}

std::vector<Index> input_strides(GpuStages const& stages, std::size_t s, Index rank) {
  Box const box = stages.stages[s].before.box(rank);
  if (s == 0) return strides_of_caller(stages, true, box);
  return strides_in(stages.stages[s].order, box.size);
}

std::vector<Index> output_strides(GpuStages const& stages, std::size_t s, Index rank) {
  GpuStage const& stage = stages.stages[s];
  if (s + 1 == stages.stages.size()) return strides_of_caller(stages, false, stage.after.box(rank));
  bool const same = stage.before.sizes().size() == stage.after.sizes().size();
  if (!stage.has_transforms)
    return same ? input_strides(stages, s, rank) : dense_strides(stage.after.box(rank).size);
  return strides_in(stage.layout.order, stage.after.box(rank).size);
}

std::vector<Index> receiver_strides(GpuStages const& stages, std::size_t s, Index rank) {
  Box const box = stages.stages[s + 1].before.box(rank);
  if (stages.stages[s].to_output) return strides_of_caller(stages, false, box);
  return strides_in(stages.stages[s].layout.order, box.size);
}

std::vector<GpuPiece> copied_pieces(GpuStages const& stages, std::size_t s, Index rank, Index pieces) {
  GpuStage const& stage = stages.stages[s];
  Distribution const& next = stages.stages[s + 1].before;
  std::vector<bool> const whole = transformed(stages.program, s);
  Array const own{stage.after.box(rank), output_strides(stages, s, rank)};
  Array const input =
      stage.has_transforms ? Array{stage.before.box(rank), input_strides(stages, s, rank)} : own;
  Box const& box = input.box;
  std::vector<GpuPiece> all;
  Index packed = 0;
  for (Index p = 0; p < pieces; ++p) {
    Box const part = round_of(box, whole, pieces, p);
    if (is_empty(part)) continue;
    Box const done = box_after(stages.program, s, part);
    GpuPiece piece{p, part, offset(part, input.box, input.strides), offset(done, own.box, own.strides), {}};
    next.meet(done, [&](Index peer, Box const& shared) {
      Array const theirs{next.box(peer), receiver_strides(stages, s, peer)};
      Array const dense{shared, strides_in(stage.layout.order, shared.size)};
      piece.parts.push_back({peer, shared, byte_rows(shared, own, theirs, stage.element_bytes),
                             byte_rows(shared, own, dense, stage.element_bytes),
                             byte_rows(shared, dense, theirs, stage.element_bytes), packed});
      packed += device_aligned(volume(shared) * stage.element_bytes);
    });
    all.push_back(std::move(piece));
  }
  return all;
}

std::optional<Route> route_of(GpuStages const& stages, std::size_t s, Index rank, bool to_swap) {
  GpuStage const& stage = stages.stages[s];
  Distribution const& next = stages.stages[s + 1].before;
  constexpr Index least_swapped = 4;  // bytes of an element
  if (!stage.has_routes || (to_swap && stage.element_bytes < least_swapped)) return std::nullopt;
  std::optional<Route> route = to_swap ? route_to_swap(stage.after, next, stage.layout, rank)
                                       : route_to_peers(stage.after, next, stage.layout, rank);
  // Sweeps may store reals in pairs, which must not be torn apart, nor begin at odd places.
  bool const real = !is_complex(stages.program.problem, done_before(stages.program, s + 1));
  auto const is_odd = [](Slot const& slot) { return slot.offset % 2 != 0; };
  if (route && real &&
      (route->unit % 2 != 0 || std::any_of(route->slots.begin(), route->slots.end(), is_odd)))
    return std::nullopt;
  return route;
}

std::vector<GpuSwap> swaps_of(GpuStages const& stages, std::size_t s, Index rank) {
  GpuStage const& stage = stages.stages[s];
  Distribution const& next = stages.stages[s + 1].before;
  std::vector<GpuSwap> all;
  Box const own = stage.after.box(rank);
  if (is_empty(own)) return all;
  Array const mine{next.box(rank), receiver_strides(stages, s, rank)};
  next.meet(own, [&](Index peer, Box const&) {
    bool const is_mine = peer > rank ? (peer + rank) % 2 == 1 : (peer + rank) % 2 == 0;
    if (peer == rank || !is_mine) return;
    Array const theirs{next.box(peer), receiver_strides(stages, s, peer)};
    // In either array stands what the other one is to have.
    Box const here = intersection(stage.after.box(peer), mine.box), there = intersection(own, theirs.box);
    all.push_back({peer, dims_of(here, mine, theirs), offset(here, mine.box, mine.strides),
                   offset(there, theirs.box, theirs.strides)});
  });
  return all;
}

}  // namespace skipper::distributed
