// The search: for one sweep, then two, and so on, every deal of the axes' radices, every choice of layouts between the
// sweeps; each completed with tiles, tiers and buffers, and ranked by cost. More sweeps are tried only while they
// could still win.
#include "plan/planner.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/deals.h"
#include "plan/layouts.h"
#include "plan/lengths.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/placing.h"
#include "plan/tile.h"
#include "plan/ways.h"
#include "plan/yoking.h"

namespace skipper {
namespace {

constexpr int most_sweeps = 6;

bool is_real_kind(Dimension const& d) { return d.axis && (d.halved || d.kind != AxisKind::fourier); }

/// The length of the complex transform along each dimension. Two reals are packed as one complex number where that can
/// be: where the kind has pairs, and, since a mirrored axis is neither cut nor convolved, where half the length fits a
/// tile and has radices.
std::vector<Index> cores(Problem const& problem, Index capacity, bool pack) {
  std::vector<Index> all;
  for (Dimension const& d : dimensions(problem)) {
    auto const packed = is_real_kind(d) && pack ? packed_fold(problem.kind, d.kind, d.size) : std::nullopt;
    if (packed && (!packed->mirrored() ||
                   (packed->core <= capacity && !is_rough(packed->core, element_bytes(problem)))))
      all.push_back(packed->core);
    else if (is_real_kind(d))
      all.push_back(whole_fold(problem.kind, d.kind, d.size).core);
    else
      all.push_back(d.size);
  }
  return all;
}

/// The same with the second of two cosine axes whole, so that it can share the sweep of the first (crossed_axis).
std::optional<std::vector<Index>> cores_to_cross(Problem const& problem, std::vector<Index> all) {
  if (problem.kind != Kind::r2r || problem.norm == Norm::ortho) return {};
  auto const dims = dimensions(problem);
  Dimension const* first = nullptr;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!dims[d].axis || all[d] < 2) continue;
    if (!first && (2 * all[d] != dims[d].size || (dims[d].in != 1 && dims[d].out != 1))) return {};
    if (first && may_be_crossed(dims[d].kind, first->kind) && !is_rough(dims[d].size, element_bytes(problem)))
      return all[d] = dims[d].size, all;
    if (!first) first = &dims[d];
  }
  return {};
}

/// The same with a prime number of reals in opposites, where there is an order of powers.
std::optional<std::vector<Index>> cores_in_opposites(Problem const& problem, std::vector<Index> all) {
  if ((problem.kind != Kind::r2c && problem.kind != Kind::c2r) || is_partial(problem)) return {};
  auto const dims = dimensions(problem);
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (dims[d].halved && has_power_order(dims[d].size)) return all[d] = (dims[d].size + 1) / 2, all;
  return {};
}

Program empty_program(Problem const& problem, int sweeps) {
  Program program{problem, dimensions(problem), {}, std::vector<Sweep>(sweeps)};
  for (Dimension const& d : program.dims)
    program.radices.push_back(d.axis || d.size == 1 ? std::vector<Index>{} : std::vector<Index>{d.size});
  return program;
}

/// Axes that need transforming, as dimensions of the program.
std::vector<int> long_axes(Program const& program, std::vector<Index> const& cores) {
  std::vector<int> axes;
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (program.dims[d].axis && cores[d] > 1) axes.push_back(d);
  return axes;
}

Program dealt(Problem const& problem, Deal const& deal, int sweeps, std::vector<Index> const& cores,
              PrimeWay way) {
  Program program = empty_program(problem, sweeps);
  auto const axes = long_axes(program, cores);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    int const dim = axes[a];
    auto& radices = program.radices[dim];
    auto const [used, there] = parts_of(deal[a], cores[dim]);
    if (there < used.size()) program.convolved.insert(dim);
    for (std::size_t i = 0; i < used.size(); ++i) {
      int const part = int(i < there ? i : 2 * there - 2 - i);
      Index const radix = deal[a][used[i]];
      program.sweeps[used[i]].transforms.push_back({dim, part});
      if (i < there) radices.push_back(radix);
      if (is_rough(radix, element_bytes(problem)))
        program.padded[{dim, part}] =
            convolution_length(least_on_chip(problem, program.dims[dim], radix), element_bytes(problem));
    }
  }
  take(way, program);
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (in_opposites(program, d)) program.padded[{d, 0}] = core(program, d) - 1;
  return program;
}

bool is_yoked(Program const& program) {
  return std::any_of(program.sweeps.begin(), program.sweeps.end(), [](Sweep const& s) { return s.yoked; });
}

bool choose_chunks(Program& program, Machine const& machine, PlanOptions const& options) {
  bool any = false;
  int const last = int(program.sweeps.size()) - 1;
  for (int s = 0; s < last && options.chunks; ++s) {
    Chunking const c = chunking(program, s, machine);
    int const taken = c.bytes ? c.sweeps : 1;  // of those that share chunks the last one leaves none
    for (int i = s; i < std::min(s + taken, last); ++i) {
      bool const leaves = c.bytes && i < s + taken - 1;
      program.sweeps[i].chunk = leaves ? c.bytes : 0;
      program.sweeps[i].lanes = leaves ? c.lanes : 1;
      any = any || leaves;
    }
    s += taken - 1;
  }
  return any;
}

/// What follows from the tiles and costs nothing: thread tier, chunks and buffers.
void finish(Program& program, Machine const& machine, PlanOptions const& options) {
  if (is_yoked(program)) return;  // which has them all
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (machine.kind == MachineKind::gpu && program.sweeps[s].tier == Tier::block)
      mark_thread_tier(program, s);
  choose_chunks(program, machine, options);
  assign_buffers(program);
}

/// Chooses all tiles and, with them, what the program costs; nothing where a sweep has none.
std::optional<double> placed_cost(Program& program, Machine const& machine, PlanOptions const& options) {
  double total = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    auto const cost = place_sweep(program, s, machine, options);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return choose_chunks(program, machine, options) ? quick_program_cost(program, machine) : total;
}

/// All programs of a deal whose primes are transformed in one way: each boundary between sweeps in place or gathered
/// for its reader; or, of two, as the last one writes.
void add_programs(Program const& bare, Machine const& machine, PlanOptions const& options,
                  std::vector<Candidate>& found) {
  int const sweeps = int(bare.sweeps.size());
  auto const add = [&](Program program) {
    if (fold_trouble(program)) return;
    auto const cost = placed_cost(program, machine, options);
    if (!cost) return;
    if (auto other = options.chunks ? yoked(program, machine) : std::nullopt)
      found.push_back({*other, quick_program_cost(*other, machine)});
    found.push_back({std::move(program), *cost});
  };
  Index const segment = std::max<Index>(1, 128 / element_bytes(bare.problem));
  for (int choice = 0; choice < (1 << (sweeps - 1)); ++choice) {
    Program program = bare;
    bool possible = true;
    for (int s = sweeps - 1; s > 0 && possible; --s) {
      bool const gather = choice >> (s - 1) & 1;
      auto const layout = gather ? layout_gathered(program, s, segment) : layout_in_place(program, s);
      possible = layout && !(gather && *layout == layout_in_place(program, s));  // not the same program twice
      if (possible) program.sweeps[s - 1].layout = *layout;
    }
    if (possible) add(std::move(program));
  }
  if (lacks_room_between(bare, machine)) {
    Program program = bare;
    program.sweeps[0].layout = layout_as_written(program, 1);
    if (program.sweeps[0].layout != layout_in_place(program, 1)) add(std::move(program));
  }
}

/// The same with every length that convolutions with chirps may have on chip, where they all are of one. In three sweeps or
/// more the search would take a second for little.
void add_paddings(Program const& bare, Machine const& machine, PlanOptions const& options,
                  std::vector<Candidate>& found) {
  Index const element = element_bytes(bare.problem);
  std::set<Index> lengths;
  for (auto const& [digit, by] : bare.padded)
    if (Index const n = extent_of(bare, digit); by > n)
      lengths.insert(least_on_chip(bare.problem, bare.dims[digit.dim], n));
  if (lengths.size() != 1 || machine.kind == MachineKind::cpu || bare.sweeps.size() > 2)
    return add_programs(bare, machine, options, found);
  for (Index m : convolution_lengths(*lengths.begin(), element)) {
    Program other = bare;
    for (auto& [digit, by] : other.padded)
      if (by > extent_of(bare, digit)) by = m;
    add_programs(other, machine, options, found);
  }
}

/// All programs of a deal.
void add_programs(Problem const& problem, Deal const& deal, int sweeps, std::vector<Index> const& cores,
                  Machine const& machine, PlanOptions const& options, std::vector<Candidate>& found) {
  Program const usual = dealt(problem, deal, sweeps, cores, PrimeWay::codelets);
  if (fold_trouble(usual)) return;
  if (in_pairs(usual) && (!options.pairs || machine.kind == MachineKind::cpu)) return;
  add_paddings(usual, machine, options, found);
  if (machine.kind == MachineKind::cpu) return;
  for (PrimeWay way : {PrimeWay::chirps, PrimeWay::powers, PrimeWay::matrix})
    if (way == PrimeWay::powers && is_partial(problem))
      continue;  // its points do not stand in memory's order
    else if (way == PrimeWay::matrix && element_bytes(problem) > 8 && tensor_rate(machine) == 0)
      continue;
    else if (Program const other = dealt(problem, deal, sweeps, cores, way);
             other.padded != usual.padded && !fold_trouble(other))
      add_paddings(other, machine, options, found);
}

/// Highly composite sizes have tens of thousands of deals, up to a minute's work. Those that leave room for segments
/// in every sweep are much alike, so an even sample, from the most balanced one on, stands for all: on random smooth
/// sizes its best is mostly within 1% of the best of all, and was 9% off at worst.
std::vector<Deal> sample(std::vector<Deal> ways, int sweeps, Index roomy) {
  std::size_t const most =
      std::size_t(1024) >> (sweeps - 1);  // 1024 programs, since each boundary has two layouts
  if (ways.size() <= most) return ways;
  std::vector<std::pair<Index, std::size_t>> order;  // points of the largest sweep, and which deal
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Index largest = 1;
    for (int s = 0; s < sweeps; ++s) {
      Index load = 1;
      for (Share const& share : ways[i]) load *= share[s];
      largest = std::max(largest, load);
    }
    order.push_back({largest, i});
  }
  std::sort(order.begin(), order.end());
  std::size_t const have =
      std::upper_bound(order.begin(), order.end(), std::pair(roomy, ways.size())) - order.begin();
  std::size_t const from = std::max(have, most);
  std::vector<Deal> taken;
  for (std::size_t i = 0; i < most; ++i) taken.push_back(std::move(ways[order[i * from / most].second]));
  return taken;
}

/// Where one axis of reals is all there is to transform, every sweep but the first reads, and every one but the last
/// writes, the complex numbers of its fold, which may be twice as much unless it is folded by columns.
double least_of_reals(Program const& bare, std::vector<Index> const& cores, int sweeps) {
  auto const axes = long_axes(bare, cores);
  if (axes.size() != 1 || sweeps < 2 || !is_real_kind(bare.dims[axes[0]])) return 0;
  double const n = double(bare.dims[axes[0]].size), half = 2 * std::floor(n / 2) + 2;  // in reals
  double const in = bare.problem.kind == Kind::c2r ? half : n,
               out = bare.problem.kind == Kind::r2c ? half : n;
  bool const columns = bare.dims[axes[0]].halved && bare.dims[axes[0]].size % 4 == 0;
  double const between = columns ? n : 2 * double(cores[axes[0]]);
  return (0.5 * (in + out) + (sweeps - 1) * between) / in;
}

/// No program of so many sweeps costs less: none beats half of a chunked pair, or of a yoked one where two sweeps are all, and
/// the first sweep reads, the last one writes, in segments no longer than the problem has.
double least_cost(Program const& bare, std::vector<Index> const& cores, int sweeps, Machine const& machine,
                  PlanOptions const& options) {
  Index const element = element_bytes(bare.problem);
  double const floor = !options.chunks || !machine.chunk ? 1.0 : sweeps == 2 ? 0.79 : 0.9;
  if (bare.problem.kind != Kind::c2c)
    return (sweeps == 2 ? floor : 1) * std::max(double(sweeps), least_of_reals(bare, cores, sweeps));
  double const ends =
      segment_factor(longest_segment(bare.dims, &Dimension::in) * element, Access::read, machine) +
      segment_factor(longest_segment(bare.dims, &Dimension::out) * element, Access::write, machine);
  return floor * (sweeps - 1 + 0.5 * ends);
}

void rank(std::vector<Candidate>& found) {
  std::stable_sort(found.begin(), found.end(), [](Candidate const& a, Candidate const& b) {
    if (std::abs(a.cost - b.cost) > 1e-9) return a.cost < b.cost;
    return a.program.sweeps.size() < b.program.sweeps.size();
  });
}

/// Sees to it that kernels can run every sweep, with other tiles where need be. False where they cannot.
bool made_runnable(Candidate& c, Machine const& machine, PlanOptions const& options) {
  finish(c.program, machine, options);
  if (machine.kind != MachineKind::gpu) return true;
  bool changed = false;
  double cost = 0;
  for (int s = 0; s < int(c.program.sweeps.size()); ++s) {
    auto const runs = lowered_sweep_cost(c.program, s, machine);
    cost += runs.value_or(0);
    if (runs) continue;
    if (is_yoked(c.program)) return false;
    if (!place_sweep(c.program, s, machine, options, true)) return false;
    changed = true;
  }
  if (is_yoked(c.program) && !runs_yoked(c.program, machine)) return false;
  if (changed) finish(c.program, machine, options);
  bool const chunks = std::any_of(c.program.sweeps.begin(), c.program.sweeps.end(),
                                  [](Sweep const& s) { return s.chunk != 0; });
  c.cost = changed || chunks ? program_cost(c.program, machine) : cost;
  return true;
}

/// Whether a prime of n is so large that perhaps no block holds its convolution: what fits by its bytes may still not
/// be shared out among the threads.
bool may_spread(Index n, Machine const& machine, Index element) {
  if (!is_rough(n, element)) return false;
  Index const most = block_capacity(machine) / element, prime = factorise(n).back().prime;
  return convolution_length(least_convolution(n), element) > most / 2 &&
         convolution_length(least_convolution(prime), element) > most / 8;
}

/// The first `most` that kernels can run, ranked: not every tile can be shared out among threads and clusters.
std::vector<Candidate> runnable(std::vector<Candidate> found, Machine const& machine,
                                PlanOptions const& options, int most) {
  std::vector<Candidate> kept;
  int tried = 0;  // each try takes milliseconds, so not many more than needed
  for (Candidate& c : found) {
    if (int(kept.size()) >= most || (++tried > 4 * most && !kept.empty())) break;
    bool const runs = made_runnable(c, machine, options);
    bool const known =
        std::any_of(kept.begin(), kept.end(), [&](Candidate const& k) { return k.program == c.program; });
    if (runs && !known) kept.push_back(std::move(c));
  }
  rank(kept);
  return kept;
}

}  // namespace

void complete(Program& program, Machine const& machine, PlanOptions options) {
  for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s)
    if (program.sweeps[s].layout.empty()) program.sweeps[s].layout = layout_in_place(program, int(s) + 1);
  if (!placed_cost(program, machine, options))
    throw Error("program",
                "a sweep needs a larger tile than " + machine.name + " can hold; split its sub-transforms");
  finish(program, machine, options);
}

namespace {

/// Whether the last two sweeps share chunks, in tiles of which an SM holds two. Of cubes with an axis cut only such are
/// measured: f64 512^3 took 2.91 x copy, 3.35 in two sweeps (H200, 2026-11-16).
bool chunks_of_small_tiles(Program const& program) {
  for (int s = 1; s + 1 < int(program.sweeps.size()); ++s) {
    auto const bytes = [&](int i) {
      return tile_points(tile_of(program, i)) * element_bytes(program.problem);
    };
    if (program.sweeps[s].chunk) return std::max(bytes(s), bytes(s + 1)) <= 96 * 1024;
  }
  return false;
}

/// The radices of axes, in the order of transforming; none of an axis that is convolved, which stays in natural order.
using Radices = std::vector<std::vector<Index>>;

Radices radices_of(Deal const& deal, std::vector<Index> const& axes) {
  Radices all;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    auto const [sweeps, there] = parts_of(deal[a], axes[a]);
    all.emplace_back();
    for (int s : sweeps)
      if (there == sweeps.size()) all.back().push_back(deal[a][s]);
  }
  return all;
}

/// The only radices to take, and in how many sweeps; 0: any.
struct Wanted {
  Radices radices;
  int sweeps = 0;
};

/// Whether deals of so many sweeps and cuts can have the radices.
bool may_have(Wanted const& wanted, int sweeps, int cuts) {
  bool convolved = false;
  for (auto const& r : wanted.radices) convolved = convolved || r.empty(), cuts -= int(r.size()) - 1;
  return (wanted.sweeps == 0 || sweeps == wanted.sweeps) && (convolved || cuts == 0);
}

std::vector<Candidate> search(Problem const& problem, std::vector<Index> const& cores, Machine const& machine,
                              PlanOptions const& options, std::optional<Wanted> const& wanted = {}) {
  Index const element = element_bytes(problem);
  Index const capacity =
      std::max(block_capacity(machine), options.clusters ? cluster_capacity(machine) : 0) / element;
  std::vector<Index> axes;
  std::vector<std::vector<Index>> lengths;
  Program const bare = empty_program(problem, 1);
  for (int d : long_axes(bare, cores)) {
    axes.push_back(cores[d]);
    Index const least = least_convolution(problem, bare.dims[d], axes.back());
    lengths.push_back(may_spread(axes.back(), machine, element) ? spread_lengths(least)
                                                                : std::vector<Index>{});
  }

  std::vector<Candidate> found;
  if (axes.empty()) add_programs(problem, {}, 1, cores, machine, options, found);
  for (Candidate& c : found) finish(c.program, machine, options);
  for (int sweeps = 1; sweeps <= most_sweeps && !axes.empty(); ++sweeps) {
    if (!found.empty() && found.front().cost <= least_cost(bare, cores, sweeps, machine, options)) break;
    for (int cuts = 0; cuts < sweeps; ++cuts) {
      if (wanted && !may_have(*wanted, sweeps, cuts)) continue;
      std::vector<Candidate> fresh;
      auto ways = deals(axes, lengths, sweeps, cuts, capacity);
      if (wanted)
        std::erase_if(ways, [&](Deal const& deal) { return radices_of(deal, axes) != wanted->radices; });
      for (Deal const& deal : sample(std::move(ways), sweeps, block_capacity(machine) / 128))
        add_programs(problem, deal, sweeps, cores, machine, options, fresh);
      rank(fresh);
      fresh = runnable(std::move(fresh), machine, options, std::max(options.most, 16));
      bool const any = !fresh.empty();
      // An axis that nothing holds whole has to be cut, whatever its tiles.
      if (sweeps > 2 && cuts > 0 && axes.size() > 2 && problem.kind == Kind::c2c && !wanted && !found.empty())
        std::erase_if(fresh, [](Candidate const& c) { return !chunks_of_small_tiles(c.program); });
      found.insert(found.end(), fresh.begin(), fresh.end());
      // Cutting more axes only shortens segments; but one, cut, lets tiles touch few pages (plan/cost.cpp).
      if (sweeps > 2 && any && (cuts > 0 || axes.size() < 3)) break;
    }
    rank(found);
  }
  return found;
}

/// What a reversed plan leaves behind its inverse must take: the radices of the program there, from the last to the first.
/// Nothing where no problem leaves data so: inputs may share a place, which outputs may not.
std::optional<Wanted> wanted_back(Problem there, Index room, Machine const& machine,
                                  PlanOptions const& options) {
  there.order = Order::reversed;
  there.direction = there.direction == Direction::forward ? Direction::inverse : Direction::forward;
  for (Axis& axis : there.axes) {
    std::swap(axis.in_stride, axis.out_stride);
    axis.out_count = std::exchange(axis.in_count, 0);
    axis.out_first = 0;
  }
  for (Dim& dim : there.batch) std::swap(dim.in_stride, dim.out_stride);
  try {
    check(there);
  } catch (Error const&) {
    return {};
  }
  Program const program = planner(there, machine, options).front().program;
  Wanted all{{}, int(program.sweeps.size())};
  for (int d : long_axes(program, cores(there, room, true)))  // dimensions of the batch may stand elsewhere
    all.radices.emplace_back(program.convolved.count(d)
                                 ? std::vector<Index>{}
                                 : std::vector(program.radices[d].rbegin(), program.radices[d].rend()));
  return all;
}

bool has_opposites(Program const& program) {
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (in_opposites(program, d)) return true;
  return false;
}

bool crosses(Program const& program) {
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (crossed_axis(program, s)) return true;
  return false;
}

}  // namespace

std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions options) {
  check(problem);
  // Of complex data a cosine transform holds both parts.
  Index const room = block_capacity(machine) / element_bytes(problem) / (problem.kind == Kind::c2c ? 2 : 1);
  std::optional<Wanted> wanted;
  if (problem.order == Order::from_reversed) wanted = wanted_back(problem, room, machine, options);
  auto found = search(problem, cores(problem, room, true), machine, options, wanted);
  if (found.empty() && wanted) {
    wanted->sweeps = 0;  // digits hang on radices alone
    found = search(problem, cores(problem, room, true), machine, options, wanted);
  }
  if (found.empty() && problem.kind != Kind::c2c)
    found = search(problem, cores(problem, room, false), machine, options);
  // Lines that no block holds but a cluster does are mirrored there.
  Index const cluster = options.clusters ? cluster_capacity(machine) / element_bytes(problem) : 0;
  bool const halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
  if (auto const packed = cores(problem, cluster, true);
      halved && problem.axes.size() == 1 && cluster > room && packed != cores(problem, room, true)) {
    for (Candidate& c : search(problem, packed, machine, options))
      if (c.program.sweeps.size() == 1) found.push_back(std::move(c));
    rank(found);
  }
  if (auto const halves = cores_in_opposites(problem, cores(problem, room, true));
      halves && machine.kind == MachineKind::gpu) {
    for (Candidate& c : search(problem, *halves, machine, options))
      if (has_opposites(c.program)) found.push_back(std::move(c));
    rank(found);
  }
  if (auto const whole = cores_to_cross(problem, cores(problem, room, true));
      whole && machine.kind == MachineKind::gpu) {
    for (Candidate& c : search(problem, *whole, machine, options))
      if (crosses(c.program)) found.push_back(std::move(c));
    rank(found);
  }
  if (found.empty())
    throw Error("axes",
                "no program of at most " + std::to_string(most_sweeps) + " sweeps fits " + machine.name);
  if (int(found.size()) > options.most) found.resize(options.most);
  return found;
}

}  // namespace skipper
