// One problem over ranks: verified, and timed by phase. A sample is the time from a barrier until the slowest rank is done. Phases
// are measured in executions of their own, with a clock in them, and are means over the ranks: so they add up to the time of one.
#pragma once

#include <skipper/distributed.h>

#include <memory>
#include <string>
#include <vector>

#include "bench_options.h"
#include "measure.h"

namespace skipper::cli {

struct RanksCase {
  Problem problem;
  std::string program;
  Timing time;
  double plan_seconds = 0;
  std::vector<StageTimes> stages;  // means over the ranks
  ExchangeMethod exchange = ExchangeMethod::automatic;
  double sent_bytes = 0, all_sent_bytes = 0;  // of the rank that sends most, and of all together
  double memory_bytes = 0;                    // beyond the arrays, of the rank that holds most
  double defect = 0;

  bool verified() const { return defect <= 1; }
  double exchange_seconds() const {
    double all = 0;
    for (StageTimes const& s : stages) all += s.move_seconds + s.wait_seconds;
    return all;
  }
  // Of a rank, while it moves data and waits for others; 0 where transforms store into other ranks.
  double bandwidth() const {
    bool const apart = exchange != ExchangeMethod::fused && exchange_seconds() > 0;
    return apart ? sent_bytes / exchange_seconds() : 0;
  }
};

// How the problem is spread. Throws what all ranks throw alike, before any of them has sent anything.
DistributedSettings settings_for(BenchOptions const& o, Problem const& problem, Communicator const& c);

// Measures on all ranks together.
RanksCase measured(BenchOptions const& o, Problem const& problem, DistributedSettings settings,
                   std::shared_ptr<Communicator> const& shared);

}  // namespace skipper::cli
