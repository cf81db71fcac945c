// Draws a bar chart: a row for each label, a bar for each series in it, a legend above, a grid of round numbers.
#include "plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "svg.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int left = 250, right = 70, top = 78, bar = 11, gap = 9, width = 860;
constexpr std::array colours{"#1f6fb2", "#d9822b", "#7a8793", "#3a9a5b", "#9b59b6"};

// 1, 2 or 5 times a power of ten, so that about five lines fit.
double grid_step(double largest) {
  double const raw = largest / 5, power = std::pow(10, std::floor(std::log10(raw)));
  for (double const m : {1.0, 2.0, 5.0})
    if (m * power >= raw) return m * power;
  return 10 * power;
}

double largest_value(BarPlot const& plot) {
  double largest = 0;
  for (BarPlot::Series const& s : plot.series)
    for (double const v : s.values)
      if (std::isfinite(v)) largest = std::max(largest, v);
  return largest > 0 ? largest : 1;
}

void draw_legend(Svg& sheet, BarPlot const& plot) {
  double at = 14;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    sheet.box(at, 53, 10, 10, colours[s % colours.size()]);
    sheet.text(at + 14, 62, "start", 12, plot.series[s].name);
    at += 34 + 7.5 * double(plot.series[s].name.size());
  }
}

}  // namespace

std::string svg(BarPlot const& plot) {
  double const largest = largest_value(plot), scale = (width - left - right) / largest;
  int const row = int(plot.series.size()) * bar + gap;
  int const bottom = top + int(plot.labels.size()) * row;
  Svg sheet(width, bottom + 40);
  sheet.text(14, 24, "start", 16, plot.title);
  sheet.text(14, 42, "start", 11, plot.subtitle, "#666");
  draw_legend(sheet, plot);
  for (double x = 0, step = grid_step(largest); x <= largest; x += step) {
    sheet.box(left + x * scale, top - 4, 0.6, bottom - top + 4, "#cccccc");
    sheet.text(left + x * scale, bottom + 14, "middle", 10, number_text(x), "#666");
  }
  sheet.text(left + (width - left - right) / 2.0, bottom + 30, "middle", 11, plot.unit);
  for (std::size_t i = 0; i < plot.labels.size(); ++i) {
    double const y = top + double(i) * row;
    sheet.text(left - 8, y + (row - gap) / 2.0 + 4, "end", 11, plot.labels[i]);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      double const v = i < plot.series[s].values.size() ? plot.series[s].values[i] : NAN;
      if (!std::isfinite(v)) continue;
      double const at = y + double(s) * bar;
      sheet.box(left, at, std::max(1.0, v * scale), bar - 1, colours[s % colours.size()]);
      sheet.text(left + v * scale + 4, at + bar - 2, "start", 9, number_text(v), "#444");
    }
  }
  return sheet.finished();
}

}  // namespace skipper::cli
