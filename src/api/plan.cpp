// Plans: the shared immutable state behind the public handle, and the checks of types on the way to the engine.
#include <skipper/plan.h>

#include <utility>

#include "api/arrays.h"
#include "api/elements.h"
#include "api/engine.h"
#include "api/held.h"
#include "api/settings.h"

namespace skipper {

struct Plan::State {
  Problem problem;
  PlanSettings settings;
  Elements types;
  Spans spans;
  std::unique_ptr<Engine const> engine;
};

namespace {

Problem dense_c2c(std::vector<std::int64_t> const& shape, Precision precision, Direction direction) {
  return c2c(shape, 1, precision, direction);
}

void demand_sound(Problem const& problem, PlanSettings const& settings) {
  check(problem);
  check_settings(settings.cpu);
  check_settings(settings.gpu);
  check_settings(settings.callbacks);
  demand_cpu(settings.cpu, settings.device);
  demand_gpu(settings.gpu, settings.device);
}

// Apart, so that a call of nanoseconds pays for nothing of it.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(void const* in, void const* out, bool same) {
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  throw Error(
      "out", same
                 ? "differs from in but the plan is in place; give one pointer twice"
                 : "is the same array as in but the plan is out of place; give another, or make it in place");
}

}  // namespace

Plan::Plan(std::vector<std::int64_t> const& shape, Precision precision, Direction direction,
           PlanSettings const& settings)
    : Plan(dense_c2c(shape, precision, direction), settings) {}

Plan::Plan(std::vector<std::int64_t> const& shape, PlanSettings const& settings)
    : Plan(c2c(shape), settings) {}

Plan::Plan(Problem const& problem, PlanSettings const& settings) {
  demand_sound(problem, settings);
  State state{problem, settings, elements(problem), spans_of(problem), nullptr};
  state.engine = make_engine(problem, state.settings);
  state_ = std::make_shared<State const>(std::move(state));
}

void Plan::run(void const* in, Element in_type, void* out, Element out_type,
               ExecuteSettings const& settings) const {
  State const& state = held(state_, "plan");
  bool const same = state.problem.placement == Placement::in_place;
  demand_elements({in_type, out_type}, state.types, same);
  if (!in || !out || same != (in == out)) refuse(in, out, same);
  demand_apart(in, out, state.spans);
  demand_workspace(settings, [&] { return state.engine->workspace_bytes(); });
  state.engine->execute(in, out, settings);
}

std::size_t Plan::workspace_bytes() const { return held(state_, "plan").engine->workspace_bytes(); }
Plan Plan::inverse() const {
  PlanSettings settings = held(state_, "plan").settings;
  settings.gpu.program.clear();  // these are for the way there
  settings.callbacks = {};
  return Plan(inverse_problem(held(state_, "plan").problem), settings);
}
Problem const& Plan::problem() const { return held(state_, "plan").problem; }
Device const& Plan::device() const { return held(state_, "plan").settings.device; }
std::string Plan::describe() const { return held(state_, "plan").engine->describe(); }
std::vector<PlanTiming> Plan::plan_timings() const { return held(state_, "plan").engine->plan_timings(); }

}  // namespace skipper
