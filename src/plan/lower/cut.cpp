// See cut.h: radices, elements a thread and threads are tried, and the cut with the least predicted time is taken.
#include "plan/lower/cut.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/lower/cosine_lines.h"
#include "plan/lower/folds.h"
#include "plan/lower/in_place.h"
#include "plan/lower/long_prime.h"

namespace skipper {
namespace {

using kernel::Twiddling;

/// Largest radices to try. Fewer steps mean fewer exchanges: on an H200 (2026-11) radix 32 took 8192 points from 1.12
/// to 1.02 x copy; in double precision 16 is best. In clusters whole lines
/// of cubes in a thread leave two exchanges of five: 40^3 took 1.55 x copy so and 2.11 by eights and fives, 24^3 and
/// 32^3 in double precision 1.19 and 1.40 instead of 1.66 and 1.65 (H200, 2026-11-16).
std::vector<int> comfortable_radices(Index element_bytes, bool whole_in_cluster) {
  if (whole_in_cluster && element_bytes == 16) return {32, 24, 16, 12, 10, 8, 6, 5, 4};
  if (whole_in_cluster) return {50, 32, 16, 12, 10, 8, 6, 5, 4};
  if (element_bytes == 16) return {16, 12, 10, 8, 6, 5, 4};
  return {32, 16, 12, 10, 8, 6, 5, 4};
}

/// How many products of as many radices are tried for a convolution that is a sweep by itself; in the order of powers only
/// where the first one is poor: 3571 points took 3.24 x copy as 17 x 15 x 14, 238 threads of which 85 work in the last
/// step, and 1.8 are foreseen as 30 x 17 x 7 (H200, 2026-11-16).
constexpr int most_choices = 4;
constexpr int cosine_choices = 36;
constexpr double poor_powers = 1.8;

constexpr Index matrix_bytes = 4096;

/// Past this NVRTC 13.0 leaves the arrays of a thread by powers in local memory (63 elements, 16381 points).
constexpr Index most_by_powers = 48;

/// Sixteen 8-byte elements, or eight of 16 bytes, leave a thread registers to spare at full occupancy.
MapLimits limits_of(int ranks, Index element, Machine const& machine) {
  return {int(machine.threads_block), element == 8 ? 16 : 8, kernel::max_registers, ranks,
          std::max<Index>(1, machine.sector_bytes / element)};
}

bool same_radices(Atoms const& a, Atoms const& b) {
  return std::equal(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
                    [](Atom const& x, Atom const& y) { return x.extent == y.extent; }) &&
         std::equal(a.stages.begin(), a.stages.end(), b.stages.begin(), b.stages.end(),
                    [](Stage const& x, Stage const& y) { return x.radix == y.radix; });
}

/// What convolutions multiply by: chirps at the ends, of the elements there are, and the spectrum in the middle.
void count_tables(Program const& program, int s, Tile const& tile, Atoms const& atoms, WorkCount& count_up) {
  Index const element = element_bytes(program.problem);
  double const points = double(tile_points(tile)) / program.sweeps[s].ranks;
  if (tile.joint && !divides(program.factors))
    count_up.add_table(points, tile_points(tile) * tile_count(tile) * element, 1);
  for (Transformed const& t : tile.transformed) {
    bool const spread = program.convolved.count(t.digit.dim);
    double lines = 1;
    for (Carried const& c : tile.carried)
      if (c.held && c.piece.digit.dim != t.digit.dim) lines *= double(c.piece.extent);
    Index const axis = program.dims[t.digit.dim].size;
    if (!atoms.in_place.empty())
      count_up.add_in_place(atoms.in_place, tile_points(tile));
    else if (t.by_powers())
      count_up.add_powers();
    if (t.twice() && !tile.joint)
      count_up.add_table((t.opposites ? 2 : 1) * points, (spread ? axis : t.by) * element, lines);
    if (t.by_chirps())
      count_up.add_table(2 * points * double(t.radix) / double(t.by), t.radix * element, lines);
    if (!spread) continue;
    auto const [first, last] = convolution_span(program, t.digit.dim);
    if (s == first || s == last) count_up.add_table(points / 2, axis * element, lines);
  }
}

/// The work of steps that are not a spec yet; what padding adds to shared memory is guessed.
Work work_of(Program const& program, int s, Tile const& tile, Atoms const& atoms,
             std::vector<MapStep> const& steps, Machine const& machine) {
  bool const chirps =
      tile.joint || std::any_of(tile.transformed.begin(), tile.transformed.end(), [&](Transformed const& t) {
        return t.by_chirps() || program.convolved.count(t.digit.dim);
      });
  bool const mirror = mirrored(program, s), folded = folded_head(program, s) || folded_tail(program, s);
  bool const line =
      program.sweeps[s].ranks > 1 && tile.transformed.size() == 1;  // its registers are measured
  WorkCount count_up(element_bytes(program.problem), program.sweeps[s].ranks,
                     atoms.by_powers || !atoms.in_place.empty()             ? WorkCount::Ends::powers
                     : chirps                                               ? WorkCount::Ends::chirps
                     : mirror && program.problem.kind == Kind::r2c && !line ? WorkCount::Ends::mirrored
                     : mirror || folded                                     ? WorkCount::Ends::folded
                                                                            : WorkCount::Ends::plain);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool const works = steps[i].stage >= 0, dense = works && atoms.stages[steps[i].stage].dense;
    count_up.add(count(atoms, steps[i].map.threads), count(atoms, steps[i].map.registers),
                 works ? atoms.stages[steps[i].stage].registers() : 1,
                 works ? twiddling_of(program, tile, atoms, steps[i].stage) : Twiddling::none,
                 dense || (i > 0 && !atoms.in_place.empty()) ||
                     (atoms.by_powers && !atoms.routed && (i == 1 || i + 1 == steps.size())) ||
                     (i > 0 && !same_elements(steps[i - 1].map, steps[i].map)));
    if (dense) count_up.add_dense(atoms.stages[steps[i].stage].radix);
  }
  // Its exchange, its rotation, and its sums; turned by constants it takes no registers beyond.
  bool const by_constants = has_cosine_lines(program, tile, machine);
  if (mirror)
    count_up.add(count(atoms, steps.back().map.threads), count(atoms, steps.back().map.registers), 2,
                 by_constants ? Twiddling::matrix : Twiddling::product, true);
  if (std::any_of(tile.transformed.begin(), tile.transformed.end(), [](auto& t) { return t.opposites; }))
    count_up.add(count(atoms, steps[1].map.threads), count(atoms, steps[1].map.registers), 2, Twiddling::none,
                 true);          // where they meet their partners
  if (crossed_axis(program, s))  // the same along the other axis
    count_up.add(count(atoms, steps.back().map.threads), count(atoms, steps.back().map.registers), 2,
                 Twiddling::matrix, true);
  count_tables(program, s, tile, atoms, count_up);
  Work work = count_up.total();
  work.tiles = tile_count(tile);
  if (work.exchanges > 0) work.shared = work.points + work.points / 32;
  return work;
}

}  // namespace

Twiddling twiddling_of(Program const& program, Tile const& tile, Atoms const& atoms, int number) {
  Stage const& stage = atoms.stages[number];
  Transformed const& t = tile.transformed[stage.sub];
  if (stage.last) {
    int const outermost = t.pass != Pass::forward ? 0 : int(program.radices[t.digit.dim].size()) - 1;
    return t.digit.part == outermost ? Twiddling::none : Twiddling::product;
  }
  bool const beside = atoms.beside_powers(number);
  if (!beside && (atoms.first_half(number) || atoms.coprime)) return Twiddling::none;
  // A matrix is exact to the last bit; past what L1 holds beside large tiles, a ladder costs less than its misses.
  Index const rows = beside ? t.prime() : stage.again >= 0 ? stage.k : stage.j;
  // Where L1 bounds a sweep, it costs less in any case: lines with chirps of 2039, 4093 and 2777 points took 2.20, 2.38 and 2.53
  // x copy so, 2.29, 2.53 and 2.66 with matrices (f32, H200, 2026-11-16).
  Index const element = element_bytes(program.problem);
  bool const ladders = atoms.ladders || (atoms.by_chirps && element == 8);
  bool const large = (ladders || (stage.radix - 1) * rows * element > matrix_bytes) && stage.radix > 3;
  return large ? Twiddling::ladder : Twiddling::matrix;
}

int longest_radix(Atoms const& atoms) {
  int longest = 1;
  for (Stage const& s : atoms.stages) longest = std::max(longest, s.radix);
  return longest;
}

bool same_elements(AtomMap const& a, AtomMap const& b) {
  auto const sorted = [](std::vector<int> v) { return std::sort(v.begin(), v.end()), v; };
  return a.threads == b.threads && a.ranks == b.ranks && sorted(a.registers) == sorted(b.registers);
}

namespace {

/// Contiguous bytes that one block of a cluster reads or writes: digits that count ranks cut the tile's segments.
Index rank_segment(Atoms const& atoms, AtomMap const& map, Index Atom::*stride, Index element) {
  std::vector<int> order(atoms.atoms.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return atoms.atoms[a].*stride < atoms.atoms[b].*stride; });
  Index run = 1;
  for (int a : order) {
    bool const ranked = std::find(map.ranks.begin(), map.ranks.end(), a) != map.ranks.end();
    if (ranked || atoms.atoms[a].*stride != run) break;
    run *= atoms.atoms[a].extent;
  }
  return run * element;
}

/// How long memory takes, where ranks cut the segments.
double rank_movement(Cut const& cut, Index element, Machine const& machine) {
  Index const read = rank_segment(cut.atoms, cut.steps.front().map, &Atom::read, element),
              write = rank_segment(cut.atoms, cut.steps.back().map, &Atom::write, element);
  return (segment_factor(read, Access::read, machine) + segment_factor(write, Access::write, machine)) / 2;
}

/// Up to here the fit of clusters has it in.
constexpr double parted = 1.25;

/// What clusters that convolve take beyond the model, which knows none: joints of 2^15 and 2^16 points 2.28 and 2.77 x
/// copy where 2.12 and 2.68 were foreseen, 16381 points by 32768 5.5 where 4.4 were (H200, 2026-11).
/// Of several axes 256^2 2.42 where 2.47 were foreseen, 32^3 2.07 where 1.7; but with whole lines in a thread 40^3 3.27
/// where 2.0 were, 48^3 4.02 where 2.5, and in double precision 256^2 3.54 where 2.7.
constexpr double joined = 1.06, chirped = 1.25, joined_doubles = 1.31, joined_long_lines = 1.63;
double beyond_convolved(Cut const& cut, Tile const& tile) {
  if (!tile.joint) return chirped;
  if (cut.work.element == 16) return joined_doubles;
  bool const long_lines = std::any_of(cut.atoms.stages.begin(), cut.atoms.stages.end(),
                                      [](Stage const& s) { return s.radix > 32; });
  return long_lines ? joined_long_lines : joined;
}

/// Of convolutions that are so short of registers less held is better: 16381 points took 4.32 x copy with 30 in 819
/// threads, 4.76 with 42 in 630 (H200, 2026-11).
constexpr double tight = 1.1;
constexpr Index tight_held = 32;

/// Short primes in the order of powers take more than the model says: 71, 97, 109, 113 and 127 points 1.26, 1.17, 1.35,
/// 1.26 and 1.34 to 1.37 x copy where 1.04 to 1.19 were foreseen (f32, H200, 2026-11).
constexpr double short_powers = 1.15;
constexpr Index short_prime = 127;

/// c2r of 1000 points took 1.06 x copy as four lines in 100 threads of 20, 1.12 in 200 of 10 (H200, 2026-11-16).
bool is_odd_row_back(Cut const& c, Tile const& tile) {
  constexpr Index longest = 1024;
  bool const back = c.atoms.folded >= 0 && c.atoms.mirrors_head && !c.atoms.write_zigzag;
  if (!back || tile.transformed.size() != 1 || c.work.element != 8) return false;
  Index const n = tile.transformed.front().points();
  return n <= longest && n % 500 == 0;
}

/// With parts of several axes a block of 512 threads that is alone on its SM gains more than others by asking for tiles
/// to come: 256^3's second sweep took 1.17 x copy so where 1.25 were foreseen, and 1.27 with 1024 threads where 1.22
/// were; 4096^2's 1.17 with both. With 0.95 256 x 256 x 1024 took another program, 2.78 instead of 2.55 (H200,
/// 2026-11-16).
constexpr double asking_alone = 0.965, waits_long = 1.2;

/// By halves 53 to 79 points take 1.03 to 1.16 x copy, in threads of up to 128 registers; beyond, where an SM holds
/// twelve warps, 71, 83, 97 and 103 points 1.41, 1.50, 1.41 and 1.45, and apart 83, 103 and 107 1.58, 1.53 and 1.78
/// (H200, 2026-11-16). Beside another radix they are not measured.
constexpr double heavy_halves = 1.4, halves_apart = 1.75, halves_in_company = 1.2;
constexpr Index light_registers = 128;
double beyond_halves(Cut const& cut) {
  double factor = 1;
  for (Stage const& s : cut.atoms.stages) {
    if (!s.dense || !goes_by_halves(s.radix, cut.work.element)) continue;
    factor = s.radix > kernel::longest_together     ? halves_apart
             : cut.work.registers > light_registers ? heavy_halves
                                                    : 1;
    if (cut.atoms.stages.size() > 1) factor *= halves_in_company;
  }
  return factor;
}

/// Mirrored, 32 complex doubles take all registers of a thread, and an SM holds eight warps: r2c of 512 x 512 took 2.33
/// x copy in double precision so, and 2.01 in single, where it holds sixteen (H200, 2026-11-16).
constexpr double heavy_doubles = 1.06;
constexpr Index light_doubles = 16;

/// In clusters 16 complex doubles a thread take more than the model says, 32 in half the threads do not: 2^15 points
/// 1.67 and 1.56 x copy, 2^16 2.09 and 1.85, 256^2 2.00 and 1.81 (H200, 2026-11-16).
constexpr double thin_doubles = 1.1;

/// Convolutions with chirps whose last radix is not 8, 12 or 16 take more than the model says: 1747 points by 3584 as 16
/// x 16 x 14, 32 x 16 x 7 and 28 x 16 x 8 3.47, 3.57 and 2.73 x copy, 1019 by 2048 as 32 x 16 x 4 and 32 x 8 x 8 2.52 and
/// 2.13, 1187 by 2400 as 20 x 12 x 10 2.58, by 2560 as 20 x 16 x 8 2.41; but 853 by 1728 as 12 x 12 x 12 2.07, by 2048 2.22 (f32, H200, 2026-11-16).
constexpr double odd_middle = 1.2;
constexpr Index most_with_odd_middle = 4096;
bool has_odd_middle(Cut const& cut, Tile const& tile) {
  auto const& stages = cut.atoms.stages;
  if (tile.transformed.size() != 1 || stages.size() <= 4) return false;
  Transformed const& t = tile.transformed.front();
  int const middle = stages[stages.size() / 2].radix;
  bool const even = middle == 8 || middle == 12 || middle == 16;
  return t.by_chirps() && t.by <= most_with_odd_middle && !even;
}

/// Of one line, clusters whose number of blocks is no power of two take more still: 59049 points in nine 1.96 x copy
/// where 1.68 were foreseen, 10^5 in ten 2.37 where 2.05 were, and 2.20 in two sweeps (H200, 2026-11-16).
constexpr double odd_lines = 1.16;
bool is_odd_line(Tile const& tile, int ranks) {
  return tile.transformed.size() == 1 && (ranks & (ranks - 1)) != 0;
}

/// Lines that are mirrored in a cluster: r2c of 65536 points 1.71 x copy where 1.57 were foreseen, c2r 1.91 (H200, 2026-11-16).
constexpr double mirrored_line = 1.09, mirrored_line_back = 1.22;
double beyond_mirrored(Program const& program, int s, Tile const& tile) {
  if (program.sweeps[s].ranks == 1 || tile.transformed.size() > 1 || !mirrored(program, s)) return 1;
  return program.problem.kind == Kind::c2r ? mirrored_line_back : mirrored_line;
}

/// Lines of which a thread holds the same elements in all steps.
Index lines_together(Cut const& cut) {
  Index least = kernel::max_registers;
  for (MapStep const& step : cut.steps) {
    Index lines = 1;
    for (int a : step.map.registers)
      if (cut.atoms.atoms[a].stage < 0) lines *= cut.atoms.atoms[a].extent;
    least = std::min(least, lines);
  }
  return least;
}

/// Convolutions of one line in f32 against the model (H200, 2026-11-16). With chirps (18 primes of 107 to 10007 in 160
/// cuts): by powers of two up to 8192 0.77 of what is foreseen, by others 0.83, by up to 256 0.64
/// (224 1.2 times that); in threads of 48 elements 0.85 to 0.9 of what others take, of 16 1.1; with lines together 0.92; by
/// multiples of 7 1.06, of 27 above 4096 1.12. Where a block has an SM to itself 20480 as 32 x 32 x 20 3.55 x copy, as 16 x 16 x 16 x 5 3.95, 20160 4.12. Of powers of two 16 x 16 x 16 is better where
/// a line is nearly half of them (2039 2.17 x copy, as 32 x 16 x 8 2.20; 1619 2.67 and 2.61). In the order of powers 3823 as
/// 14 x 13 x 7 x 3 1.17 of it, as 26 x 21 x 7 and 21 x 14 x 13 in threads of 42 0.79 and 0.62, 2053 by 19 0.84.
constexpr double dealt_chirps = 0.83, binary_chirps = 0.8, by_eights = 1.02, short_chirps = 0.64,
                 odd_short_chirps = 0.77, long_threads = 0.8, thin_threads = 1.1, shared_lookups = 0.92,
                 by_sevens = 1.06, by_sevens_alone = 1.3, by_three_alone = 0.9, by_long_threes = 1.12,
                 by_four_powers = 1.2, by_three_powers = 0.8, prime_powers = 0.85, nearly_half = 0.41;
constexpr Index short_padded = 256, longest_binary = 8192, many_held = 40, most_fitted = 48, few_held = 16,
                longest_fitted = 4096, many_points = Index(1) << 23;
constexpr int long_prime = 17;
double beyond_chirps(Cut const& cut, Transformed const& t) {
  bool const binary = (t.by & (t.by - 1)) == 0;
  if (t.by <= short_padded) return binary ? short_chirps : odd_short_chirps;
  auto const& stages = cut.atoms.stages;
  double factor = dealt_chirps;
  if (binary && t.by <= longest_binary) {
    bool const half = double(t.radix) > nearly_half * double(t.by);
    factor = binary_chirps * (stages[stages.size() / 2].radix == 8 && half ? by_eights : 1);
  }
  bool const alone = t.by > 2 * longest_binary;
  if (alone && stages.size() <= 6) factor *= by_three_alone;
  if (t.by % 7 == 0) factor *= alone ? by_sevens_alone : by_sevens;
  if (t.by % 27 == 0 && t.by > longest_fitted) factor *= by_long_threes;
  if (cut.work.held <= few_held) factor *= thin_threads;
  if (cut.work.held > many_held && cut.work.held <= most_fitted && !alone) factor *= long_threads;
  return factor * (lines_together(cut) > 1 ? shared_lookups : 1);
}
double beyond_powers(Cut const& cut) {
  auto const& stages = cut.atoms.stages;
  std::size_t const radices = stages.size() / 2;
  bool const prime = std::any_of(stages.begin(), stages.end(),
                                 [](Stage const& s) { return s.radix >= long_prime && is_prime(s.radix); });
  if (radices > 3) return by_four_powers;
  if (radices == 3 && cut.work.held >= many_held) return by_three_powers;
  return prime ? prime_powers : 1;
}
double beyond_line(Program const& program, Cut const& cut, Tile const& tile) {
  bool const line = program.problem.kind == Kind::c2c && program.sweeps.size() == 1 && cut.work.ranks == 1 &&
                    cut.work.element == 8 && tile.transformed.size() == 1 && !tile.joint &&
                    points(program.problem) >= many_points;  // few were not measured
  if (!line) return 1;
  Transformed const& t = tile.transformed.front();
  if (t.by_chirps()) return beyond_chirps(cut, t);
  bool const fitted = t.by_powers() && t.prime() > short_prime && t.prime() < longest_fitted;
  return fitted ? beyond_powers(cut) : 1;
}

/// The cuts of a tile in these atoms, from few elements a thread to many.
std::vector<Cut> cuts_in(Program const& program, int s, Tile const& tile, Atoms const& atoms,
                         MapLimits const& limits, Machine const& machine, double movement) {
  Index const element = element_bytes(program.problem);
  bool const several =
      program.problem.kind == Kind::c2c && program.sweeps[s].ranks == 1 && tile.transformed.size() > 1;
  std::vector<Cut> cuts;
  auto const ways = atoms.in_place.empty() ? map_steps(atoms, limits) : steps_in_place();
  for (auto const& steps : ways) {
    bool const opposites = tile.transformed.size() == 1 && tile.transformed.front().opposites;
    if (int(steps.size()) + (atoms.by_powers && !atoms.routed) + opposites > kernel::max_steps)
      throw Error("program: sweep", "needs more than " + std::to_string(kernel::max_steps) + " steps");
    Cut cut{atoms, steps, {}, {}, 0, false};
    add_mirror_steps(program, s, tile, cut.steps, cut.late);
    cut.work = work_of(program, s, tile, atoms, cut.steps, machine);
    double const ranked = program.sweeps[s].ranks > 1 ? rank_movement(cut, element, machine) : 1;
    bool const crowded = blocks_of(cut.work, cut.work.registers, machine) == 0;
    // Parts of an axis that is convolved over several sweeps gain nothing by it: 1000003 points as 490 x 4096 took
    // 10.5 x copy.
    if (program.sweeps.size() == 1) cut.work.registers = allowed_registers(cut.work, machine);
    cut.pace = (crowded && cut.work.held > tight_held ? tight : 1) *
               pace(cut.work, machine, std::max(movement, ranked > parted ? ranked : 1));
    cut.pace *= beyond_halves(cut) * beyond_mirrored(program, s, tile) * beyond_line(program, cut, tile) *
                beyond_long_prime(program, cut, tile) * beyond_in_place(atoms.in_place, tile);
    if (element == 16 && cut.work.held > light_doubles && mirrored(program, s)) cut.pace *= heavy_doubles;
    if (element == 16 && cut.work.held <= light_doubles && cut.work.ranks > 1) cut.pace *= thin_doubles;
    if (atoms.by_powers && element == 8 && tile.transformed.front().prime() <= short_prime)
      cut.pace *= short_powers;
    if (several && cut.pace > waits_long && cut.work.threads <= 512 &&
        blocks_of(cut.work, cut.work.registers, machine) == 1)
      cut.pace *= asking_alone;
    if (is_odd_line(tile, cut.work.ranks)) cut.pace *= odd_lines;
    if (element == 8 && cut.work.ranks == 1 && has_odd_middle(cut, tile)) cut.pace *= odd_middle;
    if (has_cosine_lines(program, tile, machine))
      cut.pace = cosine_pace(cut, least_passes(cut.work), machine);
    if (cut.work.ranks > 1 && cut.work.traffic > 0) cut.pace *= beyond_convolved(cut, tile);
    cut.fits = cut.work.held <= (atoms.by_powers ? most_by_powers : kernel::max_registers) &&
               blocks_of(cut.work, cut.work.registers, machine) > 0;
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

/// Calls `visit` with the cuts of each set of radices, from large ones to small, until it says that it has seen enough.
template <class Visit>
void each_radices(Program const& program, int s, Tile const& tile, Machine const& machine, double movement,
                  Visit visit) {
  Index const element = element_bytes(program.problem);
  MapLimits limits = limits_of(program.sweeps[s].ranks, element, machine);
  if (tile.read_narrow || tile.write_narrow) limits.sector *= 2;
  std::optional<Error> trouble;
  std::vector<Atoms> tried;
  bool any = false;
  bool const whole_in_cluster =
      program.sweeps.size() == 1 && program.sweeps[s].ranks > 1 && tile.transformed.size() > 1;
  bool const alone =
      program.sweeps.size() == 1 && program.sweeps[s].ranks == 1 && tile.transformed.size() == 1;
  bool const chirps = alone && tile.transformed.front().by_chirps(),
             powers = alone && tile.transformed.front().by_powers();
  bool const cosines = has_cosine_lines(program, tile, machine);
  int const choices = chirps || powers ? most_choices : cosines ? cosine_choices : 1;
  Index const rows = whole_in_cluster && mirrored(program, s) ? 2 * program.sweeps[s].ranks : 1;
  double least = 0;  // of the paces so far
  auto const radices = comfortable_radices(element, whole_in_cluster);
  for (int i = 0; i < choices * int(radices.size()); ++i) try {
      if (powers && i % choices > 0 && least > 0 && least < poor_powers) continue;
      Atoms atoms = atoms_of(tile, radices[i / choices], i % choices, rows);
      if (cosines && i % choices > 0 && longest_radix(atoms) > radices.front()) continue;  // not measured
      atoms.routed = atoms.by_powers && program.sweeps[s].ranks > 1;
      note_mirror(program, s, tile, atoms);
      if (std::any_of(tried.begin(), tried.end(), [&](Atoms const& a) { return same_radices(a, atoms); }))
        continue;
      tried.push_back(atoms);
      auto cuts = cuts_in(program, s, tile, atoms, limits, machine, movement);
      any = true;
      for (Cut const& cut : cuts)
        if (cut.fits && (least == 0 || cut.pace < least)) least = cut.pace;
      if (!visit(std::move(cuts))) return;
    } catch (Error const& e) {
      trouble = e;
    }
  if (powers && program.problem.kind == Kind::c2c && element == 8)
    for (Atoms const& atoms : ways_in_place(tile, limits.threads)) {
      any = true;
      visit(cuts_in(program, s, tile, atoms, limits, machine, movement));
    }
  if (!any) throw *trouble;
}

/// What neighbouring threads touch of memory at once, for each time that it is half of a whole warp's; and threads that
/// stand by while others load or store.
constexpr double for_halved_run = 0.022, for_idle_threads = 0.09;

// Of r2c's short rows, which leave in order (plan/lower/gather.h), threads that stand by count for more: 100 points
// took 1.22 x copy in 5 x 5 x 2 with a fifth of them idle, 1.08 in 10 x 5 with none (H200, 2026-11-16).
constexpr double for_idle_rows = 0.36;
constexpr Index longest_gathered = 256;

/// Of a line alone that is no power of two: others were measured and are as good as can be.
bool gathers_rows(Cut const& c) {
  if (c.atoms.folded < 0 || c.atoms.mirrors_head || c.atoms.read_zigzag) return false;
  Index points = 1;
  for (Stage const& stage : c.atoms.stages) {
    if (stage.sub != c.atoms.folded) return false;
    points *= stage.radix;
  }
  return points <= longest_gathered && (points & (points - 1)) != 0;
}

double torn_side(Cut const& c, MapStep const& step, Index Atom::*stride, Machine const& machine) {
  bool const rows = gathers_rows(c);
  Index const together = std::min(run(c.atoms, step.map.threads, stride), machine.warp);
  double const idle = 1 - double(count(c.atoms, step.map.threads)) / double(c.work.threads);
  double const halved =
      rows && stride == &Atom::write ? 0 : std::log2(double(machine.warp) / double(together));
  return for_halved_run * halved + (rows ? for_idle_rows : for_idle_threads) / 2 * idle;
}

/// What is left to gain where memory alone bounds a cut of one block: 128 points in 4 x 4 x 4 x 2 take 1.00 x copy, in
/// 16 x 8 1.04; 125 in 5 x 5 x 5 1.01, in 25 x 5 1.07; 60 in 5 x 4 x 3 1.00, but 1.05 where the last step has twice the
/// threads of the first (H200, 2026-11).
double torn(Cut const& c, Machine const& machine) {
  if (c.work.ranks > 1 || c.pace >= 1.1) return 0;
  return torn_side(c, c.steps.front(), &Atom::read, machine) +
         torn_side(c, c.steps.back(), &Atom::write, machine);
}

/// Of a warp's stores, the share of sectors more than there would be if runs ended where sectors do.
double parted_sectors(Cut const& c, Machine const& machine) {
  Index const run_length = std::min(run(c.atoms, c.steps.back().map.threads, &Atom::write), machine.warp);
  Index const sector = machine.sector_bytes / c.work.element;
  double const ends = double(machine.warp) / double(run_length) * double(sector) / double(machine.warp);
  return ends * (1 - double(std::gcd(run_length, sector)) / double(sector));
}

/// A line whose radices differ has steps that leave threads idle: 360 points took 1.09 x copy in 9 x 8 x 5 with 90 of 160
/// threads busy in the eights, 1.01 with all of 180. A fourth step costs such lines more, and so do elements a thread: 2058
/// in 7 x 7 x 7 x 6 took 1.31, in 21 x 14 x 7 1.13 (58 lengths in two cuts each, H200, 2026-11-16). So do stores of parts of
/// sectors, 420 in 21 x 20 1.10 and in 10 x 7 x 6 1.05, and blocks so small that an SM holds more than sixteen: 90 in 60
/// threads 1.08, in 120 1.01, 120 in 40 1.03, in 80 1.01, 72 in 48 1.15, in 96 1.00.
double uneven(Cut const& c, Tile const& tile, Machine const& machine) {
  constexpr double for_idle = 0.03, for_element = 0.0003, for_fourth = 0.03, for_parts = 0.03,
                   for_many = 0.02;
  constexpr Index many = 16;
  bool const line = tile.transformed.size() == 1 && c.atoms.folded < 0 && !c.atoms.by_powers &&
                    !c.atoms.read_zigzag && !c.atoms.write_zigzag && c.work.traffic == 0;
  Index const points = tile.transformed.front().points();
  if (!line || (points & (points - 1)) == 0 || c.work.ranks > 1 || c.pace >= 1.1) return 0;
  double idle = 0;
  for (std::size_t i = 1; i + 1 < c.steps.size(); ++i)
    idle = std::max(idle, 1 - double(count(c.atoms, c.steps[i].map.threads)) / double(c.work.threads));
  return for_idle * idle + for_element * double(c.work.held) + (c.steps.size() > 3 ? for_fourth : 0) +
         for_parts * parted_sectors(c, machine) +
         (blocks_of(c.work, c.work.registers, machine) > many ? for_many : 0);
}

/// Few short lines wait for the factors of a step that comes after an exchange: alone, 8 points as 4 x 2 took 1.19 us and 7
/// as one codelet 0.97, 10 x 10 by fives and twos 1.58 and 9 x 9 1.02 (bench/results/h200-2026-11-15-crossover.txt).
double waits(Cut const& c, Tile const& tile) {
  constexpr Index few_bytes = 128 * 1024, longest = 16;
  Index const bytes = tile_points(tile) * tile_count(tile) * c.work.element;
  bool const short_lines = std::all_of(tile.transformed.begin(), tile.transformed.end(),
                                       [](Transformed const& t) { return t.points() <= longest; });
  return short_lines && bytes <= few_bytes ? 0.15 * c.work.lookups : 0;
}

/// Warps of an SM that are too few for short primes in the order of powers: 101 points took 1.16 x copy with 40 and
/// 1.35 with 32, 127 1.27 with 35 and 1.35 with 30 (H200, 2026-11-16).
constexpr Index few_warps = 32;

/// What overlaps no better is still the better for doing less: fewer steps, then of many exchanges blocks of which an
/// SM holds three (6561 in 9 x 9 x 9 x 9 took 1.09 x copy so, 1.25 with two), then fewer elements a thread; but threads
/// that load less than four elements keep too little on its way. Convolutions, which L1 bounds, like 32 a thread (1019
/// points: 2.15 x copy, 2.84 with 16; 2039: 2.54 and 2.69, 3.42 with 64), and so do joints in clusters (2^16 points
/// 2.77 with 32), but not those of several axes (256^2 2.42 with 64 and 2.79 with 32, 32^3 2.07 and 2.31); nor so well
/// that an SM holds only one block of it (4099: 5.44, and 4.38 with 60 in two; H200, 2026-11).
auto score(Cut const& c, Tile const& tile, Machine const& machine) {
  Index const bytes = c.work.held * c.work.element;
  double const few = c.work.loads < 4 ? 0.03 : 0;
  bool const short_lines = c.atoms.by_powers && tile.transformed.front().prime() <= short_prime &&
                           tile.transformed.front().rest() == 1;
  bool const convolved = c.work.traffic > 0 && !short_lines &&
                         (!tile.joint || (c.work.ranks > 1 && tile.transformed.size() == 1));
  Index const blocks = blocks_of(c.work, c.work.registers, machine);
  bool const alone = blocks < 2;
  Index const most_fair = c.atoms.by_chirps && c.work.element == 8 ? 384 : 256;
  bool const in_place = !c.atoms.in_place.empty();
  double const fair = in_place ? 0.05 : convolved && bytes > 128 && bytes <= most_fair && !alone ? 0.2 : 0;
  double const crowded = c.work.crowded ? 0.03 : 0;
  // Cosines of 8192 points in threads of 32 took 1.16 x copy, of 16 1.26 (dct3; H200, 2026-11-16): more loads are on
  // their way.
  bool const zigzag = c.atoms.read_zigzag || c.atoms.write_zigzag;
  double const busy =
      zigzag && bytes == 256 && blocks >= 4 && c.work.points * c.work.element >= 32 * 1024 ? 0.06 : 0;
  double const row = is_odd_row_back(c, tile) && c.work.held == 20 ? 0.1 : 0;
  Index const warps = blocks * ((c.work.threads + machine.warp - 1) / machine.warp);
  double const sparse = short_lines && warps <= few_warps ? 0.1 : 0;
  return std::tuple(!c.fits,
                    c.pace + 0.02 * double(c.steps.size()) + few + crowded + sparse - fair - busy - row +
                        torn(c, machine) + waits(c, tile) + uneven(c, tile, machine),
                    c.work.exchanges < 3 ? -3 : -std::min<Index>(3, blocks), c.work.held);
}

}  // namespace

namespace {

/// A long prime beside steps of more threads than its registers leave room for runs though it spills: where nothing
/// fits, that is better than no program (dct4 of 435 in double precision, on complex data that no sweep may cut).
void squeeze(Cut& cut, Machine const& machine, double movement) {
  constexpr double spilled = 4;  // assumed, not measured: enough to have everything else preferred
  Index const warps = (cut.work.threads + machine.warp - 1) / machine.warp;
  Index const left = machine.registers_sm / ((warps + 3) / 4 * 4 * machine.warp) / 8 * 8;
  Work work = cut.work;
  work.registers = std::min(work.registers, left);
  if (cut.work.held > kernel::max_registers || cut.atoms.by_powers ||
      blocks_of(work, work.registers, machine) == 0)
    return;
  cut.fits = true;
  cut.pace = spilled * pace(work, machine, movement);
}

}  // namespace

Cut best_cut(Program const& program, int s, Tile const& tile, Machine const& machine, double movement) {
  std::optional<Cut> best;
  each_radices(program, s, tile, machine, movement, [&](std::vector<Cut> cuts) {
    std::size_t const stages = cuts.front().atoms.stages.size();
    if (best && best->fits && stages > best->steps.size() + 2) return false;  // these only exchange more
    for (Cut& cut : cuts)
      if (!best || score(cut, tile, machine) < score(*best, tile, machine)) best = std::move(cut);
    return !best->fits || best->pace > best_pace * movement || torn(*best, machine) > 0 || best->work.crowded;
  });
  if (!best->fits) squeeze(*best, machine, movement);
  return *best;
}

std::vector<Cut> all_cuts(Program const& program, int s, Tile const& tile, Machine const& machine) {
  std::vector<Cut> all;
  each_radices(program, s, tile, machine, 1, [&](std::vector<Cut> cuts) {
    std::move(cuts.begin(), cuts.end(), std::back_inserter(all));
    return true;
  });
  std::stable_sort(all.begin(), all.end(), [&](Cut const& a, Cut const& b) {
    return score(a, tile, machine) < score(b, tile, machine);
  });
  return all;
}

}  // namespace skipper
