// Boxes and words as SVG.
#include "svg.h"

#include "format.h"

namespace skipper::cli {
namespace {

std::string xml_escaped(std::string const& text) {
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

}  // namespace

Svg::Svg(int width, int height) {
  body_ = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\">\n",
      width, height);
  box(0, 0, width, height, "#ffffff");
}

void Svg::box(double x, double y, double width, double height, std::string const& colour,
              std::string const& tooltip) {
  body_ += formatted("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"", x, y,
                     width, height, xml_escaped(colour));
  body_ += tooltip.empty() ? "/>\n" : formatted("><title>{}</title></rect>\n", xml_escaped(tooltip));
}

void Svg::text(double x, double y, std::string const& anchor, int size, std::string const& words,
               std::string const& colour) {
  body_ +=
      formatted("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                x, y, size, xml_escaped(anchor), xml_escaped(colour), xml_escaped(words));
}

}  // namespace skipper::cli
