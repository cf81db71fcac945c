// See occupancy.h: registers and instructions counted from a sweep's radices, and the constants of the model.
#include "plan/lower/occupancy.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"

namespace skipper {
namespace {

using kernel::Twiddling;

// Instructions a point, and of a thread, counted in the code that NVRTC makes for sm_90. Fitted: bench/results/h200-choices.md.
constexpr double for_load_and_store = 2.0, for_exchange = 2.0, for_thread = 32;
double twiddle_instructions(Twiddling kind) {
  switch (kind) {
    case Twiddling::none:
      return 0;
    case Twiddling::full_table:
      return 5.2;
    case Twiddling::chain:
      return 6.5;
    case Twiddling::two_level:
      return 9.5;
  }
  return 0;
}

/// Table entries a point: of a chain only those for k = 1, 2, 4, .. are read, of two levels both factors of these.
double twiddle_entries(Twiddling kind, int radix) {
  double const powers = kernel::log2_of(std::max(1, radix - 1)) + 1;
  switch (kind) {
    case Twiddling::none:
      return 0;
    case Twiddling::full_table:
      return double(radix - 1) / radix;
    case Twiddling::chain:
      return powers / radix;
    case Twiddling::two_level:
      return 2 * (powers + 1) / radix;
  }
  return 0;
}

// A warp issues an instruction every so many cycles while its scheduler has few warps, sooner where each thread holds
// many elements, whose sums wait less for each other. A block that is alone waits, and then moves so many bytes a ns; to
// begin and to meet at a barrier costs its warps time too. Fitted: bench/results/h200-choices.md.
constexpr double cycles_a_warp = 6.3, cycles_with_many = 5.7, cycles_an_issue = 1.4, double_issues = 1.7,
                 clock = 1.75;                                 // GHz
constexpr Index many_bytes = 320, many_bytes_convolved = 256;  // of the elements of a thread
constexpr double begin_ns = 180, meet_ns = 220;                // for 16 warps; for each exchange
// Of long codelets and convolutions: sums over constants depend on each other less, and all that goes through shared
// memory or L1 shares one way of 128 bytes a cycle. A table that L1 does not keep beside the data comes from L2 at half
// of that. Fitted: bench/results/h200-choices.md.
constexpr double cycles_a_steady = 3.0, l1_bytes_a_cycle = 0.9 * 128;
constexpr Index kept_table = 4096;  // bytes
constexpr double from_l2 = 1;
constexpr double for_spills = 11;  // instructions an element that is spilled
constexpr double for_rader = 22;   // instructions a point: two lookups, two addresses, ragged lines
// The same in place: two lookups and a product, and for each radix there or back taking, putting and finding its elements.
constexpr double for_lookups = 8, for_place = 3;
constexpr double wait_ns = 460, block_bytes_a_ns = 46;
// Of lines that are multiplied by their matrix: what warps reach of the tensor cores' peak that also wait for their
// lines and for the matrix (decision 0022); it hides little of the rest, so squares add up. Instructions of a lane: for
// each block of four columns as it is gathered, for each of sixteen rows as it is scattered, and for each block of the
// matrix. Fitted: bench/results/h200-choices.md.
constexpr double tensor_share = 0.32, for_gathering = 16, for_scattering = 60, for_matrix = 8;
// Share of a block's time where the last wave leaves most SMs idle. A choice, not measured.
constexpr double unhindered = 0.5;
// Sweeps of few tiles. Such a sweep takes a launch, the chain of its block's steps and its share of L2; the block that is
// alone issues sooner than one among many, and blocks that share an SM hide part of each other's time.
// Fitted: bench/results/h200-choices.md.
constexpr double latency_cycles = 2.9, latency_cycles_an_issue = 1.23, latency_meet_ns = 140,
                 latency_bytes_a_ns = 62, next_block_ns = 180, latency_cluster = 0.55, l2_share = 0.94,
                 not_hidden = 0.58;
// Bandwidth of a copy within L2 over that of one through memory. A choice, not measured.
constexpr double l2_speed = 1.6;
// Clusters: what they wait for, memory, the chain of a block's steps, the instructions of all blocks and their way through
// L1, hides little of each other, so their squares add up. ns that a cluster of 2, 4, 8, 16 blocks adds by its barriers
// and remote stores; those of 2 were not measured. Fitted: bench/results/h200-choices.md.
constexpr double cluster_cycles = 1.16, cluster_cycles_with_many = 1.87, cluster_cycles_an_issue = 0.77,
                 cluster_begin_ns = 49, cluster_meet_ns = 128, cluster_issue = 0.56, cluster_l1 = 1.06,
                 cluster_many_exchanges = 0.04, cluster_segments = 0.75,
                 cluster_ns[] = {2000, 2900, 4000, 6400};
// Slow-down where little of the memory on chip is left to L1, which holds the lines of loads in flight; the shorter the
// segments, the more lines these are. Fitted: bench/results/h200-choices.md.
constexpr double crowded = 1.15, crowded_by_segments = 1.5, crowded_cluster_by_segments = 3.2;

}  // namespace

double butterfly_instructions(int radix) {
  double total = 0;
  for (Factor const& f : factorise(radix)) {
    double const one = f.prime == 2 ? 2.35 : f.prime == 3 ? 4.5 : f.prime == 5 ? 7.0 : 1.2 * double(f.prime);
    total += one * f.power + (f.prime > 2 ? 1.7 * (f.power - 1) : 0);
  }
  return total;
}

Index least_registers(Index elements_per_thread, int radix, Index element_bytes, Twiddling twiddling) {
  Index const words = element_bytes / 4;
  // What a butterfly needs beside its inputs: of whole lines, codelets of coprime factors, nothing. 40 points compile to
  // 96 registers.
  bool const line = words == 2 && radix > 32 && elements_per_thread == radix &&
                    twiddling == Twiddling::none && !is_prime(radix);
  Index const joined = line ? 0 : std::min(radix, 16) * words / 4;
  Index prime = 1;
  for (Factor const& f : factorise(radix)) prime = std::max(prime, f.prime);
  bool const several =
      elements_per_thread > radix;  // butterflies whose factors are looked up at the same time
  Index const twiddles = twiddling == Twiddling::two_level ? (several ? 8 + 4 * words : 4 * words)
                         : twiddling == Twiddling::chain   ? (several ? 3 : words / 2) * words
                                                           : 0;
  // Long primes hold all sums and differences at once; a short one alone has half of them behind it by then.
  Index const crowd = prime < 11 ? 0 : prime < 17 && !several ? 4 : std::max<Index>(10, prime / 2 + 2);
  Index const few = elements_per_thread <= 8 ? 2 * words : 0;  // addresses weigh the more
  // Long codelets of doubles by themselves leave nothing over: 24 points compile to 128 registers, 32 to 160.
  Index const doubles = elements_per_thread <= 16 ? 8 : several || twiddling != Twiddling::none ? 12 : 0;
  return elements_per_thread * words + 16 + joined + twiddles + few + crowd * words + (words - 2) * doubles;
}

constexpr Index max_registers = 255;  // of a thread, on every architecture so far

WorkCount::WorkCount(Index element_bytes, int cluster_ranks, SideWork side_work) : side_work_(side_work) {
  work_.element = element_bytes;
  work_.cluster_ranks = cluster_ranks;
  work_.instructions = for_thread;
}

void WorkCount::add(Index threads, Index elements_per_thread, int radix, Twiddling twiddling,
                    bool exchanged) {
  double const a_point = butterfly_instructions(radix) + twiddle_instructions(twiddling) +
                         (exchanged ? for_exchange : 0) + (work_.registers == 0 ? for_load_and_store : 0);
  work_.exchanges += exchanged;
  work_.lookups += work_.exchanges > 0 && twiddling != Twiddling::none;
  if (work_.registers == 0) work_.loads = elements_per_thread;
  work_.threads = std::max(work_.threads, threads);
  work_.elements_per_thread = std::max(work_.elements_per_thread, elements_per_thread);
  work_.points = threads * elements_per_thread;
  work_.instructions += double(elements_per_thread) * a_point;
  // A second long butterfly with twiddles crowds the registers, and of radix 32 it spills; two of 27 points do not.
  // Fitted: bench/results/h200-choices.md.
  bool const twiddled = twiddling == Twiddling::chain || twiddling == Twiddling::full_table;
  bool const crowds = radix > 27 && elements_per_thread == radix && twiddled && work_.element == 8;
  if (crowds && chains_++ > 0) work_.crowded = true;
  if (work_.crowded && crowds && radix == 32) work_.instructions += for_spills * double(elements_per_thread);
  if (radix >= 11 && is_prime(radix))
    work_.steady += double(elements_per_thread) * butterfly_instructions(radix);
  bool const convolved = side_work_ == SideWork::bluestein || side_work_ == SideWork::rader;
  if (convolved)
    work_.traffic +=
        double(threads * elements_per_thread) * ((exchanged ? 2 : 0) + twiddle_entries(twiddling, radix));
  // A large codelet must run though its registers are estimated to be too few, and neither are ends a reason to give up:
  // what then spills is little.
  Index const estimate = least_registers(elements_per_thread, radix, work_.element, twiddling);
  // The Hermitian split of r2c joins elements one by one: with 24 of them it compiles to 72 registers and three blocks of
  // 24^3, in clusters with 32 to 96 and five of 256^2, with 48 to 128. That of c2r needs more, with 48 as many.
  bool const across = side_work_ == SideWork::hermitian && work_.cluster_ranks > 1 && work_.element == 8;
  bool const lean =
      across || (side_work_ == SideWork::hermitian && elements_per_thread > 16 && elements_per_thread <= 24);
  bool const whole = side_work_ == SideWork::real && work_.cluster_ranks > 1 && elements_per_thread > 32;
  Index const for_ends = side_work_ == SideWork::none || lean ? 0
                         : side_work_ == SideWork::rader      ? 6
                         : whole                              ? 8
                                                              : 12;
  Index const enough = across ? estimate / 8 * 8 : estimate;
  Index const least = elements_per_thread == radix ? std::min(enough, max_registers) : enough;
  work_.registers = std::max({work_.registers, least, std::min(least + for_ends, max_registers)});
}

void WorkCount::add_table(double elements, Index bytes, double lines) {
  work_.traffic += elements * (bytes > kept_table ? 1 + from_l2 / lines : 1);
}

void WorkCount::add_rader() {
  work_.instructions += for_rader * double(work_.elements_per_thread);
  work_.traffic += double(work_.points);  // half of that for the table either way
}

Index shared_rader_threads(Index butterflies) { return (butterflies + 31) / 32 * 32; }

void WorkCount::add_shared_rader(std::vector<int> const& radices, Index points) {
  int const longest = *std::max_element(radices.begin(), radices.end());
  double a_point = for_lookups, steady = 0;
  for (int r : radices) {
    a_point += 2 * butterfly_instructions(r) + (r == radices.front() ? 1 : 2) * for_place;
    if (r >= 11 && is_prime(r)) steady += 2 * butterfly_instructions(r);
  }
  double const each = double(points) / double(work_.threads);
  work_.instructions += a_point * each;
  work_.steady += steady * each;
  work_.exchanges += 2 * int(radices.size());
  // In the order of memory points meet in banks, the more the fewer lines there are.
  work_.traffic += double(points) * (4 * double(radices.size()) - 2 + 3);
  work_.registers =
      std::max(work_.registers, least_registers(longest, longest, work_.element, Twiddling::none));
}

Index direct_dft_threads(Index threads, Index groups) {
  return std::max((threads + 31) / 32, std::min<Index>(groups, 4)) * 32;
}

Index symmetric_dft_threads(Index n, Index threads, Index lines) {
  Index const groups = (lines + 15) / 16;
  if (n <= kernel::max_length_of_both_sums) return direct_dft_threads(threads, groups);
  return std::max((threads + 31) / 32, 2 * groups) * 32;
}

bool is_symmetric_dft(Index n, Index element_bytes) { return element_bytes == 8 && n >= 17 && is_prime(n); }

namespace {

/// Lines by two threads each: products of parts (kernel/codelets/symmetric_prime.h) and what a part of the line takes in sums, in
/// taking and in putting it.
void add_symmetric_dft(int n, Work& work) {
  double const half = n / 2, part = (n / 2 + 2) / 3, second = (n / 2 + 1) / 2;
  bool const thirds = n / 2 % 3 == 0, pairs = !thirds && n / 2 % 2 == 0;
  double const products = thirds ? 10 * part * part : (pairs ? 5 : 6) * second * second;
  Index const lines = work.points / n, groups = (lines + 15) / 16;
  bool const apart = n > kernel::max_length_of_both_sums;
  work.threads = symmetric_dft_threads(n, work.threads, lines);
  Index const warps = work.threads / 32;
  double const line = products + (thirds ? 16 : 12) * half + 60;
  double const issued = apart ? line / 2 : double((groups + warps - 1) / warps) * line;
  work.instructions += issued;
  work.steady += issued;
  work.traffic += (apart ? 4 : 3) * double(work.points);
  Index const kept = n + (thirds ? 0 : apart || !pairs ? n / 2 : n / 4);
  work.registers = std::max<Index>(work.registers, (apart ? kept / 2 : kept) + 40);
}

}  // namespace

void add_direct_dft(int n, Work& work) {
  if (is_symmetric_dft(n, work.element)) return add_symmetric_dft(n, work);
  int const rows = kernel::blocks_of_rows(n), columns = kernel::blocks_of_columns(n);
  Index const groups = (work.points / n + 7) / 8;  // of eight lines
  work.threads = direct_dft_threads(work.threads, groups);
  Index const warps = work.threads / 32;
  double const one = for_gathering * columns + rows * (for_scattering + for_matrix * columns);
  double const issued = double((groups + warps - 1) / warps) * one;
  work.instructions += issued;
  work.steady += issued;
  work.tensor += double(groups) * rows * columns * 4 * 512;
  // The matrix, a pair of doubles an entry, and the lines once more each way.
  work.traffic += double(groups) * rows * columns * 64 * 16 / double(work.element) + 2 * double(work.points);
  work.registers = std::max<Index>(work.registers, std::min<Index>(8 * columns + 104, max_registers));
}

Index tensor_rate(Machine const& machine) {
  if (machine.architecture == "sm_90") return 128;
  return machine.architecture == "sm_80" || machine.architecture == "sm_100" ? 64 : 0;
}

Work work_of(kernel::SweepSpec const& spec, Index element_bytes) {
  bool middle = false;
  for (int i = 0; i < spec.steps; ++i) middle = middle || spec.step[i].middle.needed;
  bool const real_axis = spec.hermitian.used || spec.pre.real_axis || spec.post.real_axis;
  WorkCount count(element_bytes, spec.cluster_ranks,
                  spec.rader.used || shared_rader(spec) ? WorkCount::SideWork::rader
                  : spec.load_factor.needed || spec.store_factor.needed || middle
                      ? WorkCount::SideWork::bluestein
                  : spec.hermitian.used && !spec.hermitian.before_butterflies && !has_conjugate_lines(spec)
                      ? WorkCount::SideWork::hermitian
                  : real_axis ? WorkCount::SideWork::real
                              : WorkCount::SideWork::none);
  for (int i = 0; i < spec.steps; ++i) {
    count.add(active(spec, i), elements_per_thread(spec, i), spec.step[i].radix, spec.step[i].twiddle.kind,
              spec.step[i].exchange.needed);
    if (is_direct_dft(spec, i)) count.add_direct_dft(direct_dft_length(spec, i));
  }
  if (shared_rader(spec))
    count.add_shared_rader({spec.shared_rader.radix, spec.shared_rader.radix + spec.shared_rader.radices},
                           spec.shared_rader.lines * (spec.shared_rader.prime - 1));
  else if (spec.rader.used)
    count.add_rader();
  Work work = count.total();
  if (spec.pre.extra || spec.post.extra)
    work.threads = std::max<Index>(work.threads, active(spec, lines_step(spec)));
  work.shared = spec.shared;
  return work;
}

Index blocks_of(Work const& work, Index registers, Machine const& machine) {
  if (registers > machine.registers_thread || work.threads > machine.threads_block) return 0;
  Index const warps = (work.threads + machine.warp - 1) / machine.warp;
  Index const a_warp = machine.warp * ((registers + 7) / 8 * 8);  // registers come by eights
  Index const all = machine.registers_sm / a_warp / 4 * 4;        // warps, as many on each of four schedulers
  Index blocks = std::min({machine.blocks_sm, machine.threads_sm / (warps * machine.warp), all / warps});
  Index const shared = work.shared * work.element;
  if (shared > machine.shared_block) return 0;
  if (shared > 0) blocks = std::min(blocks, machine.shared_sm / (shared + machine.shared_reserved));
  return blocks;
}

Index allowed_registers(Work const& work, Machine const& machine) {
  // With so much less than they need NVRTC spills only a few bytes. Fitted: bench/results/h200-choices.md.
  constexpr double least_share = 0.7;
  if (work.traffic == 0 || work.cluster_ranks > 1 || blocks_of(work, work.registers, machine) > 0)
    return work.registers;
  for (Index r = work.registers / 8 * 8; double(r) >= least_share * double(work.registers); r -= 8)
    if (blocks_of(work, r, machine) > 0) return r;
  return work.registers;
}

namespace {

bool stays_in_l2(double bytes, Machine const& machine) { return bytes <= double(machine.l2_bytes); }

/// Bytes a ns of a copy that reads and writes so many in all.
double copy_speed(double bytes, Machine const& machine) {
  return machine.copy_bandwidth * 1e-9 * (stays_in_l2(bytes, machine) ? l2_speed : 1);
}

/// ns of the blocks that run at once, from the first one's start to the last one's end.
double wave_ns(Work const& work, Index blocks, Machine const& machine, double movement) {
  Index const all = work.tiles * work.cluster_ranks;
  double const on_one = double(std::min((all + machine.sms - 1) / machine.sms, blocks));
  double const warps_a_scheduler = double((work.threads + machine.warp - 1) / machine.warp) / 4;
  double const issue = work.element == 16 ? double_issues : 1;
  double const bytes = double(work.points * work.element);
  double const together = 2 * std::min(double(all), on_one * double(machine.sms)) * bytes;
  double const shared = together / copy_speed(2 * double(all) * bytes, machine);
  double const moved = movement * std::max(on_one * bytes / latency_bytes_a_ns, l2_share * shared);
  double const issued =
      work.instructions *
          std::max(latency_cycles, latency_cycles_an_issue * issue * on_one * warps_a_scheduler) / clock +
      latency_meet_ns * work.exchanges * std::sqrt(warps_a_scheduler / 4);
  double const joined =
      work.cluster_ranks > 1
          ? latency_cluster * cluster_ns[std::min(3, kernel::log2_of(work.cluster_ranks) - 1)]
          : 0;
  double const hidden = on_one > 1 ? (1 - not_hidden) * std::min(moved, issued) : 0;
  return next_block_ns * (on_one - 1) + moved + issued - hidden + joined;
}

}  // namespace

double copy_ns(double bytes, Machine const& machine) {
  return launch_ns + bytes / copy_speed(bytes, machine);
}

Index shared_size(Index blocks, Index bytes, Machine const& machine) {
  Index const needed = blocks * (bytes + machine.shared_reserved);
  for (Index kib : {8, 16, 32, 64, 100, 132, 164, 196, 228})  // of compute capability 8.0 and newer
    if (kib * 1024 >= needed) return std::min(kib * 1024, machine.shared_sm);
  return machine.shared_sm;
}

namespace {

/// What bounds the speed of a work's blocks, in ns of one SM.
struct Bounds {
  double copy = 0;   // of a block's elements
  double alone = 0;  // a block by itself, from its first load to its last store
  double issue = 0, l1 = 0, tensor = 0;
};

Bounds bounds_of(Work const& work, Machine const& machine, double movement) {
  Bounds b;
  bool const cluster = work.cluster_ranks > 1;
  double const points = double(work.points), element = double(work.element);
  double const all = 2 * double(work.tiles * work.cluster_ranks) * points * element;
  b.copy = 2 * points * element / (copy_speed(work.tiles ? all : 1e12, machine) / double(machine.sms));
  double const warps_a_scheduler = double((work.threads + machine.warp - 1) / machine.warp) / 4;
  double const issue = work.element == 16 ? double_issues : 1;
  bool const many =
      work.elements_per_thread * work.element >= (work.traffic > 0 ? many_bytes_convolved : many_bytes);
  double const cycles = cluster ? (many ? cluster_cycles_with_many : cluster_cycles)
                                : (many ? cycles_with_many : cycles_a_warp);
  double const issue_cycles =
      (cluster ? cluster_cycles_an_issue : cycles_an_issue) * issue * warps_a_scheduler;
  double const begin = cluster ? cluster_begin_ns : begin_ns, meet = cluster ? cluster_meet_ns : meet_ns;
  b.alone = wait_ns + movement * points * element / block_bytes_a_ns +
            (begin + meet * work.exchanges) * std::sqrt(warps_a_scheduler / 4) +
            ((work.instructions - work.steady) * std::max(cycles, issue_cycles) +
             work.steady * std::max(cycles_a_steady, issue_cycles)) /
                clock;
  if (cluster) b.alone += cluster_ns[std::min(3, kernel::log2_of(work.cluster_ranks) - 1)];
  b.issue = work.instructions * warps_a_scheduler * issue / clock;
  // What comes from memory and goes there passes L1 too.
  double const moved = cluster && work.traffic == 0 ? 2.0 * (work.exchanges + 1) * points
                                                    : work.traffic + 2 * movement * points;
  b.l1 = moved * element / l1_bytes_a_cycle / clock;
  if (work.tensor > 0)
    b.tensor = work.tensor / (tensor_share * double(std::max<Index>(1, tensor_rate(machine))) * clock);
  return b;
}

/// The share of the places for blocks that clusters fill: one lies within the 16 SMs that share a crossbar, and what
/// is left over by the last stays empty. Fitted: bench/results/h200-choices.md.
double filled(Index blocks, Index cluster_ranks) {
  constexpr Index sms_together = 16;
  Index const places = sms_together * blocks;
  return cluster_ranks > places ? 1 : double(places / cluster_ranks * cluster_ranks) / double(places);
}

/// Measured over predicted time of clusters whose number of blocks is no power of two.
/// Fitted: bench/results/h200-choices.md.
constexpr double odd_clusters = 1.08;
/// A further factor for more than ten blocks. Fitted: bench/results/h200-choices.md.
constexpr double many_odd = 1.1;
double oddness(int cluster_ranks) {
  if ((cluster_ranks & (cluster_ranks - 1)) == 0) return 1;
  return odd_clusters * (cluster_ranks > 10 ? many_odd : 1);
}

/// The predicted slowdown of a sweep when each SM holds so many of its blocks.
double slowdown_with(Index blocks, Work const& work, Bounds const& b, Machine const& machine,
                     double movement) {
  bool const cluster = work.cluster_ranks > 1;
  double const chain = b.alone / double(blocks) / (cluster ? filled(blocks, work.cluster_ranks) : 1);
  bool const full =
      blocks > 1 && shared_size(blocks, work.shared * work.element, machine) >= machine.shared_sm;
  double const crowd = !full     ? 1
                       : cluster ? 1 + crowded_cluster_by_segments * (movement - 1)
                                 : crowded + crowded_by_segments * (movement - 1);
  double const memory = min_slowdown * (cluster ? 1 + cluster_segments * (movement - 1) : movement) * b.copy;
  double const scalar = std::max({memory, chain, b.issue, b.l1});
  if (!cluster) return crowd * std::sqrt(scalar * scalar + b.tensor * b.tensor) / b.copy;
  return std::sqrt(memory * memory + crowd * chain * crowd * chain +
                   cluster_issue * b.issue * cluster_issue * b.issue +
                   cluster_l1 * b.l1 * cluster_l1 * b.l1) *
         (1 + cluster_many_exchanges * std::max(0, work.exchanges - 3)) * oddness(work.cluster_ranks) /
         b.copy;
}

/// As many blocks as fit, or one less where L1 then has room.
Index best_blocks(Work const& work, Bounds const& b, Machine const& machine, double movement) {
  Index const blocks = blocks_of(work, work.registers, machine);
  if (blocks < 2) return blocks;
  double const all = slowdown_with(blocks, work, b, machine, movement);
  return slowdown_with(blocks - 1, work, b, machine, movement) < all ? blocks - 1 : blocks;
}

}  // namespace

double slowdown(Work const& work, Machine const& machine, double movement) {
  Bounds const bounds = bounds_of(work, machine, movement);
  Index const blocks = best_blocks(work, bounds, machine, movement);
  if (blocks == 0) return 1e3;  // runs only with spills, if at all
  double const many = slowdown_with(blocks, work, bounds, machine, movement);
  if (work.tiles == 0) return many;
  // Few tiles leave SMs idle, and each sweep is launched.
  double const all = double(work.tiles * work.cluster_ranks),
               bytes = 2 * all * double(work.points * work.element);
  double const waves = all / double(blocks * machine.sms);
  double const wave = wave_ns(work, blocks, machine, movement);
  double const few = stays_in_l2(bytes, machine) ? std::max(1.0, waves) * wave
                     : waves <= 1                ? wave
                                  : std::max(std::ceil(waves) * bounds.alone * unhindered, wave);
  double const copy_all = bounds.copy * all / double(machine.sms);
  return (launch_ns + std::max(many * copy_all, few)) / copy_ns(bytes, machine);
}

int max_blocks(Work const& work, Machine const& machine, double movement) {
  Index const blocks = best_blocks(work, bounds_of(work, machine, movement), machine, movement);
  return blocks < blocks_of(work, work.registers, machine) ? int(blocks) : 0;
}

/// Told so, the compiler issues all loads of a thread before the first use, and keeps to the registers that let the SM
/// hold one block more where it can; told to hold more, it spills.
int resident_blocks(Work const& work, Machine const& machine) {
  return int(std::min<Index>(blocks_of(work, allowed_registers(work, machine), machine), machine.blocks_sm));
}

Occupancy occupancy(kernel::SweepSpec const& spec, Index element_bytes, Index registers,
                    Machine const& machine) {
  Index const blocks = blocks_of(work_of(spec, element_bytes), registers, machine);
  return {blocks, blocks * ((spec.threads + machine.warp - 1) / machine.warp),
          blocks * active(spec, 0) * elements_per_thread(spec, 0) * element_bytes};
}

}  // namespace skipper
