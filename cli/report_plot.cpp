// Reports as charts: rates of every series, or how many times faster than the fastest peer.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "format.h"
#include "plot.h"
#include "report.h"

namespace skipper::cli {
namespace {

// For a machine's text what stands for its name, "x86-64-avx512"; other names as they are.
std::string machine_name(Report const& report) {
  std::istringstream words(report.machine);
  std::string word, name, kind, architecture;
  words >> word >> name >> kind >> architecture;
  if (word != "machine" || architecture.empty()) return report.machine;
  return name == "host" ? architecture : name;
}

std::string place(Report const& report) {
  if (report.threads <= 0) return machine_name(report);
  return formatted("{}, {} {}", machine_name(report), report.threads,
                   report.threads == 1 ? "thread" : "threads");
}

std::string about(Report const& report) {
  return formatted("{}; commit {}, {}", versions_line(report), report.commit, report.date.substr(0, 10));
}

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

// What a problem has in common with others that are easy or hard for the same reasons.
std::string family(Problem const& problem) {
  std::int64_t const n = problem.axes[0].size;
  if (problem.kind != Kind::c2c) return "real";
  if (problem.axes.size() > 1) return formatted("{}-D", problem.axes.size());
  if ((n & (n - 1)) == 0) return "1-D 2^k";
  return is_prime(n) ? "1-D prime" : "1-D other";
}

}  // namespace

std::string plot(Report const& report, std::string const& title) {
  BarPlot chart{title + ": " + place(report),
                about(report),
                "GFLOPS (5 N log2 N, half for real): longer is faster",
                {},
                {{"skipper", {}}}};
  for (std::string const& name : peer_names(report)) chart.series.push_back({name, {}});
  for (MeasuredCase const& c : report.cases) {
    double const work = operations(parse_problem(c.problem)) / 1e9;
    chart.labels.push_back(c.problem);
    for (BarPlot::Series& s : chart.series) {
      double seconds = s.name == "skipper" ? c.seconds : NAN;
      for (auto const& [name, peer_seconds] : c.peers)
        if (name == s.name) seconds = peer_seconds;
      s.values.push_back(work / seconds);
    }
  }
  return svg(chart);
}

std::string peer_plot(Report const& report) {
  std::string const peers = joined(peer_names(report), " or ");
  RatioPlot chart{place(report) + ": how many times as fast as " + peers,
                  about(report),
                  "skipper is faster",
                  peers + " is faster",
                  {}};
  for (MeasuredCase const& c : report.cases) {
    double const ratio = best_peer(c) / c.seconds;
    if (!std::isfinite(ratio)) continue;
    std::string const name = family(parse_problem(c.problem));
    auto group = std::find_if(chart.groups.begin(), chart.groups.end(),
                              [&](RatioPlot::Group const& g) { return g.name == name; });
    if (group == chart.groups.end()) group = chart.groups.insert(group, {name, {}});
    group->columns.push_back({c.problem, ratio});
  }
  return svg(chart);
}

}  // namespace skipper::cli
