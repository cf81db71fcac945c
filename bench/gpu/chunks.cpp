// Measures whole programs, sweep by sweep against chunk by chunk: each case's best programs with chunks of several
// sizes, in two to eight lanes; and that all give the same bits.
//   chunks LIST [programs=N] [outer=1] [compile=1]
// where `outer` takes the program that a Poisson solve has for such axes instead, and `compile` leaves it at filling
// the cache of kernels, which needs no GPU.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/chunk.h"
#include "plan/planner.h"
#include "poisson/outer_on_gpu.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

constexpr Index mb = 1024 * 1024;

std::string mode_of(Program const& program, gpu::FlowOptions flow) {
  std::string mode = "whole";
  for (std::size_t s = 0; s < program.sweeps.size(); ++s)
    if (Sweep const& sweep = program.sweeps[s]; sweep.chunk)
      mode = std::to_string(sweep.lanes) + "x" + bytes_text(sweep.chunk) + " from sweep " +
             std::to_string(s + 1);
  if (flow.patient) mode += " patient";
  if (flow.overlaps) mode += " overlapping";
  return mode + (flow.early ? " early" : "") + (flow.once ? " once" : "");
}

void add(gpu::Prepared prepared, int number, gpu::FlowOptions flow, std::vector<Variant>& all) {
  gpu::set_flow(prepared, flow);
  all.push_back({prepared, number, mode_of(prepared.program, flow)});
}

/// The program with so many sweeps from s on in chunks.
void add_chunks(Program const& program, std::size_t s, int sweeps, int number, Machine const& machine,
                std::vector<Variant>& all) {
  Index last = 0;
  // Rows of half spectra are a little longer than those of reals: a sixteenth more holds whole numbers of both.
  for (Index quarters : {34, 42, 51, 60, 68}) {
    Index const bytes = quarters * mb / 4;
    auto const chunk = chunk_of(program, int(s), bytes, nullptr, sweeps);
    if (!chunk) continue;
    Index const unit = chunk->unit * chunk->together;
    Index const size =
        std::min(bytes / unit, (chunk->along.size + chunk->together - 1) / chunk->together) * unit;
    if (size == last) continue;
    last = size;
    Program other = program;
    for (std::size_t i = s; i + 1 < s + std::size_t(sweeps); ++i) other.sweeps[i].chunk = size;
    std::optional<gpu::Prepared> ready;  // the same in any number of lanes
    for (int lanes : {2, 3, 4}) {
      if (lanes * size < 18 * mb || lanes * size > 40 * mb) continue;
      for (std::size_t i = s; i + 1 < s + std::size_t(sweeps); ++i) other.sweeps[i].lanes = lanes;
      assign_buffers(other);
      if (!ready) ready = lowered(other, machine);
      ready->program = other;
      // Without hints, or without launching early, chunks gained half as much or nothing (2026-11-15, H200).
      for (bool overlaps : {false, true})
        for (bool patient : {false, true})
          add(*ready, number, {.early = true, .once = true, .patient = patient, .overlaps = overlaps}, all);
    }
  }
}

/// The program as it is, and in chunks.
void add_variants(Program const& program, int number, Machine const& machine, std::vector<Variant>& all) {
  gpu::Prepared const base = lowered(program, machine);
  add(base, number, {}, all);
  for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s) add_chunks(program, s, 2, number, machine, all);
  if (!program.convolved.empty()) add_chunks(program, 0, int(program.sweeps.size()), number, machine, all);
}

Program whole(Program program) {
  for (Sweep& s : program.sweeps) s.chunk = 0, s.lanes = 1, s.yoked = false;
  assign_buffers(program);
  return program;
}

/// The best programs for going sweep by sweep, and the best for chunks, all without them; or that of outer axes.
std::vector<Variant> variants_of(cli::Case const& c, int programs, bool outer, Machine const& machine) {
  std::vector<Program> taken;
  if (outer) taken = {whole(poisson::outer_program(*c.problem, machine).program)};
  for (bool chunks : {false, true}) {
    if (outer) break;
    std::size_t const most = taken.size() + std::size_t(programs);
    for (Candidate& candidate :
         planner(*c.problem, machine, {.clusters = false, .chunks = chunks, .most = 16})) {
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

int main(int argc, char** argv) { return bench::measure_list(argc, argv, "chunks", "outer", variants_of); }
