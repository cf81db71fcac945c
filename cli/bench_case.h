// Measures one problem: the transform, a copy of the same bytes and the peers in turn, and how exact the result is.
#pragma once

#include <skipper/plan.h>

#include <functional>
#include <string>
#include <vector>

#include "cases.h"
#include "measure.h"
#include "report.h"

namespace skipper::cli {

struct BenchSettings {
  PlanSettings plan;
  MeasureSettings measure;
  std::vector<std::string> peers;     // names of those to measure against
  double peer_planning_seconds = 10;  // a plan, at most; 0: as long as it takes
  std::string wisdom;                 // where peers keep what they learnt; empty: nowhere
  double within = 0;                  // seconds after which no further case is begun; 0: no limit
  bool clusters = true;               // on a GPU, tiles may be held in clusters of blocks
};

// Throws Error where the problem is not supported.
MeasuredCase bench_case(Problem const& problem, BenchSettings const& settings, CopyTeam& team);

// Measures the cases one after the other; those that cannot be are listed in the report as skipped. `grown` is called after every
// case, with the report so far.
using Grown = std::function<void(Report const& so_far)>;
Report bench_cases(std::vector<Case> const& cases, BenchSettings const& settings, Grown const& grown = {});

// The same by any `measure`, into a report that has no case yet.
Report measured_cases(Report report, std::vector<Case> const& cases, BenchSettings const& settings,
                      std::function<MeasuredCase(Problem const&)> const& measure, Grown const& grown);

}  // namespace skipper::cli
