// The C interface to plans that go through a device slice by slice.
#include <skipper/stream.h>

#include "api/c_problem.h"

struct skipper_stream_plan {
  skipper::StreamPlan plan;
};

using namespace skipper::c;

extern "C" {

int skipper_stream_plan_create(skipper_stream_plan** plan, skipper_problem const* problem,
                               skipper_stream_settings const* settings) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    *plan = new skipper_stream_plan{skipper::StreamPlan(problem_of(problem), settings_of(settings))};
  });
}

void skipper_stream_plan_destroy(skipper_stream_plan* plan) { delete plan; }

int skipper_stream_plan_execute(skipper_stream_plan const* plan, void const* in, void* out) {
  return skipper_stream_plan_execute_on(plan, in, out, nullptr);
}

int skipper_stream_plan_execute_on(skipper_stream_plan const* plan, void const* in, void* out,
                                   skipper_execute_settings const* settings) {
  return guarded([&] { demanded(plan, "plan").plan.execute(in, out, settings_of(settings)); });
}

int skipper_stream_plan_workspace_bytes(skipper_stream_plan const* plan, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") = static_cast<long long>(demanded(plan, "plan").plan.workspace_bytes());
  });
}

int skipper_stream_plan_costs(skipper_stream_plan const* plan, int* trips, long long* device_bytes) {
  return guarded([&] {
    skipper::StreamPlan const& p = demanded(plan, "plan").plan;
    if (trips) *trips = p.trips();
    if (device_bytes) *device_bytes = p.device_bytes();
  });
}

int skipper_stream_plan_device(skipper_stream_plan const* plan, char* text, long long size,
                               long long* needed) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.device().name(), text, size, needed); });
}

int skipper_stream_plan_describe(skipper_stream_plan const* plan, char* text, long long size,
                                 long long* needed) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.describe(), text, size, needed); });
}

}  // extern "C"
