// `skipper verify --random`: problems drawn at random that between them have every mechanism of the plans, verified, and a table of
// what was covered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "settings.h"

namespace skipper::cli {

struct RandomOptions {
  std::optional<int> problems;
  std::int64_t seed = 1;
  std::optional<std::string> share, machine, sort;
  std::optional<std::int64_t> bytes;
  double within = 0;  // seconds; 0: no limit
};

// --random, --seed, --share, --machine, --bytes, --of and --within.
void random_options(CLI::App& command, RandomOptions& to);

// Draws, verifies and prints; the exit code.
int verify_random(RandomOptions const& options, DeviceOptions const& device, bool as_json);

}  // namespace skipper::cli
