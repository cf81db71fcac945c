// The CPU engine against FFTW 3 on the list bench/cpu/cases.txt (bench/cpu/kinds.txt has cosine and sine kinds), in one run
// on one machine, out of place, each piece of
// work in turn with the others (cli/measure.h). FFTW is opened at run time and plans with FFTW_MEASURE for as long as it
// takes, unless --planning bounds it; the bound stands in the results, and which plans it cut short. With --plan I/N it
// only plans a part of the list, so that N processes plan all of it: FFTW's measuring takes far longer than ours. Prints geometric means of time over FFTW's by
// family and the worst cases; --json FILE keeps the results in the form of `skipper bench --json`, one file for each
// number of threads, FILE.1.json and so on.
#include <skipper/error.h>
#include <skipper/plan.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/bench_case.h"
#include "cli/cases.h"
#include "cli/output_file.h"
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

std::vector<Case> cases_of(Args const& args) {
  if (args.operands().empty()) return read_list(args.value_or("--list", "bench/cpu/cases.txt"));
  std::vector<Case> cases;
  for (std::string const& text : args.operands()) cases.push_back({text, parse_problem(text), ""});
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
              thread_count(settings.plan.threads));
}

void run(Args const& args) {
  std::vector<Case> const cases = cases_of(args);
  BenchSettings settings;
  settings.plan.device = Device("cpu");
  settings.peers = {"fftw"};
  settings.peer_planning_seconds = args.number_or("--planning", 0, 0);
  settings.measure.seconds = args.number_or("--seconds", 0.3, 0);
  settings.wisdom = args.value_or("--wisdom", "");
  settings.within = args.number_or("--within", 0, 0);
  for (std::int64_t const threads : integers(args.value_or("--threads", "1,0"), ',', "--threads")) {
    settings.plan.threads = int(threads);
    if (auto const part = args.value("--plan")) {
      plan_part(cases, settings, *part);
      continue;
    }
    Report const report = bench_cases(cases, settings);
    print_summary(report);
    for (auto const& [problem, why] : report.skipped)
      std::printf("  not measured: %s: %s\n", problem.c_str(), why.c_str());
    if (auto const path = args.value("--json"))
      write_file(*path + "." + std::to_string(report.threads) + ".json", to_json(report).text() + "\n", "");
  }
}

}  // namespace

int main(int count, char** words) {
  std::vector<Option> const options = {
      {"--list", "FILE", "problems, one a line (default bench/cpu/cases.txt)"},
      {"--threads", "N,N", "how many threads, run after run; 0: one for each core (default 1,0)"},
      {"--planning", "S", "seconds FFTW may plan a problem (default: no limit)"},
      {"--seconds", "S", "time for each measurement (default 0.3)"},
      {"--wisdom", "FILE", "keep what FFTW learns by planning between runs"},
      {"--plan", "I/N", "only plan part I of N, from 0, into the wisdom FILE.I"},
      {"--within", "S", "begin no case after so many seconds, for each number of threads"},
      {"--json", "FILE", "keep the results"}};
  try {
    run(Args("against_fftw", {words + std::min(count, 1), words + count}, options));
  } catch (std::exception const& e) {
    std::fprintf(stderr, "against_fftw: %s\n", e.what());
    return 1;
  }
}
