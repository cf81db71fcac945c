// Results of measuring, as a value: printed while they grow (report_printer.h), drawn, and read back from JSON for comparing.
#pragma once

#include <skipper/problem.h>

#include <string>
#include <utility>
#include <vector>

#include "json.h"

namespace skipper::cli {

struct MeasuredCase {
  std::string problem;
  double seconds = 0;       // of one execution: the median
  double copy_seconds = 0;  // of a copy of the same bytes on the same device
  std::vector<std::pair<std::string, double>> peers;
  double error_l2 = 0, error_max = 0;
  double spread = 0;                                        // of `seconds`, relative
  std::vector<std::pair<std::string, double>> peer_errors;  // l2, of those peers whose results were checked
  double plan_seconds = 0;                                  // of making the plan; 0 where it was not measured
  std::string tuning = {};       // "tuned: FILE", or why not; empty: no file has it
  bool peers_held_back = false;  // a plan of a peer's is estimated, because its time for measuring ran out
};

struct SkippedCase {
  std::string problem, reason;
  bool failed = true;  // false where it was left out, since no time was left
};

struct Report {
  std::string machine;  // its text
  std::string date;     // ISO 8601, UTC
  std::string commit;
  std::vector<std::pair<std::string, std::string>> versions;
  std::string device;
  int threads = 0;
  std::vector<MeasuredCase> cases;
  std::vector<SkippedCase> skipped;
};

// One with all but the cases.
Report empty_report(std::string const& device, int threads, std::vector<std::string> const& peers);

Json to_json(Report const& report);
// Its parts, for printing it while it grows: all but cases and what was skipped, a case, and what was skipped.
Json head_json(Report const& report);
Json to_json(MeasuredCase const& c);
Json skipped_json(Report const& report);
Report report_from_json(Json const& json);
// From a file; what is wrong with it is a JsonError that names it.
Report read_report(std::string const& path);

// Rates, a bar each; and how many times as fast as the fastest peer, for reports that have peers.
std::string plot(Report const& report, std::string const& title);
std::string peer_plot(Report const& report);

// Writes it as JSON. `last` is false for a report that another will follow: that one only goes where it can be replaced.
void save_report(std::string const& path, Report const& report, bool last);

// The peers of all cases, in the order in which they come.
std::vector<std::string> peer_names(Report const& report);
// The time of the fastest peer; infinity where there is none.
double best_peer(MeasuredCase const& c);
// "skipper 0.1.0, fftw 3.3.10"
std::string versions_line(Report const& report);

// Whether a case failed: it was refused, or its result was wrong.
bool any_failed(Report const& report);

// 5 N log2 N operations for complex transforms, half of it for real ones, over the batch.
double operations(Problem const& problem);
// What a transform must at the least read and write.
double moved_bytes(Problem const& problem);

}  // namespace skipper::cli
