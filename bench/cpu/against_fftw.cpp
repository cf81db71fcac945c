// The CPU engine against FFTW 3 on the list bench/cpu/cases.txt (bench/cpu/kinds.txt has cosine and sine kinds), in one run
// on one machine, out of place, each piece of
// work in turn with the others (cli/measure.h). FFTW is opened at run time and plans with FFTW_MEASURE for as long as it
// takes, unless --planning bounds it; the bound stands in the results, and which plans it cut short. With --plan I/N it
// only plans a part of the list, so that N processes plan all of it: FFTW's measuring takes far longer than ours. Prints geometric means of time over FFTW's by
// family and the worst cases; --json FILE keeps the results in the form of `skipper bench --json`, one file for each
// number of threads, FILE.1.json and so on.
#include <skipper/error.h>
#include <skipper/plan.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/bench_case.h"
#include "cli/cases.h"
#include "cli/peer_planning.h"

namespace {

using namespace skipper;
using namespace skipper::cli;

std::string family(Problem const& p) {
  std::string const kind(name(p.kind));
  if (!p.batch.empty()) return kind + " batched";
  if (p.axes.size() > 1) return kind + " " + std::to_string(p.axes.size()) + "-D";
  std::int64_t n = p.axes[0].size, largest = 1;
  bool const power = (n & (n - 1)) == 0;
  for (std::int64_t f = 2; n > 1; ++f)
    for (; n % f == 0; n /= f) largest = f;
  if (power) return kind + " 2^k";
  if (largest <= 13) return kind + " smooth";
  return kind + (largest == p.axes[0].size ? " prime" : " prime x m");
}

struct Mean {
  double logarithms = 0, worst = 0;
  int count = 0;
  void add(double ratio) {
    logarithms += std::log(ratio);
    worst = std::max(worst, ratio);
    ++count;
  }
  void print(std::string const& label) const {
    std::printf("  %-16s %4d cases  mean %5.2f  worst %5.2f\n", label.c_str(), count,
                std::exp(logarithms / count), worst);
  }
};

void print_summary(Report const& report) {
  std::map<std::string, Mean> families;
  Mean all, measured;
  std::vector<std::pair<double, MeasuredCase const*>> ratios;
  for (MeasuredCase const& c : report.cases)
    for (auto const& [peer, seconds] : c.peers) {
      double const ratio = c.seconds / seconds;
      families[family(parse_problem(c.problem))].add(ratio);
      all.add(ratio);
      if (!c.peers_held_back) measured.add(ratio);
      ratios.emplace_back(ratio, &c);
    }
  std::printf("%d threads, time over FFTW's:\n", report.threads);
  if (all.count == 0) return void(std::printf("  FFTW is not installed\n"));
  for (auto const& [label, mean] : families) mean.print(label);
  all.print("all");
  if (measured.count > 0 && measured.count < all.count) measured.print("FFTW unbounded");
  std::sort(ratios.begin(), ratios.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
  std::printf("the worst:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(12, ratios.size()); ++i)
    std::printf("  %5.2f  %-32s %12.3f us, spread %.2f%s\n", ratios[i].first,
                ratios[i].second->problem.c_str(), ratios[i].second->seconds * 1e6, ratios[i].second->spread,
                ratios[i].second->peers_held_back ? ", FFTW estimated" : "");
}

struct Options {
  std::vector<std::string> problems;
  std::string list = "bench/cpu/cases.txt", wisdom;
  std::vector<std::int64_t> threads{1, 0};
  double planning = 0, seconds = 0.3, within = 0;
  std::optional<std::string> plan, json;
};

std::vector<Case> cases_of(Options const& o) {
  if (o.problems.empty()) return read_list(o.list);
  std::vector<Case> cases;
  for (std::string const& text : o.problems) cases.push_back({text, parse_problem(text), ""});
  return cases;
}

// "3/16": the fourth of sixteen parts. What it learns stands beside what the other parts learn.
void plan_part(std::vector<Case> const& cases, BenchSettings settings, std::string const& part) {
  std::vector<std::int64_t> const numbers = integers(part, '/', "--plan");
  if (numbers.size() != 2 || numbers[0] < 0 || numbers[0] >= numbers[1] || settings.wisdom.empty())
    throw BadArgument("--plan: '" + part +
                      "' must be a part I/N with 0 <= I < N, and --wisdom a file to keep it");
  settings.wisdom += "." + std::to_string(numbers[0]);
  std::vector<Problem> const problems = part_of(cases, int(numbers[0]), int(numbers[1]));
  int const done = plan_ahead(problems, settings);
  std::printf("planned %d of %zu problems, %d threads\n", done, problems.size(),
              thread_count(settings.plan.cpu.threads));
}

void run(Options const& o) {
  std::vector<Case> const cases = cases_of(o);
  BenchSettings settings;
  settings.plan.device = Device("cpu");
  settings.peers = {"fftw"};
  settings.peer_planning_seconds = o.planning;
  settings.measure.seconds = o.seconds;
  settings.wisdom = o.wisdom;
  settings.within = o.within;
  for (std::int64_t const threads : o.threads) {
    settings.plan.cpu.threads = int(threads);
    if (o.plan) {
      plan_part(cases, settings, *o.plan);
      continue;
    }
    Report const report = bench_cases(cases, settings);
    print_summary(report);
    for (SkippedCase const& s : report.skipped)
      std::printf("  not measured: %s: %s\n", s.problem.c_str(), s.reason.c_str());
    if (o.json) save_report(*o.json + "." + std::to_string(report.threads) + ".json", report, true);
  }
}

}  // namespace

int main(int count, char** words) {
  Options o;
  CLI::App app("times Skipper on the CPU against FFTW", "against_fftw");
  add_operands(app, "problem", o.problems, 0, "texts of problems, in place of a list");
  add_text(app, "--list", "FILE", o.list, "problems, one a line (default bench/cpu/cases.txt)");
  add_integers(app, "--threads", "N,N", ',', o.threads, "numbers of threads such as 1,0",
               "how many threads, run after run; 0: one for each core (default 1,0)");
  add_number(app, "--planning", "S", o.planning, 0, "seconds FFTW may plan a problem (default: no limit)");
  add_number(app, "--seconds", "S", o.seconds, 0, "time for each measurement (default 0.3)");
  add_text(app, "--wisdom", "FILE", o.wisdom, "keep what FFTW learns by planning between runs");
  add_text(app, "--plan", "I/N", o.plan, "only plan part I of N, from 0, into the wisdom FILE.I");
  add_number(app, "--within", "S", o.within, 0,
             "begin no case after so many seconds, for each number of threads");
  add_text(app, "--json", "FILE", o.json, "keep the results");
  try {
    app.parse(count, words);
    run(o);
  } catch (CLI::ParseError const& e) {
    return app.exit(e);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "against_fftw: %s\n", e.what());
    return 1;
  }
}
