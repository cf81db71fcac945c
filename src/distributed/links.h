// What joins ranks: within a node, and between nodes. Plain facts, as of a machine; one canonical text:
// `links nvlink ranks_per_node 8 node 2e-06 4.5e+11 network 5e-06 5e+10`, latencies in seconds and bandwidths in bytes/s, each way
// and each rank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace skipper::distributed {

struct Link {
  double latency = 1e-6;
  double bandwidth = 1e10;

  bool operator==(Link const&) const = default;
};

struct Links {
  std::string name;
  Index ranks_per_node = 1;  // neighbours in order of rank
  Link node, network;

  Link const& between(Index a, Index b) const {
    return a / ranks_per_node == b / ranks_per_node ? node : network;
  }
  bool operator==(Links const&) const = default;
};

std::vector<std::string> links_names();
/// From a name or a full text. Throws Error.
Links links(std::string_view name_or_text);
std::string text(Links const& links);

}  // namespace skipper::distributed
