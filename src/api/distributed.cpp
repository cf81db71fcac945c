// Distributed plans: the stages that ranks agree on, and the run of one rank.
#include <skipper/distributed.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "api/agreement.h"
#include "api/cpu_processor.h"
#include "api/cuda_rank.h"
#include "api/arrays.h"
#include "api/elements.h"
#include "api/held.h"
#include "distributed/choice.h"
#include "distributed/gpu_run.h"
#include "distributed/memory.h"
#include "distributed/run.h"

namespace skipper {
namespace {

using namespace distributed;

/// The fewest digits that tell a number from all others.
std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

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
                         {"scale", shortest(p.scale)},
                         {"placement", p.placement == Placement::in_place ? "in place" : "out of place"},
                         {"norm", std::string(name(p.norm))}};
  for (auto& field : common_fields(settings)) fields.push_back(std::move(field));
  return fields;
}

std::vector<bool> all_axes(Problem const& problem, bool done) {
  return std::vector<bool>(problem.axes.size(), done);
}

/// What the planner makes of it. `boxes` gives the boxes of all ranks from those of the settings.
template <class Boxes>
Program planned(Problem const& problem, Index ranks, DistributedSettings const& settings, Links const& links,
                double bandwidth, Boxes const& boxes) {
  Wanted wanted{
      problem,   ranks,          {}, {}, settings.any_output, settings.in_order, settings.out_order, links,
      bandwidth, settings.pieces};
  if (!settings.in.empty()) wanted.in = boxes(settings.in, in_sizes(problem), "in");
  if (!settings.out.empty()) wanted.out = boxes(settings.out, out_sizes(problem), "out");
  return chosen(wanted).program;
}

Program program_for(Problem const& problem, Communicator& c, DistributedSettings const& settings) {
  if (!settings.program.empty()) return parse_program(settings.program, problem, c.size());
  auto const device = cuda_number(settings.device);
  double const bandwidth = least_of_all(c, device ? cuda_copy_bandwidth(*device) : 1e10);
  Index const ranks_per_node = Index(least_of_all(c, c.ranks_per_node()));
  return planned(problem, c.size(), settings, links_for(settings, device ? "nvlink" : "host", ranks_per_node),
                 bandwidth,
                 [&](std::vector<Box> const& given, std::vector<Index> const& sizes, char const* argument) {
                   return all_boxes(c, given, sizes, argument);
                 });
}

/// The same where one process has all ranks.
Program program_for(Problem const& problem, std::vector<int> const& devices,
                    DistributedSettings const& settings) {
  Index const ranks = Index(devices.size());
  if (!settings.program.empty()) return parse_program(settings.program, problem, ranks);
  return planned(problem, ranks, settings, links_for(settings, "nvlink", ranks), cuda_copy_bandwidth(devices),
                 [&](std::vector<Box> const& given, std::vector<Index> const& sizes, char const* argument) {
                   return boxes_of_devices(devices.size(), given, sizes, argument);
                 });
}

void demand_rank(int rank, Program const& program) {
  if (rank < 0 || rank >= program.ranks)
    throw Error("rank", "is " + std::to_string(rank) + " but the plan has the ranks 0 to " +
                            std::to_string(program.ranks - 1));
}

}  // namespace

struct DistributedPlan::State {
  Problem problem;
  std::shared_ptr<Communicator> communicator;  // null where one process has all ranks
  Program program;
  std::vector<int> here;  // ranks of this process
  Box in_box, out_box;    // of the first of them
  std::unique_ptr<RankRun> cpu;
  std::unique_ptr<GpuRun> gpu;

  /// As the caller sees it, and as the program has it.
  Box box(int rank, bool input) const {
    demand_rank(rank, program);
    return caller_box(program, input, rank);
  }
  Distribution cut(bool input) const {
    return input ? program.stages.front().cut : cut_after(program, program.stages.size() - 1);
  }
  /// Whether callers have boxes of an axis as one though its digits are not cut so.
  bool is_whole(bool input) const { return is_of_axis(program, input ? 0 : program.stages.size() - 1); }
  std::int64_t elements(int rank, bool input) const {
    demand_rank(rank, program);
    return array_elements(cut(input).box(rank), is_whole(input) ? problem : program.problem, input,
                          problem.placement == Placement::in_place);
  }
  std::int64_t global(int rank, bool input, std::int64_t i) const {
    demand_rank(rank, program);
    Distribution const all = cut(input);
    Box const own = all.box(rank);
    if (i < 0 || i >= volume(own))
      throw Error("i", "is " + std::to_string(i) + " but the box of rank " + std::to_string(rank) + " has " +
                           std::to_string(volume(own)) + " elements, counted from 0");
    return global_index(is_whole(input) ? std::nullopt : program.split,
                        is_whole(input) ? problem : program.problem, input, all.sizes(), own, i);
  }
  std::size_t index(int rank) const {
    demand_rank(rank, program);
    auto const found = std::find(here.begin(), here.end(), rank);
    if (found == here.end())
      throw Error("rank", "is " + std::to_string(rank) + " but this process has rank " +
                              std::to_string(here.front()) + " only");
    return std::size_t(found - here.begin());
  }
  void fail(Error const& error) const {
    if (communicator) communicator->fail(error.what());
    throw error;
  }
  /// Throws Error, on all ranks, for arrays that the plan cannot take.
  void check_arrays(int rank, void const* in, void const* out) const {
    auto const demand = [&](char const* argument, bool good, char const* why) {
      if (!good) fail(Error(argument, why));
    };
    demand("in", in || is_empty(box(rank, true)), "is a null pointer but this rank's box has elements");
    demand("out", out || is_empty(box(rank, false)), "is a null pointer but this rank's box has elements");
    bool const in_place = problem.placement == Placement::in_place;
    demand("out", in_place || !in || in != out,
           "is the same array as in but the plan is out of place; give another, or make it in place");
    demand("out", !in_place || in == out, "differs from in but the plan is in place; give one pointer twice");
  }
  void check_types(Elements given) const {
    Elements const wanted = skipper::elements(problem);
    bool const in_place = problem.placement == Placement::in_place;
    if (!fits(given.in, wanted.in)) fail(wrong_element("in", given.in, wanted.in, "reads", in_place));
    if (!fits(given.out, wanted.out)) fail(wrong_element("out", given.out, wanted.out, "writes", in_place));
  }
  /// That arrays which are not one lie apart, and that the workspace is large enough.
  void check_memory(int rank, void const* in, void const* out, ExecuteSettings const& settings) const try {
    if (in && out && problem.placement != Placement::in_place)
      demand_apart(in, out,
                   {elements(rank, true) * in_element_bytes(problem),
                    elements(rank, false) * out_element_bytes(problem)});
    demand_workspace(settings, [&] { return cpu ? 0 : gpu->workspace_bytes(index(rank)); });
  } catch (Error const& e) {
    fail(e);
  }
  void check_stream(ExecuteSettings const& settings) const {
    if (cpu && settings.stream)
      fail(Error("stream", "is given but the rank is on the cpu, which has none; leave it out"));
  }
  void demand_one_array() const {
    if (!communicator && program.ranks > 1)
      throw Error("in", "is one array but the plan has all " + std::to_string(program.ranks) +
                            " ranks; give the arrays of each");
  }
  std::vector<GpuCall> checked(std::vector<RankArrays> const& ranks) const {
    if (ranks.size() != here.size())
      fail(Error("ranks", "has " + std::to_string(ranks.size()) + " entries but this process has " +
                              std::to_string(here.size()) + " ranks; give the arrays of each"));
    std::vector<GpuCall> calls;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      check_arrays(here[i], ranks[i].in, ranks[i].out);
      check_memory(here[i], ranks[i].in, ranks[i].out, ranks[i].settings);
      calls.push_back({ranks[i].in, ranks[i].out, ranks[i].settings.workspace, ranks[i].settings.stream});
    }
    return calls;
  }
  std::vector<std::vector<StageTimes>> timed(std::vector<GpuCall> const& calls) const {
    if (gpu) return gpu->execute_timed(calls);
    std::vector<StageTimes> times(program.stages.size());
    cpu->execute(calls.front().in, calls.front().out, &times);
    return {times};
  }
  void make_boxes() {
    in_box = box(here.front(), true);
    out_box = box(here.front(), false);
  }
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
    demand_dense(problem);
    check_settings(settings);
    demand_for_rank(settings, cuda_number(settings.device).has_value());
    auto state = std::make_shared<State>();
    state->problem = problem;
    state->communicator = communicator;
    state->program = program_for(problem, *communicator, settings);
    demand_same_program(*communicator, text(state->program));
    state->here = {communicator->rank()};
    state->make_boxes();
    bool const in_place = problem.placement == Placement::in_place;
    if (auto const device = cuda_number(settings.device)) {
      std::vector<GpuRank> rank{{communicator->rank(), cuda_rank(*device)}};
      state->gpu = std::make_unique<GpuRun>(
          state->program, std::move(rank), communicator,
          GpuOptions{{in_place}, settings.exchange, ExchangeMethod::fused, settings.gpu.streams});
    } else {
      check_cpu_exchange(settings.exchange);
      state->cpu =
          std::make_unique<RankRun>(state->program, communicator,
                                    std::make_unique<CpuProcessor>(rank_options(settings.cpu, *communicator)),
                                    RunOptions{in_place, settings.exchange});
    }
    state_ = std::move(state);
  } catch (std::exception const& e) {
    communicator->fail(e.what());
    throw;
  }
}

DistributedPlan::DistributedPlan(Problem const& problem, std::vector<Device> const& devices,
                                 DistributedSettings const& settings) {
  std::vector<int> const numbers = cuda_numbers(devices);
  std::vector<GpuRank> ranks;
  for (int const number : numbers) ranks.push_back({Index(ranks.size()), cuda_rank(number)});
  check_distributable(problem);
  demand_dense(problem);
  check_settings(settings);
  demand_for_rank(settings, true);
  demand_no_device(settings);
  auto state = std::make_shared<State>();
  state->problem = problem;
  state->program = program_for(problem, numbers, settings);
  for (std::size_t r = 0; r < devices.size(); ++r) state->here.push_back(int(r));
  state->make_boxes();
  GpuOptions const options{{problem.placement == Placement::in_place},
                           settings.exchange,
                           kept_exchange(devices),
                           settings.gpu.streams};
  state->gpu = std::make_unique<GpuRun>(state->program, std::move(ranks), nullptr, options);
  state_ = std::move(state);
}

void DistributedPlan::run(void const* in, Element in_type, void* out, Element out_type,
                          ExecuteSettings const& settings) const {
  State const& s = held(state_, "plan");
  s.demand_one_array();
  s.check_types({in_type, out_type});
  s.check_stream(settings);
  s.check_arrays(s.here.front(), in, out);
  s.check_memory(s.here.front(), in, out, settings);
  if (s.cpu) return s.cpu->execute(in, out);
  s.gpu->execute({{in, out, settings.workspace, settings.stream}});
}

std::vector<StageTimes> DistributedPlan::run_timed(void const* in, Element in_type, void* out,
                                                   Element out_type, ExecuteSettings const& settings) const {
  State const& s = held(state_, "plan");
  s.demand_one_array();
  s.check_types({in_type, out_type});
  s.check_stream(settings);
  s.check_arrays(s.here.front(), in, out);
  s.check_memory(s.here.front(), in, out, settings);
  return s.timed({{in, out, settings.workspace, settings.stream}}).front();
}

std::vector<std::vector<StageTimes>> DistributedPlan::execute_timed(
    std::vector<RankArrays> const& ranks) const {
  State const& s = held(state_, "plan");
  return s.timed(s.checked(ranks));
}

void DistributedPlan::execute(std::vector<RankArrays> const& ranks) const {
  State const& s = held(state_, "plan");
  std::vector<GpuCall> const calls = s.checked(ranks);
  if (s.cpu) return s.cpu->execute(ranks.front().in, ranks.front().out);
  s.gpu->execute(calls);
}

Box const& DistributedPlan::in_box() const { return held(state_, "plan").in_box; }
Box const& DistributedPlan::out_box() const { return held(state_, "plan").out_box; }
Box DistributedPlan::in_box(int rank) const { return held(state_, "plan").box(rank, true); }
Box DistributedPlan::out_box(int rank) const { return held(state_, "plan").box(rank, false); }
std::int64_t DistributedPlan::in_elements() const { return in_elements(held(state_, "plan").here.front()); }
std::int64_t DistributedPlan::out_elements() const { return out_elements(held(state_, "plan").here.front()); }
std::int64_t DistributedPlan::in_elements(int rank) const {
  return held(state_, "plan").elements(rank, true);
}
std::int64_t DistributedPlan::out_elements(int rank) const {
  return held(state_, "plan").elements(rank, false);
}
std::optional<SplitAxis> DistributedPlan::split() const {
  auto const& split = held(state_, "plan").program.split;
  return split ? std::optional(split->digits) : std::nullopt;
}
AxisOrder DistributedPlan::in_order() const {
  auto const& split = held(state_, "plan").program.split;
  return split ? split->in : AxisOrder::natural;
}
AxisOrder DistributedPlan::out_order() const {
  auto const& split = held(state_, "plan").program.split;
  return split ? split->out : AxisOrder::natural;
}
std::int64_t DistributedPlan::in_index(std::int64_t i) const {
  return in_index(held(state_, "plan").here.front(), i);
}
std::int64_t DistributedPlan::out_index(std::int64_t i) const {
  return out_index(held(state_, "plan").here.front(), i);
}
std::int64_t DistributedPlan::in_index(int rank, std::int64_t i) const {
  return held(state_, "plan").global(rank, true, i);
}
std::int64_t DistributedPlan::out_index(int rank, std::int64_t i) const {
  return held(state_, "plan").global(rank, false, i);
}
Problem const& DistributedPlan::problem() const { return held(state_, "plan").problem; }
std::int64_t DistributedPlan::memory_bytes() const {
  State const& s = held(state_, "plan");
  if (s.cpu) return s.cpu->memory_bytes();
  std::int64_t all = 0;
  for (std::size_t i = 0; i < s.here.size(); ++i) all += s.gpu->memory_bytes(i);
  return all;
}
std::int64_t DistributedPlan::workspace_bytes(int rank) const {
  State const& s = held(state_, "plan");
  std::size_t const i = s.index(rank);
  return s.cpu ? 0 : s.gpu->workspace_bytes(i);
}
ExchangeMethod DistributedPlan::exchange() const {
  State const& s = held(state_, "plan");
  return s.cpu ? s.cpu->method() : s.gpu->method();
}
int DistributedPlan::exchanges() const { return held(state_, "plan").program.exchanges(); }
std::int64_t DistributedPlan::sent_bytes() const {
  State const& s = held(state_, "plan");
  if (s.cpu) return s.cpu->sent_bytes();
  std::int64_t all = 0;
  for (std::size_t i = 0; i < s.here.size(); ++i) all += s.gpu->sent_bytes(i);
  return all;
}
std::string DistributedPlan::describe() const { return distributed::text(held(state_, "plan").program); }

}  // namespace skipper
