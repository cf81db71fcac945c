// See forms.h.
#include "plan/lower/forms.h"

#include <algorithm>

namespace skipper {

AtomForm blank(Draft const& draft) {
  return {std::vector<Index>(draft.atoms.atoms.size(), 0), std::vector<Index>(draft.grid.size(), 0)};
}

Index reach(Tile const& tile, Draft const& draft, AtomForm const& form) {
  Index most = 0;
  for (std::size_t a = 0; a < form.tile.size(); ++a) most += form.tile[a] * (draft.atoms.atoms[a].extent - 1);
  for (std::size_t g = 0; g < form.grid.size(); ++g) {
    Carried const& c = tile.carried[draft.grid[g]];
    most += form.grid[g] * (std::max(c.piece.extent, c.whole) - 1);
  }
  return most;
}

AtomForm axis_index(Program const& program, Tile const& tile, Draft const& draft, int dim,
                    Index Atom::*weight) {
  AtomForm form = blank(draft);
  auto const& radices = program.radices[dim];
  Index unit = 1;
  for (int part = int(radices.size()) - 1; part >= 0; --part) {
    add(form, index_of(tile, draft, {dim, part}, weight), unit);
    unit *= radices[part];
  }
  return form;
}

void add(AtomForm& form, AtomForm const& other, Index unit) {
  for (std::size_t a = 0; a < form.tile.size(); ++a) form.tile[a] += other.tile[a] * unit;
  for (std::size_t g = 0; g < form.grid.size(); ++g) form.grid[g] += other.grid[g] * unit;
}

AtomForm index_of(Tile const& tile, Draft const& draft, DigitKey digit, Index Atom::*weight) {
  AtomForm form = blank(draft);
  for (std::size_t a = 0; a < draft.atoms.atoms.size(); ++a) {
    Atom const& atom = draft.atoms.atoms[a];
    bool const carried = atom.stage < 0;
    DigitKey const own = carried ? tile.carried[atom.carried].piece.digit
                                 : tile.transformed[draft.atoms.stages[atom.stage].sub].digit;
    if (own == digit) form.tile[a] = carried ? atom.unit : atom.*weight;
  }
  for (std::size_t g = 0; g < draft.grid.size(); ++g)
    if (tile.carried[draft.grid[g]].piece.digit == digit)
      form.grid[g] = tile.carried[draft.grid[g]].piece.unit;
  return form;
}

}  // namespace skipper
