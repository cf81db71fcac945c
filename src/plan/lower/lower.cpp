#include "plan/lower/lower.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "plan/lower/draft.h"
#include "plan/lower/occupancy.h"

namespace skipper {
namespace {

using kernel::SweepSpec;

/// Largest radices to try. Fewer steps mean fewer exchanges: on an H200 (2026-11) radix 32 took 8192 points from 1.12
/// to 1.02 x copy; in double precision 16 is best (bench/results/h200-2026-11-15-radices.md).
std::vector<int> comfortable_radices(Index element_bytes) {
  if (element_bytes == 16) return {16, 12, 10, 8, 6, 5, 4};
  return {32, 16, 12, 10, 8, 6, 5, 4};
}

constexpr Index matrix_bytes = 4096;

Index reach(Atoms const& atoms, Tile const& tile, std::vector<int> const& grid, AtomForm const& form) {
  Index most = 0;
  for (std::size_t a = 0; a < form.tile.size(); ++a) most += form.tile[a] * (atoms.atoms[a].extent - 1);
  for (std::size_t g = 0; g < form.grid.size(); ++g)
    most += form.grid[g] * (tile.carried[grid[g]].piece.extent - 1);
  return most;
}

class Lowering {
 public:
  Lowering(Program const& program, int s, Machine const& machine)
      : program_(program),
        sweep_(program.sweeps[s]),
        s_(s),
        machine_(machine),
        tile_(tile_of(program, s)),
        element_(element_bytes(program.problem)) {}

  /// Stages, atoms and maps alone: enough to see whether the sweep can be lowered. Larger radices need fewer steps
  /// but more registers; of those that fit the registers the one with the fewest steps is taken.
  /// False where even so the registers do not suffice.
  bool cut(std::vector<int> const& radices) {
    MapLimits limits = limits_of_machine();
    // Twiddles between sweeps need a few registers of their own.
    bool const twiddled = std::any_of(sweep_.transforms.begin(), sweep_.transforms.end(), [&](DigitKey d) {
      return d.part + 1 < int(program_.radices[d.dim].size());
    });
    Index const between = twiddled ? element_ : 0;
    std::optional<std::tuple<bool, std::size_t, Index>> best;
    std::optional<Error> trouble;
    for (int comfortable : radices) {
      try {
        Atoms const atoms = atoms_of(tile_, comfortable);
        // The codelets of 11 and 13 hold all sums and differences of their inputs at once.
        bool const awkward = std::any_of(atoms.stages.begin(), atoms.stages.end(), [](Stage const& t) {
          return t.radix % 11 == 0 || t.radix % 13 == 0;
        });
        limits.fits = [&](Index t, Index h) {
          return fits_registers(t, h, element_, machine_, (awkward ? 2 * element_ : 0) + between);
        };
        auto const steps = map_steps(atoms, limits);
        Index threads = 1, held = 1;
        for (MapStep const& s : steps) {
          threads = std::max(threads, count(atoms, s.map.threads));
          held = std::max(held, count(atoms, s.map.registers));
        }
        std::tuple const score{!limits.fits(threads, held), steps.size(), held};
        if (best && *best <= score) continue;
        best = score;
        draft_.atoms = atoms;
        draft_.steps = steps;
      } catch (Error const& e) {
        trouble = e;
      }
    }
    if (!best) throw *trouble;
    return !std::get<0>(*best);
  }

  Lowered run() {
    cut(comfortable_radices(element_));
    addresses();
    exchanges();
    for (MapStep const& step : draft_.steps) twiddle(step);
    result_.tiles = tile_count(tile_);
    finish(assemble(draft_, tile_));
    return std::move(result_);
  }

 private:
  /// Sixteen 8-byte elements, or eight of 16 bytes, leave a thread registers to spare at full occupancy.
  MapLimits limits_of_machine() const {
    return {int(machine_.threads_block),
            element_ == 8 ? 16 : 8,
            kernel::max_registers,
            sweep_.ranks,
            {},
            std::max<Index>(1, machine_.sector_bytes / element_)};
  }

  AtomForm blank() const {
    return {std::vector<Index>(draft_.atoms.atoms.size(), 0), std::vector<Index>(draft_.grid.size(), 0)};
  }

  void addresses() {
    for (int c = 0; c < int(tile_.carried.size()); ++c)
      if (!tile_.carried[c].held) draft_.grid.push_back(c);
    std::stable_sort(draft_.grid.begin(), draft_.grid.end(),
                     [&](int a, int b) { return tile_.carried[a].read < tile_.carried[b].read; });
    draft_.read = draft_.write = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      draft_.read.tile[a] = draft_.atoms.atoms[a].read;
      draft_.write.tile[a] = draft_.atoms.atoms[a].write;
    }
    for (std::size_t g = 0; g < draft_.grid.size(); ++g) {
      draft_.read.grid[g] = tile_.carried[draft_.grid[g]].read;
      draft_.write.grid[g] = tile_.carried[draft_.grid[g]].write;
    }
    std::map<DigitKey, Index> ragged;
    for (Carried const& c : tile_.carried)
      if (c.bound) ragged[c.piece.digit] = c.bound;
    for (auto const& [digit, bound] : ragged) draft_.guards.push_back({index_of(digit), bound});
  }

  /// The index of a whole digit as a form: of a carried digit over its pieces, of a transformed one over j.
  AtomForm index_of(DigitKey digit) const {
    AtomForm form = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      bool const carried = atom.stage < 0;
      DigitKey const own = carried ? tile_.carried[atom.carried].piece.digit
                                   : tile_.transformed[draft_.atoms.stages[atom.stage].sub].digit;
      if (own == digit) form.tile[a] = carried ? atom.unit : atom.j;
    }
    for (std::size_t g = 0; g < draft_.grid.size(); ++g)
      if (tile_.carried[draft_.grid[g]].piece.digit == digit)
        form.grid[g] = tile_.carried[draft_.grid[g]].piece.unit;
    return form;
  }

  /// Picks the thread order of middle steps and the shared layout of each exchange, one after the other.
  void exchanges() {
    Index const capacity = machine_.shared_block / element_;
    auto& steps = draft_.steps;
    draft_.exchanges.resize(steps.size());
    int needed = 0;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (same_elements(steps[i - 1].map, steps[i].map)) {
        steps[i].map = steps[i - 1].map;
        continue;
      }
      auto& exchange = draft_.exchanges[i];
      bool const last = i + 1 == steps.size();
      auto const options = last ? std::vector<AtomMap>{steps[i].map}
                                : reorderings(draft_.atoms, steps[i - 1].map, steps[i].map);
      bool found = false;
      for (AtomMap const& option : options) {
        SharedLayout const layout = pad(draft_.atoms, steps[i - 1].map, option, element_, capacity);
        if (found && std::pair(layout.conflicts, layout.size) >=
                         std::pair(exchange.layout.conflicts, exchange.layout.size))
          continue;
        exchange.layout = layout;
        steps[i].map = option;
        found = true;
        if (layout.conflicts == 0) break;
      }
      exchange.needed = true;
      exchange.remote = steps[i - 1].map.ranks != steps[i].map.ranks;
      exchange.fence =
          needed++ > 0 || exchange.remote;  // a block may not have started when a remote store comes
      draft_.shared = std::max(draft_.shared, exchange.layout.size);
    }
    take_turns(needed);
  }

  /// Small tiles alternate between two buffers: then no exchange has to wait for the readers of the one before.
  void take_turns(int needed) {
    constexpr Index small = 16 * 1024;  // bytes; two of them still leave room for many blocks an SM
    bool const remote =
        std::any_of(draft_.exchanges.begin(), draft_.exchanges.end(), [](auto const& e) { return e.remote; });
    if (needed < 2 || remote || draft_.shared * element_ > small) return;
    Index base = 0;
    for (auto& e : draft_.exchanges) {
      if (!e.needed) continue;
      e.fence = false;
      e.base = base;
      base = draft_.shared - base;
    }
    draft_.shared *= 2;
  }

  static bool same_elements(AtomMap const& a, AtomMap const& b) {
    auto const sorted = [](std::vector<int> v) { return std::sort(v.begin(), v.end()), v; };
    return a.threads == b.threads && a.ranks == b.ranks && sorted(a.registers) == sorted(b.registers);
  }

  int add_table(RootTable table) {
    Index offset = 0;
    for (RootTable const& t : result_.tables) offset += t.rows * t.columns;
    result_.tables.push_back(table);
    return int(offset);
  }

  void twiddle(MapStep const& step) {
    draft_.twiddles.emplace_back();
    if (step.stage < 0) return;
    Stage const& stage = draft_.atoms.stages[step.stage];
    if (!stage.last)
      within(stage, step.stage);
    else
      between(stage.sub);
  }

  /// Within a sub-transform: w^(k low) where low counts the stages still to come.
  void within(Stage const& stage, int number) {
    auto& t = draft_.twiddles.back();
    t.kind = kernel::Twiddling::matrix;
    t.k = t.low = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      bool const later = atom.stage > number && draft_.atoms.stages[atom.stage].sub == stage.sub;
      if (later) t.low.tile[a] = atom.j;
    }
    t.rows = stage.j;
    // A matrix is exact to the last bit; past what L1 holds beside large tiles, a ladder costs less than its misses.
    bool const large = (stage.radix - 1) * stage.j * element_ > matrix_bytes && stage.radix > 3;
    if (large) t.kind = kernel::Twiddling::ladder;
    t.table = add_table({stage.j * stage.radix, large ? kernel::rung(stage.radix - 1) + 1 : stage.radix - 1,
                         stage.j, 1, large});
  }

  /// Between sub-transforms of an axis: w^(K low) where low counts the digits of later sweeps (or later in this).
  void between(int sub) {
    DigitKey const digit = tile_.transformed[sub].digit;
    auto const& radices = program_.radices[digit.dim];
    if (digit.part + 1 == int(radices.size())) return;
    auto& t = draft_.twiddles.back();
    t.kind = kernel::Twiddling::product;
    t.k = t.low = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      if (atom.stage >= 0 && draft_.atoms.stages[atom.stage].sub == sub) t.k.tile[a] = atom.k;
    }
    Index weight = 1;
    for (int part = int(radices.size()) - 1; part > digit.part; --part) {
      AtomForm const index = index_of({digit.dim, part});
      for (std::size_t a = 0; a < index.tile.size(); ++a) t.low.tile[a] += index.tile[a] * weight;
      for (std::size_t g = 0; g < index.grid.size(); ++g) t.low.grid[g] += index.grid[g] * weight;
      weight *= radices[part];
    }
    Index const order = weight * radices[digit.part];
    t.shift = std::bit_width(std::uint64_t(order)) / 2;
    // Threads beyond a ragged edge compute, though nobody stores what they do: the table must reach them too.
    Index const most =
        reach(draft_.atoms, tile_, draft_.grid, t.k) * reach(draft_.atoms, tile_, draft_.grid, t.low);
    t.table = add_table({order, 1, (most >> t.shift) + 1, Index(1) << t.shift, false});
    t.table_low = add_table({order, 1, Index(1) << t.shift, 1, false});
  }

  /// What the machine and the place in the program decide.
  void finish(SweepSpec spec) {
    spec.ranks = sweep_.ranks;
    bool const last = s_ + 1 == int(program_.sweeps.size());
    bool const inverse = program_.problem.direction == Direction::inverse;
    spec.swap_read = inverse && s_ == 0;
    spec.swap_write = inverse && last;
    spec.scaled = program_.problem.scale != 1 && last;
    for (int i = 0; i < spec.steps; ++i) spec.threads = std::max(spec.threads, active(spec, i));
    if (spec.threads > machine_.threads_block)
      throw Error("program: sweep", "needs more than " + std::to_string(machine_.threads_block) +
                                        " threads; use a smaller tile");
    spec.resident = resident_blocks(spec, element_, machine_);
    result_.spec = spec;
  }

  Program const& program_;
  Sweep const& sweep_;
  int s_;
  Machine const& machine_;
  Tile tile_;
  Index element_;
  Draft draft_;
  Lowered result_;
};

}  // namespace

bool can_lower(Program const& program, int s, Machine const& machine) {
  for (int radix : comfortable_radices(element_bytes(program.problem))) try {
      if (Lowering(program, s, machine).cut({radix})) return true;
    } catch (Error const&) {
    }
  return false;
}

Lowered lower(Program const& program, int s, Machine const& machine) {
  return Lowering(program, s, machine).run();
}

}  // namespace skipper
