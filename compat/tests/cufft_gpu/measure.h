#pragma once
// What a call costs the host. Calls are enqueued in bursts that fit the queue of a stream, and waited for between them, so that
// the clock sees the calls and not the GPU.
#include <algorithm>
#include <chrono>
#include <vector>

#include "device.h"

constexpr int points = 256;  // of the transform: one short kernel

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Nanoseconds a call: the median of bursts.
template <class Call>
double nanoseconds(Call const& call) {
  constexpr int bursts = 400, calls = 200;
  std::vector<double> times;
  for (int burst = 0; burst < bursts; ++burst) {
    double const begin = seconds();
    for (int i = 0; i < calls; ++i) call();
    times.push_back((seconds() - begin) / calls * 1e9);
    Device::get().synchronise();
  }
  std::nth_element(times.begin(), times.begin() + bursts / 2, times.end());
  return times[bursts / 2];
}
