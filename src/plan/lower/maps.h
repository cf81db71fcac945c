// Maps: for each step of a sweep, which atoms are counted by the threads, which by the registers, which by the
// rank in the cluster. Also the order of the stages: those of different sub-transforms may go in any order, so the
// first is one whose threads can read memory in long runs and the last one whose threads can write so.
#pragma once

#include <vector>

#include "plan/lower/atoms.h"

namespace skipper {

/// Atoms by number, fastest first.
struct AtomMap {
  std::vector<int> threads, registers, ranks;
  bool operator==(AtomMap const&) const = default;
};

struct MapStep {
  AtomMap map;
  int stage = -1;  // -1: only load or store
};

/// What a machine and a precision allow.
struct MapLimits {
  int threads = 1024;       // most threads a block
  int registers = 16;       // elements a thread should hold, if radices allow
  int most_registers = 64;  // elements it can hold at all
  int ranks = 1;
  Index sector = 4;  // elements of a sector: shorter runs of threads get a step of their own to load or store
};

/// Ways to take the steps of a sweep, from few elements a thread to many; never empty. The thread order of middle steps
/// is only a proposal.
std::vector<std::vector<MapStep>> map_steps(Atoms const& atoms, MapLimits const& limits);

/// Thread orders worth trying for a middle step after `before`.
std::vector<AtomMap> reorderings(Atoms const& atoms, AtomMap const& before, AtomMap const& proposal);

Index count(Atoms const& atoms, std::vector<int> const& list);  // product of extents
/// Contiguous elements that threads counted by these atoms touch.
Index run(Atoms const& atoms, std::vector<int> const& list, Index Atom::*stride);

}  // namespace skipper
