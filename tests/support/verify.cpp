#include "support/verify.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plan/counts.h"
#include "support/outputs.h"

namespace skipper::testing {
namespace {

constexpr Index sectors_bytes = 32;

}  // namespace

void verify_counts(SweepRun const& run, Index element) {
  auto const& spec = run.lowered.spec;
  SharedCount shared, hermitian;
  SectorCount puts, loads, stores;
  for (int rank = 0; rank < spec.cluster_ranks; ++rank)
    for (int i = 1; i < spec.steps; ++i) {
      if (!spec.step[i].exchange.needed) continue;
      shared += exchange_writes(spec, i, element, rank);
      shared += exchange_reads(spec, i, element, rank);
      puts += exchange_sectors(spec, i, element, rank);
    }
  for (int rank = 0; rank < spec.cluster_ranks; ++rank) {
    hermitian += hermitian_writes(spec, element, rank);
    hermitian += hermitian_reads(spec, element, rank);
  }
  shared += hermitian;
  shared += point_zero_traffic(spec, element);
  shared += coalesce_traffic(spec, element);
  shared += direct_dft_traffic(spec, element);
  shared += shared_rader_traffic(spec, element);
  // Gather indices that find nothing, and extra elements before those that are kept, make an access of a lane another's.
  bool uneven = spec.post.coalesced_pairs > 0 && (spec.post.real_axis || coalesced_unaligned(spec));
  bool const tables = across_cluster(spec);  // lead its exchanges
  for (int g = 0; g < spec.guards; ++g) uneven = uneven || (spec.post.extra && spec.guard[g].first > 0);
  // What rows below 0 have for partners lies elsewhere.
  bool const conjugate_rows = spec.hermitian.conjugate_rows.used;
  Index const tiles = run.lowered.tiles;
  // Past a ragged edge nobody asks for the extra element of a mirrored line.
  bool const fewer = spec.guards > 0 && spec.post.extra;
  Index const used = run.counts.wavefronts_read + run.counts.wavefronts_write;
  EXPECT_TRUE(uneven || conjugate_rows || tables ||
              (fewer ? used <= shared.wavefronts * tiles : used == shared.wavefronts * tiles))
      << used << " wavefronts instead of " << shared.wavefronts * tiles;
  EXPECT_TRUE(uneven || conjugate_rows || tables || fewer ||
              run.counts.conflicts == shared.conflicts() * tiles)
      << run.counts.conflicts << " conflicts instead of " << shared.conflicts() * tiles;
  if (!spec.rader.used && !shared_rader(spec) && !spec.pre.makhoul && !spec.post.coalesced_pairs &&
      !any_direct_dft(spec)) {  // where nothing is remote
    EXPECT_EQ(run.counts.put_sectors, puts.sectors * tiles);
  }
  if (spec.guards > 0 || uneven || spec.pre.real_axis || spec.post.real_axis) return;
  for (Index tile = 0; tile < tiles; ++tile)
    for (int rank = 0; rank < spec.cluster_ranks; ++rank) {
      loads += load_sectors(spec, tile, element, rank);
      stores += store_sectors(spec, tile, element, rank);
    }
  EXPECT_EQ(run.counts.load_sectors, loads.sectors);
  // Point 0 of a across a cluster line is stored before the others, whom one lane then lags behind in the log.
  EXPECT_NEAR(double(run.counts.store_sectors), double(stores.sectors),
              across_cluster(spec) ? 32.0 * double(tiles) : 0.0);
}

namespace {

/// Sizes that are powers of two of 16 and more, densely laid out: whole sectors everywhere and no bank conflict.
bool demands_perfection(Problem const& problem) {
  auto const even = [](Index n) { return n % 4 == 0; };
  for (Axis const& a : problem.axes) {
    bool const power = a.size >= 16 && (a.size & (a.size - 1)) == 0;
    bool const aligned = (a.in_stride == 1 || even(a.in_stride)) && (a.out_stride == 1 || even(a.out_stride));
    if (!power || !aligned) return false;
  }
  for (Dim const& b : problem.batch)
    if (b.in_stride == 1 ? !even(b.size) : !even(b.in_stride) || !even(b.out_stride)) return false;
  return true;
}

template <class T>
bool same_bits(Array<T> const& a, Array<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

template <class T>
void verify_as(Program const& program, Machine const& machine, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Problem const& problem = program.problem;
  bool const in_place = problem.placement == Placement::in_place;
  Array<T> const x = random_array<T>(array_size(problem, false), random);

  auto const transform = [&](Array<T> const& input, bool counted) {
    Array<T> in = input, out = in_place ? Array<T>{} : unset_array<T>(array_size(problem, true));
    auto const runs = run_program<T>(program, in, out, machine,
                                     counted ? emulator::Checks::all() : emulator::Checks::none());
    for (SweepRun const& run : runs) {
      if (!counted) continue;
      verify_counts(run, element_bytes(problem));
      if (!demands_perfection(problem) || any_direct_dft(run.lowered.spec)) continue;
      EXPECT_EQ(run.counts.conflicts, 0);
      EXPECT_EQ(run.counts.load_bytes, run.counts.load_sectors * sectors_bytes);
      EXPECT_EQ(run.counts.store_bytes, run.counts.store_sectors * sectors_bytes);
    }
    EXPECT_TRUE(in_place || same_bits(in, input)) << "the input was not preserved";
    return in_place ? in : out;
  };
  Array<T> const out = transform(x, true);
  Errors const errors = compare(program, x, out, random);
  EXPECT_LE(errors.l2, allowed_error(problem));

  Disturbance const disturbance = random_disturbance(problem, random);
  Array<T> const again = transform(disturbed(program, x, disturbance), false);
  EXPECT_LE(oracle(program, out, again, disturbance).l2, 2 * allowed_error(problem))
      << "linearity, impulse, shift";

  if (!in_place) verify_written(problem, out);
}

}  // namespace

void verify(Program const& program, Machine const& machine, std::uint64_t seed) {
  SCOPED_TRACE(text(program) + "seed " + std::to_string(seed));
  try {
    if (program.problem.precision == Precision::f32)
      verify_as<float>(program, machine, seed);
    else
      verify_as<double>(program, machine, seed);
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

}  // namespace skipper::testing
