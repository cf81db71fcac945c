// See program.h.
#include "distributed/program.h"

#include <algorithm>
#include <utility>

namespace skipper::distributed {
namespace {

bool is_halved(Problem const& problem, std::size_t axis) { return halved_axis(problem) == axis; }

std::size_t last_transforming(Program const& program) {
  std::size_t last = 0;
  for (std::size_t s = 0; s < program.stages.size(); ++s)
    if (!program.stages[s].axes.empty()) last = s;
  return last;
}

bool contains(std::vector<std::size_t> const& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

bool none(std::vector<bool> const& done) { return std::find(done.begin(), done.end(), true) == done.end(); }
bool all(std::vector<bool> const& done) { return std::find(done.begin(), done.end(), false) == done.end(); }

/// A stage from `before` to `after`: its arrays in 16-bit storage are those of callers, where no axis is done or all are.
LocalProblem with_narrow_sides(Problem problem, std::vector<bool> const& before,
                               std::vector<bool> const& after) {
  NarrowSides narrow = NarrowSides::both;
  if (is_16_bit(problem.precision)) {
    if (!none(before) && !all(after)) problem.precision = Precision::f32;
    narrow = !none(before) ? NarrowSides::output : !all(after) ? NarrowSides::input : NarrowSides::both;
  }
  return {std::move(problem), narrow};
}

}  // namespace

std::vector<bool> done_before(Program const& program, std::size_t stage) {
  std::vector<bool> done(program.problem.axes.size(), false);
  for (std::size_t s = 0; s < stage; ++s) {
    for (std::size_t const a : program.stages[s].axes) done[a] = true;
    for (std::size_t const a : program.stages[s].back) done[a] = false;
  }
  return done;
}

bool Program::is_round_trip() const {
  return std::any_of(stages.begin(), stages.end(), [](Stage const& stage) { return !stage.back.empty(); });
}

std::size_t middle_stage(Program const& program) {
  std::size_t s = 0;
  while (s < program.stages.size() && program.stages[s].back.empty()) ++s;
  return s;
}

Problem whole_problem(Program const& program) {
  return program.split ? problem_of_axis(program.problem, program.split->digits) : program.problem;
}

bool is_twiddled(Program const& program, std::size_t stage) {
  return program.split && contains(program.stages[stage].axes, program.split->digits.axis);
}

Box caller_box(Program const& program, bool input, Index rank) {
  std::size_t const end = input ? 0 : program.stages.size() - 1;
  Box const box = input ? program.stages[end].cut.box(rank) : cut_after(program, end).box(rank);
  return is_of_axis(program, end) ? box : *caller_box(program.split, program.problem, input, box);
}

bool is_of_axis(Program const& program, std::size_t stage) {
  return program.split && program.stages[stage].cut.sizes().size() <
                              program.problem.batch.size() + program.problem.axes.size();
}

namespace {

/// A cut of digits as one of the axis, which is in natural order on that side.
Distribution cut_of_axis(Program const& program, Distribution const& cut, bool input) {
  std::vector<Box> boxes;
  for (Index r = 0; r < cut.ranks(); ++r)
    boxes.push_back(*caller_box(program.split, program.problem, input, cut.box(r)));
  Problem const whole = whole_problem(program);
  return {sizes_after(whole, std::vector<bool>(whole.axes.size(), !input)), std::move(boxes)};
}

}  // namespace

Distribution sent_cut(Program const& program, std::size_t stage) {
  Distribution const cut = cut_after(program, stage);
  bool const joins = is_of_axis(program, stage + 1) && !is_of_axis(program, stage);
  return joins ? cut_of_axis(program, cut, false) : cut;
}

Distribution received_cut(Program const& program, std::size_t stage) {
  Distribution const& cut = program.stages[stage + 1].cut;
  bool const parts = is_of_axis(program, stage) && !is_of_axis(program, stage + 1);
  return parts ? cut_of_axis(program, cut, true) : cut;
}

std::vector<std::size_t> waiting_order(Program const& program, std::size_t stage) {
  std::size_t const last = program.stages.size() - 1;
  std::optional<Split> const none;
  if (is_of_axis(program, stage) || is_of_axis(program, stage + 1))
    return array_order(none, whole_problem(program), false);
  bool const ends = stage + 1 == last || (stage + 2 == last && is_of_axis(program, last));
  bool const handed_on = ends && !program.stages[stage + 1].computes();
  return array_order(handed_on ? program.split : none, program.problem, false);
}

Program program_of(Problem const& problem, Index ranks, std::vector<Stage> stages, Index pieces) {
  Problem dense = problem;
  if (stages.size() > 1) dense.placement = Placement::out_of_place;
  return {dense_layout(std::move(dense)), ranks, std::move(stages), pieces, {}};
}

std::vector<Index> sizes_after(Problem const& problem, std::vector<bool> const& done) {
  std::vector<Index> sizes;
  for (Dim const& dim : problem.batch) sizes.push_back(dim.size);
  for (std::size_t a = 0; a < problem.axes.size(); ++a) {
    bool const complex_side = is_halved(problem, a) && (problem.kind == Kind::r2c) == done[a];
    sizes.push_back(complex_side ? problem.axes[a].size / 2 + 1 : problem.axes[a].size);
  }
  return sizes;
}

bool is_complex(Problem const& problem, std::vector<bool> const& done) {
  auto const halved = halved_axis(problem);
  if (problem.kind == Kind::r2r) return false;
  if (!halved) return true;
  return problem.kind == Kind::r2c ? done[*halved] : !done[*halved];
}

Index element_bytes(Problem const& problem, std::vector<bool> const& done) {
  bool const narrow = is_16_bit(problem.precision) && (none(done) || all(done));
  Index const scalar = narrow ? 2 : problem.precision == Precision::f64 ? 8 : 4;
  return is_complex(problem, done) ? 2 * scalar : scalar;
}

Distribution cut_after(Program const& program, std::size_t stage) {
  if (is_of_axis(program, stage)) return program.stages[stage].cut;
  return program.stages[stage].cut.of_sizes(sizes_after(program.problem, done_before(program, stage + 1)));
}

Problem part_problem(Problem const& global, Along const& along, std::vector<Index> const& sizes,
                     std::vector<Index> const& in_strides, std::vector<Index> const& out_strides) {
  Problem local;
  local.precision = global.precision;
  local.norm = global.norm;
  std::size_t const first_axis = global.batch.size();
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (d < first_axis || !contains(along.axes, d - first_axis))
      local.batch.push_back({sizes[d], in_strides[d], out_strides[d]});
  bool halves = false;
  double factor = 1;
  for (std::size_t const a : along.axes) {
    std::size_t const d = first_axis + a;
    Axis axis = global.axes[a];
    axis.in_stride = in_strides[d];
    axis.out_stride = out_strides[d];
    if (along.back) axis.kind = inverse_kind(axis.kind);
    if (along.back && global.norm == Norm::none) factor *= round_trip_factor(axis);
    halves = halves || is_halved(global, a);
    local.axes.push_back(axis);
  }
  // The halved axis of a local problem is its last Fourier axis, as it is the last of the global one.
  Kind const halving = !along.back ? global.kind : global.kind == Kind::r2c ? Kind::c2r : Kind::r2c;
  local.kind = halves ? halving : is_complex(global, along.done) ? Kind::c2c : Kind::r2r;
  bool const forward = (global.direction == Direction::forward) != along.back;
  local.direction = local.kind == Kind::r2r || forward ? Direction::forward : Direction::inverse;
  local.scale = 1 / factor;
  return local;
}

LocalProblem local_problem(Program const& program, std::size_t stage, std::vector<Index> const& sizes,
                           std::vector<Index> const& in_strides, std::vector<Index> const& out_strides) {
  Stage const& here = program.stages[stage];
  bool const back = here.axes.empty() && !here.back.empty();
  std::vector<bool> const before = done_before(program, stage);
  Problem local = part_problem(program.problem, {back ? here.back : here.axes, before, back}, sizes,
                               in_strides, out_strides);
  if (!back && stage == last_transforming(program)) local.scale = program.problem.scale;
  return with_narrow_sides(std::move(local), before, done_before(program, stage + 1));
}

Index in_element_bytes(Program const& program, std::size_t stage) {
  return element_bytes(program.problem, done_before(program, stage));
}
Index out_element_bytes(Program const& program, std::size_t stage) {
  return element_bytes(program.problem, done_before(program, stage + 1));
}

void check_distributable(Problem const& problem) {
  Problem dense = dense_layout(problem);
  skipper::check(dense);
  if (problem.order != Order::natural)
    throw Error("order", "is not natural, which is not distributed yet; use natural order with any_output");
  if (is_partial(problem))
    throw Error("axes", "are padded or cropped, which is not distributed yet; transform whole axes");
}

namespace {

[[noreturn]] void refuse(std::size_t stage, std::string const& what, std::size_t axis,
                         std::string const& why) {
  throw Error("program", "stage " + std::to_string(stage + 1) + " " + what + " axis " + std::to_string(axis) +
                             ", which " + why);
}

/// The axes that a stage transforms, or undoes, are there, whole and not done (or done).
void check_axes(Program const& program, std::size_t s, bool back, std::vector<bool> const& done) {
  Stage const& stage = program.stages[s];
  std::string const what = back ? "undoes" : "transforms";
  for (std::size_t const a : back ? stage.back : stage.axes) {
    if (a >= done.size() || done[a] != back)
      refuse(s, what, a, back ? "there is not or which is not done" : "there is not or which is done");
    if (!stage.cut.is_whole(program.problem.batch.size() + a))
      refuse(s, what, a, "its ranks do not have whole");
  }
}

/// Fourier axes are transformed while data are complex. `done` as it is behind the axes of the stage.
void check_halved(Program const& program, std::size_t s, bool back, std::vector<bool> const& done) {
  Problem const& problem = program.problem;
  auto const halved = halved_axis(problem);
  if (!halved) return;
  if (problem.kind == Kind::c2r && !back && done[*halved] && !all(done))
    refuse(s, "transforms", *halved, "c2r must do last");
  if (problem.kind == Kind::c2r || done[*halved]) return;
  for (std::size_t a = 0; a < done.size(); ++a)
    if (done[a] && problem.axes[a].kind == AxisKind::fourier)
      refuse(s, back ? "undoes" : "does not transform", *halved,
             back ? "r2c undoes last" : "r2c must do first");
}

/// Sizes of the array that a stage cuts.
std::vector<Index> sizes_before(Program const& program, std::size_t stage, std::vector<bool> const& done) {
  if (!is_of_axis(program, stage)) return sizes_after(program.problem, done);
  Problem const whole = whole_problem(program);
  return sizes_after(whole, std::vector<bool>(whole.axes.size(), stage > 0));
}

/// An end in natural order has boxes of the axis: its own, or those of the stage beside it, which is of digits.
void check_callback(Program const& program, bool input) {
  auto const refuse = [](std::string const& why) { throw Error("program", why); };
  std::size_t const last = program.stages.size() - 1, end = input ? 0 : last;
  bool const whole = is_of_axis(program, end);
  std::size_t const beside = !whole ? end : input ? end + 1 : end - 1;
  std::string const where = "stage " + std::to_string(end + 1);
  if (whole && (program.stages[end].computes() || program.stages[beside].computes()))
    refuse(where + " is of the axis as one but it, or the stage beside it, transforms; both only hold data");
  if (whole && program.split->order(input) != AxisOrder::natural)
    refuse(where + " is of the axis as one but permuted; cut its digits");
  Distribution const cut = input ? program.stages[beside].cut : cut_after(program, beside);
  for (Index rank = 0; rank < program.ranks; ++rank)
    if (!caller_box(program.split, program.problem, input, cut.box(rank)))
      refuse("leaves rank " + std::to_string(rank) + (input ? " an input" : " an output") +
             " that is no box of the axis in natural order; cut the other digit, or let it be permuted");
}

/// The digits are of a Fourier axis of complex numbers, the first is done in a stage before the second, and callers in natural order
/// have boxes.
void check_split(Program const& program) {
  if (!program.split) return;
  auto const refuse = [](std::string const& why) { throw Error("program", why); };
  std::size_t const first = program.split->digits.axis, last = program.stages.size() - 1;
  for (std::size_t const a : {first, first + 1})
    if (char const* const why = why_not_split(program.problem, a))
      refuse("splits axis " + std::to_string(first) + ", which " + why);
  if (program.is_round_trip()) refuse("splits an axis but goes back, which is not done");
  for (std::size_t s = 0; s <= last; ++s) {
    if (contains(program.stages[s].axes, first + 1) && !done_before(program, s)[first])
      refuse("stage " + std::to_string(s + 1) + " transforms axis " + std::to_string(first + 1) +
             ", the second digit, but the first is not done before it");
    if (is_of_axis(program, s) && (last < 3 || (s > 0 && s < last)))
      refuse("stage " + std::to_string(s + 1) + " is of the axis as one; only the first and the last may be");
  }
  for (bool const input : {true, false}) check_callback(program, input);
}

}  // namespace

void check(Program const& program) {
  auto const refuse = [](std::string const& why) { throw Error("program", why); };
  check_distributable(program.problem);
  std::vector<bool> done(program.problem.axes.size(), false);
  bool back = false;
  if (program.stages.empty()) refuse("has no stage; it needs at least one");
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    Stage const& stage = program.stages[s];
    std::string const where = "stage " + std::to_string(s + 1);
    if (stage.cut.sizes() != sizes_before(program, s, done) || stage.cut.ranks() != program.ranks)
      refuse(where + " cuts an array of other sizes, or for other ranks, than the program's");
    if (back && !stage.axes.empty()) refuse(where + " transforms axes on the way back");
    check_axes(program, s, false, done);
    for (std::size_t const a : stage.axes) done[a] = true;
    if (!stage.axes.empty()) check_halved(program, s, false, done);
    if (stage.back.empty()) continue;
    if (!back && !all(done)) refuse(where + " goes back before all axes are transformed");
    back = true;
    check_axes(program, s, true, done);
    for (std::size_t const a : stage.back) done[a] = false;
    check_halved(program, s, true, done);
  }
  if (!back && !all(done)) refuse("leaves axes untransformed");
  if (back && !none(done)) refuse("does not undo all axes");
  check_split(program);
  if (program.pieces < 1)
    refuse("has exchanges in " + std::to_string(program.pieces) + " pieces; at least 1 is needed");
}

namespace {

std::string text(Split const& split) {
  std::string all = " split " + std::to_string(split.digits.axis) + " " + std::to_string(split.digits.first) +
                    "x" + std::to_string(split.digits.second);
  if (split.in == AxisOrder::permuted) all += " permuted_in";
  if (split.out == AxisOrder::permuted) all += " permuted_out";
  return all;
}

}  // namespace

std::string text(Program const& program) {
  std::string all =
      skipper::text(whole_problem(program)) + " over " + std::to_string(program.ranks) + " ranks";
  if (program.pieces != 1) all += " in " + std::to_string(program.pieces) + " pieces";
  if (program.split) all += text(*program.split);
  for (Stage const& stage : program.stages) {
    all += "\n" + stage.cut.text();
    for (std::size_t i = 0; i < stage.axes.size(); ++i)
      all += (i ? "," : " axes ") + std::to_string(stage.axes[i]);
    for (std::size_t i = 0; i < stage.back.size(); ++i)
      all += (i ? "," : " back ") + std::to_string(stage.back[i]);
  }
  return all;
}

}  // namespace skipper::distributed
