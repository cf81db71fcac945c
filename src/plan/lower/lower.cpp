// See lower.h. Here the addresses and guards, and what the machine and the place in the program decide.
#include "plan/lower/lower.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "plan/l2_block.h"
#include "plan/cost.h"
#include "plan/lower/prefetch.h"
#include "plan/lower/latency_bound.h"
#include "plan/lower/convolutions.h"
#include "plan/lower/cosine_lines.h"
#include "plan/lower/cosines.h"
#include "plan/lower/configuration.h"
#include "plan/lower/exchanges.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/affine_maps.h"
#include "plan/lower/coalesce.h"
#include "plan/lower/shared_rader.h"
#include "plan/lower/pointwise.h"
#include "plan/lower/twiddles.h"
#include "plan/lower/block_order.h"

namespace skipper {
namespace {

using kernel::SweepSpec;

class Lowering {
 public:
  Lowering(Program const& program, int s, Machine const& machine)
      : program_(program),
        sweep_(program.sweeps[s]),
        s_(s),
        machine_(machine),
        tile_(tile_of(program, s)),
        element_(element_bytes(program.problem)),
        movement_(sweep_.cluster_ranks > 1 ? movement(program, s, tile_, machine) : 1) {}

  /// Radix stages, fine digits and assignments alone: enough to see how fast the sweep is, and whether it can be lowered.
  Configuration configure(double movement) const {
    demand_one_chirp(program_, s_, tile_);
    demand_rader_alone(program_, s_, tile_);
    demand_room_for_split(program_, s_, tile_, machine_);
    return best_configuration(program_, s_, tile_, machine_, movement);
  }

  /// With a configuration for the segments that it has where they are what counts, which is in clusters.
  Lowered run() {
    if (has_cosine_lines(program_, tile_, machine_))
      if (auto configuration = counted_configuration()) return run(*configuration);
    return run(configure(movement_));
  }

  Lowered run(Configuration configuration) {
    draft_.fine_digits = std::move(configuration.fine_digits);
    draft_.steps = std::move(configuration.steps);
    late_ = std::move(configuration.late);
    bool const paired = tile_.fused_inverse && with_partners(program_.factors);
    bool const real_rader = tile_.transformed.size() == 1 && tile_.transformed.front().real_rader;
    if (paired) demand_cosines_alone(program_, s_, tile_);
    if (paired || real_rader) add_meeting(draft_, late_);
    matrices();  // first: pairs of doubles begin where a pair does
    addresses();
    add_real_processing(program_, s_, tile_, draft_, result_.tables);
    if (paired) process_fused_inverse(program_, tile_, draft_, result_.tables);
    if (real_rader) hermitian_real_rader(tile_, draft_);
    partial_axes();
    if (draft_.hermitian.used && !draft_.hermitian.in_middle) draft_.hermitian.step = hermitian_step();
    Index const threads = machine_.threads_block;
    if (draft_.pre.side.extra)
      draft_.lines = extra_lines(draft_, draft_.steps.front().assignment, draft_.read, threads);
    if (draft_.post.side.extra)
      draft_.lines = extra_lines(draft_, draft_.steps.back().assignment, draft_.write, threads);
    if (draft_.fine_digits.by_rader) set_rader(tile_, draft_);
    if (!draft_.fine_digits.shared_rader.empty()) set_shared_rader(tile_, draft_, element_, result_.tables);
    add_exchanges(tile_, draft_, element_, machine_.shared_block / element_);
    if (draft_.fine_digits.by_rader) add_rader_table(draft_, element_, result_.tables);
    add_twiddles(program_, s_, tile_, late_, draft_, result_.tables);
    add_convolutions(program_, s_, tile_, draft_, result_.tables);
    if (tile_.fused_inverse) result_.factors = set_middle(program_, tile_, draft_);
    result_.tiles = tile_count(tile_);
    finish(assemble(draft_, tile_));
    return std::move(result_);
  }

 private:
  /// Of cosine lines the fastest by what their exchanges are counted to take, of those that could be without conflicts.
  std::optional<Configuration> counted_configuration() const {
    constexpr int max_tries = 6;
    std::optional<Configuration> best;
    int tries = 0;
    for (Configuration& configuration : all_configurations(program_, s_, tile_, machine_)) {
      if (!configuration.fits || (best && configuration.slowdown >= best->slowdown) || tries++ == max_tries)
        continue;
      SweepSpec const spec = Lowering(program_, s_, machine_).run(configuration).spec;
      configuration.work.shared = spec.shared;
      configuration.slowdown =
          cosine_slowdown(configuration, counted_passes(spec, configuration.work.points), machine_);
      if (!best || configuration.slowdown < best->slowdown) best = std::move(configuration);
    }
    return best;
  }

  void addresses() {
    for (int c = 0; c < int(tile_.carried.size()); ++c)
      if (!tile_.carried[c].held) draft_.grid.push_back(c);
    // Tiles that share sectors of a descending spectrum are neighbours, so that L2 has the sectors whole before they go.
    auto const post = post_processed_axis(program_, s_);
    auto const columns = post ? columns_of(program_, *post) : std::nullopt;
    std::vector<Piece> const l2_blocked = l2_blocked_pieces();
    auto const order = [&](int g) {
      Carried const& c = tile_.carried[g];
      auto const late = l2_blocked.end() - std::find(l2_blocked.begin(), l2_blocked.end(), c.piece);
      return std::tuple(late, !columns || c.piece.digit != columns->half, c.read);
    };
    std::stable_sort(draft_.grid.begin(), draft_.grid.end(),
                     [&](int a, int b) { return order(a) < order(b); });
    draft_.read = draft_.write = blank(draft_);
    for (std::size_t a = 0; a < draft_.fine_digits.digits.size(); ++a) {
      if (is_conjugate(tile_, draft_.fine_digits.digits[a])) continue;
      draft_.read.tile[a] = draft_.fine_digits.digits[a].read;
      draft_.write.tile[a] = draft_.fine_digits.digits[a].write;
    }
    for (std::size_t g = 0; g < draft_.grid.size(); ++g) {
      draft_.read.grid[g] = tile_.carried[draft_.grid[g]].read;
      draft_.write.grid[g] = tile_.carried[draft_.grid[g]].write;
    }
    if (!draft_.fine_digits.shared_rader.empty()) return guard_shared_rader(tile_, draft_);
    std::map<DigitKey, Index> ragged;
    for (Carried const& c : tile_.carried)
      if (c.bound) ragged[c.piece.digit] = c.bound;
    for (auto const& [digit, bound] : ragged)
      draft_.guards.push_back({index_of(tile_, draft_, digit), bound});
    for (Transformed const& t : tile_.transformed)
      if (t.by_bluestein()) draft_.guards.push_back({index_of(tile_, draft_, t.digit), t.radix});
    for (int dim : program_.convolved) {
      auto const [first, last] = convolution_span(program_, dim);
      Index const n = core(program_, dim);
      bool const real_axis =
          real_transform_of(program_, dim).has_value();  // outside its sweeps it has no digits
      if (s_ == first || (s_ < first && !real_axis))
        draft_.guards.push_back(
            {axis_index(program_, tile_, draft_, dim, &FineDigit::j), n, true, s_ < first});
      if (s_ == last || (s_ > last && !real_axis))
        draft_.guards.push_back(
            {axis_index(program_, tile_, draft_, dim, &FineDigit::k), n, s_ > last, true});
    }
  }

  /// Of an axis that is padded or cropped only a part exists before, or after, it is transformed. The gather indices of a
  /// real transform see to it themselves where it begins and ends.
  void partial_axes() {
    int const last = int(program_.sweeps.size()) - 1;
    for (int d = 0; d < int(program_.dims.size()); ++d) {
      Dimension const& dim = program_.dims[d];
      auto const [first, end] = convolution_span(program_, d);  // of any axis; none where its length is 1
      if (first < 0) continue;
      bool const real_axis = real_transform_of(program_, d).has_value();
      bool const pre = real_axis && s_ == first && !tile_.read_pairs,
                 post = real_axis && s_ == end && !tile_.write_pairs;
      if (dim.load && s_ <= first && !pre) {
        Index const pair = real_axis && tile_.read_pairs && s_ == first ? 2 : 1;
        draft_.guards.push_back(
            {index_along(program_, tile_, draft_, d, false), dim.load / pair, true, s_ < first});
      }
      if (!dim.keep || s_ < end || (real_axis && s_ == end && s_ < last)) continue;
      Index const pair = real_axis && tile_.write_pairs && s_ == end ? 2 : 1;
      if (!post)
        draft_.guards.push_back({index_along(program_, tile_, draft_, d, true), (dim.first + dim.keep) / pair,
                                 s_ > end, true, dim.first / pair});
      Index const unit = takes_complex_as_reals(program_, s_) ? 2 : 1;  // places of a complex number
      if (!post && s_ == last) draft_.cropped += unit * dim.first * dim.out / (tile_.write_pairs ? 2 : 1);
    }
  }

  /// The matrices of digits that are multiplied by theirs, and in which steps.
  void matrices() {
    draft_.direct_dfts.resize(draft_.steps.size());
    for (std::size_t i = 0; i < draft_.steps.size(); ++i) {
      int const radix_stage = draft_.steps[i].radix_stage;
      if (radix_stage < 0 || !draft_.fine_digits.radix_stages[radix_stage].is_direct) continue;
      bool const makhoul = draft_.fine_digits.read_makhoul || draft_.fine_digits.write_makhoul;
      if (sweep_.cluster_ranks > 1 || makhoul || tile_.fused_inverse)
        throw Error(
            "program: sweep " + std::to_string(s_ + 1),
            "multiplies " + std::to_string(draft_.fine_digits.radix_stages[radix_stage].radix) +
                " points by their matrix, which goes neither with clusters nor with real kinds or products; "
                "leave out 'by'");
      auto const own = std::find_if(draft_.fine_digits.digits.begin(), draft_.fine_digits.digits.end(),
                                    [&](FineDigit const& a) { return a.radix_stage == radix_stage; });
      Index const n = draft_.fine_digits.radix_stages[radix_stage].radix, bytes = 2 * sizeof(double);
      if (is_symmetric_dft(n, element_)) {
        draft_.direct_dfts[i] = {int(own - draft_.fine_digits.digits.begin()), 0, true};
        continue;
      }
      Index const pairs = kernel::blocks_of_rows(int(n)) * kernel::blocks_of_columns(int(n)) * 64;
      Index const at =
          add_table(result_.tables, {n, 1, pairs * bytes / element_, 1, false, TableKind::matrix});
      draft_.direct_dfts[i] = {int(own - draft_.fine_digits.digits.begin()), int(at * element_ / bytes)};
    }
  }

  int hermitian_step() const {
    if (draft_.hermitian.before_butterflies) return 1;
    int step = 0;  // the first after all radix stages
    for (int i = 0; i < int(draft_.steps.size()); ++i)
      if (draft_.steps[i].radix_stage >= 0) step = i + 1;
    return step;
  }

  /// Whether threads would race in a buffer that the sweep stays in: each exchange between all who share the tile has all
  /// elements read before any is written.
  bool reads_what_others_write(SweepSpec const& spec) const {
    bool const stays = sweep_.from == sweep_.to || (program_.problem.placement == Placement::in_place &&
                                                    sweep_.from == Buffer::in && sweep_.to == Buffer::out);
    if (sweep_.tier == Tier::thread || !stays) return false;
    for (int i = 0; i < spec.steps; ++i)
      if (spec.step[i].exchange.needed && (spec.cluster_ranks == 1 || spec.step[i].exchange.remote))
        return false;
    return processed(spec, kernel::MapName::pre) || processed(spec, kernel::MapName::post) ||
           spec.read != spec.write;
  }

  /// Whether rotations are read from tables because NVRTC has no registers left to rotate them by constants, and
  /// would spill or lose a block an SM. Fitted: bench/results/h200-choices.md.
  bool wants_registers(SweepSpec const& spec) const {
    return tile_.fused_inverse ||
           (spec.hermitian.before_butterflies && (sweep_.cluster_ranks > 1 || tile_.transformed.size() > 1));
  }

  void finish(SweepSpec spec) {
    spec.cluster_ranks = sweep_.cluster_ranks;
    bool const last = s_ + 1 == int(program_.sweeps.size());
    bool const inverse = program_.problem.direction == Direction::inverse;
    bool const fourier = std::all_of(sweep_.transforms.begin(), sweep_.transforms.end(), [&](DigitKey d) {
      return program_.dims[d.dim].kind == AxisKind::fourier;
    });
    // Hermitian splits and cosine transforms want the parts in their own places, so there each sweep swaps them back.
    bool const every = std::any_of(program_.dims.begin(), program_.dims.end(), [](Dimension const& d) {
      return d.halved || d.kind != AxisKind::fourier;
    });
    bool const swaps = inverse && fourier && !real_rader(spec);  // those have no parts of their own
    spec.swap_read = swaps && (s_ == 0 || every);
    spec.swap_write = swaps && (last || every);
    spec.scaled = program_scale(program_) != 1 && last;
    spec.sync_before_store = reads_what_others_write(spec);
    if (tile_.fused_inverse) {  // the way back is inverse, and its factors have the scale
      spec.swap_write = s_ == 0 || every;
      spec.scaled = false;
    }
    for (int i = 0; i < spec.steps + (ordered_on_chip(spec) || draft_.lines); ++i)
      spec.threads = std::max(spec.threads, active(spec, i));
    for (int i = 0; i < spec.steps; ++i)
      if (is_direct_dft(spec, i))
        spec.threads =
            int(by_symmetry(spec, i) ? symmetric_dft_threads(direct_dft_length(spec, i), spec.threads,
                                                             direct_dft_lines(spec, i))
                                     : direct_dft_threads(spec.threads, (direct_dft_lines(spec, i) + 7) / 8));
    if (spec.threads > machine_.threads_block)
      throw Error("program: sweep", "needs more than " + std::to_string(machine_.threads_block) +
                                        " threads; use a smaller tile");
    if (element_ == 16 || wants_registers(spec)) look_rotations_up(spec);
    if (sweep_.tier != Tier::thread) coalesce_output(spec, element_, machine_.shared_block / element_);
    Work const work = work_of(spec, element_);
    spec.resident = resident_blocks(work, machine_);
    spec.max_resident = max_blocks(work, machine_, movement_);
    bool const plain =
        !spec.pre.real_axis && !spec.post.real_axis && !spec.hermitian.used && !tile_.fused_inverse;
    // Sweeps of a convolution lose by prefetching; fused inverses of one line in clusters spill.
    // Fitted: bench/results/h200-choices.md.
    bool const joined_line = tile_.fused_inverse && sweep_.cluster_ranks > 1 && tile_.transformed.size() == 1;
    if (program_.convolved.empty() && !joined_line)
      spec.prefetch = prefetch_of(spec, element_, result_.tiles, machine_);
    spec = latency_bound(spec, element_, result_.tiles, machine_);
    result_.spec =
        plain ? reordered(spec, block_order_of(spec, element_, int(l2_blocked_pieces().size()))) : spec;
  }

  /// Digits that L2 blocks go along, slowest first: the grid counts them last.
  std::vector<Piece> l2_blocked_pieces() const {
    int const first = first_of_l2_block(program_, s_);
    Sweep const& sweep = program_.sweeps[first];
    auto const l2_block = sweep.l2_block ? l2_block_of(program_, first, sweep.l2_block, nullptr,
                                                       sweeps_of_l2_block(program_, first))
                                         : std::nullopt;
    if (!l2_block) return {};
    return {sweep.layout.begin(), sweep.layout.begin() + std::ptrdiff_t(l2_block->around.size()) + 1};
  }

  Program const& program_;
  Sweep const& sweep_;
  int s_;
  Machine const& machine_;
  Tile tile_;
  Index element_;
  double movement_;
  Draft draft_;
  std::vector<int> late_;  // for each step, the sub-transform whose twiddles waited for the Hermitian split
  Lowered result_;
};

}  // namespace

std::optional<double> lowered_slowdown(Program const& program, int s, Machine const& machine,
                                       double movement) try {
  Configuration const configuration = Lowering(program, s, machine).configure(movement);
  return configuration.fits ? std::optional(configuration.slowdown) : std::nullopt;
} catch (Error const&) {
  return std::nullopt;
}

Lowered lower(Program const& program, int s, Machine const& machine) {
  return Lowering(program, s, machine).run();
}

Lowered lower(Program const& program, int s, Machine const& machine, Configuration const& configuration) {
  return Lowering(program, s, machine).run(configuration);
}

}  // namespace skipper
