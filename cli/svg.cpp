// Boxes and words as SVG.
#include "svg.h"

#include <array>
#include <cstdio>

namespace skipper::cli {
namespace {

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

std::string attribute(char const* name, std::string const& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

}  // namespace

Svg::Svg(int width, int height) {
  body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", std::to_string(width)) +
          attribute("height", std::to_string(height)) + " font-family=\"sans-serif\">\n";
  box(0, 0, width, height, "#ffffff");
}

void Svg::box(double x, double y, double width, double height, std::string const& colour,
              std::string const& tooltip) {
  body_ += "<rect" + attribute("x", number(x)) + attribute("y", number(y)) +
           attribute("width", number(width)) + attribute("height", number(height)) +
           attribute("fill", colour);
  body_ += tooltip.empty() ? "/>\n" : "><title>" + escaped(tooltip) + "</title></rect>\n";
}

void Svg::text(double x, double y, std::string const& anchor, int size, std::string const& words,
               std::string const& colour) {
  body_ += "<text" + attribute("x", number(x)) + attribute("y", number(y)) +
           attribute("font-size", std::to_string(size)) + attribute("text-anchor", anchor) +
           attribute("fill", colour) + ">" + escaped(words) + "</text>\n";
}

}  // namespace skipper::cli
