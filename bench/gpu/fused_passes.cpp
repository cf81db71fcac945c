// Measures whole programs whose sweeps in L2 blocks share one kernel (kernel/fused_passes.h) against the L2 blocks that the engine takes:
// each case's best programs that go so with L2 buffers of several sizes and numbers, as they are and with tiles of 64 and 32 KB.
// Tiles that differ, that are few on an SM or have segments of less than half a line are left out: they lost where they were
// measured. Says where the bits are others than the engine's, as they are where sweeps that are fused are cut into other
// radices.
//   fused_passes LIST [programs=N] [prefetching=1] [compile=1]
//   fused_passes given=FILE [prefetching=1] [polls_early=1] [discards=1] [compile=1]
// where `prefetching` also has first sweeps prefetch later tiles, and last ones discard what they have read, `compile`
// leaves it at filling the cache of kernels, `given` names a file of programs, with empty lines between, `polls_early`
// has first sweeps poll the counter that they wait for as soon as they have loaded.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/l2_block.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "plan/tile.h"
#include "plan/fused_passes.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

constexpr Index mb = 1024 * 1024;

Program whole(Program program) {
  for (Sweep& s : program.sweeps) s.l2_block = 0, s.streams = 1, s.fused = false;
  assign_buffers(program);
  return program;
}

std::string tiles_text(gpu::Prepared const& prepared, std::size_t s) {
  std::string text;
  for (std::size_t i : {s, s + 1}) {
    kernel::SweepSpec const& spec = prepared.sweeps[i].spec;
    text += " " + std::to_string(spec.shared * element_bytes(prepared.program.problem) / 1024) + "KB";
    if (i == s)
      text += " " + std::to_string(spec.threads) + " threads " + std::to_string(spec.resident) + " an SM";
  }
  return text;
}

bool is_even(Program const& program, std::size_t s) {
  Tile const a = tile_of(program, int(s)), b = tile_of(program, int(s) + 1);
  Index const small = std::min(tile_points(a), tile_points(b)),
              large = std::max(tile_points(a), tile_points(b));
  auto const whole = [](Tile const& t) {
    constexpr Index half_line = 64;
    return read_segment(t) * t.read_bytes >= half_line && write_segment(t) * t.write_bytes >= half_line;
  };
  return 4 * small >= 3 * large && whole(a) && whole(b);
}

/// Sweeps s and the next fused, in L2 buffers of several sizes.
void add_fused(Program const& program, std::size_t s, int number, bool prefetching, Machine const& machine,
               std::vector<Variant>& all) {
  if (!is_even(program, s)) return;
  Index last = 0;
  for (Index bytes : {2 * mb, 4 * mb, 8 * mb, 16 * mb}) {
    bytes += bytes / 32;  // a plane of r2c is a row more than a power of two
    auto const l2_block = l2_block_of(program, int(s), bytes);
    if (!l2_block) continue;
    Index const size = std::min(bytes / l2_block->unit, l2_block->along.size) * l2_block->unit;
    if (size == last || 2 * size <= bytes) continue;
    last = size;
    Program other = program;
    other.sweeps[s].l2_block = size;
    other.sweeps[s].fused = true;
    std::optional<gpu::Prepared> ready;
    for (int slots : {3, 4, 6, 12}) {
      if (slots * size < 15 * mb || slots * size > (slots == 3 ? 50 * mb : 34 * mb)) continue;
      other.sweeps[s].streams = slots;
      assign_buffers(other);
      if (!ready) {
        auto const both = lower_fused(other, int(s), machine);
        Index const tile = tile_points(tile_of(other, int(s))) * element_bytes(other.problem);
        if (!both || both->first.spec.resident * tile < least_in_flight) return;
        ready = lowered(other, machine);
      }
      for (auto const& [prefetches, discards] : {std::pair(false, false), {true, false}, {false, true}}) {
        if ((prefetches || discards) && !prefetching) continue;
        if (prefetches && ready->sweeps[s].spec.prefetch.distance == 0) continue;
        all.push_back({*ready, number,
                       std::to_string(slots) + "x" + bytes_text(size) + " from sweep " +
                           std::to_string(s + 1) + (prefetches ? " prefetching" : "") +
                           (discards ? " discarding" : "") + tiles_text(*ready, s)});
        all.back().prepared.program = other;
        gpu::set_flow(all.back().prepared, {.fused = true, .prefetches = prefetches, .discards = discards});
      }
    }
  }
}

std::vector<Variant> variants_of(cli::Case const& c, int programs, bool prefetching, Machine const& machine) {
  std::vector<Variant> all;
  std::vector<Program> seen;
  int number = 0;
  for (Candidate const& candidate :
       planner(*c.problem, machine, {.clusters = false, .l2_blocks = true, .max_candidates = 16})) {
    if (candidate.program.sweeps.size() < 2 || number == programs) continue;
    gpu::Prepared own = lowered(candidate.program, machine);
    gpu::set_flow(own, machine);
    std::vector<Variant> others;
    Program const program = whole(candidate.program);
    for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s)
      for (Program const& p : {program, with_even_tiles(program, int(s), 64 * 1024),
                               with_even_tiles(program, int(s), 32 * 1024)})
        if (std::find(seen.begin(), seen.end(), p) == seen.end() || (s > 0 && p == program)) {
          seen.push_back(p);
          add_fused(p, s, number, prefetching, machine, others);
        }
    if (others.empty()) continue;
    all.push_back({own, number++, "as the engine has it"});
    all.insert(all.end(), others.begin(), others.end());
  }
  return all;
}

/// What else is measured of programs as they are written.
struct Given {
  std::string path;
  bool prefetching = false, polls_early = false, discards = false, only_compile = false;
};

void add_given(Program const& program, int number, Given const& given, Machine const& machine,
               std::vector<Variant>& all) {
  all.push_back({lowered(program, machine), number, "given"});
  gpu::Prepared const ready = all.back().prepared;
  std::string& mode = all.back().mode;
  bool can_prefetch = false, prefetches = false;
  gpu::set_flow(all.back().prepared, machine);
  for (std::size_t s = 0; s < program.sweeps.size(); ++s)
    if (program.sweeps[s].fused) {
      mode += tiles_text(ready, s);
      can_prefetch = ready.sweeps[s].spec.prefetch.distance != 0;
      prefetches = all.back().prepared.sweeps[s].spec.prefetch.distance != 0;
    }
  if (mode == "given") return;
  std::string const own = mode;
  for (bool prefetching : {false, true})
    for (bool polls_early : {false, true})
      for (bool discards : {false, true}) {
        bool const wanted = given.prefetching ? !prefetching || can_prefetch : prefetching == prefetches;
        if (!wanted || (polls_early && !given.polls_early) || (discards && !given.discards)) continue;
        all.push_back({ready, number,
                       own + (prefetching ? " prefetching" : "") + (polls_early ? " polling early" : "") +
                           (discards ? " discarding" : "")});
        gpu::set_flow(
            all.back().prepared,
            {.fused = true, .prefetches = prefetching, .polls_early = polls_early, .discards = discards});
      }
}

int measure_given(Given const& given) try {
  Machine const h200 = machine("h200");
  std::vector<Variant> all;
  int number = 0;
  for (Program const& program : bench::programs_of(given.path))
    add_given(program, number++, given, h200, all);
  bench::compile(all, h200);
  if (given.only_compile) return 0;
  bench::VariantBench bench;
  for (auto from = all.begin(); from != all.end();) {
    auto const to = std::find_if(from, all.end(), [&](Variant const& v) {
      return text(v.prepared.program.problem) != text(from->prepared.program.problem);
    });
    bench.measure({from, to});
    from = to;
  }
  return 0;
} catch (Error const& e) {
  std::fprintf(stderr, "fused_passes: %s\n", e.what());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Given given;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    if (word.starts_with("given=")) given.path = word.substr(6);
    given.prefetching = given.prefetching || bench::number_in(word, "prefetching") > 0;
    given.polls_early = given.polls_early || bench::number_in(word, "polls_early") > 0;
    given.discards = given.discards || bench::number_in(word, "discards") > 0;
    given.only_compile = given.only_compile || bench::number_in(word, "compile") > 0;
  }
  if (!given.path.empty()) return measure_given(given);
  return bench::measure_list(argc, argv, "fused_passes", "prefetching", variants_of);
}
