// Measures where the time of making a plan goes: a stopwatch that is told after each part what the part was.
#pragma once

#include <skipper/plan.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace skipper {

class Stopwatch {
 public:
  /// Adds the time since the last lap, or since the start, to this part.
  void lap(std::string const& part) {
    auto const now = std::chrono::steady_clock::now();
    double const seconds = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
    for (PlanTiming& known : parts_)
      if (known.name == part) {
        known.seconds += seconds;
        return;
      }
    parts_.push_back({part, seconds});
  }

  std::vector<PlanTiming> const& parts() const { return parts_; }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::vector<PlanTiming> parts_;
};

}  // namespace skipper
