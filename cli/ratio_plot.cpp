// Draws ratios as columns over a line at 1, by powers of two. A column that leaves the sheet is cut and says its ratio.
#include <algorithm>
#include <cmath>

#include "format.h"
#include "plot.h"
#include "svg.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int width = 920, left = 52, right = 14, top = 78, octave = 34, between = 16;
constexpr char const *good = "#1f6fb2", *bad = "#d9822b";
constexpr double most = 4;  // octaves either way

struct Range {
  double low = -1, high = 1;  // octaves
};

Range range_of(RatioPlot const& plot) {
  Range range;
  for (RatioPlot::Group const& group : plot.groups)
    for (RatioPlot::Column const& column : group.columns) {
      range.low = std::min(range.low, std::floor(std::log2(column.ratio)));
      range.high = std::max(range.high, std::ceil(std::log2(column.ratio)));
    }
  return {std::max(range.low, -most), std::min(range.high, most)};
}

std::string octave_text(double octaves) {
  return formatted("{}{}", octaves < 0 ? "1/" : "", int(std::exp2(std::abs(octaves))));
}

double geometric_mean(RatioPlot::Group const& group) {
  double sum = 0;
  for (RatioPlot::Column const& column : group.columns) sum += std::log(column.ratio);
  return std::exp(sum / double(group.columns.size()));
}

void draw_grid(Svg& sheet, RatioPlot const& plot, Range range, double line) {
  for (double octaves = range.low; octaves <= range.high; ++octaves) {
    double const y = line - octaves * octave;
    sheet.box(left, y - 0.3, width - left - right, octaves == 0 ? 1.2 : 0.6, octaves == 0 ? "#222" : "#ccc");
    sheet.text(left - 6, y + 4, "end", 10, octave_text(octaves), "#666");
  }
  sheet.box(14, 53, 10, 10, good);
  sheet.text(28, 62, "start", 12, plot.up);
  sheet.box(54 + 6.5 * double(plot.up.size()), 53, 10, 10, bad);
  sheet.text(68 + 6.5 * double(plot.up.size()), 62, "start", 12, plot.down);
}

void draw_column(Svg& sheet, RatioPlot::Column const& column, double x, double wide, Range range,
                 double line) {
  double const octaves = std::log2(column.ratio), shown = std::clamp(octaves, range.low, range.high);
  double const high = std::max(1.0, std::abs(shown) * octave);
  bool const above = octaves >= 0;
  std::string const ratio = number_text(column.ratio);
  sheet.box(x, above ? line - high : line, wide, high, above ? good : bad, column.label + ": " + ratio);
  if (shown != octaves)
    sheet.text(x + wide / 2, line - shown * octave + (above ? -4 : 11), "middle", 9, ratio);
}

}  // namespace

std::string svg(RatioPlot const& plot) {
  Range const range = range_of(plot);
  double const line = top + range.high * octave, bottom = line - range.low * octave;
  std::size_t count = 0;
  for (RatioPlot::Group const& group : plot.groups) count += group.columns.size();
  double const room = width - left - right - between * double(plot.groups.size());
  double const step = room / double(std::max<std::size_t>(count, 1));
  double const wide = std::clamp(step - 1.5, 1.0, 18.0);
  Svg sheet(width, int(bottom) + 52);
  sheet.text(14, 24, "start", 16, plot.title);
  sheet.text(14, 42, "start", 11, plot.subtitle, "#666");
  draw_grid(sheet, plot, range, line);
  double x = left + between / 2.0;
  for (RatioPlot::Group const& group : plot.groups) {
    double const begin = x;
    for (RatioPlot::Column const& column : group.columns) {
      draw_column(sheet, column, x + (step - wide) / 2, wide, range, line);
      x += step;
    }
    sheet.text((begin + x) / 2, bottom + 24, "middle", 12, group.name);
    sheet.text((begin + x) / 2, bottom + 40, "middle", 11, "mean " + number_text(geometric_mean(group)),
               "#666");
    x += between;
  }
  return sheet.finished();
}

}  // namespace skipper::cli
