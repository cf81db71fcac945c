// Cuts a tile into stages, atoms and maps: of all radices and all numbers of elements a thread may hold, those that run
// fastest by the pace of their blocks (occupancy.h).
#pragma once

#include "plan/lower/maps.h"
#include "plan/lower/occupancy.h"

namespace skipper {

struct Cut {
  Atoms atoms;
  std::vector<MapStep> steps;
  std::vector<int> late;  // for each step, the sub-transform whose twiddles waited for a mirror, or -1
  Work work;
  double pace = 0;    // x copy
  bool fits = false;  // the registers suffice
};

/// Throws Error where the tile cannot be dealt to threads or to the blocks of its cluster.
Cut best_cut(Program const& program, int s, Tile const& tile, Machine const& machine, double movement = 1);

/// Every cut that is tried, best first: for measurements that look for a better model.
std::vector<Cut> all_cuts(Program const& program, int s, Tile const& tile, Machine const& machine);

/// How the outputs of a stage are twiddled.
kernel::Twiddling twiddling_of(Program const& program, Tile const& tile, Atoms const& atoms, int stage);

int longest_radix(Atoms const& atoms);

/// Whether two steps hold the same elements in the same threads, so that no exchange is needed.
bool same_elements(AtomMap const& a, AtomMap const& b);

}  // namespace skipper
