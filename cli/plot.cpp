// Draws a bar chart: a row for each label, a bar for each series in it, a legend above, a grid of round numbers.
#include "plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int left = 250, right = 70, top = 78, bar = 11, gap = 9, width = 860;
constexpr std::array colours{"#1f6fb2", "#d9822b", "#7a8793", "#3a9a5b", "#9b59b6"};

std::string escaped(std::string const& text) {
  std::string out;
  for (char const c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

std::string number(double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f", x);
  return text.data();
}

std::string text_at(double x, double y, std::string const& anchor, int size, std::string const& text,
                    std::string const& colour = "#222") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" + std::to_string(size) +
         "\" text-anchor=\"" + anchor + "\" fill=\"" + colour + "\">" + escaped(text) + "</text>\n";
}

std::string box(double x, double y, double w, double h, std::string const& colour) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) + "\" height=\"" +
         number(h) + "\" fill=\"" + colour + "\"/>\n";
}

// 1, 2 or 5 times a power of ten, so that about five lines fit.
double grid_step(double largest) {
  double const raw = largest / 5, power = std::pow(10, std::floor(std::log10(raw)));
  for (double const m : {1.0, 2.0, 5.0})
    if (m * power >= raw) return m * power;
  return 10 * power;
}

double largest_value(BarPlot const& plot) {
  double largest = 0;
  for (Series const& s : plot.series)
    for (double const v : s.values)
      if (std::isfinite(v)) largest = std::max(largest, v);
  return largest > 0 ? largest : 1;
}

}  // namespace

std::string svg(BarPlot const& plot) {
  double const largest = largest_value(plot), scale = (width - left - right) / largest;
  int const row = int(plot.series.size()) * bar + gap;
  int const bottom = top + int(plot.labels.size()) * row;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
                    "\" height=\"" + std::to_string(bottom + 40) + "\" font-family=\"sans-serif\">\n" +
                    box(0, 0, width, bottom + 40, "#ffffff");
  out += text_at(14, 24, "start", 16, plot.title) + text_at(14, 42, "start", 11, plot.subtitle, "#666");
  double legend = 14;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    out += box(legend, 53, 10, 10, colours[s % colours.size()]) +
           text_at(legend + 14, 62, "start", 12, plot.series[s].name);
    legend += 34 + 7.5 * double(plot.series[s].name.size());
  }
  for (double x = 0, step = grid_step(largest); x <= largest; x += step) {
    out += box(left + x * scale, top - 4, 0.6, bottom - top + 4, "#cccccc");
    out += text_at(left + x * scale, bottom + 14, "middle", 10, number_text(x), "#666");
  }
  out += text_at(left + (width - left - right) / 2.0, bottom + 30, "middle", 11, plot.unit);
  for (std::size_t i = 0; i < plot.labels.size(); ++i) {
    double const y = top + double(i) * row;
    out += text_at(left - 8, y + (row - gap) / 2.0 + 4, "end", 11, plot.labels[i]);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      double const v = i < plot.series[s].values.size() ? plot.series[s].values[i] : NAN;
      if (!std::isfinite(v)) continue;
      double const at = y + double(s) * bar;
      out += box(left, at, std::max(1.0, v * scale), bar - 1, colours[s % colours.size()]);
      out += text_at(left + v * scale + 4, at + bar - 2, "start", 9, number_text(v), "#444");
    }
  }
  return out + "</svg>\n";
}

}  // namespace skipper::cli
