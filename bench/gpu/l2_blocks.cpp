// Measures whole programs, one sweep after the other, against the same in L2 blocks: each case's best programs with L2 blocks of several
// sizes, in two to eight streams; and that all give the same bits.
//   l2_blocks LIST [programs=N] [outer=1] [compile=1]
// where `outer` takes the program that a Poisson solve has for such axes instead, and `compile` leaves it at filling
// the cache of kernels, which needs no GPU.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/l2_block.h"
#include "plan/planner.h"
#include "poisson/outer_on_gpu.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

constexpr Index mb = 1024 * 1024;

std::string mode_of(Program const& program, gpu::FlowOptions flow) {
  std::string mode = "whole";
  for (std::size_t s = 0; s < program.sweeps.size(); ++s)
    if (Sweep const& sweep = program.sweeps[s]; sweep.l2_block)
      mode = std::to_string(sweep.streams) + "x" + bytes_text(sweep.l2_block) + " from sweep " +
             std::to_string(s + 1);
  if (flow.triggers_late) mode += " triggers late";
  if (flow.overlaps) mode += " overlaps";
  return mode + (flow.dependent ? " dependent" : "") + (flow.streaming ? " streaming" : "");
}

void add(gpu::Prepared prepared, int number, gpu::FlowOptions flow, std::vector<Variant>& all) {
  gpu::set_flow(prepared, flow);
  all.push_back({prepared, number, mode_of(prepared.program, flow)});
}

/// The program with so many sweeps from s on in L2 blocks.
void add_l2_blocks(Program const& program, std::size_t s, int sweeps, int number, Machine const& machine,
                   std::vector<Variant>& all) {
  Index last = 0;
  // Rows of half spectra are a little longer than those of reals: a sixteenth more holds whole numbers of both.
  for (Index quarters : {34, 42, 51, 60, 68}) {
    Index const bytes = quarters * mb / 4;
    auto const l2_block = l2_block_of(program, int(s), bytes, nullptr, sweeps);
    if (!l2_block) continue;
    Index const unit = l2_block->unit * l2_block->together;
    Index const size =
        std::min(bytes / unit, (l2_block->along.size + l2_block->together - 1) / l2_block->together) * unit;
    if (size == last) continue;
    last = size;
    Program other = program;
    for (std::size_t i = s; i + 1 < s + std::size_t(sweeps); ++i) other.sweeps[i].l2_block = size;
    std::optional<gpu::Prepared> ready;  // the same in any number of streams
    for (int streams : {2, 3, 4}) {
      if (streams * size < 18 * mb || streams * size > 40 * mb) continue;
      for (std::size_t i = s; i + 1 < s + std::size_t(sweeps); ++i) other.sweeps[i].streams = streams;
      assign_buffers(other);
      if (!ready) ready = lowered(other, machine);
      ready->program = other;
      // Without streaming hints, or without dependent launch, L2 blocks gain half as much or nothing
      // (bench/results/h200-choices.md).
      for (bool overlaps : {false, true})
        for (bool triggers_late : {false, true})
          add(*ready, number,
              {.dependent = true, .streaming = true, .triggers_late = triggers_late, .overlaps = overlaps},
              all);
    }
  }
}

/// The program as it is, and in L2 blocks.
void add_variants(Program const& program, int number, Machine const& machine, std::vector<Variant>& all) {
  gpu::Prepared const base = lowered(program, machine);
  add(base, number, {}, all);
  for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s)
    add_l2_blocks(program, s, 2, number, machine, all);
  if (!program.convolved.empty()) add_l2_blocks(program, 0, int(program.sweeps.size()), number, machine, all);
}

Program whole(Program program) {
  for (Sweep& s : program.sweeps) s.l2_block = 0, s.streams = 1, s.fused = false;
  assign_buffers(program);
  return program;
}

/// The best programs for going sweep by sweep, and the best for L2 blocks, all without them; or that of outer axes.
std::vector<Variant> variants_of(cli::Case const& c, int programs, bool outer, Machine const& machine) {
  std::vector<Program> taken;
  if (outer) taken = {whole(poisson::outer_program(*c.problem, machine).program)};
  for (bool l2_blocks : {false, true}) {
    if (outer) break;
    std::size_t const most = taken.size() + std::size_t(programs);
    for (Candidate& candidate :
         planner(*c.problem, machine, {.clusters = false, .l2_blocks = l2_blocks, .max_candidates = 16})) {
      candidate.program = whole(candidate.program);
      bool const known = std::find(taken.begin(), taken.end(), candidate.program) != taken.end();
      if (taken.size() < most && !known && candidate.program.sweeps.size() > 1)
        taken.push_back(std::move(candidate.program));
      if (known) break;  // the best for both
    }
  }
  std::vector<Variant> all;
  for (std::size_t i = 0; i < taken.size(); ++i) add_variants(taken[i], int(i), machine, all);
  return all;
}

}  // namespace

int main(int argc, char** argv) { return bench::measure_list(argc, argv, "l2_blocks", "outer", variants_of); }
