// Plans: the shared immutable state behind the public handle, and the checks of types on the way to the engine.
#include <skipper/plan.h>

#include <utility>

#include "api/engine.h"
#include "api/held.h"
#include "base/check_enum.h"
#include "cpu/pool.h"

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
  check_enum("host_arrays", settings.host_arrays, HostArrays::staged);
  cpu::resolved(settings.threads, settings.executor);  // throws where these make no sense
}

bool real_in(Kind kind) { return kind == Kind::r2c || kind == Kind::r2r; }

// The first pair of pointers of a typed call must be what the problem is about.
[[noreturn, gnu::cold, gnu::noinline]] void refuse(Problem const& problem, Kind kind, Precision precision) {
  auto const both = [](Kind k, Precision p) { return std::string(name(k)) + " " + std::string(name(p)); };
  bool const in = real_in(kind) != real_in(problem.kind) || precision != problem.precision;
  throw Error(in ? "in" : "out", "the pointers are those of " + both(kind, precision) + " but the plan is " +
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
  State const& state = held(state_, "plan");
  bool const same = state.problem.placement == Placement::in_place;
  if (!in || !out || same != (in == out)) refuse(in, out, same);
  state.engine->execute(in, out, workspace, stream);
}

void Plan::execute(std::complex<float> const* in, std::complex<float>* out) const {
  demand(held(state_, "plan").problem, Kind::c2c, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<double> const* in, std::complex<double>* out) const {
  demand(held(state_, "plan").problem, Kind::c2c, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(float const* in, std::complex<float>* out) const {
  demand(held(state_, "plan").problem, Kind::r2c, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(double const* in, std::complex<double>* out) const {
  demand(held(state_, "plan").problem, Kind::r2c, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<float> const* in, float* out) const {
  demand(held(state_, "plan").problem, Kind::c2r, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(std::complex<double> const* in, double* out) const {
  demand(held(state_, "plan").problem, Kind::c2r, Precision::f64);
  execute(in, out, nullptr);
}
void Plan::execute(float const* in, float* out) const {
  demand(held(state_, "plan").problem, Kind::r2r, Precision::f32);
  execute(in, out, nullptr);
}
void Plan::execute(double const* in, double* out) const {
  demand(held(state_, "plan").problem, Kind::r2r, Precision::f64);
  execute(in, out, nullptr);
}

void Plan::execute(Half const* in, Half* out) const {
  demand(problem(), problem().kind, Precision::f16);
  execute(in, out, nullptr);
}
void Plan::execute(BFloat16 const* in, BFloat16* out) const {
  demand(problem(), problem().kind, Precision::bf16);
  execute(in, out, nullptr);
}

std::size_t Plan::workspace_bytes() const { return held(state_, "plan").engine->workspace_bytes(); }
Plan Plan::inverse() const {
  PlanSettings settings = held(state_, "plan").settings;
  settings.program.clear();  // these are for the way there
  settings.ends = {};
  return Plan(inverse_problem(held(state_, "plan").problem), settings);
}
Problem const& Plan::problem() const { return held(state_, "plan").problem; }
Device const& Plan::device() const { return held(state_, "plan").settings.device; }
std::string Plan::describe() const { return held(state_, "plan").engine->describe(); }
std::vector<PlanPart> Plan::creation() const { return held(state_, "plan").engine->creation(); }

}  // namespace skipper
