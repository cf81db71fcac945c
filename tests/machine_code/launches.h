#pragma once
// Launches of a prepared program's kernels on arrays of the host, as the engine makes them (gpu/loaded.cpp): what a block is run on
// as machine code, and as the emulator runs its tile.
#include <algorithm>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "gpu/fused_passes.h"
#include "gpu/loaded.h"
#include "gpu/prepare.h"
#include "machine_code/difference.h"
#include "plan/program.h"
#include "sass/run.h"

namespace skipper::testing {

/// A side of a sweep: an array and its numbers.
struct Side {
  std::size_t bytes = 0;
  Number number = Number::f32;
};

inline Side side_of(gpu::Prepared const& prepared, std::size_t sweep, bool output) {
  Program const& program = prepared.program;
  Problem const& problem = program.problem;
  Buffer const buffer = output ? program.sweeps[sweep].to : program.sweeps[sweep].from;
  Precision const computed = compute_precision(problem.precision);
  bool const narrow = narrow_before(program, int(sweep) + (output ? 1 : 0));
  Number const number = narrow ? (problem.precision == Precision::f16 ? Number::f16 : Number::bf16)
                               : (computed == Precision::f64 ? Number::f64 : Number::f32);
  Index bytes = work_bytes(program);
  if (buffer == Buffer::in) bytes = in_bytes(problem);
  if (buffer == Buffer::out) bytes = out_bytes(problem);
  if (problem.placement == Placement::in_place && buffer != Buffer::work && buffer != Buffer::work2)
    bytes = std::max(in_bytes(problem), out_bytes(problem));
  if (buffer == Buffer::l2_buffer) {
    auto const blocks = gpu::l2_blocks_from(program, first_of_l2_block(program, int(sweep)));
    bytes = program.sweeps[sweep].fused
                ? Index(blocks.l2_buffer) * blocks.streams
                : blocks.l2_block.unit * (blocks.l2_block.all() + blocks.l2_block.together - 1);
  }
  return {std::size_t(bytes), number};
}

/// What the emulator need watch here: how much is stored.
inline constexpr emulator::Checks stored_bytes{false, false, false, false, true};

/// A kernel's blocks, run as machine code and under the emulator.
template <class T>
class Runs {
 public:
  explicit Runs(gpu::Prepared const& prepared)
      : prepared_(prepared), scale_(program_scale(prepared.program)) {}

  /// A tile of a sweep.
  std::string sweep(std::size_t s, sass::Code const& code, Index tile) const {
    Ends ends(prepared_, s);
    kernel::Args<T> const args = ends.args(scale_);
    kernel::SweepSpec const& spec = prepared_.sweeps[s].spec;
    sass::Launch launch = ends.launch(std::string(reinterpret_cast<char const*>(&args), sizeof args));
    launch.threads = spec.threads;
    launch.shared_bytes = std::size_t(spec.shared) * 2 * sizeof(T);
    launch.cluster_ranks = spec.cluster_ranks;
    launch.grid_x = unsigned(prepared_.sweeps[s].tiles * spec.cluster_ranks);
    return compared(s, ends, sass::run(code, launch, unsigned(tile)), args, tile);
  }

  /// A tile of one of the two sweeps that are fused from `first` on; in the second launch as a deferred item. A kernel that is
  /// traced takes the arrays alone.
  std::string fused(std::size_t first, sass::Code const& code, bool last, Index tile, bool second_launch,
                    bool traced = false) const {
    Items items(prepared_, first, scale_, traced);
    // No item waits: every counter is beyond what it waits for.
    std::fill(items.counters.begin(), items.counters.end(), 0x7fffffff);
    unsigned const item = items.number(last, tile);
    if (second_launch) {
      items.args.fused_passes.second_launch = true;
      items.deferred[0] = 1;
      items.deferred[1 + item / 32] = 1u << item % 32;
    }
    sass::Outcome const outcome = sass::run(code, items.launch(last), second_launch ? 0 : item);
    kernel::WorkItem const work_item = work_item_of(items.args.fused_passes, item);
    std::string const left = second_launch && items.deferred[1 + item / 32] ? "the item is left; " : "";
    return left + compared(first + last, items.ends[last], outcome, args_of(items.args, work_item), tile);
  }

  /// A tile of the last of two fused sweeps, where those that it waits for never come: it must be deferred.
  std::string deferred(std::size_t first, sass::Code const& code, Index tile, bool traced = false) const {
    Items items(prepared_, first, scale_, traced);
    unsigned const item = items.number(true, tile);
    sass::Outcome const outcome = sass::run(code, items.launch(true), item);
    if (!outcome.stores.empty()) return "stored without waiting; ";
    bool const marked = items.deferred[0] == 1 && items.deferred[1 + item / 32] == 1u << item % 32;
    return marked ? "" : "not deferred; ";
  }

 private:
  /// The arrays of a sweep; `wanted` is the emulator's output.
  struct Ends {
    Ends(gpu::Prepared const& prepared, std::size_t s)
        : number(side_of(prepared, s, true).number),
          in(VastArray::of_random(side_of(prepared, s, false).bytes, side_of(prepared, s, false).number)),
          got(side_of(prepared, s, true).bytes),
          wanted(got.bytes()),
          roots(VastArray::copy_of(prepared.sweeps[s].tables.at(0))),
          factors(
              VastArray::copy_of(prepared.sweeps[s].tables.size() > 1 ? prepared.sweeps[s].tables[1] : "")) {}

    kernel::Args<T> args(double scale) const {
      auto const at = [](VastArray const& a) { return static_cast<kernel::Complex<T>*>(a.data()); };
      return {at(in), at(got), at(roots), T(scale), at(factors), nullptr, nullptr};
    }
    sass::Launch launch(std::string arguments) const {
      return {.arguments = std::move(arguments),
              .arrays = {{"the input", in.data(), in.bytes(), false},
                         {"the output", got.data(), got.bytes(), true},
                         {"the tables", roots.data(), roots.bytes(), false},
                         {"the factors", factors.data(), factors.bytes(), false}}};
    }

    Number number;
    VastArray in, got, wanted, roots, factors;
  };

  /// What a launch of two fused sweeps takes, with counters at zero and nothing deferred.
  struct Items {
    Items(gpu::Prepared const& prepared, std::size_t first, double scale, bool is_traced)
        : traced(is_traced),
          a(prepared.sweeps[first]),
          b(prepared.sweeps[first + 1]),
          ends{Ends(prepared, first), Ends(prepared, first + 1)},
          args{ends[0].args(scale), ends[1].args(scale),
               gpu::fused_passes_of(gpu::l2_blocks_from(prepared.program, int(first)), a.tiles, b.tiles,
                                    Index(2 * sizeof(T)))},
          counters(kernel::counters_of(args.fused_passes.slots)),
          deferred(kernel::deferred_words_of(unsigned(a.tiles + b.tiles))) {
      args.fused_passes.counters = counters.data();
      args.fused_passes.deferred = deferred.data();
    }

    unsigned number(bool last, Index tile) const {
      unsigned item = 0;
      auto const is_it = [&](kernel::WorkItem w) { return w.last == last && Index(w.tile) == tile; };
      while (!is_it(work_item_of(args.fused_passes, item))) ++item;
      return item;
    }
    /// With the arrays of one of the two.
    sass::Launch launch(bool last) {
      std::string arguments(reinterpret_cast<char const*>(&args), sizeof args);
      if (traced) {
        unsigned* const words[] = {counters.data(), deferred.data()};
        arguments.resize(2 * sizeof(kernel::Args<T>));
        arguments.append(reinterpret_cast<char const*>(words), sizeof words);
      }
      sass::Launch launch = ends[last].launch(std::move(arguments));
      launch.arrays.push_back({"the counters", counters.data(), counters.size() * sizeof(unsigned), true});
      launch.arrays.push_back(
          {"the marks of deferred items", deferred.data(), deferred.size() * sizeof(unsigned), true});
      launch.threads = a.spec.threads;
      launch.shared_bytes =
          std::max(std::size_t(std::max(a.spec.shared, b.spec.shared)) * 2 * sizeof(T), sizeof(unsigned));
      launch.grid_x = unsigned(a.tiles + b.tiles);
      return launch;
    }

    bool traced;
    gpu::PreparedSweep const &a, &b;
    Ends ends[2];
    kernel::FusedArgs<T> args;
    std::vector<unsigned> counters, deferred;
  };

  std::string compared(std::size_t s, Ends const& ends, sass::Outcome const& outcome,
                       kernel::Args<T> const& args, Index tile) const {
    kernel::SweepSpec spec = prepared_.sweeps[s].spec;
    spec.flow = {};
    spec.prefetch = {};
    auto const moved = reinterpret_cast<std::byte*>(args.out) - static_cast<std::byte*>(ends.got.data());
    auto* const out =
        reinterpret_cast<kernel::Complex<T>*>(static_cast<std::byte*>(ends.wanted.data()) + moved);
    emulator::Launch<T> const launch{args.in, 0, out, 0, args.roots, 0, args.scale, args.factors, 0};
    auto const counts = emulator::emulate<T>(spec, prepared_.sweeps[s].tiles, launch, stored_bytes, 1, tile);
    return difference(outcome.stores, ends.got, ends.wanted, ends.number, std::size_t(counts.store_bytes));
  }

  gpu::Prepared const& prepared_;
  double scale_;
};

}  // namespace skipper::testing
