// See turn.h.
#include "plan/lower/turn.h"

#include "plan/lower/forms.h"

namespace skipper {
namespace {

/// A form over what a joint has at its turn, by the stride of each digit times its unit.
template <class Stride>
AtomForm dealt(Draft const& draft, Tile const& tile, Stride const& stride) {
  AtomForm at = blank(draft);
  for (std::size_t a = 0; a < at.tile.size(); ++a) {
    Atom const& atom = draft.atoms.atoms[a];
    at.tile[a] = atom.stage < 0 ? stride(tile.carried[atom.carried].piece.digit, atom.unit)
                                : stride(tile.transformed[draft.atoms.stages[atom.stage].sub].digit, atom.k);
  }
  for (std::size_t g = 0; g < at.grid.size(); ++g) {
    Piece const& piece = tile.carried[draft.grid[g]].piece;
    at.grid[g] = stride(piece.digit, piece.unit);
  }
  return at;
}

bool goes_back(Draft const& draft, std::size_t step) {
  int const stage = draft.steps[step].stage;
  return stage >= 0 && draft.atoms.stages[stage].again >= 0;
}

}  // namespace

void add_meeting(Draft& draft, std::vector<int>& late) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    if (int const stage = draft.steps[i].stage; stage >= 0 && draft.atoms.stages[stage].again < 0) last = i;
  MapStep const meeting{draft.steps[last].map, -1};
  draft.steps.insert(draft.steps.begin() + std::ptrdiff_t(last) + 1, meeting);
  late.insert(late.begin() + std::ptrdiff_t(last) + 1, -1);
  draft.mirror.used = draft.mirror.amid = true;
  draft.mirror.step = int(last) + 1;
}

std::pair<AtomForm, std::vector<Way>> as_dealt(Draft const& draft, Tile const& tile, AtomMap const& map,
                                               AtomForm const& at) {
  AtomForm form = blank(draft);
  std::vector<Way> ways;
  Index unit = 1;
  auto const go = [&](Index& to, Index step, Index extent) {
    if (step == 0) return;
    ways.push_back({extent, step});
    to = std::exchange(unit, unit * extent);
  };
  for (auto const* atoms : {&map.threads, &map.registers, &map.ranks})
    for (int a : *atoms) go(form.tile[a], at.tile[a], draft.atoms.atoms[a].extent);
  for (std::size_t g = 0; g < at.grid.size(); ++g)
    go(form.grid[g], at.grid[g], tile.carried[draft.grid[g]].piece.extent);
  return {form, ways};
}

std::vector<Way> turn(Program const& program, Tile const& tile, Draft& draft) {
  std::size_t step = 0;
  while (step + 1 < draft.steps.size() && !goes_back(draft, step + 1)) ++step;
  Draft::Pointwise& to = draft.middles[step];
  to.needed = to.given = true;
  std::vector<Dimension> const dims = dimensions(program.problem);  // of the spectrum, dense
  auto const index = [&](DigitKey digit, Index unit) {
    return unit * (digit.part < 0 ? 1 : index_weight(program, digit, true));
  };
  if (divides(program.factors)) {
    to.at = blank(draft);
    for (int d = 0; d < int(dims.size()); ++d)
      draft.symbol.push_back(dealt(
          draft, tile, [&](DigitKey digit, Index unit) { return digit.dim == d ? index(digit, unit) : 0; }));
    return {};
  }
  AtomForm const at = dealt(draft, tile, [&](DigitKey digit, Index unit) {
    Dimension const& dim = dims[digit.dim];
    if (!dim.axis && program.factors == Factors::shared) return Index(0);
    return index(digit, unit) * dim.out;
  });
  auto const [form, ways] = as_dealt(draft, tile, draft.steps[step].map, at);
  to.at = form;
  return ways;
}

}  // namespace skipper
