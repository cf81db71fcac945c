// What people see: aligned tables, numbers with units, and progress on a terminal.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace skipper::cli {

// Rows under a heading, columns as wide as they need; the first to the left, the others to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// `digits` significant ones; "1.23 ms", "4.00 MiB".
std::string number_text(double value, int digits = 3);
std::string seconds_text(double seconds);
std::string bytes_text(double bytes);

// "step 3 of 12, about 40 s left: c2c ..." on the last line of a terminal; nothing at all in a pipe.
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
  std::size_t steps_, begun_ = 0;
  bool shown_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace skipper::cli
