// See configuration.h: radices, elements a thread and threads are tried, and the configuration with the least predicted time
// is taken.
#include "plan/lower/configuration.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/lower/cosine_lines.h"
#include "plan/lower/line_convolutions.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/shared_rader.h"
#include "plan/lower/long_prime.h"

namespace skipper {
namespace {

using kernel::Twiddling;

/// Largest radices to try. Fewer steps mean fewer exchanges; in double precision a thread has registers for fewer
/// elements. In clusters whole lines of cubes in a thread leave two exchanges of five.
/// Fitted: bench/results/h200-choices.md.
std::vector<int> comfortable_radices(Index element_bytes, bool whole_in_cluster) {
  if (whole_in_cluster && element_bytes == 16) return {32, 24, 16, 12, 10, 8, 6, 5, 4};
  if (whole_in_cluster) return {50, 32, 16, 12, 10, 8, 6, 5, 4};
  if (element_bytes == 16) return {16, 12, 10, 8, 6, 5, 4};
  return {32, 16, 12, 10, 8, 6, 5, 4};
}

/// How many products of as many radices are tried for a convolution that is a sweep by itself, and for cosine lines;
/// by Rader only where the predicted slowdown of the first one is above `poor_rader`, in x copy.
/// Fitted: bench/results/h200-choices.md.
constexpr int max_choices = 4;
constexpr int cosine_choices = 36;
constexpr double poor_rader = 1.8;

/// Bytes up to which twiddles have a full table. A choice, not measured.
constexpr Index matrix_bytes = 4096;

/// Elements a thread by Rader past which NVRTC leaves its arrays in local memory.
constexpr Index max_by_rader = 48;

/// Sixteen 8-byte elements, or eight of 16 bytes, leave a thread registers to spare at full occupancy.
AssignmentLimits limits_of(int cluster_ranks, Index element, Machine const& machine) {
  return {int(machine.threads_block), element == 8 ? 16 : 8, kernel::max_registers, cluster_ranks,
          std::max<Index>(1, machine.sector_bytes / element)};
}

bool same_radices(FineDigits const& a, FineDigits const& b) {
  return std::equal(a.digits.begin(), a.digits.end(), b.digits.begin(), b.digits.end(),
                    [](FineDigit const& x, FineDigit const& y) { return x.extent == y.extent; }) &&
         std::equal(a.radix_stages.begin(), a.radix_stages.end(), b.radix_stages.begin(),
                    b.radix_stages.end(),
                    [](RadixStage const& x, RadixStage const& y) { return x.radix == y.radix; });
}

/// What convolutions multiply by: at the ends chirps, of the elements there are, and the spectrum in the middle.
void count_tables(Program const& program, int s, Tile const& tile, FineDigits const& fine_digits,
                  WorkCount& count_up) {
  Index const element = element_bytes(program.problem);
  double const points = double(tile_points(tile)) / program.sweeps[s].cluster_ranks;
  if (tile.fused_inverse && !divides(program.factors))
    count_up.add_table(points, tile_points(tile) * tile_count(tile) * element, 1);
  for (Transformed const& t : tile.transformed) {
    bool const spread = program.convolved.count(t.digit.dim);
    double lines = 1;
    for (Carried const& c : tile.carried)
      if (c.held && c.piece.digit.dim != t.digit.dim) lines *= double(c.piece.extent);
    Index const axis = program.dims[t.digit.dim].size;
    if (!fine_digits.shared_rader.empty())
      count_up.add_shared_rader(fine_digits.shared_rader, tile_points(tile));
    else if (t.by_rader())
      count_up.add_rader();
    if (t.transforms_twice() && !tile.fused_inverse)
      count_up.add_table((t.real_rader ? 2 : 1) * points, (spread ? axis : t.by) * element, lines);
    if (t.by_bluestein())
      count_up.add_table(2 * points * double(t.radix) / double(t.by), t.radix * element, lines);
    if (!spread) continue;
    auto const [first, last] = convolution_span(program, t.digit.dim);
    if (s == first || s == last) count_up.add_table(points / 2, axis * element, lines);
  }
}

/// The work of steps that are not a spec yet; what padding adds to shared memory is guessed.
Work work_of_steps(Program const& program, int s, Tile const& tile, FineDigits const& fine_digits,
                   std::vector<AssignedStep> const& steps, Machine const& machine) {
  bool const chirps =
      tile.fused_inverse ||
      std::any_of(tile.transformed.begin(), tile.transformed.end(), [&](Transformed const& t) {
        return t.by_bluestein() || program.convolved.count(t.digit.dim);
      });
  bool const hermitian = has_hermitian_split(program, s),
             real_axis = pre_processed_axis(program, s) || post_processed_axis(program, s);
  bool const line =
      program.sweeps[s].cluster_ranks > 1 && tile.transformed.size() == 1;  // its registers are measured
  WorkCount count_up(element_bytes(program.problem), program.sweeps[s].cluster_ranks,
                     fine_digits.by_rader || !fine_digits.shared_rader.empty() ? WorkCount::SideWork::rader
                     : chirps ? WorkCount::SideWork::bluestein
                     : hermitian && program.problem.kind == Kind::r2c && !line
                         ? WorkCount::SideWork::hermitian
                     : hermitian || real_axis ? WorkCount::SideWork::real
                                              : WorkCount::SideWork::none);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    bool const works = steps[i].radix_stage >= 0,
               is_direct = works && fine_digits.radix_stages[steps[i].radix_stage].is_direct;
    count_up.add(
        count(fine_digits, steps[i].assignment.threads), count(fine_digits, steps[i].assignment.registers),
        works ? fine_digits.radix_stages[steps[i].radix_stage].registers() : 1,
        works ? twiddling_of(program, tile, fine_digits, steps[i].radix_stage) : Twiddling::none,
        is_direct || (i > 0 && !fine_digits.shared_rader.empty()) ||
            (fine_digits.by_rader && !fine_digits.across_cluster && (i == 1 || i + 1 == steps.size())) ||
            (i > 0 && !same_elements(steps[i - 1].assignment, steps[i].assignment)));
    if (is_direct) count_up.add_direct_dft(fine_digits.radix_stages[steps[i].radix_stage].radix);
  }
  // Its exchange, its rotation, and its sums; rotated by constants it takes no registers beyond.
  bool const by_constants = has_cosine_lines(program, tile, machine);
  if (hermitian)
    count_up.add(count(fine_digits, steps.back().assignment.threads),
                 count(fine_digits, steps.back().assignment.registers), 2,
                 by_constants ? Twiddling::full_table : Twiddling::two_level, true);
  if (std::any_of(tile.transformed.begin(), tile.transformed.end(), [](auto& t) { return t.real_rader; }))
    count_up.add(count(fine_digits, steps[1].assignment.threads),
                 count(fine_digits, steps[1].assignment.registers), 2, Twiddling::none,
                 true);          // where they meet their partners
  if (crossed_axis(program, s))  // the same along the other axis
    count_up.add(count(fine_digits, steps.back().assignment.threads),
                 count(fine_digits, steps.back().assignment.registers), 2, Twiddling::full_table, true);
  count_tables(program, s, tile, fine_digits, count_up);
  Work work = count_up.total();
  work.tiles = tile_count(tile);
  if (work.exchanges > 0) work.shared = work.points + work.points / 32;
  return work;
}

}  // namespace

Twiddling twiddling_of(Program const& program, Tile const& tile, FineDigits const& fine_digits, int number) {
  RadixStage const& radix_stage = fine_digits.radix_stages[number];
  Transformed const& t = tile.transformed[radix_stage.sub];
  if (radix_stage.last) {
    int const outermost =
        t.phase != ConvolutionPhase::forward ? 0 : int(program.radices[t.digit.dim].size()) - 1;
    return t.digit.part == outermost ? Twiddling::none : Twiddling::two_level;
  }
  bool const beside = fine_digits.rader_cofactor(number);
  if (!beside && (fine_digits.first_half(number) || fine_digits.coprime)) return Twiddling::none;
  // A full table is exact to the last bit; past what L1 holds beside large tiles, a chain costs less than its misses.
  Index const rows = beside ? t.prime() : radix_stage.again >= 0 ? radix_stage.k : radix_stage.j;
  // Where L1 bounds a sweep, as of Bluestein's lines, a chain costs less in any case.
  // Fitted: bench/results/h200-choices.md.
  Index const element = element_bytes(program.problem);
  bool const chains = fine_digits.chains || (fine_digits.by_bluestein && element == 8);
  bool const large =
      (chains || (radix_stage.radix - 1) * rows * element > matrix_bytes) && radix_stage.radix > 3;
  return large ? Twiddling::chain : Twiddling::full_table;
}

int longest_radix(FineDigits const& fine_digits) {
  int longest = 1;
  for (RadixStage const& s : fine_digits.radix_stages) longest = std::max(longest, s.radix);
  return longest;
}

bool same_elements(FineAssignment const& a, FineAssignment const& b) {
  auto const sorted = [](std::vector<int> v) { return std::sort(v.begin(), v.end()), v; };
  return a.threads == b.threads && a.cluster_ranks == b.cluster_ranks &&
         sorted(a.registers) == sorted(b.registers);
}

namespace {

/// Contiguous bytes that one block of a cluster reads or writes: digits that count ranks cut the tile's segments.
Index rank_segment(FineDigits const& fine_digits, FineAssignment const& assignment, Index FineDigit::*stride,
                   Index element) {
  std::vector<int> order(fine_digits.digits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return fine_digits.digits[a].*stride < fine_digits.digits[b].*stride; });
  Index run = 1;
  for (int a : order) {
    bool const ranked = std::find(assignment.cluster_ranks.begin(), assignment.cluster_ranks.end(), a) !=
                        assignment.cluster_ranks.end();
    if (ranked || fine_digits.digits[a].*stride != run) break;
    run *= fine_digits.digits[a].extent;
  }
  return run * element;
}

/// How long memory takes, where ranks cut the segments.
double rank_movement(Configuration const& configuration, Index element, Machine const& machine) {
  Index const read = rank_segment(configuration.fine_digits, configuration.steps.front().assignment,
                                  &FineDigit::read, element),
              write = rank_segment(configuration.fine_digits, configuration.steps.back().assignment,
                                   &FineDigit::write, element);
  return (segment_factor(read, Access::read, machine) + segment_factor(write, Access::write, machine)) / 2;
}

/// Slow-down by the segments of cluster ranks that the model of clusters contains already.
/// A choice, not measured.
constexpr double parted = 1.25;

/// Measured over predicted time of clusters that convolve, of which the model knows nothing: Bluestein, and fused
/// inverses. Fitted: bench/results/h200-choices.md.
constexpr double joined_lines = 1.06, chirped = 1.25, joined_doubles = 1.31, joined_long_lines = 1.63;
double beyond_convolved(Configuration const& configuration, Tile const& tile) {
  if (!tile.fused_inverse) return chirped;
  if (configuration.work.element == 16) return joined_doubles;
  bool const long_lines = std::any_of(configuration.fine_digits.radix_stages.begin(),
                                      configuration.fine_digits.radix_stages.end(),
                                      [](RadixStage const& s) { return s.radix > 32; });
  return long_lines ? joined_long_lines : joined_lines;
}

/// Measured over predicted time of convolutions that are so short of registers, from `tight_held` elements a thread
/// on. Fitted: bench/results/h200-choices.md.
constexpr double tight = 1.1;
constexpr Index tight_held = 32;

/// Measured over predicted time of short primes by Rader. Fitted: bench/results/h200-choices.md.
constexpr double short_rader = 1.15;

/// Rows of c2r that run best with many elements a thread; up to `longest` points.
/// Fitted: bench/results/h200-choices.md.
bool is_odd_row_back(Configuration const& c, Tile const& tile) {
  constexpr Index longest = 1024;
  bool const back =
      c.fine_digits.real_axis >= 0 && c.fine_digits.splits_first && !c.fine_digits.write_makhoul;
  if (!back || tile.transformed.size() != 1 || c.work.element != 8) return false;
  Index const n = tile.transformed.front().points();
  return n <= longest && n % 500 == 0;
}

/// With parts of several axes a block of up to 512 threads that has an SM to itself gains more than others by
/// prefetching: time with over time without, and the predicted slowdown from which on, in x copy.
/// Fitted: bench/results/h200-choices.md.
constexpr double prefetching_single = 0.965, waits_long = 1.2;

/// Measured over predicted time of the symmetric prime DFT: in threads of many registers, past the length of which a
/// warp has both sums, and beside another radix. Fitted: bench/results/h200-choices.md. The last is a choice, not
/// measured.
constexpr double heavy_symmetric_dft = 1.4, one_sum_per_warp = 1.75, symmetric_dft_in_company = 1.2;
constexpr Index light_registers = 128;
double beyond_symmetric_dft(Configuration const& configuration) {
  double factor = 1;
  for (RadixStage const& s : configuration.fine_digits.radix_stages) {
    if (!s.is_direct || !is_symmetric_dft(s.radix, configuration.work.element)) continue;
    factor = s.radix > kernel::max_length_of_both_sums        ? one_sum_per_warp
             : configuration.work.registers > light_registers ? heavy_symmetric_dft
                                                              : 1;
    if (configuration.fine_digits.radix_stages.size() > 1) factor *= symmetric_dft_in_company;
  }
  return factor;
}

/// Measured over predicted time with a Hermitian split in double precision: 32 elements take all registers of a
/// thread, and an SM holds eight warps. Fitted: bench/results/h200-choices.md.
constexpr double heavy_doubles = 1.06;
constexpr Index light_doubles = 16;

/// Measured over predicted time in clusters with 16 complex doubles a thread; with 32 in half the threads the model
/// is right. Fitted: bench/results/h200-choices.md.
constexpr double thin_doubles = 1.1;

/// Measured over predicted time of Bluestein's convolutions whose middle radix is not 8, 12 or 16, in f32 and up to
/// so many points. Fitted: bench/results/h200-choices.md.
constexpr double odd_middle = 1.2;
constexpr Index max_with_odd_middle = 4096;
bool has_odd_middle(Configuration const& configuration, Tile const& tile) {
  auto const& radix_stages = configuration.fine_digits.radix_stages;
  if (tile.transformed.size() != 1 || radix_stages.size() <= 4) return false;
  Transformed const& t = tile.transformed.front();
  int const middle = radix_stages[radix_stages.size() / 2].radix;
  bool const even = middle == 8 || middle == 12 || middle == 16;
  return t.by_bluestein() && t.by <= max_with_odd_middle && !even;
}

/// The same of one line in clusters whose number of blocks is no power of two, beyond what other tiles of such
/// clusters take. Fitted: bench/results/h200-choices.md.
constexpr double odd_lines = 1.16;
bool is_odd_line(Tile const& tile, int cluster_ranks) {
  return tile.transformed.size() == 1 && (cluster_ranks & (cluster_ranks - 1)) != 0;
}

/// Measured over predicted time of lines with a Hermitian split in a cluster: r2c, and c2r.
/// Fitted: bench/results/h200-choices.md.
constexpr double hermitian_line = 1.09, hermitian_line_back = 1.22;
double beyond_hermitian(Program const& program, int s, Tile const& tile) {
  if (program.sweeps[s].cluster_ranks == 1 || tile.transformed.size() > 1 || !has_hermitian_split(program, s))
    return 1;
  return program.problem.kind == Kind::c2r ? hermitian_line_back : hermitian_line;
}

/// The configurations of a tile in these fine digits, from few elements a thread to many.
std::vector<Configuration> cuts_in(Program const& program, int s, Tile const& tile,
                                   FineDigits const& fine_digits, AssignmentLimits const& limits,
                                   Machine const& machine, double movement) {
  Index const element = element_bytes(program.problem);
  bool const several = program.problem.kind == Kind::c2c && program.sweeps[s].cluster_ranks == 1 &&
                       tile.transformed.size() > 1;
  std::vector<Configuration> configurations;
  auto const all_steps =
      fine_digits.shared_rader.empty() ? assigned_steps(fine_digits, limits) : steps_shared_rader();
  for (auto const& steps : all_steps) {
    bool const real_rader = tile.transformed.size() == 1 && tile.transformed.front().real_rader;
    if (int(steps.size()) + (fine_digits.by_rader && !fine_digits.across_cluster) + real_rader >
        kernel::max_steps)
      throw Error("program: sweep", "needs more than " + std::to_string(kernel::max_steps) + " steps");
    Configuration configuration{fine_digits, steps, {}, {}, 0, false};
    add_hermitian_steps(program, s, tile, configuration.steps, configuration.late);
    configuration.work = work_of_steps(program, s, tile, fine_digits, configuration.steps, machine);
    double const ranked =
        program.sweeps[s].cluster_ranks > 1 ? rank_movement(configuration, element, machine) : 1;
    bool const crowded = blocks_of(configuration.work, configuration.work.registers, machine) == 0;
    // Parts of an axis that is convolved over several sweeps gain nothing by it.
    // Fitted: bench/results/h200-choices.md.
    if (program.sweeps.size() == 1)
      configuration.work.registers = allowed_registers(configuration.work, machine);
    configuration.slowdown =
        (crowded && configuration.work.elements_per_thread > tight_held ? tight : 1) *
        slowdown(configuration.work, machine, std::max(movement, ranked > parted ? ranked : 1));
    configuration.slowdown *= beyond_symmetric_dft(configuration) * beyond_hermitian(program, s, tile) *
                              line_convolution_correction(program, configuration, tile) *
                              long_prime_correction(program, configuration, tile) *
                              shared_rader_correction(fine_digits.shared_rader, tile);
    if (element == 16 && configuration.work.elements_per_thread > light_doubles &&
        has_hermitian_split(program, s))
      configuration.slowdown *= heavy_doubles;
    if (element == 16 && configuration.work.elements_per_thread <= light_doubles &&
        configuration.work.cluster_ranks > 1)
      configuration.slowdown *= thin_doubles;
    if (fine_digits.by_rader && element == 8 && tile.transformed.front().prime() <= short_prime)
      configuration.slowdown *= short_rader;
    if (several && configuration.slowdown > waits_long && configuration.work.threads <= 512 &&
        blocks_of(configuration.work, configuration.work.registers, machine) == 1)
      configuration.slowdown *= prefetching_single;
    if (is_odd_line(tile, configuration.work.cluster_ranks)) configuration.slowdown *= odd_lines;
    if (element == 8 && configuration.work.cluster_ranks == 1 && has_odd_middle(configuration, tile))
      configuration.slowdown *= odd_middle;
    if (has_cosine_lines(program, tile, machine))
      configuration.slowdown = cosine_slowdown(configuration, least_passes(configuration.work), machine);
    if (configuration.work.cluster_ranks > 1 && configuration.work.traffic > 0)
      configuration.slowdown *= beyond_convolved(configuration, tile);
    configuration.fits = configuration.work.elements_per_thread <=
                             (fine_digits.by_rader ? max_by_rader : kernel::max_registers) &&
                         blocks_of(configuration.work, configuration.work.registers, machine) > 0;
    configurations.push_back(std::move(configuration));
  }
  return configurations;
}

/// Calls `visit` with the configurations of each set of radices, from large ones to small, until it says that it has seen enough.
template <class Visit>
void each_radices(Program const& program, int s, Tile const& tile, Machine const& machine, double movement,
                  Visit visit) {
  Index const element = element_bytes(program.problem);
  AssignmentLimits limits = limits_of(program.sweeps[s].cluster_ranks, element, machine);
  if (tile.read_narrow || tile.write_narrow) limits.sector *= 2;
  std::optional<Error> trouble;
  std::vector<FineDigits> tried;
  bool any = false;
  bool const whole_in_cluster =
      program.sweeps.size() == 1 && program.sweeps[s].cluster_ranks > 1 && tile.transformed.size() > 1;
  bool const alone =
      program.sweeps.size() == 1 && program.sweeps[s].cluster_ranks == 1 && tile.transformed.size() == 1;
  bool const chirps = alone && tile.transformed.front().by_bluestein(),
             rader = alone && tile.transformed.front().by_rader();
  bool const cosines = has_cosine_lines(program, tile, machine);
  int const choices = chirps || rader ? max_choices : cosines ? cosine_choices : 1;
  Index const rows =
      whole_in_cluster && has_hermitian_split(program, s) ? 2 * program.sweeps[s].cluster_ranks : 1;
  double least = 0;  // of the predicted slowdowns so far
  auto const radices = comfortable_radices(element, whole_in_cluster);
  for (int i = 0; i < choices * int(radices.size()); ++i) try {
      if (rader && i % choices > 0 && least > 0 && least < poor_rader) continue;
      FineDigits fine_digits = fine_digits_of(tile, radices[i / choices], i % choices, rows);
      if (cosines && i % choices > 0 && longest_radix(fine_digits) > radices.front())
        continue;  // only under the first cap
      fine_digits.across_cluster = fine_digits.by_rader && program.sweeps[s].cluster_ranks > 1;
      note_hermitian_split(program, s, tile, fine_digits);
      if (std::any_of(tried.begin(), tried.end(),
                      [&](FineDigits const& a) { return same_radices(a, fine_digits); }))
        continue;
      tried.push_back(fine_digits);
      auto configurations = cuts_in(program, s, tile, fine_digits, limits, machine, movement);
      any = true;
      for (Configuration const& configuration : configurations)
        if (configuration.fits && (least == 0 || configuration.slowdown < least))
          least = configuration.slowdown;
      if (!visit(std::move(configurations))) return;
    } catch (Error const& e) {
      trouble = e;
    }
  if (rader && program.problem.kind == Kind::c2c && element == 8)
    for (FineDigits const& fine_digits : all_shared_rader(tile, limits.threads)) {
      any = true;
      visit(cuts_in(program, s, tile, fine_digits, limits, machine, movement));
    }
  if (!any) throw *trouble;
}

/// Shares of the time: for each time that a run of neighbouring threads is half of a whole warp's; and for threads that
/// are idle while others load or store. Fitted: bench/results/h200-choices.md.
constexpr double for_halved_run = 0.022, for_idle_threads = 0.09;

// The same share of r2c's short rows, whose stores are coalesced (plan/lower/coalesce.h), up to so many points.
// Fitted: bench/results/h200-choices.md.
constexpr double for_idle_rows = 0.36;
constexpr Index longest_gathered = 256;

/// Of a line alone that is no power of two: others were measured and are as good as can be.
bool gathers_rows(Configuration const& c) {
  if (c.fine_digits.real_axis < 0 || c.fine_digits.splits_first || c.fine_digits.read_makhoul) return false;
  Index points = 1;
  for (RadixStage const& radix_stage : c.fine_digits.radix_stages) {
    if (radix_stage.sub != c.fine_digits.real_axis) return false;
    points *= radix_stage.radix;
  }
  return points <= longest_gathered && (points & (points - 1)) != 0;
}

double torn_side(Configuration const& c, AssignedStep const& step, Index FineDigit::*stride,
                 Machine const& machine) {
  bool const rows = gathers_rows(c);
  Index const together = std::min(run(c.fine_digits, step.assignment.threads, stride), machine.warp);
  double const idle = 1 - double(count(c.fine_digits, step.assignment.threads)) / double(c.work.threads);
  double const halved =
      rows && stride == &FineDigit::write ? 0 : std::log2(double(machine.warp) / double(together));
  return for_halved_run * halved + (rows ? for_idle_rows : for_idle_threads) / 2 * idle;
}

/// What is left to gain where memory alone bounds a configuration of one block: many small radices, and steps of as
/// many threads. A share of the time. Fitted: bench/results/h200-choices.md.
double torn(Configuration const& c, Machine const& machine) {
  if (c.work.cluster_ranks > 1 || c.slowdown >= 1.1) return 0;
  return torn_side(c, c.steps.front(), &FineDigit::read, machine) +
         torn_side(c, c.steps.back(), &FineDigit::write, machine);
}

/// Of a warp's stores, the share of sectors more than there would be if runs ended where sectors do.
double parted_sectors(Configuration const& c, Machine const& machine) {
  Index const run_length =
      std::min(run(c.fine_digits, c.steps.back().assignment.threads, &FineDigit::write), machine.warp);
  Index const sector = machine.sector_bytes / c.work.element;
  double const ends = double(machine.warp) / double(run_length) * double(sector) / double(machine.warp);
  return ends * (1 - double(std::gcd(run_length, sector)) / double(sector));
}

/// A line whose radices differ has steps that leave threads idle. A fourth step costs such lines more, and so do
/// elements a thread, stores of parts of sectors, and blocks so small that an SM holds more than sixteen. Shares of
/// the time. Fitted: bench/results/h200-choices.md.
double uneven(Configuration const& c, Tile const& tile, Machine const& machine) {
  constexpr double for_idle = 0.03, for_element = 0.0003, for_fourth = 0.03, for_parts = 0.03,
                   for_many = 0.02;
  constexpr Index many = 16;
  bool const line = tile.transformed.size() == 1 && c.fine_digits.real_axis < 0 && !c.fine_digits.by_rader &&
                    !c.fine_digits.read_makhoul && !c.fine_digits.write_makhoul && c.work.traffic == 0;
  if (!line || c.work.cluster_ranks > 1 || c.slowdown >= 1.1) return 0;
  Index const points = tile.transformed.front().points();
  if ((points & (points - 1)) == 0) return 0;
  double idle = 0;
  for (std::size_t i = 1; i + 1 < c.steps.size(); ++i)
    idle = std::max(idle,
                    1 - double(count(c.fine_digits, c.steps[i].assignment.threads)) / double(c.work.threads));
  return for_idle * idle + for_element * double(c.work.elements_per_thread) +
         (c.steps.size() > 3 ? for_fourth : 0) + for_parts * parted_sectors(c, machine) +
         (blocks_of(c.work, c.work.registers, machine) > many ? for_many : 0);
}

/// Few short lines wait for the twiddles of a step that comes after an exchange. A share of the time for each such
/// step. Fitted: bench/results/h200-choices.md.
double waits(Configuration const& c, Tile const& tile) {
  constexpr Index few_bytes = 128 * 1024, longest = 16;
  Index const bytes = tile_points(tile) * tile_count(tile) * c.work.element;
  bool const short_lines = std::all_of(tile.transformed.begin(), tile.transformed.end(),
                                       [](Transformed const& t) { return t.points() <= longest; });
  return short_lines && bytes <= few_bytes ? 0.15 * c.work.lookups : 0;
}

/// Warps of an SM below which short primes by Rader are slower. Fitted: bench/results/h200-choices.md.
constexpr Index few_warps = 32;

/// Ranks configurations of nearly equal predicted slowdown. Less work is better: fewer steps, then, with many exchanges, three
/// blocks an SM, then fewer elements a thread; but threads that load less than four elements have too few loads in flight.
/// Convolutions, which L1 bounds, and fused inverses of one axis in clusters are faster with 32 elements a thread, unless an SM
/// then holds only one block. Shares of the time. Fitted: bench/results/h200-choices.md.
auto score(Configuration const& c, Tile const& tile, Machine const& machine) {
  Index const bytes = c.work.elements_per_thread * c.work.element;
  double const few = c.work.loads < 4 ? 0.03 : 0;
  bool const short_lines = c.fine_digits.by_rader && tile.transformed.front().prime() <= short_prime &&
                           tile.transformed.front().cofactor() == 1;
  bool const convolved = c.work.traffic > 0 && !short_lines &&
                         (!tile.fused_inverse || (c.work.cluster_ranks > 1 && tile.transformed.size() == 1));
  Index const blocks = blocks_of(c.work, c.work.registers, machine);
  bool const alone = blocks < 2;
  Index const max_fair = c.fine_digits.by_bluestein && c.work.element == 8 ? 384 : 256;
  bool const in_place = !c.fine_digits.shared_rader.empty();
  double const fair = in_place ? 0.05 : convolved && bytes > 128 && bytes <= max_fair && !alone ? 0.2 : 0;
  double const crowded = c.work.crowded ? 0.03 : 0;
  // Long cosine lines are faster with 32 elements a thread: more loads are in flight. Fitted: bench/results/h200-choices.md.
  bool const makhoul = c.fine_digits.read_makhoul || c.fine_digits.write_makhoul;
  double const busy =
      makhoul && bytes == 256 && blocks >= 4 && c.work.points * c.work.element >= 32 * 1024 ? 0.06 : 0;
  double const row = is_odd_row_back(c, tile) && c.work.elements_per_thread == 20 ? 0.1 : 0;
  Index const warps = blocks * ((c.work.threads + machine.warp - 1) / machine.warp);
  double const sparse = short_lines && warps <= few_warps ? 0.1 : 0;
  return std::tuple(!c.fits,
                    c.slowdown + 0.02 * double(c.steps.size()) + few + crowded + sparse - fair - busy - row +
                        torn(c, machine) + waits(c, tile) + uneven(c, tile, machine),
                    c.work.exchanges < 3 ? -3 : -std::min<Index>(3, blocks), c.work.elements_per_thread);
}

}  // namespace

namespace {

/// A long prime beside steps of more threads than its registers leave room for runs though it spills: where nothing
/// fits, that is better than no program (dct4 of 435 in double precision, on complex data that no sweep may cut).
void squeeze(Configuration& configuration, Machine const& machine, double movement) {
  constexpr double spilled = 4;  // assumed, not measured: enough to have everything else preferred
  Index const warps = (configuration.work.threads + machine.warp - 1) / machine.warp;
  Index const left = machine.registers_sm / ((warps + 3) / 4 * 4 * machine.warp) / 8 * 8;
  Work work = configuration.work;
  work.registers = std::min(work.registers, left);
  if (configuration.work.elements_per_thread > kernel::max_registers || configuration.fine_digits.by_rader ||
      blocks_of(work, work.registers, machine) == 0)
    return;
  configuration.fits = true;
  configuration.slowdown = spilled * slowdown(work, machine, movement);
}

}  // namespace

Configuration best_configuration(Program const& program, int s, Tile const& tile, Machine const& machine,
                                 double movement) {
  std::optional<Configuration> best;
  each_radices(program, s, tile, machine, movement, [&](std::vector<Configuration> configurations) {
    std::size_t const radix_stages = configurations.front().fine_digits.radix_stages.size();
    if (best && best->fits && radix_stages > best->steps.size() + 2)
      return false;  // these only exchange more
    for (Configuration& configuration : configurations)
      if (!best || score(configuration, tile, machine) < score(*best, tile, machine))
        best = std::move(configuration);
    return !best->fits || best->slowdown > min_slowdown * movement || torn(*best, machine) > 0 ||
           best->work.crowded;
  });
  if (!best->fits) squeeze(*best, machine, movement);
  return *best;
}

std::vector<Configuration> all_configurations(Program const& program, int s, Tile const& tile,
                                              Machine const& machine) {
  std::vector<Configuration> all;
  each_radices(program, s, tile, machine, 1, [&](std::vector<Configuration> configurations) {
    std::move(configurations.begin(), configurations.end(), std::back_inserter(all));
    return true;
  });
  std::stable_sort(all.begin(), all.end(), [&](Configuration const& a, Configuration const& b) {
    return score(a, tile, machine) < score(b, tile, machine);
  });
  return all;
}

}  // namespace skipper
