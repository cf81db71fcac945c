// Charts as SVG text, for results that people look at.
#pragma once

#include <string>
#include <vector>

namespace skipper::cli {

// A row for each label, a bar for each series in it.
struct BarPlot {
  struct Series {
    std::string name;
    std::vector<double> values;  // one for each label; not-a-number leaves a gap
  };
  std::string title, subtitle;
  std::string unit;  // of the values
  std::vector<std::string> labels;
  std::vector<Series> series;
};

std::string svg(BarPlot const& plot);

// Ratios on a logarithmic scale, a column each: up where they are above 1, down and in another colour where below.
struct RatioPlot {
  struct Column {
    std::string label;  // shown when one points at it
    double ratio;
  };
  struct Group {
    std::string name;
    std::vector<Column> columns;  // at least one
  };
  std::string title, subtitle;
  std::string up, down;  // what the two directions mean
  std::vector<Group> groups;
};

std::string svg(RatioPlot const& plot);

}  // namespace skipper::cli
