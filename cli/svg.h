// A drawing as SVG text: boxes and words, the few things that charts are made of.
#pragma once

#include <string>

namespace skipper::cli {

class Svg {
 public:
  // A white sheet.
  Svg(int width, int height);

  void box(double x, double y, double width, double height, std::string const& colour,
           std::string const& tooltip = "");
  // `anchor` is start, middle or end; y is the line that letters stand on.
  void text(double x, double y, std::string const& anchor, int size, std::string const& words,
            std::string const& colour = "#222");

  std::string finished() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace skipper::cli
