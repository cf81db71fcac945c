// A draft: a spec still written in atoms, and how it becomes a spec written in digits.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernel/questions.h"
#include "plan/lower/atoms.h"
#include "plan/lower/maps.h"
#include "plan/lower/padding.h"

namespace skipper {

/// A form over atoms, before atoms are merged into digits.
struct AtomForm {
  std::vector<Index> tile, grid;
};

/// A spec still written in atoms.
struct Draft {
  Atoms atoms;
  std::vector<MapStep> steps;
  std::vector<int> grid;  // of tile.carried, fastest first
  AtomForm read, write;
  Index cropped = 0;
  struct Guard {
    AtomForm at;
    Index bound = 0;
    bool reads = true, writes = true;
    Index first = 0;
  };
  std::vector<Guard> guards;
  struct Exchange {
    bool needed = false, remote = false, fence = false, keep = false, abreast = false;
    SharedLayout layout;
    Index base = 0;
  };
  std::vector<Exchange> exchanges;
  struct Dense {  // multiplied by its matrix on the way into a step
    int atom = -1, table = 0;
    bool halves = false;
  };
  std::vector<Dense> denses;
  struct Twiddle {
    kernel::Twiddling kind = kernel::Twiddling::none;
    AtomForm k, low;
    Index rows = 0, order = 1;
    int shift = 0, table = 0, table_low = 0;
  };
  std::vector<Twiddle> twiddles;
  struct Pointwise {
    bool needed = false;
    AtomForm at;
    Index table = 0;
    bool given = false;
  };
  Pointwise load_end, store_end;
  std::vector<Pointwise> middles;
  std::vector<AtomForm> symbol;  // of a joint that divides: the index along each axis, fastest first
  int symbol_mirrored = -1;      // of a joint that divides with partners: along which
  struct Fold {                  // an end whose forms are still written in atoms
    kernel::End end;
    AtomForm index;
  };
  Fold head, tail;
  struct Powers {  // all but what is written in atoms, and that
    kernel::Powers powers;
    AtomForm exponent, entry, line;
  };
  Powers powers;
  kernel::InPlace in_place;
  kernel::Mirror mirror;  // without its forms
  std::vector<AtomForm> mirror_index;
  std::optional<AtomMap> lines;  // of a mirror with extra elements to store: deals these to threads
  AtomForm row, cross;  // of a mirror with a second cosine axis: a row's number as it is read, and mirrored
  AtomForm twin;        // of a mirror with twins: 1 for the atom that tells a row from its twin
  AtomForm parity;      // of a mirror by columns: 1 for the atom that is the highest of the mirrored digit
  Index shared = 0;
};

/// The spec of a draft: atoms that always travel together become one digit. What the machine decides (threads,
/// residency) and the ends of the program are left to the caller. Throws where a kernel has no room for it.
kernel::SweepSpec assemble(Draft const& draft, Tile const& tile);

}  // namespace skipper
