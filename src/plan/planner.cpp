// The search: for one sweep, then two, and so on, every factorisation of the axes' radices, every choice of layouts between the
// sweeps; each completed with tiles, tiers and buffers, and ranked by cost. More sweeps are tried only while they
// could still win.
#include "plan/planner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/numbers.h"
#include "plan/candidates.h"
#include "plan/complex_parts.h"
#include "plan/cost.h"
#include "plan/factorisations.h"
#include "plan/layouts.h"
#include "plan/lengths.h"
#include "plan/mixing.h"
#include "plan/runnable.h"
#include "plan/tile.h"

namespace skipper {
namespace {

/// The length of the complex transform along each dimension. Two reals are packed as one complex number where the kind
/// allows it. An axis with a Hermitian split is neither cut nor convolved, so it is packed only where half its length
/// is smooth and fits a tile.
std::vector<Index> cores(Problem const& problem, Index capacity, bool pack) {
  std::vector<Index> all;
  for (Dimension const& d : dimensions(problem)) {
    auto const packed = is_real_kind(d) && pack ? packed_real(problem.kind, d.kind, d.size) : std::nullopt;
    if (packed && (!packed->has_hermitian_split() ||
                   (packed->core <= capacity && !is_non_smooth(packed->core, element_bytes(problem)))))
      all.push_back(packed->core);
    else if (is_real_kind(d))
      all.push_back(unpacked_real(problem.kind, d.kind, d.size).core);
    else
      all.push_back(d.size);
  }
  return all;
}

/// The same with the second of two cosine axes whole, so that it can share the sweep of the first (crossed_axis).
std::optional<std::vector<Index>> cores_to_cross(Problem const& problem, std::vector<Index> all) {
  if (problem.kind != Kind::r2r || problem.norm == Norm::ortho) return {};
  auto const dims = dimensions(problem);
  Dimension const* first = nullptr;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!dims[d].axis || all[d] < 2) continue;
    if (!first && (2 * all[d] != dims[d].size || (dims[d].in != 1 && dims[d].out != 1))) return {};
    if (first && may_be_crossed(dims[d].kind, first->kind) &&
        !is_non_smooth(dims[d].size, element_bytes(problem)))
      return all[d] = dims[d].size, all;
    if (!first) first = &dims[d];
  }
  return {};
}

/// The same with real Rader for a prime length, where Rader's algorithm does that length.
std::optional<std::vector<Index>> cores_by_real_rader(Problem const& problem, std::vector<Index> all) {
  if (is_partial(problem)) return {};
  auto const dims = dimensions(problem);
  bool any = false;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (is_real_kind(dims[d]) && has_hermitian_spectrum(problem.kind, dims[d].kind) &&
        has_rader(dims[d].size))
      all[d] = (dims[d].size + 1) / 2, any = true;
  return any ? std::optional(all) : std::nullopt;
}

/// Highly composite sizes have tens of thousands of factorisations (factorisations.h), too many to weigh. Those that leave room
/// for segments in every sweep cost about the same, so an even sample of them, the most balanced one first, stands for
/// all.
std::vector<Factorisation> sample(std::vector<Factorisation> all, int sweeps, Index roomy) {
  std::size_t const most = std::size_t(1024) >> std::min(sweeps - 1, 3);
  if (all.size() <= most) return all;
  std::vector<std::pair<Index, std::size_t>> order;  // points of the largest sweep, and which factorisation
  for (std::size_t i = 0; i < all.size(); ++i) {
    Index largest = 1;
    for (int s = 0; s < sweeps; ++s) {
      Index load = 1;
      for (AxisRadices const& radices : all[i]) load *= radices[s];
      largest = std::max(largest, load);
    }
    order.push_back({largest, i});
  }
  std::sort(order.begin(), order.end());
  std::size_t const have =
      std::upper_bound(order.begin(), order.end(), std::pair(roomy, all.size())) - order.begin();
  std::size_t const from = std::max(have, most);
  std::vector<Factorisation> taken;
  for (std::size_t i = 0; i < most; ++i) taken.push_back(std::move(all[order[i * from / most].second]));
  return taken;
}

/// What sweeps move, in copies of the input, where one axis of reals is all there is to transform. Between sweeps stand
/// the complex numbers of its real pre- or post-processing: up to twice as much, unless that goes by columns.
double least_of_reals(Program const& bare, std::vector<Index> const& cores, int sweeps) {
  auto const axes = long_axes(bare, cores);
  if (axes.size() != 1 || sweeps < 2 || !is_real_kind(bare.dims[axes[0]])) return 0;
  double const n = double(bare.dims[axes[0]].size), half = 2 * std::floor(n / 2) + 2;  // in reals
  double const in = bare.problem.kind == Kind::c2r ? half : n,
               out = bare.problem.kind == Kind::r2c ? half : n;
  Dimension const& axis = bare.dims[axes[0]];
  bool const columns = has_hermitian_spectrum(bare.problem.kind, axis.kind) && axis.size % 4 == 0;
  double const between = columns ? n : 2 * double(cores[axes[0]]);
  return (0.5 * (in + out) + (sweeps - 1) * between) / in;
}

/// A lower bound on the cost of all programs of so many sweeps. No sweep costs less than half of a pair in L2 blocks,
/// or of fused passes where two sweeps are all; the first sweep reads and the last one writes in segments no longer
/// than the problem's.
double least_cost(Program const& bare, std::vector<Index> const& cores, int sweeps, Machine const& machine,
                  PlanOptions const& options) {
  Index const element = element_bytes(bare.problem);
  double const bound = !options.l2_blocks || !machine.l2_block ? 1.0 : sweeps == 2 ? 0.79 : 0.9;
  if (bare.problem.kind != Kind::c2c)
    return (sweeps == 2 ? bound : 1) * std::max(double(sweeps), least_of_reals(bare, cores, sweeps));
  double const ends =
      segment_factor(longest_segment(bare.dims, &Dimension::in) * element, Access::read, machine) +
      segment_factor(longest_segment(bare.dims, &Dimension::out) * element, Access::write, machine);
  return bound * (sweeps - 1 + 0.5 * ends);
}

/// Whether n has a prime factor so large that perhaps no block holds its convolution. A convolution whose bytes fit may
/// still have no radices that divide the threads.
bool may_spread(Index n, Machine const& machine, Index element) {
  if (!is_non_smooth(n, element)) return false;
  Index const most = block_capacity(machine) / element, prime = factorise(n).back().prime;
  return convolution_length(least_convolution(n), element) > most / 2 &&
         convolution_length(least_convolution(prime), element) > most / 8;
}

}  // namespace

void complete(Program& program, Machine const& machine, PlanOptions options) {
  for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s)
    if (program.sweeps[s].layout.empty()) program.sweeps[s].layout = layout_in_place(program, int(s) + 1);
  PlanningWork work;
  SweepCosts costs(machine, work);
  if (!placed_cost(program, {machine, options, work, costs}))
    throw Error("program",
                "a sweep needs a larger tile than " + machine.name + " can hold; split its sub-transforms");
  if (!finish(program, machine, options))
    throw Error("placement", "is in place, but its sweeps write where others still read; use out of place");
}

namespace {

/// Whether two sweeps after the first share L2 blocks, in tiles of which an SM holds two. Programs that cut one axis of
/// a cube are taken only so (docs/decisions/0028). Fitted: bench/results/h200-choices.md.
bool l2_blocks_of_small_tiles(Program const& program) {
  for (int s = 1; s + 1 < int(program.sweeps.size()); ++s) {
    auto const bytes = [&](int i) {
      return tile_points(tile_of(program, i)) * element_bytes(program.problem);
    };
    if (program.sweeps[s].l2_block) return std::max(bytes(s), bytes(s + 1)) <= 96 * 1024;
  }
  return false;
}

/// The radices of axes, in the order of transforming; none of an axis that is convolved, which stays in natural order.
using Radices = std::vector<std::vector<Index>>;

/// The only radices to take, and in how many sweeps; 0: any.
struct Wanted {
  Radices radices;
  int sweeps = 0;
};

/// Whether factorisations of so many sweeps and cuts can have the radices.
bool may_have(Wanted const& wanted, int sweeps, int cuts) {
  bool convolved = false;
  for (auto const& r : wanted.radices) convolved = convolved || r.empty(), cuts -= int(r.size()) - 1;
  return (wanted.sweeps == 0 || sweeps == wanted.sweeps) && (convolved || cuts == 0);
}

/// Whether a real axis of that core is neither cut nor convolved (why_not_real).
bool stays_whole(Problem const& problem, Dimension const& d, Index core) {
  if (!is_real_kind(d)) return false;
  if (problem.kind == Kind::c2c) return true;
  auto const packed = packed_real(problem.kind, d.kind, d.size);
  if (packed && packed->core == core) return packed->has_hermitian_split();
  RealTransform const whole = unpacked_real(problem.kind, d.kind, d.size);
  return whole.core == core && whole.has_hermitian_split();
}

FactorisationSpace factorisation_space(Program const& bare, std::vector<Index> const& cores,
                                       Planning const& context, std::optional<Wanted> const& wanted) {
  auto const& [machine, options, work, costs] = context;
  Problem const& problem = bare.problem;
  Index const element = element_bytes(problem);
  FactorisationSpace space;
  space.capacity =
      std::max(block_capacity(machine), options.clusters ? cluster_capacity(machine) : 0) / element;
  space.roomy = block_capacity(machine) / 128;
  for (int d : long_axes(bare, cores)) {
    Dimension const& dim = bare.dims[d];
    Index const n = cores[d], least = least_convolution(problem, dim, n);
    space.axes.push_back(n);
    space.lengths.push_back(may_spread(n, machine, element) ? spread_lengths(least) : std::vector<Index>{});
    space.whole.push_back(stays_whole(problem, dim, n));
    space.cosines.push_back(dim.kind != AxisKind::fourier);
  }
  if (wanted) space.radices = wanted->radices;
  return space;
}

/// The numbers below n, ordered so that every prefix is spread evenly over them.
std::vector<std::size_t> spread_order(std::size_t n) {
  std::vector<std::size_t> order;
  std::size_t const all = std::bit_ceil(n);
  int const bits = std::countr_zero(all);
  for (std::size_t i = 0; i < all; ++i) {
    std::size_t reversed = 0;
    for (int b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
    if (reversed < n) order.push_back(reversed);
  }
  return order;
}

/// The programs of all factorisations (factorisations.h) of the space, or of a sample of them: only a quarter of what
/// planning may still weigh is weighed here.
std::vector<Candidate> weighed(Problem const& problem, FactorisationSpace space,
                               std::vector<Index> const& cores, Planning const& context) {
  Index const before = context.work.placed, left = std::max<Index>(0, max_placed - before),
              share = std::max(left / 4, max_placed / 64);
  space.extensions = std::size_t(std::clamp<Index>((max_total_extensions - context.work.extensions) / 2,
                                                   max_total_extensions / 128, Index(max_extensions)));
  auto const some = sample(factorisations(space, context.work.extensions), space.sweeps, space.roomy);
  std::vector<std::vector<Candidate>> found(some.size());
  for (std::size_t i : spread_order(some.size())) {
    if (context.work.placed - before > share) break;
    add_programs(problem, some[i], space.sweeps, cores, context, found[i]);
  }
  std::vector<Candidate> all;
  for (auto& of_factorisation : found)
    std::move(of_factorisation.begin(), of_factorisation.end(), std::back_inserter(all));
  rank(all);
  return all;
}

/// One sweep for each axis, from the fastest on or from the slowest. Such a program exists wherever every axis fits a
/// tile. Cosine and sine axes may need it, since they share no sweeps.
std::vector<Candidate> one_after_the_other(Problem const& problem, FactorisationSpace const& space,
                                           std::vector<Index> const& cores, Planning const& context) {
  std::size_t const axes = space.axes.size();
  std::vector<Candidate> found;
  for (bool forward : {true, false}) {
    Factorisation factorisation(axes, AxisRadices(axes, 1));
    for (std::size_t a = 0; a < axes; ++a) factorisation[a][forward ? a : axes - 1 - a] = space.axes[a];
    add_programs(problem, factorisation, int(axes), cores, context, found);
  }
  rank(found);
  return runnable(std::move(found), context, std::max(context.options.max_candidates, 16));
}

std::vector<Candidate> search(Problem const& problem, std::vector<Index> const& cores,
                              Planning const& context, std::optional<Wanted> const& wanted = {}) {
  auto const& [machine, options, work, costs] = context;
  Program const bare = empty_program(problem, 1);
  FactorisationSpace space = factorisation_space(bare, cores, context, wanted);
  std::size_t const axes = space.axes.size();
  std::vector<Candidate> found;
  if (axes == 0) {
    add_programs(problem, {}, 1, cores, context, found);
    found = runnable(std::move(found), context, std::max(options.max_candidates, 16));
  }
  for (int sweeps = 1; sweeps <= max_sweeps && axes > 0; ++sweeps) {
    if (!found.empty() && found.front().cost <= least_cost(bare, cores, sweeps, machine, options)) break;
    for (int cuts = 0; cuts < sweeps; ++cuts) {
      if (wanted && !may_have(*wanted, sweeps, cuts)) continue;
      space.sweeps = sweeps;
      space.cuts = cuts;
      auto fresh =
          runnable(weighed(problem, space, cores, context), context, std::max(options.max_candidates, 16));
      bool const any = !fresh.empty();
      if (auto better = any ? mixed(fresh.front(), context) : std::nullopt)
        fresh.insert(fresh.begin(), std::move(*better));
      // An axis that nothing holds whole has to be cut, whatever its tiles.
      if (sweeps > 2 && cuts > 0 && axes > 2 && problem.kind == Kind::c2c && !wanted && !found.empty())
        std::erase_if(fresh, [](Candidate const& c) { return !l2_blocks_of_small_tiles(c.program); });
      found.insert(found.end(), fresh.begin(), fresh.end());
      // Cutting more axes only shortens segments; but one, cut, lets tiles touch few pages (plan/cost.cpp).
      if (sweeps > 2 && any && (cuts > 0 || axes < 3)) break;
    }
    rank(found);
  }
  auto const better = mixed_where_promising(found, context);
  found.insert(found.begin(), better.begin(), better.end());
  rank(found);
  return found.empty() && axes > std::size_t(max_sweeps) ? one_after_the_other(problem, space, cores, context)
                                                         : found;
}

/// The radices that the inverse of a plan with reversed digits must take: those of the forward program, from the last
/// to the first. Nothing where no forward problem exists: elements of an input may overlap, those of an output may not.
std::optional<Wanted> wanted_back(Problem there, Index room, Machine const& machine,
                                  PlanOptions const& options, PlanningWork& work) {
  there.order = Order::reversed;
  there.direction = there.direction == Direction::forward ? Direction::inverse : Direction::forward;
  for (Axis& axis : there.axes) {
    std::swap(axis.in_stride, axis.out_stride);
    axis.out_count = std::exchange(axis.in_count, 0);
    axis.out_first = 0;
  }
  for (Dim& dim : there.batch) std::swap(dim.in_stride, dim.out_stride);
  try {
    check(there);
  } catch (Error const&) {
    return {};
  }
  Program const program = planner(there, machine, options, work).front().program;
  Wanted all{{}, int(program.sweeps.size())};
  for (int d : long_axes(program, cores(there, room, true)))  // dimensions of the batch may stand elsewhere
    all.radices.emplace_back(program.convolved.count(d)
                                 ? std::vector<Index>{}
                                 : std::vector(program.radices[d].rbegin(), program.radices[d].rend()));
  return all;
}

bool mixes_kinds_of_complex_data(Problem const& problem) {
  auto const any = [&](bool fourier) {
    return std::any_of(problem.axes.begin(), problem.axes.end(),
                       [&](Axis const& a) { return a.size > 1 && (a.kind == AxisKind::fourier) == fourier; });
  };
  return problem.kind == Kind::c2c && any(true) && any(false);
}

bool has_real_rader(Program const& program) {
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (by_real_rader(program, d)) return true;
  return false;
}

bool crosses(Program const& program) {
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (crossed_axis(program, s)) return true;
  return false;
}

}  // namespace

std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions options) {
  PlanningWork work;
  return planner(problem, machine, options, work);
}

std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions const& options,
                               PlanningWork& total) {
  check(problem);
  PlanningWork work;
  SweepCosts costs(machine, work);
  Planning const context{machine, options, work, costs};
  // A cosine transform of complex data holds real and imaginary parts on chip.
  Index const room = block_capacity(machine) / element_bytes(problem) / (problem.kind == Kind::c2c ? 2 : 1);
  std::optional<Wanted> wanted;
  if (problem.order == Order::from_reversed) wanted = wanted_back(problem, room, machine, options, total);
  auto found = search(problem, cores(problem, room, true), context, wanted);
  if (found.empty() && wanted) {
    wanted->sweeps = 0;  // the order of digits depends on the radices alone
    found = search(problem, cores(problem, room, true), context, wanted);
  }
  if (found.empty() && problem.kind != Kind::c2c)
    found = search(problem, cores(problem, room, false), context);
  // Real lines that no block holds but a cluster does: their Hermitian split is done there.
  Index const cluster = options.clusters ? cluster_capacity(machine) / element_bytes(problem) : 0;
  bool const halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
  if (auto const packed = cores(problem, cluster, true);
      halved && problem.axes.size() == 1 && cluster > room && packed != cores(problem, room, true)) {
    for (Candidate& c : search(problem, packed, context))
      if (c.program.sweeps.size() == 1) found.push_back(std::move(c));
    rank(found);
  }
  if (auto const halves = cores_by_real_rader(problem, cores(problem, room, true));
      halves && machine.kind == MachineKind::gpu) {
    for (Candidate& c : search(problem, *halves, context))
      if (has_real_rader(c.program)) found.push_back(std::move(c));
    rank(found);
  }
  if (auto const whole = cores_to_cross(problem, cores(problem, room, true));
      whole && machine.kind == MachineKind::gpu) {
    for (Candidate& c : search(problem, *whole, context))
      if (crosses(c.program)) found.push_back(std::move(c));
    rank(found);
  }
  total.extensions += work.extensions;
  total.placed += work.placed;
  total.lowered += work.lowered;
  if (auto const parts = found.empty() && options.parts ? problem_of_parts(problem) : std::nullopt)
    return planner(*parts, machine, options, total);
  if (found.empty())
    throw Error("axes", "no program of at most " + std::to_string(max_sweeps) +
                            " sweeps, or of one for each axis, fits " + machine.name +
                            (mixes_kinds_of_complex_data(problem)
                                 ? "; cosines and sines of complex data are not cut beside Fourier axes, so "
                                   "transform their axes in a plan of their own"
                                 : ""));
  if (int(found.size()) > options.max_candidates) found.resize(options.max_candidates);
  return found;
}

}  // namespace skipper
