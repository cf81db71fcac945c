// Tables, units and progress.
#include "terminal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace skipper::cli {

std::string Table::text() const {
  std::vector<std::size_t> width(rows_[0].size(), 0);
  for (auto const& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string out;
  for (auto const& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string const blanks(width[c] - row[c].size(), ' ');
      line += (c ? "  " : "") + (c ? blanks + row[c] : row[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  std::array<char, 64> text;
  int const magnitude = value == 0 ? 0 : int(std::floor(std::log10(std::abs(value))));
  if (magnitude < -4 || magnitude > 7)
    std::snprintf(text.data(), text.size(), "%.*e", std::max(0, digits - 1), value);
  else
    std::snprintf(text.data(), text.size(), "%.*f", std::max(0, digits - 1 - magnitude), value);
  return text.data();
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return number_text(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return number_text(seconds * 1e6) + " us";
  if (seconds < 1) return number_text(seconds * 1e3) + " ms";
  return number_text(seconds) + " s";
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  bool const whole = bytes == std::floor(bytes) && bytes < 1e4;
  return (whole ? std::to_string(int(bytes)) : number_text(bytes)) + " " + units[unit];
}

Progress::Progress(std::size_t steps)
    : steps_(steps), shown_(::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void Progress::step(std::string const& what) {
  ++begun_;
  if (!shown_) return;
  double const spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string left;
  if (begun_ > 1) {
    double const estimate = spent / double(begun_ - 1) * double(steps_ - begun_ + 1);
    left = ", about " + std::to_string(std::lround(std::ceil(estimate))) + " s left";
  }
  std::string const line =
      "step " + std::to_string(begun_) + " of " + std::to_string(steps_) + left + ": " + what;
  std::fprintf(stderr, "\r\033[K%s", line.substr(0, 100).c_str());
  std::fflush(stderr);
}

}  // namespace skipper::cli
