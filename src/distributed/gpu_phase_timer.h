// Times the phases of one rank's execution by events in its stream. Work beside the stream counts only as far as the stream waits
// for it, so that phases add up to the time of the execution.
#pragma once

#include <skipper/distributed.h>

#include <memory>
#include <utility>
#include <vector>

#include "distributed/gpu_port.h"

namespace skipper::distributed {

using Phase = double StageTimes::*;

class GpuPhaseTimer {
 public:
  GpuPhaseTimer(Gpu& gpu, GpuStream stream) : gpu_(gpu), stream_(stream) {
    marks_.push_back(gpu_.mark(stream_));
  }

  /// Assigns what was enqueued since the last call, or since the beginning, to this phase.
  void lap(std::size_t stage, Phase phase) {
    marks_.push_back(gpu_.mark(stream_));
    laps_.emplace_back(stage, phase);
  }

  /// Adds the time of each phase, once everything is done.
  void read(std::vector<StageTimes>& times) const {
    for (std::size_t i = 0; i < laps_.size(); ++i)
      times[laps_[i].first].*laps_[i].second += marks_[i + 1]->seconds_since(*marks_[i]);
  }

 private:
  Gpu& gpu_;
  GpuStream stream_;
  std::vector<std::unique_ptr<GpuMark>> marks_;  // one more than laps
  std::vector<std::pair<std::size_t, Phase>> laps_;
};

}  // namespace skipper::distributed
