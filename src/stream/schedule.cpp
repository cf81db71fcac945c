// See schedule.h: cuts each pass into slices that fit, estimates each list of passes, takes the fastest.
#include "stream/schedule.h"

#include <algorithm>
#include <optional>

#include "stream/passes.h"
#include "stream/slices.h"

namespace skipper::stream {
namespace {

constexpr int max_slots = 3;  // one comes, one is worked on, one goes
/// Where slices are so small that handing one on between stages takes as long as a copy, more of them are under way.
constexpr Index small_slice = Index(8) << 20;
constexpr int more_slots = 6;

/// Over a link: many slices, since the first copy in and the last copy out overlap with nothing; none larger than in Wu
/// and JaJa's paper, and none so small that starting its copy takes as long as the copy. Sizes are in bytes.
constexpr Index largest_slice = Index(128) << 20, smallest_slice = Index(1) << 20, wanted_slices = 24;
/// A slice that takes only some bytes of each row has the host visit every page for them. So slices grow, up to
/// `larger_for_it` times, until these pieces have `least_piece` bytes. Fitted to the 16-core host of an H200.
constexpr Index least_piece = 512, larger_for_it = 4;

/// More than any memory has, and so little that a few times as much fits in 63 bits.
constexpr Index max_memory = Index(1) << 60;

Limits bounded(Limits limits) {
  limits.device_bytes = std::min(limits.device_bytes, max_memory);
  return limits;
}

struct Cutter {
  Limits limits;  // bounded
  WorkspaceOf workspace;

  Slicing of(Problem const& whole, std::vector<Index> const& extents, int slots) const {
    Problem const slice = slice_problem(whole, extents);
    Slicing s;
    s.extents = extents;
    s.slices = slice_count(whole, extents);
    s.in_bytes = in_bytes(slice);
    s.out_bytes = out_bytes(slice);
    s.in_place = slice.placement == Placement::in_place;
    s.slots = static_cast<int>(std::min<Index>(slots, s.slices));
    s.workspace_bytes = std::max(s.in_bytes, s.out_bytes);  // until it is asked for
    return s;
  }

  bool fits(Slicing const& s, Index slice_limit) const {
    return s.device_bytes() <= limits.device_bytes && std::max(s.in_bytes, s.out_bytes) <= slice_limit;
  }

  /// The largest slices that fit, cutting the dimensions that are farthest apart in memory first; nothing where
  /// single lines do not.
  std::optional<Slicing> cut(Problem const& whole, int slots, Index slice_limit) const {
    std::vector<std::size_t> order;
    std::vector<Index> extents;
    for (std::size_t i = 0; i < whole.batch.size(); ++i) {
      order.push_back(i);
      extents.push_back(whole.batch[i].size);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return whole.batch[a].in_stride > whole.batch[b].in_stride;
    });
    if (Slicing const all = of(whole, extents, slots); fits(all, slice_limit)) return all;
    for (std::size_t const at : order) {
      Index low = 0, high = extents[at];  // low fits, high does not
      while (high - low > 1) {
        extents[at] = low + (high - low) / 2;
        (fits(of(whole, extents, slots), slice_limit) ? low : high) = extents[at];
      }
      if (low > 0) {
        Index const pieces = (whole.batch[at].size + low - 1) / low;
        extents[at] = (whole.batch[at].size + pieces - 1) / pieces;
        return of(whole, extents, slots);
      }
      extents[at] = 1;
      if (Slicing const s = of(whole, extents, slots); fits(s, slice_limit)) return s;
    }
    return std::nullopt;
  }

  /// Contiguous bytes of each row that a slice of at most slice_limit bytes takes.
  Index piece_bytes(Problem const& whole, Index slice_limit) const {
    auto const s = cut(whole, max_slots, slice_limit);
    if (!s) return least_piece;
    auto const rows = rows_of(gather_dims(whole, slice_problem(whole, s->extents)));
    return rows.empty() ? least_piece : rows.front().size * in_element_bytes(whole);
  }

  /// Slices whose buffers and workspace, as the engine tells it, fit the device: in fewer slots where they must be.
  std::optional<Slicing> slicing(Problem const& whole) const {
    Index const bytes = std::max(in_bytes(whole), out_bytes(whole));
    Index wish = limits.shared ? limits.device_bytes
                               : std::clamp(bytes / wanted_slices, smallest_slice, largest_slice);
    for (Index most = larger_for_it * wish;
         !limits.shared && wish < most && piece_bytes(whole, wish) < least_piece;)
      wish *= 2;
    for (int slots = max_slots; slots >= 1; --slots) {
      for (Index limit : {wish, limits.device_bytes})  // better a larger slice than none
        for (; limit > 0; limit = limit * 3 / 4) {
          std::optional<Slicing> s = cut(whole, slots, limit);
          if (!s) break;
          s->workspace_bytes = workspace(slice_problem(whole, s->extents));
          if (s->device_bytes() <= limits.device_bytes) return with_more_slots(*s);
        }
    }
    Slicing const least = single_lines(whole);  // whose workspace may be less than what was assumed
    return least.device_bytes() <= limits.device_bytes ? std::optional(least) : std::nullopt;
  }

  Slicing with_more_slots(Slicing s) const {
    if (limits.shared || !limits.pinned || std::max(s.in_bytes, s.out_bytes) > small_slice) return s;
    Slicing more = s;
    more.slots = int(std::min<Index>(more_slots, s.slices));
    return more.slots > s.slots && more.device_bytes() <= limits.device_bytes ? more : s;
  }

  /// The slices that need least memory: single lines, one at a time.
  Slicing single_lines(Problem const& whole) const {
    Slicing s = of(whole, std::vector<Index>(whole.batch.size(), 1), 1);
    s.workspace_bytes = workspace(slice_problem(whole, s.extents));
    return s;
  }
};

/// Packed bytes that a pass moves each way.
struct Moved {
  double in = 0, out = 0;
};
Moved moved(Pass const& pass) {
  std::vector<Index> counts;
  for (Dim const& d : pass.whole.batch) counts.push_back(d.size);
  Problem const all = slice_problem(pass.whole, counts);
  return {double(in_bytes(all)), double(out_bytes(all))};
}

/// Stages overlap, so the slowest one counts. Gather and scatter read and write host memory, and the copy over the link
/// reads or writes it once more. Pinned arrays with long rows are copied as they lie, without gather and scatter.
double seconds(Pass const& pass, Bandwidths const& b, bool shared, bool pinned) {
  auto const [in, out] = moved(pass);
  if (!pass.on_device) return 1.2 * (in + out) / b.host;  // somewhat above a copy
  if (shared) return 2 * (in + out) / b.host;
  double const link = std::max({in / b.up, out / b.down, (in + out) / b.both});
  double const fill = pass.slicing.slices > 0 ? 1 + 2.0 / double(pass.slicing.slices) : 1;
  double const touched = pinned && copied_as_they_lie(pass) ? 1 : 3;
  return fill * std::max({link, touched * (in + out) / b.host, 2 * (in + out) / b.device});
}

using Groups = std::vector<std::vector<std::size_t>>;

/// As many axes a pass as fit, from the nearest neighbours on; c2r is r2c backwards.
std::optional<Groups> device_groups(Problem const& problem, Cutter const& cutter) {
  Groups groups;
  for (std::size_t const axis : axes_by_distance(problem)) {
    if (!groups.empty()) {
      Groups wider = {groups.back()};
      wider[0].push_back(axis);
      bool const real_last = problem.kind == Kind::c2r;
      Groups const probe = real_last ? Groups{{}, wider[0]} : Groups{wider[0], {}};
      if (cutter.slicing(passes_over(problem, probe, {true, true})[real_last ? 1 : 0].whole)) {
        groups.back() = wider[0];
        continue;
      }
    }
    groups.push_back({axis});
  }
  if (problem.kind == Kind::c2r) std::reverse(groups.begin(), groups.end());
  return groups;
}

/// Whether the device must have a whole transform at once. In 16-bit storage, data between passes would lose too much. Padding and
/// cropping are known to the first and last pass of an axis only. Reversed order is that of the digits of all axes.
bool is_of_one_piece(Problem const& problem) {
  return is_16_bit(problem.precision) || is_partial(problem) || problem.order != Order::natural;
}

std::vector<std::vector<Pass>> candidates(Problem const& problem, Cutter const& cutter,
                                          StreamStrategy strategy) {
  std::vector<std::vector<Pass>> lists;
  if (is_of_one_piece(problem)) {
    if (strategy == StreamStrategy::host_and_device) return lists;
    Pass all;
    all.whole = problem;
    return {{all}};
  }
  if (auto const groups = device_groups(problem, cutter);
      groups && strategy != StreamStrategy::host_and_device)
    lists.push_back(passes_over(problem, *groups, std::vector<bool>(groups->size(), true)));
  if (problem.axes.size() == 1 && problem.axes[0].kind == AxisKind::fourier)
    if (auto four = four_step(problem)) lists.push_back(*four);
  if (problem.axes.size() > 1 && strategy != StreamStrategy::device_only) {
    std::vector<std::size_t> rest = axes_by_distance(problem);
    std::vector<std::size_t> const nearest = {rest.front()};
    rest.erase(rest.begin());
    if (problem.kind == Kind::c2r)
      lists.push_back(passes_over(problem, {rest, nearest}, {true, false}));
    else
      lists.push_back(passes_over(problem, {nearest, rest}, {false, true}));
  }
  return lists;
}

}  // namespace

Index Slicing::device_bytes() const {
  Index const most = std::max({in_bytes, out_bytes, workspace_bytes});
  if (most > max_memory / more_slots) return largest_index;
  return slots * (aligned(in_bytes) + (in_place ? 0 : aligned(out_bytes))) + aligned(workspace_bytes);
}

std::optional<Slicing> slicing_of(Problem const& whole, Limits const& limits, WorkspaceOf const& workspace) {
  return Cutter{bounded(limits), workspace}.slicing(whole);
}
Index least_bytes(Problem const& whole, WorkspaceOf const& workspace) {
  return Cutter{{}, workspace}.single_lines(whole).device_bytes();
}

Schedule schedule_of(Problem const& problem, std::vector<Pass> passes, Bandwidths const& bandwidths,
                     Limits const& limits) {
  bool const shared = limits.shared;
  Schedule s;
  s.problem = problem;
  s.work_bytes = work_bytes(passes);
  for (Pass const& pass : passes) {
    s.seconds += seconds(pass, bandwidths, shared, limits.pinned);
    if (!pass.on_device) continue;
    ++s.trips;
    Slicing const& cut = pass.slicing;
    s.device_bytes = std::max(s.device_bytes, cut.device_bytes());
    if (!shared)
      s.pinned_bytes = std::max(
          s.pinned_bytes, std::min<Index>(2, cut.slices) * (aligned(cut.in_bytes) + aligned(cut.out_bytes)));
  }
  s.passes = std::move(passes);
  return s;
}

Schedule make_schedule(Problem const& problem, Bandwidths const& bandwidths, Limits const& limits,
                       StreamStrategy strategy, WorkspaceOf const& workspace) {
  check(problem);
  Cutter const cutter{bounded(limits), workspace};
  std::optional<Schedule> best;
  std::optional<Index> least;
  for (std::vector<Pass>& passes : candidates(problem, cutter, strategy)) {
    bool fits = true;
    Index needs = 0;
    for (Pass& pass : passes) {
      if (!pass.on_device) continue;
      needs = std::max(needs, cutter.single_lines(pass.whole).device_bytes());
      std::optional<Slicing> const s = cutter.slicing(pass.whole);
      if (s) pass.slicing = *s;
      fits = fits && s;
    }
    if (!least || needs < *least) least = needs;
    if (!fits) continue;
    Schedule s = schedule_of(problem, std::move(passes), bandwidths, limits);
    if (!best || s.seconds < best->seconds) best = std::move(s);
  }
  if (best) return *best;
  if (!least)
    throw Error("strategy",
                "host_and_device needs two axes or more, one for the host, in f32 or f64, whole and in "
                "natural order; use "
                "device_only");
  throw Error("memory_limit", "is " + std::to_string(limits.device_bytes) +
                                  " bytes but even one slice needs " + std::to_string(*least) +
                                  "; give at least that, or use the CPU without a limit");
}

std::string text(Schedule const& schedule) {
  std::string result = skipper::text(schedule.problem) + "\n";
  auto const array = [](Array a) { return a == Array::in ? "in" : a == Array::out ? "out" : "work"; };
  for (Pass const& pass : schedule.passes) {
    result += pass.on_device ? "device: " : "host: ";
    result += skipper::text(pass.whole);
    result += std::string(", ") + array(pass.from) + " to " + array(pass.to);
    if (pass.twiddled) result += ", twiddled";
    if (pass.hermitian) result += ", half of the spectrum stored";
    if (pass.on_device)
      result += ", " + std::to_string(pass.slicing.slices) + " slices of " +
                std::to_string(std::max(pass.slicing.in_bytes, pass.slicing.out_bytes)) + " bytes, " +
                std::to_string(pass.slicing.slots) + " at once";
    result += "\n";
  }
  result += std::to_string(schedule.trips) + (schedule.trips == 1 ? " trip, " : " trips, ") +
            std::to_string(schedule.device_bytes) + " bytes of the device, " +
            std::to_string(schedule.pinned_bytes) + " pinned, " + std::to_string(schedule.work_bytes) +
            " of work\n";
  return result;
}

}  // namespace skipper::stream
