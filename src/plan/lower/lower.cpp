#include "plan/lower/lower.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/chirps.h"
#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/lower/cut.h"
#include "plan/lower/draft.h"
#include "plan/lower/folds.h"
#include "plan/lower/gather.h"
#include "plan/lower/turn.h"

namespace skipper {
namespace {

using kernel::SweepSpec;

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
        element_(element_bytes(program.problem)),
        movement_(sweep_.ranks > 1 ? movement(program, s, tile_, machine) : 1) {}

  /// Stages, atoms and maps alone: enough to see how fast the sweep is, and whether it can be lowered.
  Cut cut(double movement) const {
    demand_one_chirp();
    return best_cut(program_, s_, tile_, machine_, movement);
  }

  /// With a cut for the segments that it has where they are what counts, which is in clusters.
  Lowered run() { return run(cut(movement_)); }

  Lowered run(Cut cut) {
    draft_.atoms = std::move(cut.atoms);
    draft_.steps = std::move(cut.steps);
    late_ = std::move(cut.late);
    matrices();  // first: pairs of doubles begin where a pair does
    addresses();
    fold_ends(program_, s_, tile_, draft_, result_.tables);
    partial_axes();
    if (draft_.mirror.used) draft_.mirror.step = mirror_step();
    if (draft_.head.end.extra) draft_.lines = extra_lines(draft_, draft_.steps.front().map, draft_.read);
    if (draft_.tail.end.extra) draft_.lines = extra_lines(draft_, draft_.steps.back().map, draft_.write);
    if (draft_.atoms.by_powers) powers();
    exchanges();
    if (draft_.atoms.by_powers) add_power_table();
    for (int i = 0; i < int(draft_.steps.size()); ++i) twiddle(i);
    convolutions();
    result_.tiles = tile_count(tile_);
    finish(assemble(draft_, tile_));
    return std::move(result_);
  }

 private:
  AtomForm blank() const { return skipper::blank(draft_); }

  void addresses() {
    for (int c = 0; c < int(tile_.carried.size()); ++c)
      if (!tile_.carried[c].held) draft_.grid.push_back(c);
    // Tiles that share sectors of a descending spectrum are neighbours, so that L2 has the sectors whole before they go.
    auto const tail = folded_tail(program_, s_);
    auto const columns = tail ? columns_of(program_, *tail) : std::nullopt;
    auto const order = [&](int g) {
      Carried const& c = tile_.carried[g];
      return std::pair(!columns || c.piece.digit != columns->half, c.read);
    };
    std::stable_sort(draft_.grid.begin(), draft_.grid.end(),
                     [&](int a, int b) { return order(a) < order(b); });
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
    for (Transformed const& t : tile_.transformed)
      if (t.by_chirps()) draft_.guards.push_back({index_of(t.digit), t.radix});
    for (int dim : program_.convolved) {
      auto const [first, last] = convolution_span(program_, dim);
      Index const n = core(program_, dim);
      bool const folded = fold_of(program_, dim).has_value();  // outside its sweeps it has no digits
      if (s_ == first || (s_ < first && !folded))
        draft_.guards.push_back({axis_index(dim, &Atom::j), n, true, s_ < first});
      if (s_ == last || (s_ > last && !folded))
        draft_.guards.push_back({axis_index(dim, &Atom::k), n, s_ > last, true});
    }
  }

  /// Of an axis that is padded or cropped only a part exists before, or after, it is transformed. The taps of a fold see
  /// to it themselves where it begins and ends.
  void partial_axes() {
    int const last = int(program_.sweeps.size()) - 1;
    for (int d = 0; d < int(program_.dims.size()); ++d) {
      Dimension const& dim = program_.dims[d];
      auto const [first, end] = convolution_span(program_, d);  // of any axis; none where its length is 1
      if (first < 0) continue;
      bool const folded = fold_of(program_, d).has_value();
      bool const head = folded && s_ == first && !tile_.read_pairs,
                 tail = folded && s_ == end && !tile_.write_pairs;
      if (dim.load && s_ <= first && !head) {
        Index const pair = folded && tile_.read_pairs && s_ == first ? 2 : 1;
        draft_.guards.push_back(
            {index_along(program_, tile_, draft_, d, false), dim.load / pair, true, s_ < first});
      }
      if (!dim.keep || s_ < end || (folded && s_ == end && s_ < last)) continue;
      Index const pair = folded && tile_.write_pairs && s_ == end ? 2 : 1;
      if (!tail)
        draft_.guards.push_back({index_along(program_, tile_, draft_, d, true), (dim.first + dim.keep) / pair,
                                 s_ > end, true, dim.first / pair});
      Index const unit = splits_parts(program_, s_) ? 2 : 1;  // places of a complex number
      if (!tail && s_ == last) draft_.cropped += unit * dim.first * dim.out / (tile_.write_pairs ? 2 : 1);
    }
  }

  /// The index along a convolved axis, its first digit the slowest; of the digit that is transformed here, the weights
  /// before or after.
  AtomForm axis_index(int dim, Index Atom::*weight) const {
    AtomForm form = blank();
    auto const& radices = program_.radices[dim];
    Index unit = 1;
    for (int part = int(radices.size()) - 1; part >= 0; --part) {
      add(form, index_of({dim, part}, weight), unit);
      unit *= radices[part];
    }
    return form;
  }

  static void add(AtomForm& form, AtomForm const& other, Index unit) {
    for (std::size_t a = 0; a < form.tile.size(); ++a) form.tile[a] += other.tile[a] * unit;
    for (std::size_t g = 0; g < form.grid.size(); ++g) form.grid[g] += other.grid[g] * unit;
  }

  /// The index of a whole digit as a form: of a carried digit over its pieces, of a transformed one over j or k.
  AtomForm index_of(DigitKey digit, Index Atom::*weight = &Atom::j) const {
    AtomForm form = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      bool const carried = atom.stage < 0;
      DigitKey const own = carried ? tile_.carried[atom.carried].piece.digit
                                   : tile_.transformed[draft_.atoms.stages[atom.stage].sub].digit;
      if (own == digit) form.tile[a] = carried ? atom.unit : atom.*weight;
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
      auto& exchange = draft_.exchanges[i];
      bool const same = same_elements(steps[i - 1].map, steps[i].map);
      if (same) steps[i].map = steps[i - 1].map;
      if (draft_.mirror.used && draft_.mirror.step == int(i)) {
        exchange.keep = same || draft_.mirror.columns;
        exchange.needed = true;
        exchange.fence = needed++ > 0;
        exchange.layout = mirror_layout(steps[i - 1].map, steps[i].map, capacity);
        draft_.shared = std::max(draft_.shared, exchange.layout.size);
        continue;
      }
      bool const last = i + 1 == steps.size();
      bool const zigzag = i == 1 ? tile_.read_zigzag : last && tile_.write_zigzag;
      if (zigzag || (draft_.atoms.by_powers && (i == 1 || last))) {
        exchange.needed = true;
        exchange.fence = needed++ > 0;
        exchange.layout = zigzag ? zigzag_layout(i, capacity) : power_layout(i == 1, capacity);
        draft_.shared = std::max(draft_.shared, exchange.layout.size);
        continue;
      }
      if (same && draft_.denses[i].atom < 0) continue;
      bool const again = steps[i].stage >= 0 && steps[i - 1].stage >= 0 &&
                         draft_.atoms.stages[steps[i].stage].again == steps[i - 1].stage;
      if (again && !last && steps[i].map.ranks == steps[i - 1].map.ranks) {
        steps[i].map = steps[i - 1].map;  // the middle of a convolution: what is in registers is due again
        continue;
      }
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
    if (!draft_.atoms.by_powers) return;
    Index const lines = reach(draft_.atoms, tile_, draft_.grid, draft_.powers.line) + 1;
    for (auto& e : draft_.exchanges) e.base += lines;  // left-over points wait in front
    draft_.shared += lines;
  }

  /// The matrices of digits that are multiplied by theirs, and in which steps.
  void matrices() {
    draft_.denses.resize(draft_.steps.size());
    for (std::size_t i = 0; i < draft_.steps.size(); ++i) {
      int const stage = draft_.steps[i].stage;
      if (stage < 0 || !draft_.atoms.stages[stage].dense) continue;
      bool const zigzag = draft_.atoms.read_zigzag || draft_.atoms.write_zigzag;
      if (sweep_.ranks > 1 || zigzag || tile_.joint)
        throw Error(
            "program: sweep " + std::to_string(s_ + 1),
            "multiplies " + std::to_string(draft_.atoms.stages[stage].radix) +
                " points by their matrix, which goes neither with clusters nor with real kinds or products; "
                "leave out 'by'");
      auto const own = std::find_if(draft_.atoms.atoms.begin(), draft_.atoms.atoms.end(),
                                    [&](Atom const& a) { return a.stage == stage; });
      Index const n = draft_.atoms.stages[stage].radix, bytes = 2 * sizeof(double);
      Index const pairs = kernel::blocks_of_rows(int(n)) * kernel::blocks_of_columns(int(n)) * 64;
      Index const at = add_table({n, 1, pairs * bytes / element_, 1, false, TableKind::matrix});
      draft_.denses[i] = {int(own - draft_.atoms.atoms.begin()), int(at * element_ / bytes)};
    }
  }

  /// What is told of the order of powers: digits of the exponent, entries of the table, and lines.
  void powers() {
    Transformed const& t = tile_.transformed.front();
    if (tile_.transformed.size() > 1 || sweep_.ranks > 1 || program_.radices[t.digit.dim].size() > 1 ||
        is_partial(program_.problem))
      throw Error("program: sweep " + std::to_string(s_ + 1),
                  "transforms " + std::to_string(t.radix) + " points by " + std::to_string(t.by) +
                      ", which it can do only alone; pad to " + std::to_string(least_convolution(t.radix)) +
                      " or more");
    auto& p = draft_.powers;
    p.powers.used = true;
    p.powers.prime = int(t.prime());
    p.powers.generator = int(generator(t.prime()));
    bool const head = draft_.head.end.folded, tail = draft_.tail.end.folded;
    p.powers.read = head ? 0 : t.read.front().stride;
    p.powers.write = tail ? 0 : t.rest() * t.write.front().stride;
    p.entry = index_of(t.digit);
    p.exponent = p.line = blank();
    auto const weights = exponent_weights(radices_by_powers());
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      if (atom.stage < 0 || draft_.atoms.beside_powers(atom.stage))
        p.line.tile[a] = atom.apart;
      else
        p.exponent.tile[a] = weights[atom.stage - (t.rest() > 1)] *
                             (atom.j / draft_.atoms.stages[atom.stage].j) % (t.prime() - 1);
    }
  }

  /// The way out goes through the places of the way in, backwards: one table serves both.
  SharedLayout power_layout(bool first, Index capacity) {
    if (!first) return draft_.exchanges[1].layout;
    auto const& steps = draft_.steps;
    auto const& entry = draft_.powers.entry.tile;
    SharedLayout const layout = pad_straight(draft_.atoms, {{entry, tile_.transformed.front().prime() - 1}},
                                             steps[0].map, steps[1].map, element_, capacity);
    for (std::size_t a = 0; a < entry.size(); ++a)
      if (entry[a] > 0) draft_.powers.powers.pitch = int(layout.weight[a] / entry[a]);
    return layout;
  }

  SharedLayout zigzag_layout(std::size_t i, Index capacity) const {
    AtomMap const &before = draft_.steps[i - 1].map, &after = draft_.steps[i].map;
    bool const head = i == 1 && tile_.read_zigzag;
    auto const& index = (head ? draft_.head : draft_.tail).index.tile;
    return pad_zigzag(draft_.atoms, index, head ? before : after, head ? after : before, element_, capacity);
  }

  void add_power_table() {
    Index const bytes = 4, p = draft_.powers.powers.prime, pitch = draft_.powers.powers.pitch;
    Index const elements = ((p - 1) * bytes + element_ - 1) / element_;
    RootTable const table{p, 1, elements, pitch, false, TableKind::powers, radices_by_powers()};
    draft_.powers.powers.table = int(add_table(table) * (element_ / bytes));
  }

  std::vector<Index> radices_by_powers() const {
    std::vector<Index> radices;
    auto const& stages = draft_.atoms.stages;
    for (std::size_t s = 0; s < stages.size(); ++s)
      if (stages[s].again < 0 && !draft_.atoms.beside_powers(int(s))) radices.push_back(stages[s].radix);
    return radices;
  }

  int mirror_step() const {
    if (draft_.mirror.head) return 1;
    int step = 0;  // the first after all butterflies
    for (int i = 0; i < int(draft_.steps.size()); ++i)
      if (draft_.steps[i].stage >= 0) step = i + 1;
    return step;
  }

  /// Every mirrored digit a straight line, so that the place of the negated index is as easily found.
  SharedLayout mirror_layout(AtomMap const& from, AtomMap const& to, Index capacity) {
    std::vector<StraightLine> lines;
    for (int m = 0; m < draft_.mirror.digits; ++m)
      lines.push_back({draft_.mirror_index[m].tile,
                       Index(draft_.mirror.extent[m]) + (m == 0 && draft_.mirror.head ? 1 : 0)});
    if (draft_.mirror.columns) {  // the highest atom goes on, or where there are two columns counts them
      Index const columns = draft_.mirror.head;
      lines[0].places += columns;
      for (std::size_t a = 0; a < lines[0].index.size(); ++a)
        lines[0].index[a] += draft_.parity.tile[a] * (draft_.mirror.extent[0] / 2 + columns);
    }
    SharedLayout const layout = pad_straight(draft_.atoms, lines, from, to, element_, capacity,
                                             draft_.lines ? &*draft_.lines : nullptr);
    for (int m = 0; m < draft_.mirror.digits; ++m)
      for (std::size_t a = 0; a < layout.weight.size(); ++a)
        if (lines[m].index[a] > 0) draft_.mirror.weight[m] = int(layout.weight[a] / lines[m].index[a]);
    return layout;
  }

  Index add_table(RootTable const& table) { return skipper::add_table(result_.tables, table); }

  void twiddle(int i) {
    draft_.twiddles.emplace_back();
    if (late_[i] >= 0) between(late_[i]);
    int const number = draft_.steps[i].stage;
    if (number < 0) return;
    Stage const& stage = draft_.atoms.stages[number];
    if (draft_.atoms.beside_powers(number)) return beside(stage);
    bool const waits = std::find(late_.begin(), late_.end(), stage.sub) != late_.end();
    if (stage.last && !waits) between(stage.sub);
    if (!stage.last && !draft_.atoms.first_half(number)) within(stage, number);
  }

  /// Between what is beside the prime of powers and the prime: w^(k1 j2), where j2 is 1 and more.
  void beside(Stage const& stage) {
    auto& t = draft_.twiddles.back();
    t.kind = twiddling_of(program_, tile_, draft_.atoms, 0);
    t.k = blank();
    t.low = draft_.powers.entry;
    t.rows = tile_.transformed.front().prime();
    bool const large = t.kind == kernel::Twiddling::ladder;
    t.table =
        1 + int(add_table({t.rows * stage.radix, large ? kernel::rung(stage.radix - 1) + 1 : stage.radix - 1,
                           t.rows, 1, large}));
  }

  /// Within a sub-transform: w^(k low) where low counts the stages still to come; in the second transform of a
  /// convolution these are the ones before in the first.
  void within(Stage const& stage, int number) {
    bool const back = stage.again >= 0;
    int const home = draft_.atoms.home(number);
    auto& t = draft_.twiddles.back();
    t.kind = twiddling_of(program_, tile_, draft_.atoms, number);
    if (t.kind == kernel::Twiddling::none) return;
    t.k = t.low = blank();
    for (std::size_t a = 0; a < draft_.atoms.atoms.size(); ++a) {
      Atom const& atom = draft_.atoms.atoms[a];
      bool const later = back ? atom.stage < home : atom.stage > home;
      if (atom.stage >= 0 && later && draft_.atoms.stages[atom.stage].sub == stage.sub)
        t.low.tile[a] = back ? atom.k : atom.j;
    }
    Index const rows = t.rows = back ? stage.k : stage.j;
    bool const large = t.kind == kernel::Twiddling::ladder;
    t.table = int(add_table(
        {rows * stage.radix, large ? kernel::rung(stage.radix - 1) + 1 : stage.radix - 1, rows, 1, large}));
  }

  /// Between sub-transforms of an axis: w^(K low) where low counts the digits of later sweeps (or later in this).
  /// Those are the ones behind; on the way back of a convolved axis the ones in front.
  void between(int sub) {
    Transformed const& t_sub = tile_.transformed[sub];
    DigitKey const digit = t_sub.digit;
    auto const& radices = program_.radices[digit.dim];
    bool const back = t_sub.pass != Pass::forward;
    if (back ? digit.part == 0 : digit.part + 1 == int(radices.size())) return;
    auto& t = draft_.twiddles.back();
    t.kind = kernel::Twiddling::product;
    t.k = index_of(digit, t_sub.twice() ? &Atom::j : &Atom::k);
    t.low = blank();
    auto const columns = columns_in(program_, s_);
    if (columns) {  // by now the highest atom tells two columns apart
      t.k = draft_.mirror_index.front();
      t.low = draft_.parity;
    }
    Index weight = 1;
    for (int i = back ? 0 : int(radices.size()) - 1; i != digit.part; i += back ? 1 : -1) {
      add(t.low, index_of({digit.dim, i}), weight);
      weight *= radices[i];
    }
    Index const order = weight * radices[digit.part];
    t.shift = std::bit_width(std::uint64_t(order)) / 2;
    // Threads beyond a ragged edge compute, though nobody stores what they do: the table must reach them too.
    Index const last = reach(draft_.atoms, tile_, draft_.grid, t.k) + (columns ? 1 : 0);
    Index const most = last * reach(draft_.atoms, tile_, draft_.grid, t.low);
    t.table = int(add_table({order, 1, (most >> t.shift) + 1, Index(1) << t.shift, false}));
    t.table_low = int(add_table({order, 1, Index(1) << t.shift, 1, false}));
  }

  /// What the convolutions of this sweep multiply by: chirps where they begin and end, the spectrum in the middle.
  void convolutions() {
    draft_.middles.resize(draft_.steps.size());
    AtomForm at =
        blank();  // over all digits that are convolved here: one table has the products of their chirps
    std::vector<Index> lengths;
    Index unit = 1;
    for (Transformed const& t : tile_.transformed) {
      if (t.by_powers())
        middle(t, index_of(t.digit, &Atom::k),
               {t.prime(), 1, t.prime() - 1, 1, false, TableKind::power_spectrum, radices_by_powers()});
      if (t.by_chirps()) {
        add(at, index_of(t.digit), unit);
        lengths.push_back(t.radix);
        unit *= t.radix;
        middle(t, index_of(t.digit, &Atom::k), spectrum_of(t.radix, {t.by}));
      }
      if (t.pass == Pass::middle && !tile_.joint)
        middle(t, axis_index(t.digit.dim, &Atom::k),
               spectrum_of(core(program_, t.digit.dim), program_.radices[t.digit.dim]));
    }
    if (tile_.joint) result_.factors = turn(program_, tile_, draft_);
    if (!lengths.empty()) {
      multiply(draft_.load_end, at, chirp_of(lengths));
      multiply(draft_.store_end, at, chirp_of(lengths));
    }
    for (int dim : program_.convolved) {
      auto const [first, last] = convolution_span(program_, dim);
      RootTable const chirp = chirp_of({core(program_, dim)});
      if (s_ == first) multiply(draft_.load_end, axis_index(dim, &Atom::j), chirp);
      if (s_ == last) multiply(draft_.store_end, axis_index(dim, &Atom::k), chirp);
    }
  }

  void multiply(Draft::Pointwise& to, AtomForm const& at, RootTable const& table) {
    to = {true, at, add_table(table)};
  }

  /// A table for the chirps of a long axis and of another one together would be as long as their product.
  void demand_one_chirp() const {
    int chirps = std::any_of(tile_.transformed.begin(), tile_.transformed.end(),
                             [](Transformed const& t) { return t.by_chirps(); });
    for (int dim : program_.convolved) {
      auto const [first, last] = convolution_span(program_, dim);
      chirps += s_ == first || s_ == last;
    }
    if (chirps > 1)
      throw Error(
          "program: sweep " + std::to_string(s_ + 1),
          "begins or ends the convolution of a long axis together with another; give each its own sweep");
  }

  /// After the stage that ends the first of the two transforms.
  void middle(Transformed const& t, AtomForm const& at, RootTable const& table) {
    for (std::size_t i = 0; i < draft_.steps.size(); ++i) {
      int const stage = draft_.steps[i].stage;
      if (stage < 0 || !draft_.atoms.first_half(stage)) continue;
      if (&tile_.transformed[draft_.atoms.stages[stage].sub] != &t) continue;
      auto const [form, ways] = as_dealt(draft_, tile_, draft_.steps[i].map, at);
      RootTable ordered = table;
      ordered.ways = ways;
      multiply(draft_.middles[i], form, ordered);
    }
  }

  static RootTable chirp_of(std::vector<Index> const& lengths) {
    Index const n = std::accumulate(lengths.begin(), lengths.end(), Index(1), std::multiplies<>());
    return {n, 1, n, 1, false, TableKind::chirp, lengths};
  }
  static RootTable spectrum_of(Index n, std::vector<Index> const& digits) {
    Index const m = std::accumulate(digits.begin(), digits.end(), Index(1), std::multiplies<>());
    return {n, 1, m, 1, false, TableKind::spectrum, digits};
  }

  /// Whether threads would race in a buffer that the sweep stays in: each exchange has all elements read before any is written.
  bool reads_what_others_write(SweepSpec const& spec) const {
    bool const stays = sweep_.from == sweep_.to || (program_.problem.placement == Placement::in_place &&
                                                    sweep_.from == Buffer::in && sweep_.to == Buffer::out);
    if (sweep_.tier == Tier::thread || !stays) return false;
    for (int i = 0; i < spec.steps; ++i)
      if (spec.step[i].exchange.needed) return false;
    return shaped(spec, kernel::Sum::head) || shaped(spec, kernel::Sum::tail) || spec.read != spec.write;
  }

  /// What the machine and the place in the program decide.
  void finish(SweepSpec spec) {
    spec.ranks = sweep_.ranks;
    bool const last = s_ + 1 == int(program_.sweeps.size());
    bool const inverse = program_.problem.direction == Direction::inverse;
    bool const fourier = std::all_of(sweep_.transforms.begin(), sweep_.transforms.end(), [&](DigitKey d) {
      return program_.dims[d.dim].kind == AxisKind::fourier;
    });
    // Mirrors and cosine transforms want the parts in their own places, so there each sweep swaps them back.
    bool const every = std::any_of(program_.dims.begin(), program_.dims.end(), [](Dimension const& d) {
      return d.halved || d.kind != AxisKind::fourier;
    });
    spec.swap_read = inverse && fourier && (s_ == 0 || every);
    spec.swap_write = inverse && fourier && (last || every);
    spec.scaled = program_scale(program_) != 1 && last;
    spec.waits = reads_what_others_write(spec);
    if (tile_.joint) {  // the way back is inverse, and its factors have the scale
      spec.swap_write = s_ == 0 || every;
      spec.scaled = false;
    }
    for (int i = 0; i < spec.steps + spec.powers.used; ++i)
      spec.threads = std::max(spec.threads, active(spec, i));
    for (int i = 0; i < spec.steps; ++i)
      if (is_dense(spec, i)) spec.threads = int(dense_threads(spec.threads, (dense_lines(spec, i) + 7) / 8));
    if (spec.threads > machine_.threads_block)
      throw Error("program: sweep", "needs more than " + std::to_string(machine_.threads_block) +
                                        " threads; use a smaller tile");
    if (sweep_.tier != Tier::thread) gather_output(spec, element_, machine_.shared_block / element_);
    Work const work = work_of(spec, element_);
    spec.resident = resident_blocks(work, machine_);
    spec.most = most_blocks(work, machine_, movement_);
    result_.spec = spec;
  }

  Program const& program_;
  Sweep const& sweep_;
  int s_;
  Machine const& machine_;
  Tile tile_;
  Index element_;
  double movement_;
  Draft draft_;
  std::vector<int> late_;  // for each step, the sub-transform whose twiddles waited for the mirror
  Lowered result_;
};

}  // namespace

std::optional<double> lowered_pace(Program const& program, int s, Machine const& machine,
                                   double movement) try {
  Cut const cut = Lowering(program, s, machine).cut(movement);
  return cut.fits ? std::optional(cut.pace) : std::nullopt;
} catch (Error const&) {
  return std::nullopt;
}

Lowered lower(Program const& program, int s, Machine const& machine) {
  return Lowering(program, s, machine).run();
}

Lowered lower(Program const& program, int s, Machine const& machine, Cut const& cut) {
  return Lowering(program, s, machine).run(cut);
}

}  // namespace skipper
