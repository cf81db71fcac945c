// Distributed programs as values, for any number of ranks, any machine and any links, without a communicator and without
// running anything: what a DistributedPlan would do there, how long that should take, and the memory it needs.
//
//   skipper::DistributedSettings settings;
//   settings.links = "nvlink";
//   skipper::PlannedRanks const planned = skipper::planned_ranks(skipper::c2c({1024, 1024, 1024}), 8, "h200", settings);
#pragma once

#include <skipper/distributed.h>
#include <skipper/problem.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skipper {

// One stage and the exchange behind it, as the slowest rank has them.
struct PlannedStage {
  std::string text;              // the line of the program
  double transform_seconds = 0;  // each axis reads and writes the rank's box once, beyond 65536 points twice
  double exchange_seconds = 0;   // latencies, and bytes over the bandwidth of their link
  double seconds = 0;            // both, overlapped by pieces
  std::int64_t node_bytes =
      0;  // that a rank sends to ranks of its own node, and to those of others: the most of any
  std::int64_t network_bytes = 0;
  std::int64_t messages = 0;  // of a rank
};

struct PlannedRanks {
  std::string text;           // canonical, as DistributedSettings::program reads it
  std::string links;          // canonical
  double rank_bandwidth = 0;  // bytes/s of a copy by one rank while all of them copy, read plus write
  double seconds = 0;         // of all stages
  std::vector<PlannedStage> stages;
  // Of the rank that needs most: its input and output, and what the plan holds beyond them.
  std::int64_t array_bytes = 0;
  std::int64_t buffer_bytes = 0;
};

// A pure function. The machine is what one rank computes with, as for planned(): a GPU, or a CPU whose bandwidth the ranks of a
// node share. Of the settings those count that choose a program: in, out (whole lists), any_output, in_order, out_order, pieces, links (empty: "host")
// and program, which is then not searched for but predicted. Throws Error.
PlannedRanks planned_ranks(Problem const& problem, int ranks, std::string_view machine,
                           DistributedSettings const& settings = {});

// What one rank of a program holds, sends and receives.
struct PlannedTransfer {
  int rank = 0;  // the peer
  Box box;       // of the array between the two stages
  std::int64_t bytes = 0;
  bool same_node = true;
};

struct PlannedRankStage {                        // boxes are of digits where an axis is split
  Box in, out;                                   // before and after the transforms of the stage
  std::vector<PlannedTransfer> sends, receives;  // of the exchange behind it
};

struct PlannedRank {
  std::vector<PlannedRankStage> stages;
  std::int64_t array_bytes = 0, buffer_bytes = 0;
};

// `program` is the text of one, `links` a name or a text (empty: "host"). Throws Error.
PlannedRank planned_rank(std::string_view program, int rank, std::string_view links = {});

// The links that are known by name.
std::vector<std::string> links_names();

}  // namespace skipper
