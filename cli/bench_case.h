// Measures one problem: the transform, a copy of the same bytes and the peers in turn, and how exact the result is.
#pragma once

#include <skipper/plan.h>

#include "measure.h"
#include "report.h"

namespace skipper::cli {

struct BenchSettings {
  PlanSettings plan;
  MeasureSettings measure;
  bool peers = true;
  double peer_planning_seconds = -1;  // at most so long; below 0: as long as it takes
};

// Throws Error where the problem is not supported.
MeasuredCase bench_case(Problem const& problem, BenchSettings const& settings, CopyTeam& team);

// Measures the cases one after the other; those that are not supported are listed in the report as skipped.
struct Case;
Report bench_cases(std::vector<Case> const& cases, BenchSettings const& settings);

}  // namespace skipper::cli
