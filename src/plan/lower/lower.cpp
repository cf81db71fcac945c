#include "plan/lower/lower.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/roots.h"
#include "plan/lower/atoms.h"
#include "plan/lower/maps.h"
#include "plan/lower/padding.h"

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
  std::vector<std::pair<AtomForm, Index>> guards;
  struct Exchange {
    bool needed = false, remote = false, fence = false;
    SharedLayout layout;
    Index base = 0;
  };
  std::vector<Exchange> exchanges;
  struct Twiddle {
    kernel::Twiddling kind = kernel::Twiddling::none;
    AtomForm k, low;
    Index rows = 0, order = 1;
    int shift = 0, table = 0, table_low = 0;
  };
  std::vector<Twiddle> twiddles;
  Index shared = 0;
};

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
    std::optional<std::tuple<bool, std::size_t, Index>> best;
    std::optional<Error> trouble;
    for (int comfortable : radices) {
      try {
        Atoms const atoms = atoms_of(tile_, comfortable);
        // The codelets of 11 and 13 hold all sums and differences of their inputs at once.
        bool const awkward = std::any_of(atoms.stages.begin(), atoms.stages.end(), [](Stage const& t) {
          return t.radix % 11 == 0 || t.radix % 13 == 0;
        });
        limits.fits = [&](Index t, Index h) { return fits_registers(t, h, awkward ? 2 * element_ : 0); };
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
    assemble();
    return std::move(result_);
  }

 private:
  /// Some 24 registers beside the elements hold addresses and what a butterfly needs on the way; twiddles between
  /// sweeps need a few more.
  bool fits_registers(Index threads, Index held, Index extra) const {
    Index const warps =
        (threads + 4 * machine_.warp - 1) / (4 * machine_.warp) * 4;  // registers go to four warps at a time
    Index const a_thread =
        std::min(machine_.registers_thread, machine_.registers_sm / (warps * machine_.warp) / 8 * 8);
    bool const twiddled = std::any_of(sweep_.transforms.begin(), sweep_.transforms.end(), [&](DigitKey d) {
      return d.part + 1 < int(program_.radices[d.dim].size());
    });
    Index const elements = held * element_ / 4, crowding = elements > 48 ? elements / 8 : 0;
    return elements + crowding + extra + 24 + (twiddled ? element_ : 0) <= a_thread &&
           held <= kernel::max_registers;
  }

  /// Blocks that an SM can hold: bounded by shared memory, by threads, and by registers with room for a butterfly on
  /// the way. Told so, the compiler issues all loads of a thread before the first use; asked for more, it spills. It
  /// needs no telling where one block fills the SM, and none where a block is only a warp or so.
  int resident_blocks(SweepSpec const& spec) const {
    Index const warps = (spec.threads + machine_.warp - 1) / machine_.warp;
    Index const words = element_ / 4, registers = most_held(spec) * words * 5 / 4 + 8 * words + 20;
    Index blocks = std::min(machine_.threads_sm / (warps * machine_.warp),
                            machine_.registers_sm / (warps * machine_.warp * registers));
    if (spec.shared > 0)
      blocks = std::min(blocks, machine_.shared_sm / (spec.shared * element_ + machine_.shared_reserved));
    bool const full = warps * machine_.warp > machine_.threads_block / 2;
    if (warps <= 2 || (full && blocks <= 1)) return 0;
    return int(std::clamp<Index>(blocks, 1, machine_.blocks_sm));
  }

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

  void assemble();

  Program const& program_;
  Sweep const& sweep_;
  int s_;
  Machine const& machine_;
  Tile tile_;
  Index element_;
  Draft draft_;
  Lowered result_;
};

// ---- From atoms to digits: atoms that always travel together become one digit.

/// Chains of atoms, fastest first.
using Chains = std::vector<std::vector<int>>;

std::vector<std::vector<Index> const*> forms_of(Draft const& d) {
  std::vector<std::vector<Index> const*> forms{&d.read.tile, &d.write.tile};
  for (auto const& g : d.guards) forms.push_back(&g.first.tile);
  for (auto const& e : d.exchanges)
    if (e.needed) forms.push_back(&e.layout.weight);
  for (auto const& t : d.twiddles)
    if (t.kind != kernel::Twiddling::none) forms.insert(forms.end(), {&t.k.tile, &t.low.tile});
  return forms;
}

bool neighbours(std::vector<int> const& list, int a, int b) {
  auto const at = std::find(list.begin(), list.end(), a);
  return at != list.end() && at + 1 != list.end() && *(at + 1) == b;
}

/// Whether atom b can follow atom a in one digit.
bool joins(Draft const& d, int a, int b) {
  for (MapStep const& s : d.steps)
    if (!neighbours(s.map.threads, a, b) && !neighbours(s.map.registers, a, b) &&
        !neighbours(s.map.ranks, a, b))
      return false;
  if (d.atoms.atoms[a].stage != d.atoms.atoms[b].stage) return false;
  for (auto const* form : forms_of(d))
    if ((*form)[b] != (*form)[a] * d.atoms.atoms[a].extent) return false;
  return true;
}

Chains chains_of(Draft const& d) {
  Chains chains;
  std::vector<bool> taken(d.atoms.atoms.size(), false);
  auto const starts = [&](int a) {
    for (int b = 0; b < int(taken.size()); ++b)
      if (b != a && joins(d, b, a)) return false;
    return true;
  };
  for (int a = 0; a < int(taken.size()); ++a) {
    if (!starts(a)) continue;
    chains.push_back({a});
    for (bool grew = true; grew;) {
      grew = false;
      for (int b = 0; b < int(taken.size()) && !grew; ++b)
        if (b != chains.back().back() && joins(d, chains.back().back(), b)) {
          chains.back().push_back(b);
          grew = true;
        }
    }
  }
  return chains;
}

void demand(bool fits, std::string const& what, Index limit) {
  if (!fits)
    throw Error("program: sweep",
                "needs more than " + std::to_string(limit) + " " + what + "; use a smaller tile");
}

void Lowering::assemble() {
  SweepSpec& spec = result_.spec;
  Chains const chains = chains_of(draft_);
  int const digits = int(chains.size());
  demand(digits <= kernel::max_digits, "digits", kernel::max_digits);
  demand(int(draft_.grid.size()) <= kernel::max_grid, "grid digits", kernel::max_grid);
  demand(int(draft_.steps.size()) <= kernel::max_steps, "steps", kernel::max_steps);
  demand(int(draft_.guards.size()) <= kernel::max_guards, "ragged digits", kernel::max_guards);
  std::map<int, int> digit_of;  // first atom of a chain
  spec.digits = digits;
  for (int d = 0; d < digits; ++d) {
    digit_of[chains[d].front()] = d;
    spec.extent[d] = int(count(draft_.atoms, chains[d]));
  }
  auto const fill = [&](AtomForm const& form, kernel::Form& out) {
    for (int d = 0; d < digits; ++d) out.tile[d] = form.tile[chains[d].front()];
    for (std::size_t g = 0; g < form.grid.size(); ++g) out.grid[g] = form.grid[g];
  };
  spec.grids = int(draft_.grid.size());
  for (int g = 0; g < spec.grids; ++g) spec.grid_extent[g] = tile_.carried[draft_.grid[g]].piece.extent;
  fill(draft_.read, spec.read);
  fill(draft_.write, spec.write);
  for (auto const& [form, bound] : draft_.guards) {
    fill(form, spec.guard[spec.guards].at);
    spec.guard[spec.guards++].bound = bound;
  }
  spec.ranks = sweep_.ranks;
  spec.shared = int(draft_.shared);
  bool const inverse = program_.problem.direction == Direction::inverse;
  spec.swap_read = inverse && s_ == 0;
  spec.swap_write = inverse && s_ + 1 == int(program_.sweeps.size());
  spec.scaled = program_.problem.scale != 1 && s_ + 1 == int(program_.sweeps.size());
  spec.steps = int(draft_.steps.size());
  for (int i = 0; i < spec.steps; ++i) {
    kernel::Step& step = spec.step[i];
    MapStep const& from = draft_.steps[i];
    int place = 0;
    auto const deal = [&](std::vector<int> const& atoms, int& counted) {
      for (int a : atoms)
        if (digit_of.count(a)) step.map.order[place++] = digit_of[a], ++counted;
    };
    deal(from.map.threads, step.map.thread_digits);
    deal(from.map.registers, step.map.register_digits);
    deal(from.map.ranks, step.map.rank_digits);
    if (from.stage >= 0) {
      step.radix = draft_.atoms.stages[from.stage].radix;
      for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a)  // in order of weight: fastest first
        if (draft_.atoms.atoms[a].stage == from.stage && digit_of.count(int(a))) {
          demand(step.group_size < kernel::max_group, "digits in one butterfly", kernel::max_group);
          step.group[step.group_size++] = digit_of[int(a)];
        }
    }
    auto const& e = draft_.exchanges[i];
    step.exchange.needed = e.needed;
    if (e.needed) {
      step.exchange.remote = e.remote;
      step.exchange.fence = e.fence;
      step.exchange.base = int(e.base);
      for (int d = 0; d < digits; ++d) step.exchange.weight[d] = int(e.layout.weight[chains[d].front()]);
    }
    auto const& t = draft_.twiddles[i];
    step.twiddle.kind = t.kind;
    if (t.kind == kernel::Twiddling::none) continue;
    for (int d = 0; d < digits; ++d) step.twiddle.k[d] = t.k.tile[chains[d].front()];
    fill(t.low, step.twiddle.low);
    step.twiddle.rows = t.rows;
    step.twiddle.shift = t.shift;
    step.twiddle.table = t.table;
    step.twiddle.table_low = t.table_low;
  }
  spec.threads = 1;
  for (int i = 0; i < spec.steps; ++i) spec.threads = std::max(spec.threads, active(spec, i));
  spec.resident = resident_blocks(spec);
  demand(most_held(spec) <= kernel::max_registers, "elements a thread", kernel::max_registers);
  demand(spec.threads <= machine_.threads_block, "threads", machine_.threads_block);
}

template <class T, class Root>
std::vector<std::complex<T>> values(Lowered const& lowered, Root root) {
  std::vector<std::complex<T>> out;
  for (RootTable const& t : lowered.tables)
    for (Index row = 0; row < t.rows; ++row)
      for (Index column = 0; column < t.columns; ++column)
        out.push_back(root((t.doubling ? Index(1) << row : row + 1) * column * t.step, t.order));
  return out;
}

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

std::vector<std::complex<float>> roots32(Lowered const& lowered) {
  return values<float>(lowered, [](Index k, Index n) { return root32(k, n); });
}
std::vector<std::complex<double>> roots64(Lowered const& lowered) {
  return values<double>(lowered, [](Index k, Index n) { return root64(k, n); });
}

}  // namespace skipper
