// What the command line of `skipper fft` says.
#pragma once

#include "fft_work.h"
#include "ranks.h"
#include "settings.h"

namespace skipper::cli {

struct FftOptions {
  CLI::App const* command = nullptr;
  std::string in, out;
  FftWorkOptions work;
  bool pairs = false;
  std::optional<std::int64_t> memory_limit;
  DeviceOptions device;
  RankOptions ranks;
};

}  // namespace skipper::cli
