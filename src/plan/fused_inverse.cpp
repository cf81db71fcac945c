// See fused_inverse.h.
#include "plan/fused_inverse.h"

#include <algorithm>

#include "kernel/queries.h"
#include "plan/cost.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
namespace {

/// The digit of the inverse transform's program that stands for this one: digits are in the opposite order there.
DigitKey mirrored(Program const& there, DigitKey digit) {
  if (digit.part == stored_after) return {digit.dim, stored_before};
  if (digit.part == stored_before) return {digit.dim, stored_after};
  return {digit.dim, int(there.radices[digit.dim].size()) - 1 - digit.part};
}

std::vector<Piece> mirrored(Program const& there, std::vector<Piece> pieces) {
  for (Piece& p : pieces) p.digit = mirrored(there, p.digit);
  return pieces;
}

Program backwards(Program const& there, Problem const& problem) {
  Program back{problem, dimensions(problem), there.radices, {}};
  for (auto& radices : back.radices) std::reverse(radices.begin(), radices.end());
  // A matrix product and real Rader work in both directions, other convolutions only forward.
  for (auto const& [digit, by] : there.transformed_by)
    if (by == there.radices[digit.dim][digit.part] || by_real_rader(there, digit.dim))
      back.transformed_by[mirrored(there, digit)] = by;
  int const m = int(there.sweeps.size());
  for (int s = 0; s < m; ++s) {
    Sweep sweep = there.sweeps[m - 1 - s];
    for (DigitKey& d : sweep.transforms) d = mirrored(there, d);
    std::reverse(sweep.transforms.begin(), sweep.transforms.end());
    sweep.with = mirrored(there, sweep.with);
    std::sort(sweep.with.begin(), sweep.with.end());
    sweep.layout = s + 1 < m ? mirrored(there, there.sweeps[m - 2 - s].layout) : std::vector<Piece>{};
    back.sweeps.push_back(std::move(sweep));
  }
  return back;
}

/// Whether the last sweep can be the fused one: it has no real pre- or post-processing and no convolution.
bool can_fuse_last(Program const& program) {
  int const last = int(program.sweeps.size()) - 1;
  auto const& own = program.sweeps[last].transforms;
  return program.convolved.empty() && !pre_processed_axis(program, last) &&
         !post_processed_axis(program, last) && std::none_of(own.begin(), own.end(), [&](DigitKey d) {
           return program.transformed_by.count(d) > 0;
         });
}

/// Whether one sweep has all of an axis in a block.
bool is_one_block(Program const& program) {
  return program.sweeps.size() == 1 && program.sweeps[0].cluster_ranks == 1 &&
         program.sweeps[0].transforms.size() == 1;
}

/// Everything between the user's arrays lies in workspace, and a sweep works in place there where it can.
void assign_work(FusedInverse& fused_inverse) {
  Buffer at = Buffer::in;
  auto const go = [&](Program& program, int s, bool last) {
    Sweep& sweep = program.sweeps[s];
    sweep.l2_block = 0;
    sweep.fused = false;
    sweep.from = at;
    if (last)
      at = Buffer::out;
    else if (at == Buffer::in)
      at = Buffer::work;
    else if (!writes_where_it_reads(program, s))
      at = at == Buffer::work ? Buffer::work2 : Buffer::work;
    sweep.to = at;
  };
  int const m = int(fused_inverse.forward.sweeps.size());
  for (int s = 0; s < m; ++s) go(fused_inverse.forward, s, m == 1);
  for (int s = 1; s < m; ++s) go(*fused_inverse.inverse, s, s + 1 == m);
}

FusedInverse joined(Program there, Problem const& problem, Factors factors, bool real_sides) {
  there.factors = factors;
  there.real_in = real_sides;
  FusedInverse fused_inverse{std::move(there), {}};
  fused_inverse.scale = program_scale(fused_inverse.forward);
  Program back = backwards(fused_inverse.forward, problem);
  if (fused_inverse.forward.sweeps.size() > 1) {
    back.real_out = real_sides;
    fused_inverse.inverse = std::move(back);
  } else {  // its outputs are those of the way back
    fused_inverse.scale *= single_point_scale(back);
    fused_inverse.forward.real_out = real_sides || problem.kind == Kind::c2r;
    for (std::size_t d = 0; d < back.dims.size(); ++d) {
      Dimension& dim = fused_inverse.forward.dims[d];
      dim.out = back.dims[d].out;
      dim.first = back.dims[d].first;
      dim.keep = back.dims[d].keep;
    }
  }
  assign_work(fused_inverse);
  return fused_inverse;
}

/// Whether the way back is a program. It need not be: c2r of an odd length begins after all other axes, so r2c of it may share a
/// sweep that goes one way only.
bool goes_back(FusedInverse const& fused_inverse) try {
  if (!fused_inverse.inverse) return true;
  Program back = *fused_inverse.inverse;
  Sweep& first = back.sweeps.front();  // by itself, without what comes before
  first.from = Buffer::in, first.to = back.sweeps[1].from;
  first.l2_block = 0, first.fused = false;
  check(back);
  return true;
} catch (Error const&) {
  return false;
}

/// The same transforms of complex numbers.
ConvolutionSides complex_sides(ConvolutionSides sides) {
  sides.there.kind = sides.back.kind = Kind::c2c;
  // The spectrum between the sides gets a dense layout; the input of one and the output of the other keep the user's.
  for (Problem* p : {&sides.there, &sides.back}) {
    Problem whole = *p;
    for (Axis& a : whole.axes) a.in_count = a.out_first = a.out_count = 0;
    whole = dense_layout(whole);
    bool const there = p == &sides.there;
    auto const free = [&](auto& mine, auto const& dense) {
      (there ? mine.out_stride : mine.in_stride) = there ? dense.out_stride : dense.in_stride;
    };
    for (std::size_t i = 0; i < p->axes.size(); ++i) free(p->axes[i], whole.axes[i]);
    for (std::size_t i = 0; i < p->batch.size(); ++i) free(p->batch[i], whole.batch[i]);
  }
  return sides;
}

/// Measured over predicted time of a fused forward-pointwise-inverse sweep (docs/decisions/0018). Cosine and sine
/// axes of doubles want tiles above 64 KB. Fitted: bench/results/h200-choices.md. The factor for r2c in clusters is a
/// choice, not measured.
double beyond_model(FusedInverse const& fused_inverse, Factors factors) {
  if (with_partners(factors)) {
    Problem const& p = fused_inverse.forward.problem;
    Index const bytes = tile_points(tile_of(fused_inverse.forward, 0)) * element_bytes(p);
    return p.precision == Precision::f64 && bytes <= 64 * 1024 ? 1.25 : 1;
  }
  return fused_inverse.forward.problem.kind == Kind::r2c &&
                 fused_inverse.forward.sweeps.back().cluster_ranks > 1
             ? 1.15
             : 1;
}

/// The predicted time of all sweeps; nothing where no kernel can run one of them. The fused sweep counts once, with its
/// factor: it is the last of the forward transform and the first of the inverse.
std::optional<double> cost(FusedInverse const& fused_inverse, Factors factors, Machine const& machine) {
  double total = 0;
  auto const add = [&](Program const& program, int s) {
    auto const own = lowered_sweep_cost(program, s, machine);
    bool const middle =
        &program == &fused_inverse.forward && s + 1 == int(fused_inverse.forward.sweeps.size());
    total += own.value_or(0) * (middle ? beyond_model(fused_inverse, factors) : 1);
    return own.has_value();
  };
  int const m = int(fused_inverse.forward.sweeps.size());
  for (int s = 0; s < m; ++s)
    if (!add(fused_inverse.forward, s)) return {};
  for (int s = 1; s < m; ++s)
    if (!add(*fused_inverse.inverse, s)) return {};
  return total;
}

/// The program, and where it is one sweep also the same with half the tile. The planner chose the tile for a forward
/// transform; the fused sweep computes twice as much, and smaller blocks let one compute while another loads.
std::vector<Program> tiles_of(Program program, Machine const& machine) {
  std::vector<Program> all{std::move(program)};
  Sweep const& sweep = all[0].sweeps[0];
  if (all[0].sweeps.size() > 1 || sweep.with.empty() || sweep.with[0].extent % 2 != 0) return all;
  Program smaller = all[0];
  smaller.sweeps[0].with[0].extent /= 2;
  TierChoice const choice =
      tier_for(tile_points(tile_of(smaller, 0)) * element_bytes(smaller.problem), machine);
  if (choice.bound > 0 && choice.tier == sweep.tier && choice.cluster_ranks == sweep.cluster_ranks)
    all.push_back(std::move(smaller));
  return all;
}

std::vector<FusedInverse> tried(ConvolutionSides const& sides, Factors factors, Machine const& machine,
                                bool real_sides) {
  std::vector<FusedInverse> found;
  auto const weigh = [&](bool clusters) {
    for (Candidate& c : planner(sides.there, machine,
                                {.clusters = clusters,
                                .l2_blocks = false,
                                .max_candidates = 24,
                                .pairs = false,
                                .parts = false})) {
      if (!can_fuse_last(c.program) || (with_partners(factors) && !is_one_block(c.program))) continue;
      for (Program& program : tiles_of(std::move(c.program), machine)) {
        FusedInverse fused_inverse = joined(std::move(program), sides.back, factors, real_sides);
        if (!goes_back(fused_inverse)) continue;
        if (auto const total = cost(fused_inverse, factors, machine)) {
          fused_inverse.cost = *total;
          found.push_back(std::move(fused_inverse));
        }
      }
    }
  };
  weigh(false);
  if (has_clusters(machine)) weigh(true);  // the best forward program need not be the best fused one
  std::stable_sort(found.begin(), found.end(),
                   [](FusedInverse const& a, FusedInverse const& b) { return a.cost < b.cost; });
  return found;
}

}  // namespace

std::vector<FusedInverse> fused_inverses(ConvolutionSides const& sides, Factors factors,
                                         Machine const& machine) {
  bool const real = sides.there.kind != Kind::c2c;
  auto found = tried(sides, factors, machine, false);
  bool const fourier = std::all_of(sides.there.axes.begin(), sides.there.axes.end(),
                                   [](Axis const& a) { return a.kind == AxisKind::fourier; });
  if (real && fourier) {
    auto const whole = tried(complex_sides(sides), factors, machine, true);
    // One sweep in a block takes less time than three. In a cluster it does not, with twice as many numbers on chip.
    bool const at_once =
        !whole.empty() && !whole.front().inverse && whole.front().forward.sweeps[0].cluster_ranks == 1;
    found.insert(at_once ? found.begin() : found.end(), whole.begin(), whole.end());
  }
  // Where one sweep holds all axes but has real pre- or post-processing, less shared memory makes it several sweeps.
  Machine less = machine;
  for (less.shared_block /= 2; found.empty() && less.shared_block >= 128; less.shared_block /= 2) try {
      found = tried(sides, factors, less, false);
    } catch (Error const&) {  // now it is too little
      break;
    }
  if (found.empty())
    throw Error("shape",
                "has a prime factor that GPUs convolve only by itself, or no axis for a fused inverse; use "
                "mode full or same, whose transforms are of lengths without one, or the device cpu");
  return found;
}

bool takes_whole_spectrum(FusedInverse const& fused_inverse) {
  return fused_inverse.forward.problem.kind == Kind::c2c;
}

std::vector<std::complex<double>> factors(FusedInverse const& fused_inverse, Lowered const& lowered,
                                          std::vector<std::complex<double>> const& spectrum) {
  std::vector<std::complex<double>> all(std::size_t(places(lowered.factors)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t const at = std::size_t(entry_at(lowered.factors, Index(i)));
    if (at < spectrum.size()) all[i] = fused_inverse.scale * spectrum[at];  // else past a ragged edge
  }
  return all;
}

std::vector<double> symbol_tables(FusedInverse const& fused_inverse, Lowered const& lowered,
                                  std::vector<std::vector<double>> const& axes) {
  kernel::Symbol const& symbol = lowered.spec.symbol;
  std::vector<double> all;
  auto const add = [&](int d, auto&& place) {
    std::vector<double> own = axes[axes.size() - 1 - std::size_t(d)];
    if (d == symbol.hermitian && fused_inverse.forward.factors == Factors::sines)
      std::reverse(own.begin(), own.end());
    Index const n = Index(own.size());
    for (Index k = 0; k < symbol_entries(lowered.spec, d); ++k)
      all.push_back(k < n ? own[std::size_t(place(k, n))] / fused_inverse.scale : -1e30);
  };
  for (int d = 0; d < symbol.axes; ++d) add(d, [](Index k, Index) { return k; });
  if (symbol.hermitian >= 0) add(symbol.hermitian, [](Index k, Index n) { return (n - k) % n; });
  return all;
}

std::string text(FusedInverse const& fused_inverse) {
  std::string all = text(fused_inverse.forward);
  if (!fused_inverse.inverse) return all;
  std::string const back = text(*fused_inverse.inverse);
  return all +
         back.substr(back.find('\n', back.find('\n') + 1) + 1);  // without its problem and its first sweep
}

}  // namespace skipper
