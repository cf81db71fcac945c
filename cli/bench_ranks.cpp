// See bench_ranks.h. All ranks measure, rank 0 prints.
#include "bench_ranks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "command.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "rank_device.h"
#include "ranks_case.h"
#include "report.h"

namespace skipper::cli {
namespace {

Json case_json(RanksCase const& r) {
  Json stages = Json::array();
  double transform = 0;
  for (StageTimes const& s : r.stages) {
    transform += s.transform_seconds;
    stages.push_back({{"transform_seconds", s.transform_seconds},
                      {"move_seconds", s.move_seconds},
                      {"wait_seconds", s.wait_seconds}});
  }
  return {{"problem", text(r.problem)},
          {"seconds", r.time.seconds},
          {"spread", r.time.spread},
          {"plan_seconds", r.plan_seconds},
          {"transform_seconds", transform},
          {"exchange_seconds", r.exchange_seconds()},
          {"exchange", name(r.exchange)},
          {"stages", stages},
          {"sent_bytes", r.sent_bytes},
          {"all_sent_bytes", r.all_sent_bytes},
          {"bandwidth", r.bandwidth()},
          {"memory_bytes", r.memory_bytes},
          {"gflops", operations(r.problem) / r.time.seconds * 1e-9},
          {"verified", r.verified()},
          {"defect", r.defect},
          {"program", r.program},
          // what results on one device have and these have not, so that compare reads them
          {"copy_seconds", nullptr},
          {"peers", Json::object()},
          {"error_l2", nullptr},
          {"error_max", nullptr}};
}

// What rank 0 prints, case by case.
class RanksPrinter {
 public:
  RanksPrinter(BenchOptions const& o, Communicator const& c, char const* launch, int threads)
      : ranks_(formatted("over {} ranks ({}, {} a node, {} {} each)", c.size(), launch, c.ranks_per_node(),
                         threads, threads == 1 ? "thread" : "threads")) {
    if (!o.json) return;
    Json head = head_json(empty_report(device_of_rank(o.device, o.ranks, 0).name(), threads, {}));
    head.update({{"ranks", c.size()}, {"ranks_per_node", c.ranks_per_node()}, {"communicator", launch}});
    json_.emplace(stdout, head, "cases");
  }
  void add(RanksCase const& r) {
    json_ ? json_->add(case_json(r)) : print_case(r);
    std::fflush(stdout);
  }
  void skip(Case const& c, std::string const& why) {
    skipped_.push_back({{"problem", c.line}, {"reason", why}});
    print(json_ ? stderr : stdout, "not measured: {}: {}\n", escaped(c.line), escaped(why));
    std::fflush(stdout);
  }
  void finish() {
    if (json_) json_->finish({{"skipped", skipped_}});
  }

 private:
  void print_case(RanksCase const& r) const {
    print("{} {}: {}, spread {} %, {} GFLOPS, {}\n", text(r.problem), ranks_, seconds_text(r.time.seconds),
          number_text(100 * r.time.spread, 2), number_text(operations(r.problem) / r.time.seconds * 1e-9),
          r.verified() ? "verified" : "WRONG");
    std::string const how = r.exchange == ExchangeMethod::fused
                                ? "as it transforms"
                                : formatted("in {}, {} GB/s", seconds_text(r.exchange_seconds()),
                                            number_text(r.bandwidth() * 1e-9));
    print("a rank sends {} {}, and holds {} beside its arrays\n", bytes_text(r.sent_bytes), how,
          bytes_text(r.memory_bytes));
    Table table({"  stage", "transforms", "moves", "waits"});
    std::vector<std::string> const lines = split(r.program, '\n');
    for (std::size_t s = 0; s < r.stages.size(); ++s)
      table.add({"  " + lines[s + 1].substr(0, 40), seconds_text(r.stages[s].transform_seconds),
                 seconds_text(r.stages[s].move_seconds), seconds_text(r.stages[s].wait_seconds)});
    print("{}", table.text());
  }

  std::string ranks_;
  std::optional<JsonStream> json_;
  Json skipped_ = Json::array();
};

int threads_of_rank(BenchOptions const& o, Communicator const& c) {
  int const on_node = std::max(1, std::min(c.size(), c.ranks_per_node()));
  return o.device.threads > 0 ? o.device.threads : std::max(1, thread_count(0) / on_node);
}

int bench_on_rank(BenchOptions const& o, char const* launch,
                  std::shared_ptr<Communicator> const& communicator) {
  demand_absent(*o.command,
                {"--against", "--no-peers", "--peer-planning", "--wisdom", "--prepare", "--no-clusters",
                 "--within", "--save", "--csv", "--plot", "--instruction-set"},
                "is for one device and not for --distributed");
  std::vector<Case> const cases = cases_from(o.problems, {});
  if (cases.empty()) refuse("--distributed needs a shape such as 512x512x512, a problem, --list or --suite");
  if (o.exchange) parse_exchange(*o.exchange);  // a wrong one is one error, not one for each case
  Communicator& c = *communicator;
  std::optional<RanksPrinter> printer;
  if (c.rank() == 0) printer.emplace(o, c, launch, threads_of_rank(o, c));
  bool good = true;
  for (Case const& each : cases) {
    DistributedSettings settings;
    Fault fault{each.fault, true, nullptr};
    if (each.problem) fault = fault_of([&] { settings = settings_for(o, *each.problem, c); });
    if (fault.refused && each.named && cases.size() == 1) std::rethrow_exception(fault.refused);
    if (!fault.why.empty()) {
      good = false;
      if (printer) printer->skip(each, fault.why);
      continue;
    }
    // What fails from here on may fail on one rank alone, and ends all of them.
    RanksCase const result = measured(o, *each.problem, settings, communicator);
    if (printer) printer->add(result);
    good = good && result.verified();
  }
  if (printer) printer->finish();
  return good ? done : answer_is_no;
}

}  // namespace

void bench_ranks_options(CLI::App& command, BenchOptions& to) {
  add_flag(command, "--distributed", to.distributed, "over ranks: processes of mpirun, or threads (--ranks)");
  add_text(command, "--exchange", "METHOD", to.exchange,
           "over ranks: automatic (default), direct, messages; of GPUs fused, swap, staged, host too");
  rank_options(command, to.ranks);
  distribution_options(command, to.distribution);
}

int bench_on_ranks(BenchOptions const& options) {
  Ranks const ranks = ranks_from(options.ranks);
  char const* const launch = ranks.launch == Ranks::Launch::mpi ? "mpi" : "threads";
  return run_on_ranks(ranks, [&](std::shared_ptr<Communicator> const& communicator) {
    return bench_on_rank(options, launch, communicator);
  });
}

}  // namespace skipper::cli
