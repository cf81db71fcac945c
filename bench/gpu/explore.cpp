// Measures on a GPU what the planner only estimates: for each case of a list its best programs, each sweep by itself in
// the configurations that lowering tries and, where there are several, with other tiles and other bounds on its registers. One
// line a variant, for fitting the model of plan/lower/occupancy.h:
//   explore LIST [programs=N] [configurations=N] [tiles=1] [residents=1] [fused_inverses=1|2|3] [ranks=1] [block_orders=1] [hints=1] [prefetches=1|2]
//     [buffers=1] [rotations=1] [chains=1] [lines=N] [compile=1]
// where `compile` leaves it at filling the cache of kernels, which needs no GPU: a kernel takes a core a second, and a
// measurement only milliseconds; compile=2 only lists the variants. With prefetches=2 blocks also prefetch nearer and farther tiles.
// lines=N: of all configurations of 1 to 16 lines a block the N that should be fastest by what is counted of them; of cosines only.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/gpu/arena.h"
#include "cli/all_cores.h"
#include "cli/cases.h"
#include "gpu/device.h"
#include "gpu/jit.h"
#include "gpu/loaded.h"
#include "plan/cost.h"
#include "plan/fused_inverse.h"
#include "plan/lower/latency_bound.h"
#include "plan/lower/cosine_lines.h"
#include "plan/lower/configuration.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/lower.h"
#include "plan/lower/block_order.h"
#include "plan/planner.h"
#include "plan/spec_text.h"

using namespace skipper;

namespace {

/// A sweep of a program, lowered in one way.
struct Variant {
  Problem problem;
  gpu::Prepared prepared;
  int program = 0, sweep = 0;
  double slowdown = 0, cost = 0;
  Work work;
  bool base = false;  // the one that lower() chooses
};

/// The program, and the same with a tile of sweep s that holds half or twice as much of what it carries.
std::vector<Program> tiles_of(Program const& program, int s, Machine const& machine) {
  std::vector<Program> all{program};
  Index const element = element_bytes(program.problem);
  Program whole = program;
  if (Tile const tile = tile_of(program, s); program.sweeps[s].with.empty() && !tile.carried.empty())
    whole.sweeps[s].with = {{tile.carried.front().piece.digit, 1, 1}};
  for (std::size_t p = 0; p < whole.sweeps[s].with.size(); ++p)
    for (Index by : {2, 3, 4, -2, -4}) {
      Program other = whole;
      Piece& piece = other.sweeps[s].with[p];
      if (by < 0 && piece.extent % -by != 0) continue;
      piece.extent = by > 0 ? piece.extent * by : piece.extent / -by;
      if (piece.extent < 2 || piece.extent * piece.unit > extent_of(program, piece.digit)) continue;
      try {
        Index const bytes = tile_points(tile_of(other, s)) * element;
        TierChoice const choice = tier_for(bytes, machine);
        if (choice.bound == 0 || choice.cluster_ranks != other.sweeps[s].cluster_ranks) continue;
        all.push_back(other);
      } catch (Error const&) {
      }
    }
  return all;
}

/// The program with the tile of sweep s in clusters of other numbers of blocks.
std::vector<Program> ranks_of(Program const& program, int s, Machine const& machine) {
  constexpr Index least_slab = 24 * 1024, max_slab = 110 * 1024, long_tile = 64 * 1024;
  std::vector<Program> all{program};
  Index const bytes = tile_points(tile_of(program, s)) * element_bytes(program.problem);
  if (bytes < long_tile) return all;
  for (int cluster_ranks = 2; cluster_ranks <= int(machine.cluster); ++cluster_ranks)
    if (cluster_ranks != program.sweeps[s].cluster_ranks && bytes >= cluster_ranks * least_slab &&
        bytes <= cluster_ranks * max_slab) {
      all.push_back(program);
      all.back().sweeps[s].cluster_ranks = cluster_ranks;
    }
  return all;
}

std::string with_text(Program const& program, int s) {
  std::string text;
  for (Piece const& p : program.sweeps[s].with)
    text += (text.empty() ? "" : "+") + std::to_string(p.unit) + "." + std::to_string(p.extent);
  return text.empty() ? "-" : text;
}

/// What is measured beside the planner's best, from words such as configurations=3.
struct Breadth {
  int programs = 1, configurations = 0, tiles = 0, residents = 0, block_orders = 0, hints = 0, compile = 0,
      fused_inverses = 0, cluster_ranks = 0, prefetches = 0, buffers = 0, rotations = 0, chains = 0,
      lines = 0;
};

Breadth breadth_of(int count, char** words) {
  Breadth b;
  std::map<std::string, int*> const names{{"programs", &b.programs},
                                          {"configurations", &b.configurations},
                                          {"tiles", &b.tiles},
                                          {"prefetches", &b.prefetches},
                                          {"residents", &b.residents},
                                          {"block_orders", &b.block_orders},
                                          {"hints", &b.hints},
                                          {"compile", &b.compile},
                                          {"fused_inverses", &b.fused_inverses},
                                          {"ranks", &b.cluster_ranks},
                                          {"buffers", &b.buffers},
                                          {"rotations", &b.rotations},
                                          {"chains", &b.chains},
                                          {"lines", &b.lines}};
  for (int i = 2; i < count; ++i) {
    std::string const word = words[i];
    auto const found = names.find(word.substr(0, word.find('=')));
    if (found == names.end() || word.find('=') == std::string::npos)
      throw Error(word,
                  "is no word of explore; use programs, configurations, tiles, residents, block_orders, "
                  "hints, prefetches, "
                  "buffers, rotations, chains, lines, fused_inverses, ranks or compile, =, a number");
    *found->second = std::atoi(word.c_str() + word.find('=') + 1);
  }
  return b;
}

/// With the table of a fused inverse; what stands in it is no matter here.
gpu::PreparedSweep with_factors(Lowered const& lowered, Program const& program) {
  gpu::PreparedSweep sweep = gpu::prepared(lowered, program.problem.precision);
  if (program.factors == Factors::none) return sweep;
  kernel::Symbol const& symbol = sweep.spec.symbol;
  Index entries = divides(program.factors) ? 0 : 2 * places(lowered.factors);
  for (int d = 0; d < symbol.axes; ++d)
    entries += symbol_entries(sweep.spec, d) * (d == symbol.hermitian ? 2 : 1);
  bool const wide = program.problem.precision == Precision::f64;
  std::vector<double> const wide_ones(std::size_t(wide ? entries : 0), 1);
  std::vector<float> const ones(std::size_t(wide ? 0 : entries), 1);
  sweep.tables.emplace_back(reinterpret_cast<char const*>(wide ? static_cast<void const*>(wide_ones.data())
                                                               : static_cast<void const*>(ones.data())),
                            std::size_t(entries) * (wide ? 8 : 4));
  return sweep;
}

/// The programs to measure: the planner's, or fused inverses over the problem.
std::vector<Candidate> candidates_of(Problem const& problem, Machine const& machine, Breadth const& breadth) {
  if (!breadth.fused_inverses)
    return planner(problem, machine,
                   {.clusters = true, .l2_blocks = false, .max_candidates = breadth.programs});
  Problem back = problem;
  back.direction = Direction::inverse;
  std::vector<Candidate> all;
  for (FusedInverse const& fused_inverse : fused_inverses({problem, back},
                                                          breadth.fused_inverses == 1   ? Factors::symbol
                                                          : breadth.fused_inverses == 2 ? Factors::cosines
                                                                                        : Factors::shared,
                                                          machine))
    if (int(all.size()) < breadth.programs) all.push_back({fused_inverse.forward, fused_inverse.cost});
  return all;
}

/// A kernel configuration of a sweep, lowered as it would be and in the other ways that the arguments name.
std::vector<gpu::PreparedSweep> lowered_ways(Program const& program, int s, Machine const& machine,
                                             Configuration const& configuration, Breadth const& breadth) {
  std::vector<gpu::PreparedSweep> ways;
  gpu::PreparedSweep const sweep = with_factors(lower(program, s, machine, configuration), program);
  int const resident = std::max(1, sweep.spec.resident);
  for (int r : {resident, resident - 1, resident + 1}) {
    if (r < 1 || r * sweep.spec.threads > machine.threads_sm || (r != resident && !breadth.residents))
      continue;
    ways.push_back(sweep);
    ways.back().spec.resident = r;
    if (r < resident) ways.back().spec.max_resident = r;
  }
  return ways;
}

/// The sweep with its blocks in other orders: as they read, as they write, with shorter and longer runs.
std::vector<gpu::PreparedSweep> block_orders_of(gpu::PreparedSweep const& sweep, Index element) {
  std::vector<gpu::PreparedSweep> all;
  kernel::SweepSpec const& spec = sweep.spec;
  auto const add = [&](BlockOrder const& block_order) {
    all.push_back(sweep);
    all.back().spec = reordered(spec, block_order);
  };
  for (kernel::AffineMap const* side : {&spec.read, &spec.write}) {
    BlockOrder block_order;
    for (int g = 0; g < spec.grids; ++g) block_order.push_back({g, 1, spec.grid_extent[g]});
    std::stable_sort(block_order.begin(), block_order.end(), [&](GridPart const& a, GridPart const& b) {
      return side->grid[a.digit] < side->grid[b.digit];
    });
    add(block_order);
  }
  for (Index run : {1024, 2048, 4096, 16384}) add(block_order_of(spec, element, 0, run));
  return all;
}

/// The sweep with hints to L2: what is read, or written, once is let go.
std::vector<gpu::PreparedSweep> hints_of(gpu::PreparedSweep const& sweep) {
  std::vector<gpu::PreparedSweep> all;
  for (kernel::Flow const& flow :
       {kernel::Flow{.read_streaming = true}, kernel::Flow{.write_streaming = true},
        kernel::Flow{.read_streaming = true, .write_streaming = true}}) {
    all.push_back(sweep);
    all.back().spec.flow = flow;
  }
  return all;
}

/// The sweep without prefetch, or prefetching nearer and farther tiles: in parts of those that all SMs hold at once.
std::vector<gpu::PreparedSweep> prefetches_of(gpu::PreparedSweep const& sweep, Index element, bool distances,
                                              Machine const& machine) {
  std::vector<gpu::PreparedSweep> all{sweep};
  all.back().spec.prefetch = {};
  Index const at_once = std::max(1, sweep.spec.resident) * machine.sms / sweep.spec.cluster_ranks;
  for (Index parts : {20, 10, 7, 5, 4}) {
    if (!distances) break;
    all.push_back(sweep);
    kernel::Prefetch& prefetch = all.back().spec.prefetch;
    if (prefetch.distance == 0) prefetch.piece = int(128 / element);
    prefetch.distance = std::max<Index>(1, at_once / parts);
  }
  return all;
}

/// The best configuration of each number of cosine lines by what is counted (plan/lower/cosine_lines.h), the best first.
std::vector<Variant> lines_of(Candidate const& candidate, Breadth const& breadth, Machine const& machine) {
  Program const& program = candidate.program;
  Index const element = element_bytes(program.problem);
  int const batch = int(program.dims.size()) - 1;
  std::vector<std::pair<double, Variant>> found;
  for (Index lines : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16}) try {
      std::optional<std::pair<double, Variant>> fastest;
      Program other = program;
      other.sweeps[0].with.clear();
      if (lines > 1) other.sweeps[0].with.push_back({{batch, 0}, 1, lines});
      Tile const tile = tile_of(other, 0);
      if (tile_points(tile) * element > machine.shared_sm / 3) continue;
      int looked_at = 0;
      for (Configuration const& configuration : all_configurations(other, 0, tile, machine)) {
        if (!configuration.fits || looked_at++ > 4) continue;
        gpu::PreparedSweep const sweep = with_factors(lower(other, 0, machine, configuration), other);
        Variant v{program.problem, {other, {sweep}},   0,    0, configuration.slowdown,
                  candidate.cost,  configuration.work, false};
        v.slowdown =
            cosine_slowdown(configuration, counted_passes(sweep.spec, configuration.work.points), machine);
        if (!fastest || v.slowdown < fastest->first) fastest.emplace(v.slowdown, std::move(v));
      }
      if (fastest) found.push_back(std::move(*fastest));
    } catch (Error const&) {
    }
  std::stable_sort(found.begin(), found.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<Variant> best;
  for (auto& [time, v] : found)
    if (int(best.size()) < breadth.lines) best.push_back(std::move(v));
  return best;
}

/// All variants of a program's sweeps that `seen` does not have yet.
void add_variants(Candidate const& candidate, int number, Breadth const& breadth, Machine const& machine,
                  std::set<std::string>& seen, std::vector<Variant>& all) {
  Program const& program = candidate.program;
  Problem const& problem = program.problem;
  gpu::Prepared base{program, {}};
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    base.sweeps.push_back(with_factors(lower(program, s, machine), program));
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    seen.insert(text(base.sweeps[s].spec) + std::to_string(base.sweeps[s].tiles));
    all.push_back({problem, base, number, s, 0, candidate.cost,
                   work_of(base.sweeps[s].spec, element_bytes(problem)), true});
    std::vector<gpu::PreparedSweep> others;
    if (breadth.block_orders) others = block_orders_of(base.sweeps[s], element_bytes(problem));
    if (breadth.hints)
      for (gpu::PreparedSweep const& sweep : hints_of(base.sweeps[s])) others.push_back(sweep);
    if (breadth.prefetches)
      for (gpu::PreparedSweep const& sweep :
           prefetches_of(base.sweeps[s], element_bytes(problem), breadth.prefetches > 1, machine))
        others.push_back(sweep);
    if (breadth.rotations) {  // rotations all looked up, as those of doubles
      others.push_back(base.sweeps[s]);
      look_rotations_up(others.back().spec);
    }
    if (breadth.chains) {  // short tables of twiddles too
      Configuration configuration = best_configuration(program, s, tile_of(program, s), machine);
      configuration.fine_digits.chains = true;
      others.push_back(with_factors(lower(program, s, machine, configuration), program));
    }
    if (breadth.buffers &&
        base.sweeps[s].spec.cluster_ranks == 1) {  // exchanges alternate between two buffers
      others.push_back(base.sweeps[s]);
      others.back().spec = with_double_buffering(others.back().spec);
    }
    if (breadth.lines && program.sweeps.size() == 1)
      for (Variant& v : lines_of(candidate, breadth, machine)) {
        gpu::PreparedSweep const& sweep = v.prepared.sweeps[0];
        if (seen.insert(text(sweep.spec) + std::to_string(sweep.tiles)).second) all.push_back(std::move(v));
      }
    for (gpu::PreparedSweep const& sweep : others)
      if (seen.insert(text(sweep.spec) + std::to_string(sweep.tiles)).second) {
        all.push_back(all.back());
        all.back().base = false;
        all.back().prepared.sweeps[s] = sweep;
      }
    for (Program const& other : breadth.tiles           ? tiles_of(program, s, machine)
                                : breadth.cluster_ranks ? ranks_of(program, s, machine)
                                                        : std::vector{program})
      try {
        int taken = 0;
        for (Configuration const& configuration : all_configurations(other, s, tile_of(other, s), machine)) {
          if (!configuration.fits || taken++ >= breadth.configurations) continue;
          for (gpu::PreparedSweep const& sweep : lowered_ways(other, s, machine, configuration, breadth)) {
            if (!seen.insert(text(sweep.spec) + std::to_string(sweep.tiles)).second) continue;
            Variant v{problem, base, number, s, configuration.slowdown, candidate.cost, configuration.work,
                      false};
            v.prepared.program = other;
            v.prepared.sweeps[s] = sweep;
            all.push_back(std::move(v));
          }
        }
      } catch (Error const& e) {
        std::fprintf(stderr, "%s: %s\n", text(problem).c_str(), e.what());
      }
  }
}

/// The radices that lines are convolved by in their places.
std::string in_place_text(kernel::SweepSpec const& spec) {
  std::string radices;
  for (int i = 0; i < spec.shared_rader.radices; ++i)
    radices += (i ? "x" : "in place ") + std::to_string(spec.shared_rader.radix[i]);
  return radices.empty() ? radices : radices + "-";
}

std::string shape_of(kernel::SweepSpec const& spec) {
  std::string radices;
  for (int i = 0; i < spec.steps; ++i)
    radices += (i ? (spec.step[i].exchange.needed ? (spec.step[i].exchange.remote ? "=" : "-") : ".") : "") +
               (is_direct_dft(spec, i) ? "matrix " + std::to_string(direct_dft_length(spec, i)) + "-" : "") +
               (i == 1 ? in_place_text(spec) : "") + std::to_string(spec.step[i].radix) + "x" +
               std::to_string(elements_per_thread(spec, i) / spec.step[i].radix);
  return radices;
}

/// How blocks are counted, fastest first: how many, and how far apart they read and write.
std::string block_order_text(kernel::SweepSpec const& spec) {
  std::string text;
  if (spec.flow.read_streaming) text += "read streaming ";
  if (spec.flow.write_streaming) text += "write streaming ";
  if (spec.prefetch.distance > 0) text += "prefetch distance " + std::to_string(spec.prefetch.distance) + " ";
  for (int g = 0; g < spec.grids; ++g)
    text += (g ? " " : "") + std::to_string(spec.grid_extent[g]) + ":" + std::to_string(spec.read.grid[g]) +
            "/" + std::to_string(spec.write.grid[g]);
  return text;
}

class Bench {
 public:
  double copy_seconds(Problem const& problem) { return arena_.copy_seconds(problem); }

  double seconds(Variant const& v, std::size_t number) {
    Stopwatch watch;
    auto const program =
        gpu::loaded("explore " + std::to_string(number), 0, watch, [&] { return v.prepared; });
    auto const a = arena_.arrays(v.problem, program->workspace_bytes());
    gpu::Current const current(program->context);
    return arena_.seconds([&] {
      program->launch(program->sweeps[std::size_t(v.sweep)], a.in, a.out, a.work, arena_.stream());
    });
  }

 private:
  bench::Arena arena_;
};

void print(Variant const& v, double seconds, double copy, Machine const& machine) {
  auto const& spec = v.prepared.sweeps[std::size_t(v.sweep)].spec;
  Program const& program = v.prepared.program;
  Tile const tile = tile_of(program, v.sweep);
  Index const element = element_bytes(v.problem);
  std::printf(
      "%s | %d.%d%s | %.2f us | x %.3f | slowdown %.3f cost %.3f total %.3f | %s | ranks %d threads %d "
      "elements per thread "
      "%d "
      "shared %d "
      "resident %d max %d registers %d instructions %.0f | tile %lld with %s read %lld write "
      "%lld fits %d | block order %s\n",
      text(v.problem).c_str(), v.program, v.sweep, v.base ? "*" : "", seconds * 1e6, seconds / copy,
      v.slowdown, sweep_cost(program, v.sweep, machine), v.cost, shape_of(spec).c_str(), spec.cluster_ranks,
      spec.threads, int(v.work.elements_per_thread), int(spec.shared * element), spec.resident,
      spec.max_resident, int(v.work.registers), v.work.instructions, (long long)(tile_points(tile) * element),
      with_text(program, v.sweep).c_str(), (long long)(read_segment(tile) * tile.read_bytes),
      (long long)(write_segment(tile) * tile.write_bytes), int(blocks_of(v.work, v.work.registers, machine)),
      block_order_text(spec).c_str());
  std::fflush(stdout);
}

std::vector<Variant> variants_of(std::string const& list, Breadth const& breadth, Machine const& machine) {
  auto const cases = cli::read_list(list);
  std::vector<std::vector<Variant>> of_case(cases.size());
  cli::on_all_cores(cases.size(), 0, [&](std::size_t i) {
    if (cases[i].problem) try {
        int number = 0;
        std::set<std::string> seen;
        for (Candidate const& c : candidates_of(*cases[i].problem, machine, breadth))
          add_variants(c, number++, breadth, machine, seen, of_case[i]);
      } catch (Error const& e) {
        std::fprintf(stderr, "%s: %s\n", cases[i].line.c_str(), e.what());
      }
  });
  std::vector<Variant> all;
  for (auto& v : of_case) std::move(v.begin(), v.end(), std::back_inserter(all));
  return all;
}

/// Compiles every kernel, on all cores, into the cache.
void compile(std::vector<Variant> const& all, Machine const& machine) {
  cli::on_all_cores(all.size(), 0, [&](std::size_t i) {
    std::vector<kernel::SweepSpec> const specs{all[i].prepared.sweeps[std::size_t(all[i].sweep)].spec};
    try {
      gpu::compile(specs, all[i].problem.precision == Precision::f64, machine.architecture);
    } catch (Error const& e) {
      std::fprintf(stderr, "%s: %s\n", text(all[i].problem).c_str(), e.what());
    }
  });
}

void measure(std::vector<Variant> const& all, Machine const& machine) {
  Bench bench;
  std::map<std::string, double> copies;
  for (std::size_t i = 0; i < all.size(); ++i) try {
      std::string const name = text(all[i].problem);
      if (!copies.count(name)) {
        copies[name] = bench.copy_seconds(all[i].problem);
        std::printf("# %s copy %.2f us\n", name.c_str(), copies[name] * 1e6);
      }
      print(all[i], bench.seconds(all[i], i), copies[name], machine);
    } catch (std::exception const& e) {
      std::printf("%s: %s\n", text(all[i].problem).c_str(), e.what());
    }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw Error("LIST", "is missing; name a file of cases");
  Breadth const breadth = breadth_of(argc, argv);
  Machine const h200 = machine("h200");
  auto const all = variants_of(argv[1], breadth, h200);
  std::fprintf(stderr, "%zu variants\n", all.size());
  if (breadth.compile < 2) compile(all, h200);
  if (breadth.compile == 2)
    for (Variant const& v : all) print(v, 0, 1, h200);
  if (!breadth.compile) measure(all, h200);
} catch (Error const& e) {
  std::fprintf(stderr, "explore: %s\n", e.what());
  return 2;
}
