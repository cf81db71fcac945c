// Finds the stages of a distributed transform: a pure function of the problem, the boxes of input and output, the links and
// the speed of a rank. It weighs slabs of every dimension and pencils of every pair by the time that the slowest rank
// takes to compute and to send, and finds the cheapest path from the input's cut to the output's by Dijkstra's algorithm, whose
// nodes are cuts with the axes done so far.
#pragma once

#include <optional>
#include <set>

#include "distributed/links.h"
#include "distributed/program.h"

namespace skipper::distributed {

struct Request {
  Problem problem;  // of digits where an axis is split, and so are the cuts
  Distribution in;
  std::optional<Distribution> out;  // nothing: the cheapest
  Links links;
  double rank_bandwidth = 1e10;  // bytes/s of a copy by one rank while all of them copy, read plus write
  Index pieces = 0;              // 0: chosen
  std::optional<Split> split = {};
};

/// The cost of one stage and the exchange behind it, for the slowest rank.
struct StageCost {
  double compute_seconds = 0, exchange_seconds = 0;
  double seconds = 0;       // both, with as much overlap as the pieces allow
  Index sent_bytes = 0;     // to other ranks
  Index network_bytes = 0;  // of these, to ranks of other nodes
  Index messages = 0;
};

struct Planned {
  Program program;
  std::vector<StageCost> stages;
  double seconds = 0;  // all stages
};

Planned plan_stages(Request const& request);

/// The cuts that a stage may have of an array of these sizes: slabs and pencils.
std::set<Grid> candidate_grids(std::vector<Index> const& sizes, Index ranks);

/// The time of an exchange for the slowest rank. Links work both ways at once, so the slower of sending and receiving counts.
StageCost exchange_cost(Distribution const& from, Distribution const& to, Index element_bytes,
                        Links const& links);

/// Seconds that the stage behind an exchange takes longer where receivers differ in the fastest dimension; else 0.
/// That dimension becomes the slowest of their arrays (layout.h), so the stage reads rows of one dimension and writes
/// rows of another, both short.
double transposition_seconds(Distribution const& from, Distribution const& to, Index element_bytes,
                             double rank_bandwidth);

/// The number of pieces of an exchange by messages with the best overlap of computing and sending.
Index best_pieces(std::vector<StageCost> const& stages, Links const& links);

/// The cost of a given program.
Planned costed(Program const& program, Links const& links, double rank_bandwidth);

/// The default cut of the output: the input's where that is possible, else slabs of the slowest dimension.
Distribution default_out(Problem const& problem, Distribution const& in);

/// A sample of ranks for counting messages: the first has the largest parts, the middle and the last have other neighbours.
std::vector<Index> sample(Index ranks);

}  // namespace skipper::distributed
