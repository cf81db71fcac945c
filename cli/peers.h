// Other libraries to measure against, where they are installed. They are opened at run time and never linked.
#pragma once

#include <skipper/problem.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skipper::cli {

// Names and versions of the peers that could be opened.
std::vector<std::pair<std::string, std::string>> peer_versions();

// Why there is no peer of this name: it is not installed, or not one that we know.
std::string missing_peer(std::string const& name);

// A transform that a peer has made ready; it may be called as often as wanted.
struct PeerPlan {
  std::string peer;
  std::function<void()> execute;
  bool measured = true;  // false: the time for planning ran out, and the plan is an estimate
};

// Plans the problem with the peers of these names on these arrays, whose contents are lost. Planning measures
// (FFTW_MEASURE) for at most `planning_seconds`, or as long as it takes where that is negative. Peers that cannot do the
// problem are left out.
std::vector<PeerPlan> plan_peers(std::vector<std::string> const& names, Problem const& problem, void* in,
                                 void* out, int threads, double planning_seconds);

// What peers have learnt about this machine, kept between runs: FFTW's wisdom, in `path`.f32 and `path`.f64. Loading
// also takes what processes that planned a part each have left, in `path`.0, `path`.1 and so on (peer_planning.h); what is
// not there yet does nothing.
void load_wisdom(std::string const& path);
void save_wisdom(std::string const& path);

}  // namespace skipper::cli
