// See convolutions.h.
#include "plan/lower/convolutions.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/chirps.h"
#include "base/numbers.h"
#include "plan/lower/folds.h"
#include "plan/lower/forms.h"
#include "plan/lower/turn.h"

namespace skipper {
namespace {

std::vector<Index> radices_by_powers(Atoms const& atoms) {
  std::vector<Index> radices;
  auto const& stages = atoms.stages;
  for (std::size_t s = 0; s < stages.size(); ++s)
    if (stages[s].again < 0 && !atoms.beside_powers(int(s))) radices.push_back(stages[s].radix);
  return radices;
}

RootTable chirp_of(std::vector<Index> const& lengths) {
  Index const n = std::accumulate(lengths.begin(), lengths.end(), Index(1), std::multiplies<>());
  return {n, 1, n, 1, false, TableKind::chirp, lengths};
}
RootTable spectrum_of(Index n, std::vector<Index> const& digits) {
  Index const m = std::accumulate(digits.begin(), digits.end(), Index(1), std::multiplies<>());
  return {n, 1, m, 1, false, TableKind::spectrum, digits};
}

void multiply(Draft::Pointwise& to, AtomForm const& at, RootTable const& table,
              std::vector<RootTable>& tables) {
  to = {true, at, add_table(tables, table)};
}

/// After the stage that ends the first of the two transforms, or where partners meet then.
void middle(Tile const& tile, Draft& draft, Transformed const& t, AtomForm const& at, RootTable const& table,
            std::vector<RootTable>& tables) {
  for (std::size_t i = 0; i < draft.steps.size(); ++i) {
    int const stage = draft.steps[i].stage;
    if (stage < 0 || !draft.atoms.first_half(stage)) continue;
    if (&tile.transformed[draft.atoms.stages[stage].sub] != &t) continue;
    auto const [form, ways] = as_dealt(draft, tile, draft.steps[i].map, at);
    RootTable ordered = table;
    ordered.ways = ways;
    multiply(draft.middles[draft.mirror.amid ? std::size_t(draft.mirror.step) : i], form, ordered, tables);
  }
}

}  // namespace

void demand_one_chirp(Program const& program, int s, Tile const& tile) {
  int chirps = std::any_of(tile.transformed.begin(), tile.transformed.end(),
                           [](Transformed const& t) { return t.by_chirps(); });
  for (int dim : program.convolved) {
    auto const [first, last] = convolution_span(program, dim);
    chirps += s == first || s == last;
  }
  if (chirps > 1)
    throw Error(
        "program: sweep " + std::to_string(s + 1),
        "begins or ends the convolution of a long axis together with another; give each its own sweep");
}

void demand_powers_alone(Program const& program, int s, Tile const& tile) {
  auto const& all = tile.transformed;
  auto const own = std::find_if(all.begin(), all.end(), [](Transformed const& t) { return t.by_powers(); });
  if (own == all.end()) return;
  Transformed const& t = *own;
  auto const held = [](Carried const& c) { return c.held; };
  bool const routed = program.sweeps[s].ranks > 1;
  bool const line = t.rest() == 1 && !fold_of(program, t.digit.dim) &&
                    std::none_of(tile.carried.begin(), tile.carried.end(), held);
  if (all.size() > 1 || (routed && !line) || program.radices[t.digit.dim].size() > 1 ||
      is_partial(program.problem))
    throw Error("program: sweep " + std::to_string(s + 1),
                "transforms " + std::to_string(t.radix) + " points by " + std::to_string(t.by) +
                    ", which it can do only alone; pad to " + std::to_string(least_convolution(t.radix)) +
                    " or more");
}

void set_powers(Tile const& tile, Draft& draft) {
  Transformed const& t = tile.transformed.front();
  auto& p = draft.powers;
  p.powers.used = true;
  p.powers.routed = draft.atoms.routed;
  p.powers.pitch = 1;
  p.powers.prime = int(t.prime());
  p.powers.generator = int(generator(t.prime()));
  p.powers.opposites = t.opposites;
  bool const head = draft.head.end.folded, tail = draft.tail.end.folded;
  p.powers.read = head ? 0 : t.read.front().stride;
  p.powers.write = tail ? 0 : t.rest() * t.write.front().stride;
  p.entry = index_of(tile, draft, t.digit);
  p.exponent = p.line = blank(draft);
  auto const weights = exponent_weights(radices_by_powers(draft.atoms));
  for (std::size_t a = 0; a < draft.atoms.atoms.size(); ++a) {
    Atom const& atom = draft.atoms.atoms[a];
    if (atom.stage < 0 || draft.atoms.beside_powers(atom.stage))
      p.line.tile[a] = atom.apart;
    else
      p.exponent.tile[a] = (t.opposites ? 2 : 1) * weights[atom.stage - (t.rest() > 1)] *
                           (atom.j / draft.atoms.stages[atom.stage].j) % (t.prime() - 1);
  }
}

/// Coprime digits are negated one by one, others as the one index that they are.
void mirror_opposites(Tile const& tile, Draft& draft) {
  Transformed const& t = tile.transformed.front();
  auto const add = [&](Index extent) {
    draft.mirror.extent[draft.mirror.digits++] = int(extent);
    draft.mirror_index.push_back(blank(draft));
  };
  if (!draft.atoms.coprime) add(t.by);
  auto const& stages = draft.atoms.stages;
  for (int s = 0; s < int(stages.size()) && stages[s].again < 0; ++s) {
    if (draft.atoms.coprime) add(stages[s].radix);
    for (std::size_t a = 0; a < draft.atoms.atoms.size(); ++a)
      if (Atom const& atom = draft.atoms.atoms[a]; atom.stage == s)
        draft.mirror_index.back().tile[a] = draft.atoms.coprime ? atom.k / stages[s].k : atom.k;
  }
}

void add_power_table(Draft& draft, Index element, std::vector<RootTable>& tables) {
  Index const bytes = 4, p = draft.powers.powers.prime, pitch = draft.powers.powers.pitch;
  bool const routed = draft.powers.powers.routed, opposites = draft.powers.powers.opposites;
  Index const points = opposites ? (p - 1) / 2 : p - 1;
  Index const elements = ((routed ? 4 : 1) * points * bytes + element - 1) / element;
  RootTable table{p,
                  1,
                  elements,
                  pitch,
                  false,
                  routed      ? TableKind::routes
                  : opposites ? TableKind::opposites
                              : TableKind::powers,
                  radices_by_powers(draft.atoms)};
  auto const& steps = draft.steps;
  std::size_t const n = steps.size();
  if (routed &&
      (steps[1].map.ranks != steps[n - 2].map.ranks || steps[0].map.ranks != steps[n - 1].map.ranks))
    throw Error("program: tier", "this line does not come back to the blocks it came from; use another tier");
  for (int end : {0, 1})
    for (int a : steps[std::size_t(end)].map.ranks)
      if (routed) table.ranks[end].push_back({draft.atoms.atoms[a].extent, draft.atoms.atoms[a].j});
  draft.powers.powers.table = int(add_table(tables, table) * (element / bytes));
}

void add_convolutions(Program const& program, int s, Tile const& tile, Draft& draft,
                      std::vector<RootTable>& tables) {
  auto const middle_of = [&](Transformed const& t, AtomForm const& at, RootTable const& table) {
    middle(tile, draft, t, at, table, tables);
  };
  draft.middles.resize(draft.steps.size());
  AtomForm at =
      blank(draft);  // over all digits that are convolved here: one table has the products of their chirps
  std::vector<Index> lengths;
  Index unit = 1;
  for (Transformed const& t : tile.transformed) {
    if (t.by_powers() && draft.atoms.by_powers)
      for (TableKind kind : t.opposites ? std::vector{TableKind::partner_spectrum, TableKind::own_spectrum}
                                        : std::vector{TableKind::power_spectrum})
        middle_of(t, index_of(tile, draft, t.digit, &Atom::k),
                  {t.prime(), 1, t.by / t.rest(), 1, false, kind, radices_by_powers(draft.atoms)});
    if (t.by_chirps()) {
      add(at, index_of(tile, draft, t.digit), unit);
      lengths.push_back(t.radix);
      unit *= t.radix;
      middle_of(t, index_of(tile, draft, t.digit, &Atom::k), spectrum_of(t.radix, {t.by}));
    }
    if (t.pass == Pass::middle && !tile.joint)
      middle_of(t, axis_index(program, tile, draft, t.digit.dim, &Atom::k),
                spectrum_of(core(program, t.digit.dim), program.radices[t.digit.dim]));
  }
  if (!lengths.empty()) {
    multiply(draft.load_end, at, chirp_of(lengths), tables);
    multiply(draft.store_end, at, chirp_of(lengths), tables);
  }
  for (int dim : program.convolved) {
    auto const [first, last] = convolution_span(program, dim);
    RootTable const chirp = chirp_of({core(program, dim)});
    if (s == first) multiply(draft.load_end, axis_index(program, tile, draft, dim, &Atom::j), chirp, tables);
    if (s == last) multiply(draft.store_end, axis_index(program, tile, draft, dim, &Atom::k), chirp, tables);
  }
}

}  // namespace skipper
