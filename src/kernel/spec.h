#pragma once
// The spec of one sweep: a plain value that says all a kernel needs to know. Everything a sweep does to the tile's
// digits is an affine map, sum(digit x weight): where an element is read, where it is written, where it waits in
// shared memory, which rank of the cluster holds it, which power of a root of unity multiplies it. A sweep is a list
// of steps; a step brings the tile into its assignment (which digits are counted by the thread index, which by the
// registers, which by the rank of the block in its cluster), transforms one digit, twiddles, and multiplies or
// divides where it has a middle.

#include "kernel/real_processing.h"
#include "kernel/middle.h"

namespace skipper::kernel {

/// A bounds check: an element exists only where `at` is from `first` on and below `bound`. The last tile of a ragged digit, whose
/// extent tiles do not divide, is partly empty; of a padded axis only the beginning is in memory, of a cropped one a part.
/// Elements that are not read are zero.
struct Guard {
  AffineMap at;
  Wide first = 0;
  Wide bound = 0;
  bool reads = true, writes = true;  // whether loads, or stores, are checked
  constexpr bool operator==(Guard const&) const = default;
};

/// Assigns the tile's digits to threads, registers and cluster ranks (the blocks of a cluster): `order` names first the digits
/// that count threads, then those that count registers, then cluster ranks, each group fastest first.
struct Assignment {
  int thread_digits = 0;
  int register_digits = 0;
  int cluster_rank_digits = 0;
  int order[max_digits] = {};
  constexpr bool operator==(Assignment const&) const = default;
};

/// How the tile comes into a step's assignment from that of the step before: through shared memory at
/// base + sum(digit x weight), or not at all when both are the same.
struct Exchange {
  bool needed = false;
  bool remote = false;  // elements change blocks within the cluster
  bool fence = false;   // the place written to may still be being read: wait first
  bool keep = false;    // both assignments are the same: only a Hermitian split reads what is written
  // The digit of weight 1 counts registers in both assignments, two of which move at once from an even place.
  bool paired = false;
  int base = 0;
  int weight[max_digits] = {};
  constexpr bool operator==(Exchange const&) const = default;
};

/// A prime number p of points in the order of the powers of a generator g modulo p: all but number 0 stand at
/// g^0, g^1, .. g^(p-2), where the transform is a convolution of p - 1 points (base/convolution_tables.h). The first step
/// loads them in the order of memory, and the exchange out of it is read in Rader's order (powers of g); the exchange into
/// the last step is written in that order and read in memory's. Number 0 of each line, its point zero, is no part of the
/// convolution: it waits in front of the exchanges, is added to index 0 in the middle, and ends as the sum of all.
///
/// A line that no block holds goes across a cluster, and changes blocks on the way: each block sorts what it has loaded by
/// the block that needs it, stores it there in runs, and reads what it was given in Rader's order; on the way out the same
/// backwards. Point zero is loaded and stored apart.
///
/// A line of reals is p - 1 reals in Rader's order, two neighbours of which are one complex number; real_rader.h says by which
/// identity. So exponents are even, and exchanges move real and imaginary parts one by one.
struct Rader {
  bool used = false;
  bool across_cluster = false;
  bool real_rader = false;
  int prime = 0, generator = 0;
  int exponent[max_digits] = {};  // weights of e modulo p - 1, where the element is x[g^e mod p]
  int entry[max_digits] = {};     // weights of the index into the table
  int line[max_digits] = {};      // weights of the number of its line
  int pitch = 0;                  // between neighbours of memory's order in shared memory
  // In int: pitch (g^exponent - 1) for each entry; of real pairs that, and above 16 bits that of the next exponent; across a
  // cluster, four tables (root_tables.cpp).
  int table = 0;
  Wide read = 0, write = 0;  // from point 0 to point 1
  constexpr bool operator==(Rader const&) const = default;
};

/// Lines of a prime number of points that are convolved by Rader where they wait in shared memory, one after the
/// other as they stand in memory: butterflies assigned by number go over them (rader_lines.h). The steps only move them.
struct SharedRader {
  // 0: there are no such lines; else their product is the prime less one, and no two have a common factor.
  int radices = 0;
  int radix[max_rader_radices] = {};  // of the slowest digit of a place first
  int prime = 0, lines = 0;
  // In int: for each element k and butterfly of the last radix the point that stands there, less one.
  int table = 0;
  int spectrum = 0;  // what the convolution multiplies by, in the order of places
  constexpr bool operator==(SharedRader const&) const = default;
};

/// Where the factors of a twiddle stand. `full_table`: one table row for each output k >= 1 of the butterfly, indexed by
/// `low`. `chain`: rows for k = 1, 2, 4, .. alone, the others are products of these. `two_level`: the exponent k x low
/// is cut in two and the factor is high[e / base] x low[e % base].
enum class Twiddling { none, full_table, chain, two_level };

struct Twiddle {
  Twiddling kind = Twiddling::none;
  Wide k[max_digits] = {};  // the sub-transform's output index (two_level only)
  AffineMap low;            // the input index below this digit, still to be transformed
  Wide rows = 0;            // full_table, chain: entries of one row
  int shift = 0;            // two_level: base = 2^shift
  int table = 0;            // offset into the sweep's roots: the full table, the chain, or the high table
  int table_low = 0;        // two_level: the low table
  constexpr bool operator==(Twiddle const&) const = default;
};

/// A direct DFT (O(n^2) operations) of a digit, on the way through an exchange: each of its lines is multiplied by the matrix of
/// the transform (matrix_dft.h) or, symmetric, a prime length is transformed by two threads a line (symmetric_dft.h).
struct DirectDft {
  bool used = false;
  int digit = 0;
  int table = 0;  // not symmetric: the matrix, in pairs of doubles from the sweep's first root
  bool symmetric = false;
  constexpr bool operator==(DirectDft const&) const = default;
};

struct Step {
  Assignment assignment;
  Exchange exchange;
  DirectDft direct_dft;  // of the exchange
  int radix = 1;         // 1: the step only moves data
  int group_size = 0;    // digits that together are the butterfly's index, fastest first
  int group[max_group] = {};
  Twiddle twiddle;
  Pointwise middle;  // after the twiddles
  constexpr bool operator==(Step const&) const = default;
};

/// How a sweep's launch and its use of L2 go with those of its neighbours: streaming hints, dependent launch, fused passes
/// (docs/decisions/0033 and 0038). None of it changes results.
struct Flow {
  // Hints: what is read, or written, is used once and need not stay in L2.
  bool read_streaming = false, write_streaming = false;
  // It is launched while the sweep before may still run (programmatic dependent launch), and waits for that one's end by itself.
  bool dependent = false;
  // It lets the next sweep be launched so: at once, or where late after its own wait.
  bool triggers = false;
  bool triggers_late = false;
  // It waits only before it stores: what it loads was there before the previous sweep began.
  bool overlaps = false;
  // The last of two fused sweeps: it drops from L2 what it has read, which then is never written back to memory.
  bool discards = false;
  // It shares a kernel with the other sweep of its L2 blocks (fused_passes.h): its tiles wait for tiles, by counters.
  bool fused = false;
  // Of a fused sweep that waits before it stores: it polls the counter once right after loading, and need not wait later
  // where that is enough.
  bool polls_early = false;
  constexpr bool operator==(Flow const&) const = default;
};

/// L2 prefetch: while a block transforms its tile, a later one that another block will load comes into L2.
struct Prefetch {
  Wide distance = 0;          // tiles from its own to that one; 0: no prefetch
  int piece = 0;              // elements that one instruction prefetches
  bool before_loads = false;  // before it loads its own tile, else after
  constexpr bool operator==(Prefetch const&) const = default;
};

struct SweepSpec {
  int digits = 0;
  int extent[max_digits] = {};
  int grids = 0;
  Wide grid_extent[max_grid] = {};  // fastest first
  AffineMap read, write;
  Wide cropped =
      0;  // of a cropped output: how many places the first one stored stands behind index 0, which `write` counts from
  int guards = 0;
  Guard guard[max_guards];
  Pointwise load_factor, store_factor;  // only of elements that exist; before parts are swapped at the store
  int threads = 1;                      // of a block
  int cluster_ranks = 1;                // blocks of a cluster
  int shared = 0;                       // elements of shared memory of a block
  int resident =
      0;  // blocks an SM is to hold at once, which bounds their registers; 0: the compiler's choice
  int max_resident =
      0;  // blocks an SM is to hold at most, so that L1 keeps room for loads in flight; 0: all that fit
  bool swap_read = false, swap_write = false;  // the inverse transform exchanges real and imaginary parts
  bool scaled = false;
  bool sync_before_store =
      false;  // threads write places that others read with no exchange between: a barrier of all comes first
  bool preloads_twiddles = false;  // twiddles are read before the data are loaded, or waited for
  Flow flow;
  Prefetch prefetch;
  PrePostProcessing pre, post;
  HermitianSplit hermitian;
  Rader rader;
  SharedRader shared_rader;
  Symbol symbol;  // of the step whose middle is given
  int steps = 0;
  // step[steps] exists too where there is Rader or an extra element of a Hermitian split (lines_step()): its assignment has one
  // element a line.
  Step step[max_steps];
  constexpr bool operator==(SweepSpec const&) const = default;
};

// ---- Queries of its assignments. Each is a pure function, and a constant where the spec is known at compile time; the others
// are in map_weights.h and queries.h.

constexpr int steps(SweepSpec const& s) { return s.steps; }
constexpr int last_step(SweepSpec const& s) { return s.steps - 1; }
constexpr int step_before(SweepSpec const&, int i) { return i > 0 ? i - 1 : 0; }
constexpr int radix(SweepSpec const& s, int i) { return s.step[i].radix; }
constexpr int thread_digits(SweepSpec const& s, int i) { return s.step[i].assignment.thread_digits; }
constexpr int cluster_rank_digits(SweepSpec const& s, int i) {
  return s.step[i].assignment.cluster_rank_digits;
}
constexpr int grids(SweepSpec const& s) { return s.grids; }
constexpr int guards(SweepSpec const& s) { return s.guards; }
constexpr Wide grid_extent(SweepSpec const& s, int g) { return s.grid_extent[g]; }

/// Digit at place p of step i's assignment, and how many threads (registers, cluster ranks) one step of it spans.
constexpr int digit_at(SweepSpec const& s, int i, int p) { return s.step[i].assignment.order[p]; }
constexpr int extent_at(SweepSpec const& s, int i, int p) { return s.extent[digit_at(s, i, p)]; }
constexpr int product(SweepSpec const& s, int i, int first, int last) {
  int n = 1;
  for (int p = first; p < last; ++p) n *= extent_at(s, i, p);
  return n;
}
constexpr int first_register(SweepSpec const& s, int i) { return s.step[i].assignment.thread_digits; }
constexpr int first_cluster_rank(SweepSpec const& s, int i) {
  return first_register(s, i) + s.step[i].assignment.register_digits;
}
constexpr int thread_span(SweepSpec const& s, int i, int p) { return product(s, i, 0, p); }
constexpr int cluster_rank_span(SweepSpec const& s, int i, int p) {
  return product(s, i, first_cluster_rank(s, i), first_cluster_rank(s, i) + p);
}
constexpr int cluster_rank_extent(SweepSpec const& s, int i, int p) {
  return extent_at(s, i, first_cluster_rank(s, i) + p);
}
constexpr int cluster_rank_digit(SweepSpec const& s, int i, int p) {
  return digit_at(s, i, first_cluster_rank(s, i) + p);
}

/// Threads that hold elements in step i, and how many elements each holds.
constexpr int active(SweepSpec const& s, int i) { return product(s, i, 0, first_register(s, i)); }
constexpr int elements_per_thread(SweepSpec const& s, int i) {
  return product(s, i, first_register(s, i), first_cluster_rank(s, i));
}
/// The most that any assignment has, that of lines (step[steps]) included.
constexpr int max_elements_per_thread(SweepSpec const& s) {
  int most = 1;
  for (int i = 0; i <= s.steps && i < max_steps; ++i)
    most = elements_per_thread(s, i) > most ? elements_per_thread(s, i) : most;
  return most;
}
constexpr bool all_active(SweepSpec const& s, int i) { return active(s, i) == s.threads; }

}  // namespace skipper::kernel
