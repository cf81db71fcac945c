// What functions of the C interface share that make plans and execute them: problems by their fields, and settings.
#pragma once

#include <skipper/plan.h>
#include <skipper/stream.h>

#include <vector>

#include "api/guarded.h"

namespace skipper::c {

/// Throws Error, as all of these.
Problem problem_of(skipper_problem const* given);

/// Of a distributed plan, whose arrays have no strides.
Problem problem_without_strides(skipper_problem const* given);

/// A problem in fields of C; `axes` and `batch` have room for max_rank entries each.
void hand_out(Problem const& problem, skipper_problem* given, skipper_axis* axes, skipper_dim* batch);

/// Of null pointers: the defaults.
PlanSettings settings_of(skipper_plan_settings const* given);
StreamSettings settings_of(skipper_stream_settings const* given);
CpuSettings settings_of(skipper_cpu_settings const& given);
/// How many bytes a workspace has.
inline std::size_t size_of(long long workspace_bytes) {
  if (workspace_bytes < 0)
    throw Error("workspace_bytes", "is " + std::to_string(workspace_bytes) +
                                       "; give the bytes of the workspace, or 0, which is not checked");
  return static_cast<std::size_t>(workspace_bytes);
}
inline ExecuteSettings settings_of(skipper_execute_settings const* given) {
  if (!given) return {};
  return {.workspace_bytes = size_of(given->workspace_bytes),
          .workspace = given->workspace,
          .stream = given->stream};
}

/// Null is the best one.
inline Device device_of(char const* name) { return name ? Device(name) : Device(); }

/// Null is no text.
inline std::string text_of(char const* text) { return text ? text : ""; }

/// A function of the caller's as an executor; what it throws is told from what Skipper throws.
Executor executor_of(skipper_executor const& given);

}  // namespace skipper::c
