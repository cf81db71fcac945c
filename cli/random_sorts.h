// What `verify --random` draws beside transforms: a table of sorts, each with what draws one and how it is verified.
#pragma once

#include <skipper/settings.h>

#include <functional>
#include <string>
#include <vector>

#include "coverage/draw.h"
#include "coverage/mechanisms.h"
#include "device_run.h"

namespace skipper::cli {

// Where what was drawn runs, and how many threads judge it; 0: one for each core.
struct RandomRun {
  Device device;
  CpuSettings cpu;   // of a plan there, so the default one where it is a GPU
  CpuSettings host;  // of what gathers and scatters for any device
  int threads = 0;
  DeviceRun on_device = {};
};

struct Outcome {
  std::string wrong;                // empty where nothing is
  std::vector<std::string> covers;  // what only the plan knows
};

struct Drawn {
  std::string text;
  coverage::Uses uses;
  std::function<Outcome(RandomRun& run)> verify;  // throws Error where it is refused
};

struct RandomSort {
  std::string name;                // as --of has it
  std::vector<std::string> words;  // for all that it may cover
  Drawn (*draw)(std::uint64_t seed, std::uint64_t number, coverage::Sizes const& sizes);
};
std::vector<RandomSort> const& random_sorts();

RandomSort random_convolutions();
RandomSort random_exchanges();
RandomSort random_poisson();
RandomSort random_streams();

}  // namespace skipper::cli
