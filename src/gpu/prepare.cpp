// See prepare.h. What is planned and lowered is given its flow: how sweeps follow each other, hint at caches and share kernels.
#include "gpu/prepare.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "gpu/cache.h"
#include "gpu/jit.h"
#include "plan/lower/lower.h"
#include "plan/lower/fused_passes.h"
#include "plan/lower/occupancy.h"
#include "plan/spec_text.h"
#include "plan/tile.h"

namespace skipper::gpu {
namespace {

template <class Element>
std::string bytes_of(std::vector<Element> const& values) {
  return {reinterpret_cast<char const*>(values.data()), values.size() * sizeof(Element)};
}

Prepared lowered(Program const& program, Machine const& machine, Stopwatch& watch) {
  Prepared result{program, {}};
  std::vector<Lowered> const all = lower_all(program, machine);
  watch.lap("lowering");
  for (Lowered const& low : all) result.sweeps.push_back(prepared(low, program.problem.precision));
  watch.lap("tables");
  set_flow(result, machine);
  return result;
}

// ---- On disk: the program's text, then for each sweep its spec's text, its tiles, and its tables.

std::string packed(Prepared const& prepared) {
  std::string out;
  pack(out, text(prepared.program));
  for (PreparedSweep const& sweep : prepared.sweeps) {
    pack(out, text(sweep.spec));
    pack(out, std::to_string(sweep.tiles) + " " + std::to_string(sweep.tables.size()));
    for (std::string const& table : sweep.tables) pack(out, table);
  }
  return out;
}

std::optional<PreparedSweep> unpacked_sweep(std::string_view& in) {
  auto const spec = unpack(in), numbers = unpack(in);
  if (!spec || !numbers) return std::nullopt;
  PreparedSweep sweep{parse_spec(*spec), 0, {}};
  std::size_t tables = 0;
  char const* const end = numbers->data() + numbers->size();
  auto const tiles = std::from_chars(numbers->data(), end, sweep.tiles);
  if (tiles.ptr == end || std::from_chars(tiles.ptr + 1, end, tables).ptr != end) return std::nullopt;
  for (std::size_t t = 0; t < tables; ++t) {
    auto table = unpack(in);
    if (!table) return std::nullopt;
    sweep.tables.push_back(std::move(*table));
  }
  return sweep;
}

/// The inverse of packed(); nothing where the bytes are not what packed() writes.
std::optional<Prepared> unpacked(std::string_view in) try {
  auto const program = unpack(in);
  if (!program) return std::nullopt;
  Prepared result{parse_program(*program), {}};
  while (!in.empty()) {
    auto sweep = unpacked_sweep(in);
    if (!sweep) return std::nullopt;
    result.sweeps.push_back(std::move(*sweep));
  }
  if (result.sweeps.size() != result.program.sweeps.size()) return std::nullopt;
  return result;
} catch (Error const&) {
  return std::nullopt;
}

Prepared fetched_or_made(std::string const& what, Machine const& machine, Stopwatch& watch,
                         std::function<Program()> const& make) {
  std::string const key =
      what + "\n" + text(machine) + "\nplanner " + planner_hash + "\ntext " + kernel_text_hash();
  auto const kept = fetch(key);
  auto known = kept ? unpacked(*kept) : std::nullopt;
  watch.lap("fetch");
  if (known) return std::move(*known);
  Program const program = make();
  check(program);  // a kernel that writes past an array does worse than an error
  watch.lap("search");
  Prepared result = lowered(program, machine, watch);
  save(key, packed(result));
  watch.lap("keep");
  return result;
}

}  // namespace

OwnSweep own_sweep(Prepared const& prepared, std::size_t i) {
  std::size_t const there = prepared.program.sweeps.size();
  if (i < there) return {&prepared.program, int(i)};
  return {&prepared.inverse.value(), int(i - there + 1)};
}

void set_user(Prepared& prepared, std::string const& load, std::string const& store, void* data) {
  if (load.empty() && store.empty()) return;
  Problem const& in = prepared.sides ? prepared.sides->there : prepared.program.problem;
  Problem const& out = prepared.sides ? prepared.sides->back : prepared.program.problem;
  for (Axis const& axis : in.axes)
    if ((in.kind == Kind::c2c || prepared.parts) && axis.kind != AxisKind::fourier)
      throw Error("callbacks", "has CUDA C++, which never sees a whole complex number where axes are " +
                                   std::string(name(axis.kind)) +
                                   "; transform the parts as r2r, or use the device cpu");
  for (Sweep const& sweep : prepared.program.sweeps)
    if (sweep.l2_block)
      throw Error(
          "callbacks",
          "has CUDA C++, which does not go with a program in L2 blocks; leave them out of the program");
  auto const real = [](Problem const& p, Kind halved) { return p.kind == halved || p.kind == Kind::r2r; };
  prepared.user = {load, store, real(in, Kind::r2c), real(out, Kind::c2r)};
  prepared.data = data;
  Program const& last = prepared.inverse ? *prepared.inverse : prepared.program;
  kernel::PrePostProcessing &pre = prepared.sweeps.front().spec.pre, &post = prepared.sweeps.back().spec.post;
  pre.callback = !load.empty();
  pre.pairs = pre.callback && tile_of(prepared.program, 0).read_pairs;
  post.callback = !store.empty();
  post.pairs = post.callback && (tile_of(last, int(last.sweeps.size()) - 1).write_pairs ||
                                 (post.coalesced_pairs && post.real));
}

void set_peers(Prepared& prepared, Index unit) {
  if (unit == 0) return;
  auto& sweeps = prepared.program.sweeps;
  Program const& ending = prepared.inverse ? *prepared.inverse : prepared.program;
  int const last = int(ending.sweeps.size()) - 1;
  if (prepared.parts || takes_complex_as_reals(ending, last)) unit *= 2;  // it counts reals
  kernel::PrePostProcessing& post = prepared.sweeps.back().spec.post;
  post.peer_unit = unit;
  post.pairs = tile_of(ending, last).write_pairs || (post.coalesced_pairs && post.real);
  if (post.pairs && unit % 2 != 0)
    throw Error("exchange", "is fused, but sweeps move pairs of reals and " + std::to_string(unit) +
                                " of them are behind each base address; choose another exchange");
  bool works = false;
  for (Sweep const& s : sweeps) works = works || s.to == Buffer::work;
  Buffer const spare = works ? Buffer::work2 : Buffer::work;  // a chain of sweeps needs two buffers at most
  for (std::size_t s = 0; s + 1 < sweeps.size(); ++s)
    if (sweeps[s].to == Buffer::out) sweeps[s].to = spare;
  for (std::size_t s = 1; s < sweeps.size(); ++s)
    if (sweeps[s].from == Buffer::out) sweeps[s].from = spare;
}

void set_narrow(Prepared& prepared, NarrowSides narrow) {
  if (!narrow_input(narrow)) prepared.sweeps.front().spec.pre.storage = kernel::Storage::full;
  if (!narrow_output(narrow)) prepared.sweeps.back().spec.post.storage = kernel::Storage::full;
}

PreparedSweep prepared(Lowered const& lowered, Precision precision) {
  return {lowered.spec,
          lowered.tiles,
          {precision == Precision::f64 ? bytes_of(roots64(lowered)) : bytes_of(roots32(lowered))}};
}

namespace {

/// Blocks of a sweep, and how many of them the SMs can hold at once.
struct Crowd {
  Index blocks = 0, fit = 0, warps = 0, bytes = 0;
};
Crowd crowd_of(PreparedSweep const& sweep, Index element, Machine const& machine) {
  Work const work = work_of(sweep.spec, element);
  Index const blocks = sweep.tiles * sweep.spec.cluster_ranks;
  return {blocks, blocks_of(work, work.registers, machine) * machine.sms,
          blocks * ((sweep.spec.threads + machine.warp - 1) / machine.warp), blocks * work.points * element};
}

/// Dependent launch, also behind the call before, for a call in which every sweep has all of its blocks resident at
/// once (docs/decisions/0033). Blocks that start before the previous sweep ends may crowd on some SMs and leave others idle, so
/// sweeps are launched dependently in two cases only:
/// - little: every sweep moves at most 4 MB, and two successive ones have at most three blocks an SM together;
/// - filled: every sweep leaves less than one free place for a block an SM, so that such blocks cannot crowd.
/// A sweep signals the next one after its own wait (`triggers_late`). It signals at once, so that sweeps further on can begin
/// too, where all sweeps together have at most one warp a scheduler, or where each takes nine tenths of the places for
/// blocks. Fitted: bench/results/h200-choices.md.
FlowOptions flow_of(Prepared const& prepared, Machine const& machine) {
  Index const element = element_bytes(prepared.program.problem);
  bool filled = true, little = true, packed = true;
  Index warps = 0;
  Crowd before = crowd_of(prepared.sweeps.back(), element, machine);
  for (PreparedSweep const& s : prepared.sweeps) {
    Crowd const c = crowd_of(s, element, machine);
    if (c.blocks > c.fit) return {};
    filled = filled && c.blocks + machine.sms > c.fit;
    packed = packed && 10 * c.blocks >= 9 * c.fit;
    little = little && c.bytes <= little_bytes && before.blocks + c.blocks <= 3 * machine.sms;
    warps += c.warps;
    before = c;
  }
  if (!filled && !little) return {};
  return {.dependent = true, .calls = true, .triggers_late = !packed && warps > 4 * machine.sms};
}

constexpr Index line_bytes = 128;

/// Whether no two tiles read from the same cache line.
bool reads_whole_lines(kernel::SweepSpec const& spec, Problem const& problem) {
  Index const line = line_bytes / element_bytes(problem);
  kernel::ReadRun const run = kernel::read_run(spec);
  bool whole = run.length % line == 0 && spec.guards == 0 && kernel::plain(spec, kernel::MapName::pre);
  for (int d = 0; d < spec.digits; ++d) whole = whole && (run.taken[d] || spec.read.tile[d] % line == 0);
  for (int g = 0; g < spec.grids; ++g) whole = whole && spec.read.grid[g] % line == 0;
  return whole;
}

/// Whether the first sweep of an L2 block may load while the L2 block before it still stores. This gains where an SM
/// holds many blocks; with few and large ones it loses, or times differ from run to run. The bound is 32 KB a tile
/// (docs/decisions/0038). Fitted: bench/results/h200-choices.md.
bool has_small_l2_blocks(Program const& program) {
  if (program.sweeps.size() != 2 || program.problem.kind != Kind::c2c) return false;
  for (int s : {0, 1})
    if (tile_points(tile_of(program, s)) * element_bytes(program.problem) > 32 * 1024) return false;
  return true;
}

/// Whether rows of r2c are written with a streaming hint, so that L2 keeps what was prefetched. This gains where an
/// SM holds one or two blocks with a row each, and loses with three (docs/decisions/0028).
/// Fitted: bench/results/h200-choices.md.
bool has_rows_to_pass(Prepared const& prepared, Machine const& machine) {
  Problem const& problem = prepared.program.problem;
  if (prepared.sweeps.size() != 1 || problem.kind != Kind::r2c || problem.precision != Precision::f32)
    return false;
  kernel::SweepSpec const& spec = prepared.sweeps.front().spec;
  return problem.axes.size() == 1 && spec.cluster_ranks == 1 && spec.resident <= 2 &&
         spec.prefetch.distance > 0 && points(problem) * element_bytes(problem) > machine.l2_bytes;
}

/// Whether the first of two fused passes prefetches into L2. This gains for single lines of complex floats in tiles
/// of 32 to 64 KB, if the last sweep writes whole cache lines. Larger tiles, planes, cubes, doubles and reals lose by
/// it (docs/decisions/0038). Fitted: bench/results/h200-choices.md.
bool prefetches_when_fused(Program const& program) {
  int const s = program.sweeps[0].fused ? 0 : 1;
  if (program.problem.kind != Kind::c2c || program.problem.precision != Precision::f32) return false;
  Index const element = element_bytes(program.problem), bytes = tile_points(tile_of(program, s)) * element;
  bool const lines = write_segment(tile_of(program, s + 1)) * element % line_bytes == 0;
  bool const line = program.sweeps[s].transforms.size() == 1 && program.sweeps[s + 1].transforms.size() == 1;
  return line && lines && bytes > 32 * 1024 && bytes <= 64 * 1024;
}

/// Whether the first of two fused passes polls the counter that its store waits for as soon as it has loaded. This
/// gains only where a block is alone on its SM, since nothing else runs there while it waits.
/// Fitted: bench/results/h200-choices.md.
bool is_latency_bound_when_fused(Prepared const& prepared) {
  for (std::size_t s = 0; s < prepared.sweeps.size(); ++s)
    if (prepared.program.sweeps[s].fused) return prepared.sweeps[s].spec.resident == 1;
  return false;
}

}  // namespace

/// L2 blocks take dependent launches and streaming hints: without both they are no faster than whole
/// sweeps (docs/decisions/0038).
void set_flow(Prepared& prepared, Machine const& machine) {
  bool const can = has_clusters(machine);
  auto const& sweeps = prepared.program.sweeps;
  bool const l2_blocked =
      std::any_of(sweeps.begin(), sweeps.end(), [](Sweep const& s) { return s.l2_block != 0; });
  if (std::any_of(sweeps.begin(), sweeps.end(), [](Sweep const& s) { return s.fused; }))
    return set_flow(prepared, {.fused = true,
                               .prefetches = prefetches_when_fused(prepared.program),
                               .polls_early = is_latency_bound_when_fused(prepared)});
  if (l2_blocked)
    return set_flow(
        prepared,
        {.dependent = can, .streaming = true, .overlaps = can && has_small_l2_blocks(prepared.program)});
  if (can) set_flow(prepared, flow_of(prepared, machine));
  if (has_rows_to_pass(prepared, machine)) prepared.sweeps.front().spec.flow.write_streaming = true;
}

void set_flow(Prepared& prepared, FlowOptions options) {
  auto const& sweeps = prepared.program.sweeps;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    kernel::SweepSpec& spec = prepared.sweeps[s].spec;
    bool const leaves = sweeps[s].to == Buffer::l2_buffer, takes = sweeps[s].from == Buffer::l2_buffer;
    if (options.fused && (leaves || takes)) {
      bool const discards = options.discards && takes && reads_whole_lines(spec, prepared.program.problem);
      spec.flow = {.read_streaming = leaves,
                   .write_streaming = takes,
                   .dependent = true,
                   .overlaps = leaves,
                   .discards = discards,
                   .fused = true,
                   .polls_early = options.polls_early && leaves};
      if (takes || !options.prefetches) spec.prefetch = {};
      if (spec.prefetch.distance > 1) spec.prefetch.distance /= 2;  // every other tile is of the other sweep
      if (discards) spec.prefetch.piece = int(line_bytes / element_bytes(prepared.program.problem));
      continue;
    }
    // No L2 prefetch within L2 blocks: the last sweep finds its data in L2, and for the first one L2 has no room left.
    if (leaves || takes) spec.prefetch = {};
    bool const after = s > 0 || leaves || options.calls;  // L2 block after L2 block
    bool const before = s + 1 < sweeps.size() || takes || options.calls;
    spec.flow = {options.streaming && leaves && !takes,
                 options.streaming && takes && !leaves,
                 options.dependent && after,
                 options.dependent && before,
                 options.triggers_late,
                 options.overlaps && leaves && !takes};
  }
}

Prepared prepared(Problem const& problem, Machine const& machine, PlanOptions options, Stopwatch& watch) {
  options.max_candidates = 1;
  std::string const what = "plan " + text(problem) + (options.clusters ? " clusters" : "") +
                           (options.l2_blocks ? " L2 blocks" : "");
  Prepared result = fetched_or_made(what, machine, watch,
                                    [&] { return planner(problem, machine, options).front().program; });
  result.parts = result.program.problem.kind != problem.kind;
  return result;
}

namespace {

std::string bytes_of(std::vector<std::complex<double>> const& values, Precision precision) {
  if (precision == Precision::f64) return bytes_of(values);
  return bytes_of(std::vector<std::complex<float>>(values.begin(), values.end()));
}

/// `middle` makes the table of factors for the fused sweep, in the order in which that was lowered.
template <class Middle>
Prepared joined(FusedInverse const& fused_inverse, ConvolutionSides const& sides, Middle const& middle,
                Machine const& machine, Stopwatch& watch) {
  Precision const precision = sides.there.precision;
  Prepared result{fused_inverse.forward, {}, fused_inverse.inverse, sides};
  int const sweeps = int(fused_inverse.forward.sweeps.size());
  std::vector<Lowered> all;
  for (int s = 0; s < sweeps; ++s) all.push_back(lower(fused_inverse.forward, s, machine));
  for (int s = 1; s < sweeps; ++s) all.push_back(lower(*fused_inverse.inverse, s, machine));
  watch.lap("lowering");
  for (Lowered const& low : all) result.sweeps.push_back(prepared(low, precision));
  result.sweeps[std::size_t(sweeps) - 1].tables.push_back(
      middle(fused_inverse, all[std::size_t(sweeps) - 1]));
  watch.lap("tables");
  return result;
}

template <class Middle>
Prepared joined(ConvolutionSides const& sides, Factors factors, Middle const& middle, Machine const& machine,
                Stopwatch& watch) {
  std::optional<Error> trouble;
  auto const found = fused_inverses(sides, factors, machine);
  watch.lap("search");
  for (FusedInverse const& fused_inverse : found) try {
      return joined(fused_inverse, sides, middle, machine, watch);
    } catch (Error const& e) {  // not every tile that goes one way goes both
      trouble = e;
    }
  throw *trouble;
}

}  // namespace

Prepared prepared(ConvolutionSides const& sides, Factors factors, Spectrum const& spectrum,
                  Machine const& machine, Stopwatch& watch) {
  auto const table = [&](FusedInverse const& fused_inverse, Lowered const& lowered) {
    return bytes_of(skipper::factors(fused_inverse, lowered, spectrum(takes_whole_spectrum(fused_inverse))),
                    sides.there.precision);
  };
  return joined(sides, factors, table, machine, watch);
}

Prepared prepared(ConvolutionSides const& sides, Factors factors, AxisSymbols const& symbols,
                  Machine const& machine, Stopwatch& watch) {
  auto const table = [&](FusedInverse const& fused_inverse, Lowered const& lowered) {
    std::vector<double> const all = symbol_tables(fused_inverse, lowered, symbols);
    return sides.there.precision == Precision::f64 ? bytes_of(all)
                                                   : bytes_of(std::vector<float>(all.begin(), all.end()));
  };
  return joined(sides, factors, table, machine, watch);
}

Prepared prepared(Program const& program, Machine const& machine, Stopwatch& watch) {
  return fetched_or_made("program " + text(program), machine, watch, [&] { return program; });
}

}  // namespace skipper::gpu
