// See report_printer.h.
#include "report_printer.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

#include "escape.h"
#include "format.h"
#include "gpu.h"

namespace skipper::cli {
namespace {

std::string mean_line(Report const& report) {
  double sum = 0;
  int count = 0;
  for (MeasuredCase const& c : report.cases)
    if (std::isfinite(best_peer(c))) {
      sum += std::log(c.seconds / best_peer(c));
      ++count;
    }
  if (!count) return "";
  return formatted("geometric mean of the time over the fastest peer's: {} ({} {})\n",
                   number_text(std::exp(sum / count)), count, count == 1 ? "case" : "cases");
}

/// "tuned: FILE (3 of 4 plans)", a line for each thing that plans say about it.
std::string tuning_lines(Report const& report) {
  std::map<std::string, int> counts;
  for (MeasuredCase const& c : report.cases)
    if (!c.tuning.empty()) ++counts[c.tuning];
  std::string out;
  for (auto const& [line, count] : counts)
    out += formatted("{} ({} of {} plans)\n", escaped(line), count, report.cases.size());
  return out;
}

}  // namespace

ReportPrinter::ReportPrinter(FILE* to, Form form, std::vector<Case> const& cases,
                             std::vector<std::string> peers)
    : to_(to), form_(form), longest_(longest_text(cases)), peers_(std::move(peers)) {}

void ReportPrinter::update(Report const& report) {
  for (; cases_ < report.cases.size(); ++cases_) add(report, report.cases[cases_]);
  for (; skipped_ < report.skipped.size(); ++skipped_) {
    SkippedCase const& s = report.skipped[skipped_];
    print(form_ == Form::table ? to_ : stderr, "not measured: {}: {}\n", escaped(s.problem),
          escaped(s.reason));
  }
  std::fflush(to_);
}

void ReportPrinter::add(Report const& report, MeasuredCase const& c) {
  if (form_ == Form::json) {
    if (!json_) json_.emplace(to_, head_json(report), "cases");
    json_->add(to_json(c));
  } else if (form_ == Form::csv) {
    csv_row(c);
  } else {
    peer_errors_ = !peers_.empty() && cuda_device(report.device) >= 0;
    if (!rows_) rows_.emplace(rows());
    table_row(c);
  }
}

void ReportPrinter::csv_row(MeasuredCase const& c) {
  if (cases_ == 0) {
    print(to_, "problem,seconds,copy_seconds,");
    for (std::string const& name : peers_) print(to_, "{}_seconds,", name);
    print(to_, "gflops,gigabytes_per_second,error_l2,error_max,spread\n");
  }
  Problem const problem = parse_problem(c.problem);
  print(to_, "\"{}\",{:.9g},{:.9g},", c.problem, c.seconds, c.copy_seconds);
  for (std::string const& name : peers_) {
    for (auto const& [peer, seconds] : c.peers)
      if (peer == name) print(to_, "{:.9g}", seconds);
    print(to_, ",");
  }
  print(to_, "{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", operations(problem) / c.seconds / 1e9,
        moved_bytes(problem) / c.seconds / 1e9, c.error_l2, c.error_max, c.spread);
}

Rows ReportPrinter::rows() const {
  std::vector<Rows::Column> columns{{"problem", longest_}, {"time", 7}, {"spread", 6},
                                    {"GFLOPS", 6},         {"GB/s", 6}, {"x copy", 6}};
  if (!peers_.empty()) columns.insert(columns.end(), {{"peer", 7}, {"x peer", 6}});
  columns.push_back({"error l2", 8});
  if (peer_errors_) columns.push_back({"peer's", 7});
  return {to_, columns};
}

void ReportPrinter::table_row(MeasuredCase const& c) {
  Problem const problem = parse_problem(c.problem);
  std::vector<std::string> row{c.problem,
                               seconds_text(c.seconds),
                               number_text(100 * c.spread, 2) + "%",
                               number_text(operations(problem) / c.seconds / 1e9),
                               number_text(moved_bytes(problem) / c.seconds / 1e9),
                               number_text(c.seconds / c.copy_seconds)};
  if (!peers_.empty())
    row.insert(row.end(), {c.peers.empty() ? "-" : seconds_text(best_peer(c)),
                           c.peers.empty() ? "-" : number_text(c.seconds / best_peer(c))});
  row.push_back(number_text(c.error_l2, 2));
  if (peer_errors_) row.push_back(c.peer_errors.empty() ? "-" : number_text(c.peer_errors[0].second, 2));
  rows_->row(row);
}

void ReportPrinter::finish(Report const& report) {
  if (form_ == Form::json) {
    if (!json_) json_.emplace(to_, head_json(report), "cases");
    json_->finish({{"skipped", skipped_json(report)}});
  } else if (form_ == Form::table) {
    print(to_, "{}{}device {}, {} {}; {}\n", mean_line(report), tuning_lines(report), report.device,
          report.threads, report.threads == 1 ? "thread" : "threads", versions_line(report));
  }
  std::fflush(to_);
}

}  // namespace skipper::cli
