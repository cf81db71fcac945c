// Distributed plans: the stages that ranks agree on, and the run of one rank.
#include <skipper/distributed.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "api/agreement.h"
#include "api/cpu_processor.h"
#include "api/held.h"
#include "distributed/planner.h"
#include "distributed/run.h"

namespace skipper {
namespace {

using namespace distributed;

/// What must be the same on all ranks.
CommonFields all_fields(Problem const& p, DistributedSettings const& settings) {
  std::string axes, batch;
  for (Axis const& a : p.axes) axes += std::to_string(a.size) + " " + std::string(name(a.kind)) + ", ";
  for (Dim const& d : p.batch) batch += std::to_string(d.size) + ", ";
  CommonFields fields = {{"kind", std::string(name(p.kind))},
                         {"precision", std::string(name(p.precision))},
                         {"direction", std::string(name(p.direction))},
                         {"axes", axes},
                         {"batch", batch},
                         {"scale", std::to_string(p.scale)},
                         {"placement", p.placement == Placement::in_place ? "in place" : "out of place"},
                         {"norm", std::string(name(p.norm))}};
  for (auto& field : common_fields(settings)) fields.push_back(std::move(field));
  return fields;
}

std::vector<bool> all_axes(Problem const& problem, bool done) {
  return std::vector<bool>(problem.axes.size(), done);
}

Program program_for(Problem const& problem, Communicator& c, DistributedSettings const& settings) {
  if (!settings.program.empty()) {
    Program program = parse_program(settings.program);
    if (program.is_round_trip())
      throw Error("program", "goes there and back, which a transform does not; give a transform's");
    if (program.ranks != c.size())
      throw Error("program", "is for " + std::to_string(program.ranks) + " ranks but there are " +
                                 std::to_string(c.size()));
    Problem const dense = program_of(problem, c.size(), program.stages).problem;
    if (text(program.problem) != text(dense))
      throw Error("program",
                  "is of '" + text(program.problem) + "' but the problem is '" + text(dense) + "'");
    return program;
  }
  std::vector<Index> const sizes = sizes_after(problem, all_axes(problem, false));
  std::vector<Index> const done = sizes_after(problem, all_axes(problem, true));
  Distribution const in(
      sizes, settings.in.empty() ? slabs(sizes, c.size()) : all_boxes(c, settings.in, sizes, "in"));
  std::optional<Distribution> out;
  if (!settings.out.empty())
    out = Distribution(done, all_boxes(c, settings.out, done, "out"));
  else if (!settings.any_output)
    out = default_out(problem, in);
  Links joined = links(settings.links.empty() ? "host" : settings.links);
  if (settings.links.empty()) joined.ranks_per_node = std::max(1, c.ranks_per_node());
  return plan_stages({problem, in, out, joined, 1e10, settings.pieces}).program;
}

/// Elements of a rank's array, from its first to its last.
Index elements_of(Box const& box, Problem const& problem, bool input) {
  if (is_empty(box)) return 0;
  auto const halved = halved_axis(problem);
  Index const all = volume(box);
  if (!halved || problem.placement != Placement::in_place) return all;
  // Rows of reals are padded to those of complex numbers.
  Index const n = problem.axes[*halved].size, rows = all / box.size[problem.batch.size() + *halved];
  bool const real = input == (problem.kind == Kind::r2c);
  return rows * (n / 2 + 1) * (real ? 2 : 1);
}

void demand_rank(int rank, Program const& program) {
  if (rank < 0 || rank >= program.ranks)
    throw Error("rank", "is " + std::to_string(rank) + " but the plan has the ranks 0 to " +
                            std::to_string(program.ranks - 1));
}

}  // namespace

struct DistributedPlan::State {
  Problem problem;
  std::shared_ptr<Communicator> communicator;
  Program program;
  Box in_box, out_box;
  std::unique_ptr<RankRun> run;
};

std::vector<std::int64_t> in_sizes(Problem const& problem) {
  return sizes_after(problem, all_axes(problem, false));
}
std::vector<std::int64_t> out_sizes(Problem const& problem) {
  return sizes_after(problem, all_axes(problem, true));
}

DistributedPlan::DistributedPlan(Problem const& problem, std::shared_ptr<Communicator> communicator,
                                 DistributedSettings const& settings) {
  if (!communicator) throw Error("communicator", "is null; give one, as thread_communicators() makes them");
  try {
    demand_agreement(*communicator, all_fields(problem, settings));
    check_distributable(problem);
    check_settings(settings);
    auto state = std::make_shared<State>();
    state->problem = problem;
    state->communicator = communicator;
    state->program = program_for(problem, *communicator, settings);
    Program const& program = state->program;
    Index const rank = communicator->rank();
    state->in_box = program.stages.front().cut.box(rank);
    state->out_box = cut_after(program, program.stages.size() - 1).box(rank);
    state->run = std::make_unique<RankRun>(
        program, communicator, std::make_unique<CpuProcessor>(rank_threads(settings.threads, *communicator)),
        RunOptions{problem.placement == Placement::in_place, settings.exchange});
    state_ = std::move(state);
  } catch (std::exception const& e) {
    communicator->fail(e.what());
    throw;
  }
}

void DistributedPlan::execute(void const* in, void* out) const {
  State const& s = held(state_, "plan");
  auto const demand = [&](char const* argument, bool good, char const* why) {
    if (good) return;
    s.communicator->fail(std::string(argument) + ": " + why);
    throw Error(argument, why);
  };
  demand("in", in || is_empty(s.in_box), "is a null pointer but this rank's box has elements");
  demand("out", out || is_empty(s.out_box), "is a null pointer but this rank's box has elements");
  bool const in_place = s.problem.placement == Placement::in_place;
  demand("out", in_place || !in || in != out,
         "is the same array as in but the plan is out of place; make it from in_place(problem)");
  demand("out", !in_place || in == out, "differs from in but the plan is in place; give one pointer twice");
  s.run->execute(in, out);
}

Box const& DistributedPlan::in_box() const { return held(state_, "plan").in_box; }
Box const& DistributedPlan::out_box() const { return held(state_, "plan").out_box; }
Box DistributedPlan::in_box(int rank) const {
  Program const& program = held(state_, "plan").program;
  demand_rank(rank, program);
  return program.stages.front().cut.box(rank);
}
Box DistributedPlan::out_box(int rank) const {
  Program const& program = held(state_, "plan").program;
  demand_rank(rank, program);
  return cut_after(program, program.stages.size() - 1).box(rank);
}
std::int64_t DistributedPlan::in_elements() const {
  return elements_of(held(state_, "plan").in_box, held(state_, "plan").problem, true);
}
std::int64_t DistributedPlan::out_elements() const {
  return elements_of(held(state_, "plan").out_box, held(state_, "plan").problem, false);
}
Problem const& DistributedPlan::problem() const { return held(state_, "plan").problem; }
std::int64_t DistributedPlan::memory_bytes() const { return held(state_, "plan").run->memory_bytes(); }
int DistributedPlan::exchanges() const { return held(state_, "plan").program.exchanges(); }
std::int64_t DistributedPlan::sent_bytes() const { return held(state_, "plan").run->sent_bytes(); }
std::string DistributedPlan::describe() const { return distributed::text(held(state_, "plan").program); }

}  // namespace skipper
