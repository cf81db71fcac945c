// Results of measuring, printed while they come: a case is printed, and flushed, when it is measured, so that a run that is cut
// off has printed what it had.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cases.h"
#include "report.h"
#include "terminal.h"

namespace skipper::cli {

class ReportPrinter {
 public:
  enum class Form { table, json, csv };

  // For reports on these cases against these peers.
  ReportPrinter(FILE* to, Form form, std::vector<Case> const& cases, std::vector<std::string> peers);

  // What the report has more than at the last call.
  void update(Report const& report);
  // What stands below all cases: means, tuning, versions.
  void finish(Report const& report);

 private:
  void add(Report const& report, MeasuredCase const& c);
  Rows rows() const;
  void csv_row(MeasuredCase const& c);
  void table_row(MeasuredCase const& c);

  FILE* to_;
  Form form_;
  std::size_t longest_;
  std::vector<std::string> peers_;
  std::size_t cases_ = 0, skipped_ = 0;  // printed
  bool peer_errors_ = false;             // have a column
  std::optional<Rows> rows_;
  std::optional<JsonStream> json_;
};

}  // namespace skipper::cli
