// Plans: the shared immutable state behind the public handle, and the checks of types on the way to the engine.
#include <skipper/plan.h>

#include <utility>

#include "api/engine.h"

namespace skipper {

struct Plan::State {
  Problem problem;
  PlanSettings settings;
  std::unique_ptr<Engine const> engine;
};

namespace {

Problem dense_c2c(std::vector<std::int64_t> const& shape, Precision precision, Direction direction) {
  return c2c(shape, 1, precision, direction);
}

void demand_sound(Problem const& problem, PlanSettings const& settings) {
  check(problem);
  if (settings.threads < 0)
    throw Error("threads", "is " + std::to_string(settings.threads) +
                               " but must be at least 0, which is one for each core");
}

// The first pair of pointers of a typed call must be what the problem is about.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(Problem const& problem, Kind kind, Precision precision) {
  auto const both = [](Kind k, Precision p) { return std::string(name(k)) + " " + std::string(name(p)); };
  throw Error("execute", "the pointers are those of " + both(kind, precision) + " but the plan is " +
                             both(problem.kind, problem.precision) +
                             "; make the plan for what the arrays hold");
}
void demand(Problem const& problem, Kind kind, Precision precision) {
  if (problem.kind != kind || problem.precision != precision) refuse(problem, kind, precision);
}

// Apart, as the above, so that a call of nanoseconds pays for nothing of it.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(void const* in, void const* out, bool same) {
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  throw Error("out",
              same ? "differs from in but the plan is in place; give one pointer twice"
                   : "is the same array as in but the plan is out of place; make it from in_place(problem)");
}

}  // namespace

Plan::Plan(std::vector<std::int64_t> const& shape, Precision precision, Direction direction,
           PlanSettings const& settings)
    : Plan(dense_c2c(shape, precision, direction), settings) {}

Plan::Plan(Problem const& problem, PlanSettings const& settings) {
  demand_sound(problem, settings);
  State state{problem, settings, nullptr};
  state.engine = make_engine(problem, state.settings);
  state_ = std::make_shared<State const>(std::move(state));
}

void Plan::execute(void const* in, void* out, void* workspace, void* stream) const {
  bool const same = state_->problem.placement == Placement::in_place;
  if (!in || !out || same != (in == out)) refuse(in, out, same);
  state_->engine->execute(in, out, workspace, stream);
}

void Plan::execute(std::complex<float> const* in, std::complex<float>* out) const {
  demand(state_->problem, Kind::c2c, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<double> const* in, std::complex<double>* out) const {
  demand(state_->problem, Kind::c2c, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(float const* in, std::complex<float>* out) const {
  demand(state_->problem, Kind::r2c, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(double const* in, std::complex<double>* out) const {
  demand(state_->problem, Kind::r2c, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<float> const* in, float* out) const {
  demand(state_->problem, Kind::c2r, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<double> const* in, double* out) const {
  demand(state_->problem, Kind::c2r, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(float const* in, float* out) const {
  demand(state_->problem, Kind::r2r, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(double const* in, double* out) const {
  demand(state_->problem, Kind::r2r, Precision::f64);
  execute(in, out, nullptr);
}

void Plan::execute(Half const* in, Half* out) const {
  demand(state_->problem, state_->problem.kind, Precision::f16);
  execute(in, out, nullptr);
}

std::size_t Plan::workspace_bytes() const { return state_->engine->workspace_bytes(); }
Plan Plan::inverse() const {
  PlanSettings settings = state_->settings;
  settings.program.clear();  // these are for the way there
  settings.ends = {};
  return Plan(inverse_problem(state_->problem), settings);
}
Problem const& Plan::problem() const { return state_->problem; }
Device const& Plan::device() const { return state_->settings.device; }
std::string Plan::describe() const { return state_->engine->describe(); }
std::vector<PlanPart> Plan::creation() const { return state_->engine->creation(); }

}  // namespace skipper
