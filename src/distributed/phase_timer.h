// Times the phases of a stage where the caller asks for StageTimes.
#pragma once

#include <skipper/distributed.h>

#include <chrono>
#include <vector>

namespace skipper::distributed {

/// Reads the clock only where times are asked for.
class PhaseTimer {
 public:
  explicit PhaseTimer(bool running) : running_(running) {
    if (running_) last_ = Clock::now();
  }
  /// Adds the time since the last call, or since the beginning.
  void lap(double& seconds) {
    if (!running_) return;
    Clock::time_point const now = Clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool running_;
  Clock::time_point last_{};
};

/// Divides the wall-clock time of a loop among its phases in proportion to the time that threads spent in each.
inline void share_out(double wall, std::vector<StageTimes> const& slots, StageTimes& times) {
  double transform = 0, move = 0;
  for (StageTimes const& slot : slots) transform += slot.transform_seconds, move += slot.move_seconds;
  double const all = transform + move;
  if (all <= 0) return;
  times.transform_seconds += wall * transform / all;
  times.move_seconds += wall * move / all;
}

}  // namespace skipper::distributed
