// The search: for one sweep, then two, and so on, every deal of the axes' radices, every choice of layouts between the
// sweeps; each completed with tiles, tiers and buffers, and ranked by cost. More sweeps are tried only while they
// could still win.
#include "plan/planner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/deals.h"
#include "plan/lengths.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/tile.h"

namespace skipper {
namespace {

constexpr int most_sweeps = 6;
constexpr Index segment_aims[] = {128, 256, 64, 32};  // bytes

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

/// How primes are transformed that have several ways: by codelets where there are some, convolved with chirps, in the
/// order of powers where nothing else is in their sweep, or by their matrix on tensor cores.
enum class Way { codelets, chirps, powers, matrix };

/// Whether n points may be better off multiplied by their matrix: few, in double precision, with a prime among them that crowds
/// a thread's registers. Measured on an H200 (2026-11, x copy, the other ways in brackets): 23 1.07 (1.74), 31 1.07 (1.70), 43 1.32
/// (2.23), 47 1.24 (2.06), 53 1.43 (1.61), 59 1.43 (2.17), 61 1.44 (1.53); but 83 2.00 (1.88), and f32 59 1.95 (1.46).
bool has_matrix(Index n, Index element) {
  constexpr Index longest = 62, comfortable = 19;
  return element > 8 && n <= longest && factorise(n).back().prime > comfortable;
}

void take(Way way, Program& program) {
  Index const element = element_bytes(program.problem);
  for (Sweep const& sweep : program.sweeps)
    for (DigitKey d : sweep.transforms) {
      auto const& radices = program.radices[d.dim];
      Index const n = radices[d.part];
      bool const alone = sweep.transforms.size() == 1 && radices.size() == 1;
      Index const rest = way == Way::powers && alone ? beside_powers(n) : 0;
      if (rest == 1 || (rest > 1 && !fold_of(program, d.dim))) program.padded[d] = n - rest;
      if (way == Way::chirps && n > largest_prime && is_prime(n) && !program.convolved.count(d.dim))
        program.padded[d] = convolution_length(n, element);
      bool const plain = !program.convolved.count(d.dim) && !fold_of(program, d.dim);
      if (way == Way::matrix && plain && has_matrix(n, element)) program.padded[d] = n;
    }
}

Program dealt(Problem const& problem, Deal const& deal, int sweeps, std::vector<Index> const& cores,
              Way way) {
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
        program.padded[{dim, part}] = convolution_length(radix, element_bytes(problem));
    }
  }
  take(way, program);
  return program;
}

/// Every digit where it was read: the layout of the papers, in place. Of c2r by columns the last digit is half kept and the
/// first has the pairs, so that the other way round rows are whole sectors.
std::vector<Piece> layout_in_place(Program const& program, int before) {
  std::vector<Piece> layout = digits_before(program, before);  // fastest first
  if (program.problem.kind == Kind::c2r)
    for (auto first = layout.begin(); first != layout.end();) {
      int const dim = first->digit.dim;
      auto const end = std::find_if(first, layout.end(), [&](Piece const& p) { return p.digit.dim != dim; });
      if (columns_of(program, dim)) std::reverse(first, end);
      first = end;
    }
  if (program.problem.order == Order::from_reversed)  // there the first digit is the fastest
    std::stable_sort(layout.begin(), layout.end(),
                     [](Piece const& a, Piece const& b) { return a.digit < b.digit; });
  std::reverse(layout.begin(), layout.end());
  return layout;
}

/// The layout that sweep s would like best to read: its tile in one piece, innermost what it writes together.
std::optional<std::vector<Piece>> layout_gathered(Program const& program, int s, Index segment) {
  auto const transformed = [&](DigitKey d) {
    auto const& t = program.sweeps[s].transforms;
    return std::find(t.begin(), t.end(), d) != t.end();
  };
  auto written = write_layout(program, s);
  std::sort(written.begin(), written.end(),
            [](Placed const& a, Placed const& b) { return a.stride < b.stride; });
  std::vector<Piece> together;  // fastest first
  Index run = 1;
  for (Placed const& p : written) {
    if (run >= segment || p.stride != run) break;
    if (transformed(p.piece.digit)) {
      run *= p.piece.extent;
      continue;
    }
    Index share = p.piece.extent;
    bool const whole = program.padded.count(p.piece.digit);  // a convolution reads and writes it in one run
    for (Index d : whole ? std::vector<Index>{share} : divisors(p.piece.extent))
      if (d * run >= segment) {
        share = d;
        break;
      }
    bool const stored = p.piece.digit.part < 0;  // and so not to be cut
    auto const columns = columns_of(program, p.piece.digit.dim);
    bool const half =
        columns && columns->half == p.piece.digit;  // nor the fastest: its rows are not whole sectors
    if (p.piece.unit != 1 || (stored && share < p.piece.extent) || half)
      return std::nullopt;  // a cut of a cut: leave it to the layout in place
    together.push_back({p.piece.digit, 1, share});
    run *= share;
    if (share < p.piece.extent) break;
  }
  std::vector<Piece> rest, own;
  for (Piece const& p : layout_in_place(program, s)) {
    auto const cut =
        std::find_if(together.begin(), together.end(), [&](Piece const& t) { return t.digit == p.digit; });
    if (transformed(p.digit))
      own.push_back(p);
    else if (cut == together.end())
      rest.push_back(p);
    else if (cut->extent < p.extent)
      rest.push_back({p.digit, cut->extent, p.extent / cut->extent});
  }
  rest.insert(rest.end(), own.begin(), own.end());
  rest.insert(rest.end(), together.rbegin(), together.rend());
  return rest;
}

/// Contiguous elements of the problem's own input or output.
Index longest_segment(std::vector<Dimension> dims, Index Dimension::*stride) {
  std::sort(dims.begin(), dims.end(),
            [&](Dimension const& a, Dimension const& b) { return a.*stride < b.*stride; });
  Index run = 1;
  for (Dimension const& d : dims)
    if (d.size > 1 && d.*stride == run) run *= d.size;
  return run;
}

/// Whether one transform is at most 1 KB and all of them lie in one piece.
bool is_short(Program const& program) {
  Index one = element_bytes(program.problem);
  for (Axis const& a : program.problem.axes) one *= a.size;
  auto const whole = [&](Index Dimension::*stride) {
    return longest_segment(program.dims, stride) == points(program.problem);
  };
  return one <= 1024 && program.problem.kind == Kind::c2c && whole(&Dimension::in) && whole(&Dimension::out);
}

/// Points of a transform that one thread does by itself; 1 where several share it.
Index points_a_thread(Program const& program) {
  constexpr Index longest_codelet =
      37;  // of those measured: 24, 31, 32 and 37 points want this, 60 and more do not
  auto const& axes = program.problem.axes;
  return axes.size() == 1 && axes[0].size <= longest_codelet ? axes[0].size : 1;
}

/// Elements a tile should have: enough for the threads of a block, but not so many that SMs stand idle.
Index fill_of(Program const& program, int s, Machine const& machine) {
  Index const element = element_bytes(program.problem);
  Index wanted = machine.kind == MachineKind::cpu ? machine.l1_bytes / 2 / element : 16 * 1024 / element;
  Index const more = 2 * wanted;
  // Of what is short and contiguous little blocks come and go the most smoothly: 64 points 1.01 x copy in tiles of 4 KB,
  // 1.05 in 16 KB (bench/results/h200-2026-11-15-sweeps.txt).
  // A codelet alone wants 64 threads, each with a whole transform.
  if (machine.kind == MachineKind::gpu && is_short(program))
    wanted = std::clamp(64 * points_a_thread(program), 6 * 1024 / element, wanted);
  for (DigitKey d : program.sweeps[s].transforms) {
    if (machine.kind == MachineKind::cpu) break;
    auto const by = program.padded.find(d);
    bool const padded = by != program.padded.end(), powers = padded && by->second < extent_of(program, d);
    if (padded && by->second == extent_of(program, d))  // eight lines for each of four warps
      wanted = std::min(32 * by->second, more);
    if (powers) {  // as many lines as banks
      Index const n = extent_of(program, d), rest = n - by->second;
      wanted = std::clamp(128 / element * (n / rest - 1), wanted, more);
    }
    // Long tables are read from L2 once a tile.
    if ((padded && !powers && by->second * element >= 8192) || pass_of(program, s, d) == Pass::middle)
      wanted = more;
  }
  return std::clamp<Index>(points(program.problem) / (2 * machine.sms), wanted / 8, wanted);
}

/// Whether half of the spectrum that sweep s reads or writes is descending. In clusters that took 2.3 x copy where 1.75 were
/// foreseen (H200, 2026-11, c2r and r2c of 2^24).
bool bends(Program const& program, int s) {
  auto const folded = program.problem.kind == Kind::r2c ? folded_tail(program, s) : folded_head(program, s);
  return folded && columns_of(program, *folded);
}

/// Chooses what the tile of sweep s holds, if asked only among the tiles that a kernel can run. Returns the quick cost of
/// the sweep, nothing where no tile fits.
std::optional<double> place_sweep(Program& program, int s, Machine const& machine, PlanOptions const& options,
                                  bool lowerable = false) {
  Index const element = element_bytes(program.problem);
  Index const fill = fill_of(program, s, machine);
  std::vector<Index> capacities{block_capacity(machine)};
  auto const& own = program.sweeps[s].transforms;
  // Long convolutions in clusters are not measured, and neither the order of powers nor a matrix has ranks.
  bool const alone = !program.convolved.empty() || std::any_of(own.begin(), own.end(), [&](DigitKey d) {
    auto const by = program.padded.find(d);
    return by != program.padded.end() && by->second <= extent_of(program, d);
  });
  if (options.clusters && machine.cluster > 1 && !alone && !mirrored(program, s) && !bends(program, s))
    capacities.push_back(cluster_capacity(machine));
  Tiling const tiling(program, s);
  Tile tile = tiling.holding({});
  Sweep best;
  double best_cost = 0;
  std::vector<std::vector<Piece>> weighed;
  for (Index capacity : capacities)
    for (Index segment : segment_aims) {
      auto& with = program.sweeps[s].with;
      with.clear();
      extend_tile(program, s, {std::max<Index>(1, segment / element), fill, capacity / element}, tiling,
                  tile);
      if (tile_points(tile) * element > capacity) continue;
      if (std::find(weighed.begin(), weighed.end(), with) != weighed.end()) continue;
      weighed.push_back(with);
      Place const place = place_of(tile_points(tile) * element, machine);
      if (place.floor == 0 || (place.ranks > 1 && !options.clusters)) continue;
      program.sweeps[s].tier = place.tier;
      program.sweeps[s].ranks = place.ranks;
      double const cost = quick_sweep_cost(program, s, tile, machine);
      if ((best_cost == 0 || cost < best_cost - 1e-9) && (!lowerable || lowered_pace(program, s, machine))) {
        best_cost = cost;
        best = program.sweeps[s];
      }
    }
  if (best_cost == 0) return std::nullopt;
  program.sweeps[s] = std::move(best);
  return best_cost;
}

/// A sweep whose transforms fit the registers of a thread and whose threads lie along contiguous memory needs no
/// shared memory at all.
void mark_thread_tier(Program& program, int s) {
  Tile const tile = tile_of(program, s);
  Index const element = element_bytes(program.problem);
  Index transform = 1;
  for (Transformed const& t : tile.transformed) {
    if (t.dense()) return;
    transform *= t.points();
  }
  Tile carried = tile;
  carried.transformed.clear();
  bool const few = transform * element <= 128;
  if (few && !mirrored(program, s) &&
      std::min(read_segment(carried) * tile.read_bytes, write_segment(carried) * tile.write_bytes) >= 32)
    program.sweeps[s].tier = Tier::thread;
}

bool choose_chunks(Program& program, Machine const& machine, PlanOptions const& options) {
  bool any = false;
  for (int s = 0; s + 1 < int(program.sweeps.size()) && options.chunks; ++s) {
    bool const taken = s > 0 && program.sweeps[s - 1].chunk;
    Chunking const c = taken ? Chunking{} : chunking(program, s, machine);
    program.sweeps[s].chunk = c.bytes;
    program.sweeps[s].lanes = c.lanes;
    any = any || program.sweeps[s].chunk;
  }
  return any;
}

/// What follows from the tiles and costs nothing: thread tier, chunks and buffers.
void finish(Program& program, Machine const& machine, PlanOptions const& options) {
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
/// for its reader.
void add_programs(Program const& bare, Machine const& machine, PlanOptions const& options,
                  std::vector<Candidate>& found) {
  int const sweeps = int(bare.sweeps.size());
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
    if (!possible || fold_trouble(program)) continue;
    if (auto const cost = placed_cost(program, machine, options))
      found.push_back({std::move(program), *cost});
  }
}

/// All programs of a deal.
void add_programs(Problem const& problem, Deal const& deal, int sweeps, std::vector<Index> const& cores,
                  Machine const& machine, PlanOptions const& options, std::vector<Candidate>& found) {
  Program const usual = dealt(problem, deal, sweeps, cores, Way::codelets);
  if (fold_trouble(usual)) return;
  add_programs(usual, machine, options, found);
  if (machine.kind == MachineKind::cpu) return;
  for (Way way : {Way::chirps, Way::powers, Way::matrix})
    if (way == Way::powers && is_partial(problem))
      continue;  // its points do not stand in memory's order
    else if (way == Way::matrix && tensor_rate(machine) == 0)
      continue;
    else if (Program const other = dealt(problem, deal, sweeps, cores, way);
             other.padded != usual.padded && !fold_trouble(other))
      add_programs(other, machine, options, found);
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

/// No program of so many sweeps costs less: none beats half of a chunked pair, and the first sweep reads, the last
/// one writes, in segments no longer than the problem has.
double least_cost(Program const& bare, std::vector<Index> const& cores, int sweeps, Machine const& machine,
                  PlanOptions const& options) {
  Index const element = element_bytes(bare.problem);
  if (bare.problem.kind != Kind::c2c) return std::max(double(sweeps), least_of_reals(bare, cores, sweeps));
  double const floor = options.chunks && machine.chunk ? 0.9 : 1.0;
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
    if (!place_sweep(c.program, s, machine, options, true)) return false;
    changed = true;
  }
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
  return convolution_length(n, element) > most / 2 && convolution_length(prime, element) > most / 8;
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

std::vector<Candidate> search(Problem const& problem, std::vector<Index> const& cores, Machine const& machine,
                              PlanOptions const& options) {
  Index const element = element_bytes(problem);
  Index const capacity =
      std::max(block_capacity(machine), options.clusters ? cluster_capacity(machine) : 0) / element;
  std::vector<Index> axes;
  std::vector<std::vector<Index>> lengths;
  Program const bare = empty_program(problem, 1);
  for (int d : long_axes(bare, cores)) {
    axes.push_back(cores[d]);
    lengths.push_back(may_spread(axes.back(), machine, element) ? spread_lengths(axes.back())
                                                                : std::vector<Index>{});
  }

  std::vector<Candidate> found;
  if (axes.empty()) add_programs(problem, {}, 1, cores, machine, options, found);
  for (Candidate& c : found) finish(c.program, machine, options);
  for (int sweeps = 1; sweeps <= most_sweeps && !axes.empty(); ++sweeps) {
    if (!found.empty() && found.front().cost <= least_cost(bare, cores, sweeps, machine, options)) break;
    for (int cuts = 0; cuts < sweeps; ++cuts) {
      std::vector<Candidate> fresh;
      for (Deal const& deal :
           sample(deals(axes, lengths, sweeps, cuts, capacity), sweeps, block_capacity(machine) / 128))
        add_programs(problem, deal, sweeps, cores, machine, options, fresh);
      rank(fresh);
      fresh = runnable(std::move(fresh), machine, options, std::max(options.most, 16));
      found.insert(found.end(), fresh.begin(), fresh.end());
      if (sweeps > 2 && !fresh.empty()) break;  // cutting more axes only shortens segments
    }
    rank(found);
  }
  return found;
}

}  // namespace

std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions options) {
  check(problem);
  // Of complex data a cosine transform holds both parts.
  Index const room = block_capacity(machine) / element_bytes(problem) / (problem.kind == Kind::c2c ? 2 : 1);
  auto found = search(problem, cores(problem, room, true), machine, options);
  if (found.empty() && problem.kind != Kind::c2c)
    found = search(problem, cores(problem, room, false), machine, options);
  if (found.empty())
    throw Error("axes",
                "no program of at most " + std::to_string(most_sweeps) + " sweeps fits " + machine.name);
  if (int(found.size()) > options.most) found.resize(options.most);
  return found;
}

}  // namespace skipper
