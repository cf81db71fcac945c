// The C interface to plans.
#include <skipper/executor.h>
#include <skipper/plan.h>
#include <skipper/skipper_c.h>
#include <skipper/version.h>

#include <utility>

#include "api/c_problem.h"
#include "api/guarded.h"
#include "base/lazy.h"

struct skipper_plan {
  skipper::Plan plan;
};

using namespace skipper::c;

extern "C" {

int skipper_plan_create(skipper_plan** plan, skipper_problem const* problem,
                        skipper_plan_settings const* settings) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    *plan = new skipper_plan{skipper::Plan(problem_of(problem), settings_of(settings))};
  });
}

int skipper_plan_create_text(skipper_plan** plan, char const* problem,
                             skipper_plan_settings const* settings) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    demanded(problem, "problem");
    *plan = new skipper_plan{skipper::Plan(skipper::parse_problem(problem), settings_of(settings))};
  });
}

int skipper_plan_create_inverse(skipper_plan** inverse, skipper_plan const* plan) {
  return guarded([&] {
    if (demanded(inverse, "inverse") != plan) *inverse = nullptr;
    *inverse = new skipper_plan{demanded(plan, "plan").plan.inverse()};
  });
}

void skipper_plan_destroy(skipper_plan* plan) { delete plan; }

int skipper_execute(skipper_plan const* plan, void const* in, void* out) {
  return skipper_execute_on(plan, in, out, nullptr);
}

int skipper_execute_on(skipper_plan const* plan, void const* in, void* out,
                       skipper_execute_settings const* settings) {
  return guarded([&] { demanded(plan, "plan").plan.execute(in, out, settings_of(settings)); });
}

int skipper_workspace_bytes(skipper_plan const* plan, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") = static_cast<long long>(demanded(plan, "plan").plan.workspace_bytes());
  });
}

int skipper_array_bytes(skipper_plan const* plan, long long* in, long long* out) {
  return guarded([&] {
    skipper::Problem const& problem = demanded(plan, "plan").plan.problem();
    demanded(in, "in") = skipper::in_bytes(problem);
    demanded(out, "out") = skipper::out_bytes(problem);
  });
}

int skipper_plan_problem(skipper_plan const* plan, skipper_problem* given, skipper_axis* axes,
                         skipper_dim* batch) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.problem(), given, axes, batch); });
}

int skipper_plan_device(skipper_plan const* plan, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.device().name(), text, size, needed); });
}

int skipper_describe(skipper_plan const* plan, char* text, long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.describe(), text, size, needed); });
}

int skipper_plan_timing_count(skipper_plan const* plan, int* count) {
  return guarded([&] { demanded(count, "count") = int(demanded(plan, "plan").plan.plan_timings().size()); });
}

int skipper_plan_timing(skipper_plan const* plan, int i, char* name, long long size, long long* needed,
                        double* seconds) {
  return guarded([&] {
    std::vector<skipper::PlanTiming> const parts = demanded(plan, "plan").plan.plan_timings();
    if (i < 0 || i >= int(parts.size()))
      throw skipper::Error("i", "is " + std::to_string(i) + " but must be less than the count of parts, " +
                                    std::to_string(parts.size()));
    skipper::PlanTiming const& part = parts[std::size_t(i)];
    hand_out(part.name, name, size, needed);
    if (seconds) *seconds = part.seconds;
  });
}

int skipper_set_executor(skipper_executor const* executor) {
  return guarded(
      [&] { skipper::set_default_executor(executor ? executor_of(*executor) : skipper::Executor()); });
}

char const* skipper_message(void) {
  std::string const* const last = last_message();
  return last ? last->c_str() : "";
}

char const* skipper_version(void) {
  static constinit skipper::Lazy<std::string> text;
  return text.get(skipper::version).c_str();
}

}  // extern "C"
