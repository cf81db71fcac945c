// Bar charts as SVG text, for results that people look at.
#pragma once

#include <string>
#include <vector>

namespace skipper::cli {

struct Series {
  std::string name;
  std::vector<double> values;  // one for each label; not-a-number leaves a gap
};

struct BarPlot {
  std::string title, subtitle;
  std::string unit;  // of the values
  std::vector<std::string> labels;
  std::vector<Series> series;
};

std::string svg(BarPlot const& plot);

}  // namespace skipper::cli
