// `skipper crossover a.json ...`: times of small transforms by their length and by how many are taken at once, the form
// of the tables in Mitra and Srinivasan's paper, and from how many on the first result is the fastest of all.
#include <skipper/problem.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "command.h"
#include "escape.h"
#include "format.h"
#include "input_file.h"
#include "json.h"
#include "report.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

// A table is for one of these: "c2c f32, 3-D".
struct Family {
  std::string kind;
  std::size_t rank;
  auto operator<=>(Family const&) const = default;
};

// Seconds by length, batch size, and library or device.
using Times = std::map<std::int64_t, std::map<std::int64_t, std::map<std::string, double>>>;

// A line, square or cube: the length of its axes; else 0.
std::int64_t edge(Problem const& problem) {
  for (Axis const& a : problem.axes)
    if (a.size != problem.axes[0].size) return 0;
  return problem.axes[0].size;
}

std::string kind_text(Problem const& problem) {
  std::string const whole = text(problem);
  return whole.substr(0, whole.find(' ', whole.find(' ') + 1));  // its first two words
}

std::int64_t at_once(Problem const& problem) {
  std::int64_t count = 1;
  for (Dim const& d : problem.batch) count *= d.size;
  return count;
}

// The names of devices and peers in the order of the results: each device, then the peers it is compared with.
std::vector<std::string> contenders(std::vector<Report> const& reports) {
  std::vector<std::string> names;
  for (Report const& report : reports) {
    names.push_back(report.device);
    for (std::string const& peer : peer_names(report)) names.push_back(peer);
  }
  return names;
}

std::map<Family, Times> sorted(std::vector<Report> const& reports) {
  std::map<Family, Times> families;
  for (Report const& report : reports)
    for (MeasuredCase const& c : report.cases) {
      Problem const problem = parse_problem(c.problem);
      if (edge(problem) == 0) continue;
      auto& times = families[{kind_text(problem), problem.axes.size()}][edge(problem)][at_once(problem)];
      times[report.device] = c.seconds;
      for (auto const& [peer, seconds] : c.peers) times[peer] = seconds;
    }
  return families;
}

// The least number at once from which on the first contender is the fastest, whatever the number.
std::string cross_over(std::map<std::int64_t, std::map<std::string, double>> const& counts,
                       std::vector<std::string> const& names) {
  std::string from = "-";
  for (auto it = counts.rbegin(); it != counts.rend(); ++it) {
    auto const own = it->second.find(names[0]);
    if (own == it->second.end()) continue;
    for (auto const& [name, seconds] : it->second)
      if (seconds < own->second) return from;
    from = formatted("{}", it->first);
  }
  return from;
}

std::string family_table(Times const& times, std::vector<std::string> const& names) {
  std::set<std::int64_t> counts;
  for (auto const& [n, by_count] : times)
    for (auto const& [count, who] : by_count) counts.insert(count);
  std::vector<std::string> heading{"N"};
  for (std::int64_t const count : counts)
    for (std::string const& name : names) heading.push_back(formatted("{} {}", count, name));
  heading.push_back("fastest from");
  Table rows(heading);
  for (auto const& [n, by_count] : times) {
    std::vector<std::string> row{formatted("{}", n)};
    for (std::int64_t const count : counts)
      for (std::string const& name : names) {
        auto const who = by_count.find(count);
        bool const known = who != by_count.end() && who->second.count(name);
        row.push_back(known ? number_text(who->second.at(name) * 1e6) : "-");
      }
    row.push_back(cross_over(by_count, names));
    rows.add(row);
  }
  return rows.text();
}

int run(std::vector<std::string> const& results) {
  demand_one_standard_input(results);
  std::vector<Report> reports;
  for (std::string const& path : results) reports.push_back(read_report(path));
  std::vector<std::string> const names = contenders(reports);
  std::set<std::string> const different(names.begin(), names.end());
  if (different.size() < names.size())
    throw JsonError(
        "two results are of the same device or have the same peer, so their times cannot be told apart; "
        "give one result for each device");
  std::map<Family, Times> const families = sorted(reports);
  if (families.empty()) throw JsonError("the results have no line, square or cube");
  for (auto const& [family, times] : families)
    print("{}, {}-D, microseconds a call, for each number of transforms at once:\n{}\n", family.kind,
          family.rank, family_table(times, names));
  for (Report const& report : reports)
    print("{}\n", escaped(formatted("{}: {} threads; {}; {}, commit {}", report.device, report.threads,
                                    versions_line(report), report.date, report.commit)));
  return done;
}

}  // namespace

Command crossover_command(CLI::App& program) {
  auto const results = std::make_shared<std::vector<std::string>>();
  CLI::App& c = add_command(program, "crossover",
                            "tables of small transforms, few and many at once, from results of bench --json",
                            "A table for each kind and number of axes: a row for each length, a column for "
                            "each number at once and each of\n"
                            "the devices and peers that were measured. The last column has the least number "
                            "from which on the first\n"
                            "device is the fastest.");
  add_operands(c, "result.json", *results, 1, "results, one for each device");
  return {&c, [results] { return run(*results); }};
}

}  // namespace skipper::cli
