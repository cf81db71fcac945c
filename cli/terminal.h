// What people see: aligned tables, numbers with units, and progress on a terminal.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace skipper::cli {

// Rows under a heading, columns as wide as they need; the first to the left, the others to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row);  // escaped
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// The same for rows that are printed as they come, flushed, into columns whose widths are known before; the heading comes
// with the first of them.
class Rows {
 public:
  struct Column {
    std::string name;
    std::size_t width;  // at the least
  };
  Rows(FILE* to, std::vector<Column> columns) : to_(to), columns_(std::move(columns)) {}
  void row(std::vector<std::string> const& cells);  // escaped

 private:
  FILE* to_;
  std::vector<Column> columns_;
  bool begun_ = false;
};

// `digits` significant ones; "1.23 ms", "4.00 MiB".
std::string number_text(double value, int digits = 3);
std::string seconds_text(double seconds);
std::string bytes_text(double bytes);

// "step 3 of 12, about 40 s left: c2c ...", as much of it as `columns` hold; escaped.
std::string progress_line(std::size_t step, std::size_t steps, double seconds_left, std::string const& what,
                          std::size_t columns);

// That line on the last line of a terminal, where it is overwritten. A dumb terminal gets a line now and then; what is no
// terminal nothing at all. No escape sequences are sent.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  // Begins the next step.
  void step(std::string const& what);
  void clear();

 private:
  enum class Display { none, lines, overwriting };
  static Display display();

  std::size_t steps_, begun_ = 0;
  Display display_;
  std::size_t drawn_ = 0;  // columns to clear
  std::chrono::steady_clock::time_point start_, last_line_;
};

}  // namespace skipper::cli
