// Numbers of threads, limits of time and parts of a list.
#include "peer_planning.h"

#include <algorithm>
#include <cmath>

#include "buffer.h"
#include "cases.h"
#include "terminal.h"

namespace skipper::cli {

std::vector<PeerPlan> planned_peers(Problem const& problem, BenchSettings const& settings, void* in,
                                    void* out) {
  constexpr double smallest = 1 << 18, small = 1 << 21;  // bytes moved
  int const threads = thread_count(settings.plan.cpu.threads);
  std::vector<int> counts;
  if (threads > 1 && moved_bytes(problem) > smallest) counts.push_back(threads);
  if (threads == 1 || moved_bytes(problem) <= small) counts.push_back(1);
  double const limit = settings.peer_planning_seconds > 0 ? settings.peer_planning_seconds : -1;
  std::vector<PeerPlan> peers;
  for (int const count : counts)
    for (PeerPlan& peer : plan_peers(settings.peers, problem, in, out, count, limit))
      peers.push_back(std::move(peer));
  return peers;
}

std::vector<Problem> part_of(std::vector<Case> const& cases, int part, int parts) {
  std::vector<Problem> problems;
  for (Case const& c : cases)
    if (c.problem) problems.push_back(*c.problem);
  std::stable_sort(problems.begin(), problems.end(),
                   [](Problem const& a, Problem const& b) { return operations(a) < operations(b); });
  std::vector<Problem> chosen;
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (int(i) % parts == part) chosen.push_back(problems[i]);
  return chosen;
}

int plan_ahead(std::vector<Problem> const& problems, BenchSettings const& settings) {
  load_wisdom(settings.wisdom);
  save_wisdom(settings.wisdom);  // so that the file is there even if nothing is learnt
  double const end = settings.within > 0 ? now() + settings.within : INFINITY;
  int done = 0;
  for (Problem const& problem : problems) {
    double const left = end - now();
    if (left <= 0) break;
    BenchSettings bounded = settings;
    if (std::isfinite(left))
      bounded.peer_planning_seconds =
          settings.peer_planning_seconds > 0 ? std::min(left, settings.peer_planning_seconds) : left;
    bool const same = problem.placement == Placement::in_place;
    Buffer in(std::max(in_bytes(problem), out_bytes(problem))), out(same ? 0 : in.bytes());
    auto const peers = planned_peers(problem, bounded, in.data(), same ? in.data() : out.data());
    done += std::all_of(peers.begin(), peers.end(), [](PeerPlan const& p) { return p.measured; });
    save_wisdom(settings.wisdom);
  }
  return done;
}

void note_planning(Report& report, BenchSettings const& settings) {
  std::string how = " (FFTW_MEASURE";
  if (settings.peer_planning_seconds > 0)
    how += " for at most " + number_text(settings.peer_planning_seconds, 2) + " s a plan";
  if (!settings.wisdom.empty()) how += ", with wisdom from earlier planning";
  for (auto& [name, version] : report.versions)
    if (name == "fftw") version += how + ")";
}

}  // namespace skipper::cli
