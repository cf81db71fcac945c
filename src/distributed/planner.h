// Finds the stages of a distributed transform: a pure function of the problem, the boxes of input and output, the links and
// the speed of a rank. It weighs slabs of every dimension and pencils of every pair by the time that the slowest rank
// takes to compute and to send, and looks for the cheapest way from the input's cut to the output's (Dijkstra's search over
// cuts and axes done).
#pragma once

#include <optional>

#include "distributed/links.h"
#include "distributed/program.h"

namespace skipper::distributed {

struct Request {
  Problem problem;
  Distribution in;
  std::optional<Distribution> out;  // nothing: wherever it is cheapest
  Links links;
  double rank_bandwidth = 1e10;  // bytes/s of a copy by one rank while all of them copy, read plus write
  Index pieces = 0;              // 0: chosen
};

/// What the slowest rank does in one stage and the exchange behind it.
struct StageCost {
  double compute_seconds = 0, exchange_seconds = 0;
  Index sent_bytes = 0;  // to other ranks
  Index messages = 0;
};

struct Planned {
  Program program;
  std::vector<StageCost> stages;
  double seconds = 0;  // all stages, with as much overlap as the pieces allow
};

Planned plan_stages(Request const& request);

/// The cost of a given program.
Planned costed(Program const& program, Links const& links, double rank_bandwidth);

/// The output's cut where a user names none: the input's where that is possible, else slabs of the slowest dimension.
Distribution default_out(Problem const& problem, Distribution const& in);

/// Bytes that a rank needs beyond its input and output: what waits for a stage, twice where exchanges follow each other.
Index buffer_bytes(Program const& program, Index rank);

}  // namespace skipper::distributed
