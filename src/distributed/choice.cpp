// See choice.h.
#include "distributed/choice.h"

#include <algorithm>
#include <string>

namespace skipper::distributed {
namespace {

std::vector<Index> sizes_of(Problem const& problem, bool input) {
  return sizes_after(problem, std::vector<bool>(problem.axes.size(), !input));
}

/// Slabs of one dimension.
Distribution slabs_of(std::vector<Index> const& sizes, Index ranks, std::size_t dimension) {
  Grid grid(sizes.size(), 1);
  grid[dimension] = std::min(ranks, std::max<Index>(sizes[dimension], 1));
  return {sizes, ranks, grid};
}

Request unsplit(Wanted const& w) {
  std::vector<Index> const sizes = sizes_of(w.problem, true);
  Distribution const in = w.in.empty() ? slabs_of(sizes, w.ranks, 0) : Distribution(sizes, w.in);
  std::optional<Distribution> out;
  if (!w.out.empty())
    out = Distribution(sizes_of(w.problem, false), w.out);
  else if (!w.any_output)
    out = default_out(w.problem, in);
  return {w.problem, in, out, w.links, w.rank_bandwidth, w.pieces};
}

/// Nothing where a box is not whole rows of a digit.
std::optional<Distribution> cut_of_digits(SplitAxis const& digits, Problem const& of_digits, bool input,
                                          std::vector<Box> const& boxes) {
  std::vector<Box> list;
  for (Box const& given : boxes) {
    auto const box = box_of_digits(digits, of_digits, input, given);
    if (!box) return std::nullopt;
    list.push_back(*box);
  }
  return Distribution(sizes_of(of_digits, input), std::move(list));
}

std::vector<Box> all_boxes_of(Distribution const& cut) {
  std::vector<Box> boxes;
  for (Index r = 0; r < cut.ranks(); ++r) boxes.push_back(cut.box(r));
  return boxes;
}

/// The slower digit as a side's array has it.
std::size_t slower_digit(Split const& split, Problem const& of_digits, bool input) {
  return array_order(split, of_digits, input)[of_digits.batch.size() + split.digits.axis];
}

/// Where a side lies that no box is given for: permuted, slabs of the slower digit; in natural order slabs of the slowest
/// dimension, which may be that digit.
Distribution slabs_of_digits(Index ranks, Split const& split, Problem const& of_digits, bool input) {
  bool const along_axis =
      split.order(input) == AxisOrder::permuted || of_digits.batch.size() + split.digits.axis == 0;
  return slabs_of(sizes_of(of_digits, input), ranks, along_axis ? slower_digit(split, of_digits, input) : 0);
}

/// The request with the axis split so, and callers' boxes that are none of its digits.
struct SplitRequest {
  Request request;
  std::vector<Box> in = {}, out = {};

  bool fits() const { return in.empty() && out.empty(); }
};

/// The boxes of the output where any are wanted: without any given it is cut as the input is.
std::vector<Box> wanted_out(Wanted const& w) {
  if (!w.out.empty() || w.in.empty() || w.any_output || w.out_order == AxisOrder::permuted) return w.out;
  return all_boxes_of(default_out(w.problem, Distribution(sizes_of(w.problem, true), w.in)));
}

SplitRequest split_request(Wanted const& w, SplitAxis const& digits) {
  Problem const of_digits = problem_of_digits(w.problem, digits);
  Split const split{digits, w.in_order, w.out_order};
  SplitRequest made{{of_digits, slabs_of_digits(w.ranks, split, of_digits, true), std::nullopt, w.links,
                     w.rank_bandwidth, w.pieces, split}};
  auto const near = [&](bool input) {  // where boxes that do not fit come from, or go to
    return slabs_of(sizes_of(of_digits, input), w.ranks, slower_digit(split, of_digits, input));
  };
  if (!w.in.empty()) {
    auto const cut = cut_of_digits(digits, of_digits, true, w.in);
    if (!cut) made.in = w.in;
    made.request.in = cut ? *cut : near(true);
  }
  if (std::vector<Box> const out = wanted_out(w); !out.empty()) {
    auto const cut = cut_of_digits(digits, of_digits, false, out);
    if (!cut) made.out = out;
    made.request.out = cut ? *cut : near(false);
  } else if (!w.any_output) {
    made.request.out = slabs_of_digits(w.ranks, split, of_digits, false);
  }
  return made;
}

/// With stages of the axis as one where callers' boxes are none of its digits.
Planned planned(SplitRequest const& made) {
  Planned const found = plan_stages(made.request);
  if (made.fits()) return found;
  Program program = found.program;
  Problem const whole = whole_problem(program);
  auto& stages = program.stages;
  if (!made.in.empty()) {
    if (stages.front().computes()) stages.insert(stages.begin(), {stages.front().cut, {}});
    stages.insert(stages.begin(), {Distribution(sizes_of(whole, true), made.in), {}});
  }
  if (!made.out.empty()) {
    if (stages.back().computes()) stages.push_back({cut_after(program, stages.size() - 1), {}});
    stages.push_back({Distribution(sizes_of(whole, false), made.out), {}});
  }
  return costed(program, made.request.links, made.request.rank_bandwidth);
}

/// The digits of a way there are those of the way back, exchanged: so what one leaves permuted the other takes.
SplitAxis digits_of(Problem const& problem, std::size_t axis, std::pair<Index, Index> const& pair) {
  if (problem.direction == Direction::forward) return {axis, pair.first, pair.second};
  return {axis, pair.second, pair.first};
}

void demand_orders(Wanted const& w) {
  auto const demand = [](AxisOrder order, std::vector<Box> const& boxes, char const* argument,
                         char const* side) {
    if (order == AxisOrder::permuted && !boxes.empty())
      throw Error(argument,
                  std::string("has boxes but ") + side +
                      " is permuted, whose boxes the plan chooses; leave it empty and ask the plan");
  };
  demand(w.in_order, w.in, "in", "in_order");
  demand(w.out_order, w.out, "out", "out_order");
}

/// The faster of the split that is best for so many ranks and, where boxes do not fit that, of the first that they fit.
Planned best_split(Wanted const& w, std::size_t axis, std::vector<std::pair<Index, Index>> const& pairs) {
  SplitRequest const best = split_request(w, digits_of(w.problem, axis, pairs.front()));
  Planned found = planned(best);
  if (best.fits()) return found;
  for (auto const& pair : pairs)
    if (SplitRequest const made = split_request(w, digits_of(w.problem, axis, pair)); made.fits()) {
      Planned fitting = planned(made);
      return fitting.seconds < found.seconds ? fitting : found;
    }
  return found;
}

}  // namespace

Planned chosen(Wanted const& w) {
  check_distributable(w.problem);
  demand_orders(w);
  auto const axis = axis_short_of_lines(w.problem, w.ranks);
  bool const may_permute = w.in_order == AxisOrder::permuted || w.out_order == AxisOrder::permuted;
  char const* const why = axis ? why_not_split(w.problem, *axis) : nullptr;
  if (why && may_permute)
    throw Error(w.out_order == AxisOrder::permuted ? "out_order" : "in_order",
                "is permuted but axis " + std::to_string(*axis) + " " + why +
                    ", which is not split over ranks; use natural order, or c2c");
  bool const splits = axis && !why && w.problem.axes.size() < max_rank;
  auto const pairs =
      splits ? digit_pairs(w.problem.axes[*axis].size, w.ranks) : std::vector<std::pair<Index, Index>>{};
  // What is left permuted must be found so by another plan, whose boxes may differ: the digits are always the same.
  if (may_permute && !pairs.empty())
    return planned(split_request(w, digits_of(w.problem, *axis, pairs.front())));
  Planned whole = plan_stages(unsplit(w));
  if (pairs.empty()) return whole;
  Planned split = best_split(w, *axis, pairs);
  return split.seconds < whole.seconds ? split : whole;
}

}  // namespace skipper::distributed
