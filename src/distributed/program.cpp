#include "distributed/program.h"

#include <algorithm>

namespace skipper::distributed {
namespace {

bool is_halved(Problem const& problem, std::size_t axis) { return halved_axis(problem) == axis; }

std::vector<bool> done_before(Program const& program, std::size_t stage) {
  std::vector<bool> done(program.problem.axes.size(), false);
  for (std::size_t s = 0; s < stage; ++s)
    for (std::size_t const a : program.stages[s].axes) done[a] = true;
  return done;
}

/// Whether elements are complex once these axes are done.
bool is_complex(Problem const& problem, std::vector<bool> const& done) {
  auto const halved = halved_axis(problem);
  if (problem.kind == Kind::r2r) return false;
  if (!halved) return true;
  return problem.kind == Kind::r2c ? done[*halved] : !done[*halved];
}

std::size_t last_transforming(Program const& program) {
  std::size_t last = 0;
  for (std::size_t s = 0; s < program.stages.size(); ++s)
    if (!program.stages[s].axes.empty()) last = s;
  return last;
}

}  // namespace

Program program_of(Problem const& problem, Index ranks, std::vector<Stage> stages, Index pieces) {
  Problem dense = problem;
  if (stages.size() > 1) dense.placement = Placement::out_of_place;
  return {dense_layout(std::move(dense)), ranks, std::move(stages), pieces};
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

Index element_bytes(Problem const& problem, std::vector<bool> const& done) {
  return (problem.precision == Precision::f64 ? 8 : 4) * (is_complex(problem, done) ? 2 : 1);
}

Distribution cut_after(Program const& program, std::size_t stage) {
  return program.stages[stage].cut.of_sizes(sizes_after(program.problem, done_before(program, stage + 1)));
}

Problem local_problem(Program const& program, std::size_t stage, std::vector<Index> const& sizes,
                      std::vector<Index> const& in_strides, std::vector<Index> const& out_strides) {
  Problem const& global = program.problem;
  Problem local;
  local.precision = global.precision;
  local.norm = global.norm;
  local.direction = global.direction;
  std::size_t const first_axis = global.batch.size();
  std::vector<std::size_t> const& axes = program.stages[stage].axes;
  auto const here = [&](std::size_t d) {
    return d >= first_axis && std::find(axes.begin(), axes.end(), d - first_axis) != axes.end();
  };
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (!here(d)) local.batch.push_back({sizes[d], in_strides[d], out_strides[d]});
  bool halves = false;
  for (std::size_t const a : axes) {
    std::size_t const d = first_axis + a;
    Axis axis = global.axes[a];
    axis.in_stride = in_strides[d];
    axis.out_stride = out_strides[d];
    halves = halves || is_halved(global, a);
    local.axes.push_back(axis);
  }
  bool const complex_in = is_complex(global, done_before(program, stage));
  local.kind = halves ? global.kind : complex_in ? Kind::c2c : Kind::r2r;
  // The halved axis of a local problem is its last Fourier axis, as it is the last of the global one.
  if (local.kind == Kind::r2r) local.direction = Direction::forward;
  if (stage == last_transforming(program)) local.scale = global.scale;
  return local;
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
  if (problem.precision == Precision::f16)
    throw Error("precision", "is f16, which is not distributed yet; use f32 or f64");
  if (problem.order != Order::natural)
    throw Error("order",
                "is not natural, which is not distributed yet; use natural order with any_output");
  if (is_partial(problem))
    throw Error("axes", "are padded or cropped, which is not distributed yet; transform whole axes");
}

void check(Program const& program) {
  auto const refuse = [](std::string const& why) { throw Error("program", why); };
  check_distributable(program.problem);
  std::vector<bool> done(program.problem.axes.size(), false);
  std::size_t count = 0;
  auto const halved = halved_axis(program.problem);
  if (program.stages.empty()) refuse("has no stage; it needs at least one");
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    Stage const& stage = program.stages[s];
    std::string const where = "stage " + std::to_string(s + 1);
    if (stage.cut.sizes() != sizes_after(program.problem, done) || stage.cut.ranks() != program.ranks)
      refuse(where + " cuts an array of other sizes, or for other ranks, than the program's");
    for (std::size_t const a : stage.axes) {
      if (a >= done.size() || done[a])
        refuse(where + " transforms axis " + std::to_string(a) + ", which there is not or which is done");
      if (!stage.cut.is_whole(program.problem.batch.size() + a))
        refuse(where + " transforms axis " + std::to_string(a) + ", which its ranks do not have whole");
    }
    if (halved && program.problem.kind == Kind::r2c && count == 0 && !stage.axes.empty() &&
        std::find(stage.axes.begin(), stage.axes.end(), *halved) == stage.axes.end())
      refuse(where + " does not transform axis " + std::to_string(*halved) + ", which r2c must do first");
    for (std::size_t const a : stage.axes) done[a] = true;
    count += stage.axes.size();
    if (halved && program.problem.kind == Kind::c2r && done[*halved] && count < done.size())
      refuse(where + " transforms axis " + std::to_string(*halved) + ", which c2r must do last");
  }
  if (count != done.size()) refuse("leaves axes untransformed");
  if (program.pieces < 1)
    refuse("has exchanges in " + std::to_string(program.pieces) + " pieces; at least 1 is needed");
}

std::string text(Program const& program) {
  std::string all = skipper::text(program.problem) + " over " + std::to_string(program.ranks) + " ranks";
  if (program.pieces != 1) all += " in " + std::to_string(program.pieces) + " pieces";
  for (Stage const& stage : program.stages) {
    all += "\n" + stage.cut.text();
    for (std::size_t i = 0; i < stage.axes.size(); ++i)
      all += (i ? "," : " axes ") + std::to_string(stage.axes[i]);
  }
  return all;
}

}  // namespace skipper::distributed
