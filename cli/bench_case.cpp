// One case, and lists of them.
#include "bench_case.h"

#include <algorithm>
#include <cmath>

#include "bench_cuda.h"
#include "buffer.h"
#include "each_case.h"
#include "gpu.h"
#include "peer_planning.h"
#include "reference/accuracy.h"

namespace skipper::cli {
namespace {

struct Arrays {
  explicit Arrays(Problem const& problem)
      : in(std::max(in_bytes(problem), out_bytes(problem))),
        out(in.bytes()),
        same(problem.placement == Placement::in_place) {}
  Buffer in, out;
  bool same;
  void* result() { return same ? in.data() : out.data(); }
};

reference::Accuracy judged(Problem const& problem, Plan const& plan, Arrays& arrays) {
  arrays.in.fill_random(problem.precision);
  if (arrays.same) arrays.out.fill_random(problem.precision);  // keeps the input
  plan.execute(arrays.in.data(), arrays.result());
  return arrays.same ? reference::accuracy(problem, arrays.out.data(), arrays.in.data())
                     : reference::accuracy(problem, arrays.in.data(), arrays.out.data());
}

// The fastest plan of each peer, by name.
std::vector<std::pair<std::string, double>> best_times(std::vector<PeerPlan> const& peers,
                                                       std::vector<Timing> const& times, std::size_t first) {
  std::vector<std::pair<std::string, double>> best;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    double const seconds = times[first + i].seconds;
    auto const known =
        std::find_if(best.begin(), best.end(), [&](auto const& b) { return b.first == peers[i].peer; });
    if (known == best.end())
      best.emplace_back(peers[i].peer, seconds);
    else
      known->second = std::min(known->second, seconds);
  }
  return best;
}

}  // namespace

MeasuredCase bench_case(Problem const& problem, BenchSettings const& settings, CopyTeam& team) {
  Plan const plan(problem, settings.plan);
  Arrays arrays(problem);
  Buffer workspace(std::int64_t(plan.workspace_bytes()));
  std::vector<PeerPlan> const peers = planned_peers(problem, settings, arrays.in.data(), arrays.result());
  reference::Accuracy const exactness = judged(problem, plan, arrays);
  // Again and again in place, numbers would grow past all bounds; zeros do not, and take the same time.
  if (arrays.same || problem.kind == Kind::c2r) arrays.in.zero(), arrays.out.zero();

  void* const work = workspace.bytes() ? workspace.data() : nullptr;
  std::size_t const copied = std::size_t(moved_bytes(problem) / 2);
  std::vector<std::function<void()>> works{
      [&] { plan.execute(arrays.in.data(), arrays.result(), {.workspace = work}); },
      [&] { team.copy(arrays.in.data(), arrays.out.data(), copied); }};
  for (PeerPlan const& peer : peers) works.push_back(peer.execute);
  std::vector<Timing> const times = measure(works, settings.measure);
  MeasuredCase result;
  result.problem = text(problem);
  result.seconds = times[0].seconds;
  result.copy_seconds = times[1].seconds;
  result.peers = best_times(peers, times, 2);
  result.error_l2 = exactness.l2;
  result.error_max = exactness.max;
  result.spread = times[0].spread;
  for (PeerPlan const& peer : peers) result.peers_held_back |= !peer.measured;
  return result;
}

Report measured_cases(Report report, std::vector<Case> const& cases, BenchSettings const& settings,
                      std::function<MeasuredCase(Problem const&)> const& measure, Grown const& grown) {
  double const end = settings.within > 0 ? now() + settings.within : INFINITY;
  auto const grow = [&] {
    if (grown) grown(report);
  };
  for_each_case(
      cases,
      [&](Problem const& problem) {
        if (now() > end) throw LeftOut("no time was left");
        return measure(problem);
      },
      [&](MeasuredCase const& c) {
        report.cases.push_back(c);
        grow();
      },
      [&](Case const& c, Fault const& fault) {
        report.skipped.push_back({c.line, fault.why, fault.failed});
        grow();
      });
  return report;
}

Report bench_cases(std::vector<Case> const& cases, BenchSettings const& settings, Grown const& grown) {
  if (cuda_device(settings.plan.device.name()) >= 0) return bench_cuda_cases(cases, settings, grown);
  int const threads = thread_count(settings.plan.cpu.threads);
  Report report = empty_report(settings.plan.device.name(), threads, settings.peers);
  note_planning(report, settings);
  if (!settings.wisdom.empty()) load_wisdom(settings.wisdom);
  CopyTeam team(threads);
  auto const measure = [&](Problem const& problem) { return bench_case(problem, settings, team); };
  return measured_cases(std::move(report), cases, settings, measure, [&](Report const& so_far) {
    if (!settings.wisdom.empty()) save_wisdom(settings.wisdom);
    if (grown) grown(so_far);
  });
}

}  // namespace skipper::cli
