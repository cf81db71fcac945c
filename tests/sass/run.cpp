// See run.h. Warps go on in turn, each until it waits for others.
#include "sass/run.h"

#include <algorithm>
#include <utility>

namespace skipper::sass {
namespace {

using State = Warp::State;

/// The warps of one block, and whether all of them that have not ended are at a state.
struct Party {
  std::vector<Warp> warps;
  bool all(State state) const {
    return std::all_of(warps.begin(), warps.end(),
                       [&](Warp const& w) { return w.state() == state || w.state() == State::ended; });
  }
  bool ended() const { return all(State::ended); }
  void go_on() {
    for (Warp& w : warps)
      if (w.state() != State::ended) w.go_on();
  }
};

Cluster cluster_of(Launch const& launch, unsigned number) {
  Cluster cluster{Constants(launch.arguments), GlobalMemory(launch.arrays), {}};
  cluster.constants.set(Constants::stack_top, LocalMemory::stack_bytes);
  cluster.constants.set(Constants::grid_x, launch.grid_x);
  cluster.constants.set(Constants::grid_y, 1);
  for (int rank = 0; rank < launch.cluster_ranks; ++rank)
    cluster.blocks.push_back({.rank = rank,
                              .x = number * unsigned(launch.cluster_ranks) + unsigned(rank),
                              .shared = SharedMemory(launch.shared_bytes)});
  return cluster;
}

/// Opens the barriers to which all have come. False where there was none.
bool open_barriers(Cluster& cluster, std::vector<Party>& parties) {
  bool opened = false;
  for (std::size_t rank = 0; rank < parties.size(); ++rank) {
    if (parties[rank].ended() || !parties[rank].all(State::at_block_barrier)) continue;
    Block& block = cluster.blocks[rank];
    block.result = std::exchange(block.vote, true);
    parties[rank].go_on();
    opened = true;
  }
  auto const waits = [](Party const& party) { return party.all(State::at_cluster_barrier); };
  if (!opened && std::all_of(parties.begin(), parties.end(), waits)) {
    for (Party& party : parties) party.go_on();
    opened = true;
  }
  return opened;
}

}  // namespace

Outcome run(Code const& code, Launch const& launch, unsigned number) {
  Cluster cluster = cluster_of(launch, number);
  std::vector<Party> parties(cluster.blocks.size());
  for (std::size_t rank = 0; rank < parties.size(); ++rank)
    for (int first = 0; first < launch.threads; first += lanes)
      parties[rank].warps.emplace_back(cluster, int(rank), first, launch.threads);
  auto const ended = [](Party const& party) { return party.ended(); };
  for (;;) {
    for (Party& party : parties)
      for (Warp& warp : party.warps) warp.run(code);
    if (std::all_of(parties.begin(), parties.end(), ended)) break;
    if (!open_barriers(cluster, parties)) throw Fault("warps wait for each other at different barriers");
  }
  Outcome outcome{cluster.memory.stores(), 0};
  for (Party const& party : parties)
    for (Warp const& warp : party.warps) outcome.steps += warp.steps();
  return outcome;
}

}  // namespace skipper::sass
