// How peers plan on the CPU: with how many threads, for how long, ahead of the measurements and in many processes.
#pragma once

#include <vector>

#include "bench_case.h"
#include "peers.h"

namespace skipper::cli {

struct Case;

// Peers on these arrays with as many threads as we have. FFTW starts its threads anew at every execution, so on small
// problems they stand in its way: the smallest are planned with one thread only, small ones with both, and the faster
// counts.
std::vector<PeerPlan> planned_peers(Problem const& problem, BenchSettings const& settings, void* in,
                                    void* out);

// Part `part` of `parts` of the cases, from 0: each gets cases of all sizes, small ones first.
std::vector<Problem> part_of(std::vector<Case> const& cases, int part, int parts);

// Plans these problems and keeps what was learnt in `settings.wisdom`, but for problems whose turn comes only after
// `settings.within` seconds. A plan under way then stops too. Says how many were planned to the end.
int plan_ahead(std::vector<Problem> const& problems, BenchSettings const& settings);

// Adds to the versions in the report how the peers were allowed to plan, which belongs to what they are.
void note_planning(Report& report, BenchSettings const& settings);

}  // namespace skipper::cli
