// Tables, units and progress.
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "escape.h"
#include "format.h"

namespace skipper::cli {

namespace {

// One line: the first cell to the left, the others to the right.
std::string line_of(std::vector<std::string> const& cells, std::vector<std::size_t> const& widths) {
  std::string line = formatted("{:<{}}", cells[0], widths[0]);
  for (std::size_t c = 1; c < cells.size(); ++c) line += formatted("  {:>{}}", cells[c], widths[c]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = escaped(cell);
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (auto const& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string out;
  for (auto const& row : rows_) out += line_of(row, widths);
  return out;
}

void Rows::row(std::vector<std::string> const& cells) {
  std::vector<std::string> names, safe;
  std::vector<std::size_t> widths;
  for (Column const& c : columns_) {
    names.push_back(c.name);
    widths.push_back(std::max(c.width, c.name.size()));
  }
  for (std::string const& cell : cells) safe.push_back(escaped(cell));
  print(to_, "{}{}", begun_ ? "" : line_of(names, widths), line_of(safe, widths));
  std::fflush(to_);
  begun_ = true;
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  int const magnitude = value == 0 ? 0 : int(std::floor(std::log10(std::abs(value))));
  if (magnitude < -4 || magnitude > 7) return formatted("{:.{}e}", value, std::max(0, digits - 1));
  return formatted("{:.{}f}", value, std::max(0, digits - 1 - magnitude));
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
  return formatted("{} {}", whole ? formatted("{:.0f}", bytes) : number_text(bytes), units[unit]);
}

std::string progress_line(std::size_t step, std::size_t steps, double seconds_left, std::string const& what,
                          std::size_t columns) {
  std::string const count = formatted("{} of {}", step, steps);
  if (columns < count.size() + 12) return cut_to_columns(count, columns);  // there is no room for words
  std::string left;
  if (std::isfinite(seconds_left)) left = formatted(", about {:.0f} s left", std::ceil(seconds_left));
  return cut_to_columns("step " + count + left + ": " + escaped(what), columns);
}

namespace {

// One less than there are: a character in the last column would begin a new line.
std::size_t terminal_columns() {
  constexpr int usual = 80, most = 100;
  winsize size{};
  char const* const given = std::getenv("COLUMNS");
  int columns = given ? std::atoi(given) : 0;
  if (columns <= 0 && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  if (columns <= 0) columns = usual;
  return std::size_t(std::min(columns - 1, most));
}

}  // namespace

Progress::Display Progress::display() {
  if (::isatty(STDERR_FILENO) != 1) return Display::none;
  char const* const terminal = std::getenv("TERM");
  bool const dumb = !terminal || !*terminal || std::string_view(terminal) == "dumb";
  return dumb ? Display::lines : Display::overwriting;
}

Progress::Progress(std::size_t steps)
    : steps_(steps), display_(display()), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_ > 0) print(stderr, "\r{:{}}\r", "", drawn_);
  drawn_ = 0;
}

void Progress::step(std::string const& what) {
  ++begun_;
  if (display_ == Display::none) return;
  auto const now = std::chrono::steady_clock::now();
  double const spent = std::chrono::duration<double>(now - start_).count();
  double const left = begun_ > 1 ? spent / double(begun_ - 1) * double(steps_ - begun_ + 1) : INFINITY;
  std::size_t const columns = terminal_columns();
  std::string const line = progress_line(begun_, steps_, left, what, columns);
  if (display_ == Display::lines) {
    constexpr std::chrono::seconds between(10);
    if (begun_ > 1 && now - last_line_ < between) return;
    last_line_ = now;
    print(stderr, "{}\n", line);
  } else {
    clear();
    print(stderr, "\r{}", line);
    drawn_ = std::min(line.size(), columns);
  }
  std::fflush(stderr);
}

}  // namespace skipper::cli
