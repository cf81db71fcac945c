// What the command line of `skipper bench` says.
#pragma once

#include "cases.h"
#include "rank_settings.h"
#include "ranks.h"
#include "settings.h"

namespace skipper::cli {

struct BenchOptions {
  CLI::App const* command = nullptr;
  ProblemOptions problems;
  DeviceOptions device;
  std::optional<int> repeats;
  double seconds = 0.5;
  bool json = false;
  // On one device.
  std::vector<std::string> against;
  bool no_peers = false, peers = false;
  double peer_planning = 10;
  std::string wisdom;
  bool prepare = false, no_clusters = false;
  double within = 0;
  std::optional<std::string> save, plot;
  bool csv = false;
  // Over ranks, and between GPUs.
  bool distributed = false, exchanges = false, only_all = false;
  std::optional<std::string> exchange;
  RankOptions ranks;
  DistributionOptions distribution;
};

}  // namespace skipper::cli
