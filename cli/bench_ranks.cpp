// See bench_ranks.h. A sample is the time from a barrier until the slowest rank is done. Phases are measured in executions of
// their own, with a clock in them, and are means over the ranks: so they add up to the time of one.
#include "bench_ranks.h"

#include <skipper/distributed.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "buffer.h"
#include "command.h"
#include "format.h"
#include "linear_check.h"
#include "measure.h"
#include "rank_device.h"
#include "report.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int timed_executions = 3;

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

double largest(Communicator& c, double mine) {
  double most = mine;
  for (auto const& row : gathered(c, {mine})) most = std::max(most, row[0]);
  return most;
}

double total(Communicator& c, double mine) {
  double all = 0;
  for (auto const& row : gathered(c, {mine})) all += row[0];
  return all;
}

WeightedSum total(Communicator& c, WeightedSum const& mine) {
  WeightedSum all;
  for (auto const& row : gathered(c, {mine.value.real(), mine.value.imag(), mine.squares}))
    all += {{row[0], row[1]}, row[2]};
  return all;
}

// How large random inputs may be. Outputs are about as large as the root of the number of points, and f16 ends at 65504.
double largest_input(Problem const& problem) {
  if (problem.precision != Precision::f16) return 1;
  double points = 1;
  for (Axis const& axis : problem.axes) points *= double(axis.size);
  return std::min(1.0, std::exp2(std::floor(12 - std::log2(points) / 2)));
}

// One rank's arrays, and its side of the measurement.
class RankBench {
 public:
  RankBench(Problem const& problem, DistributedPlan const& plan, Communicator& communicator,
            Device const& device)
      : problem_(problem),
        plan_(plan),
        communicator_(communicator),
        in_(plan.in_elements() * in_element_bytes(problem)),
        out_(problem.placement == Placement::in_place ? 0 : plan.out_elements() * out_element_bytes(problem)),
        memory_(device, in_.data(), in_.bytes(), result(),
                std::size_t(plan.out_elements() * out_element_bytes(problem))) {}

  double defect() {
    LinearCheck const check(problem_);
    in_.fill_random(problem_.precision, std::uint64_t(communicator_.rank()) + 1, largest_input(problem_));
    check.make_sound(plan_.in_box(), in_.data());
    WeightedSum const x = total(communicator_, check.of_input(plan_.in_box(), in_.data()));
    memory_.put();
    execute();
    memory_.get();
    return check.defect(x, total(communicator_, check.of_output(plan_.out_box(), result())));
  }

  Timing time(MeasureSettings const& settings) {
    // Again and again in place, numbers would grow past all bounds; zeros do not, and take the same time.
    if (problem_.placement == Placement::in_place) in_.zero();
    memory_.put();
    double const once = largest(communicator_, sample());
    int const samples =
        int(std::clamp(settings.seconds / std::max(once, 1e-9), 3.0, double(settings.repeats)));
    std::vector<double> mine;
    for (int i = 0; i < samples; ++i) mine.push_back(sample());
    std::vector<double> slowest = mine;
    for (auto const& row : gathered(communicator_, mine))
      for (std::size_t i = 0; i < row.size(); ++i) slowest[i] = std::max(slowest[i], row[i]);
    return summary(slowest);
  }

  std::vector<StageTimes> phases() {
    std::vector<double> mine;
    for (int i = 0; i < timed_executions; ++i) {
      communicator_.barrier();
      std::vector<StageTimes> const times = memory_.execute_timed(plan_);
      mine.resize(3 * times.size());
      for (std::size_t s = 0; s < times.size(); ++s) {
        mine[3 * s] += times[s].transform_seconds / timed_executions;
        mine[3 * s + 1] += times[s].move_seconds / timed_executions;
        mine[3 * s + 2] += times[s].wait_seconds / timed_executions;
      }
    }
    std::vector<StageTimes> means(mine.size() / 3);
    for (auto const& row : gathered(communicator_, mine))
      for (std::size_t s = 0; s < means.size(); ++s) {
        means[s].transform_seconds += row[3 * s] / communicator_.size();
        means[s].move_seconds += row[3 * s + 1] / communicator_.size();
        means[s].wait_seconds += row[3 * s + 2] / communicator_.size();
      }
    return means;
  }

 private:
  void* result() { return problem_.placement == Placement::in_place ? in_.data() : out_.data(); }
  void execute() { memory_.execute(plan_); }
  double sample() {
    communicator_.barrier();
    double const begin = now();
    execute();
    return now() - begin;
  }

  Problem const& problem_;
  DistributedPlan const& plan_;
  Communicator& communicator_;
  Buffer in_, out_;
  RankMemory memory_;
};

RanksCase measured(BenchOptions const& o, Problem const& problem,
                   std::shared_ptr<Communicator> const& shared) {
  Communicator& c = *shared;
  if (problem.placement == Placement::in_place && halved_axis(problem))
    throw Error("placement",
                "is in place, which is not verified over ranks for r2c and c2r; measure out of place");
  DistributedSettings settings = distribution_from(o.distribution, problem, c.size());
  settings.exchange = parse_exchange(o.exchange.value_or("automatic"));
  settings.cpu.threads = o.device.threads;
  MeasureSettings const effort{o.repeats.value_or(11), o.seconds};
  RanksCase result;
  result.problem = problem;
  settings.device = device_of_rank(o.device, o.ranks, c.rank());
  double const begin = now();
  DistributedPlan const plan(problem, shared, settings);
  if (plan.in_order() != AxisOrder::natural || plan.out_order() != AxisOrder::natural)
    throw Error("program", "is in permuted order, which is not verified; measure one in natural order");
  result.plan_seconds = largest(c, now() - begin);
  result.program = plan.describe();
  result.exchange = plan.exchange();
  RankBench bench(problem, plan, c, settings.device);
  result.defect = bench.defect();
  result.time = bench.time(effort);
  result.stages = bench.phases();
  result.sent_bytes = largest(c, double(plan.sent_bytes()));
  result.all_sent_bytes = total(c, double(plan.sent_bytes()));
  result.memory_bytes = largest(c, double(plan.memory_bytes()));
  return result;
}

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
  void finish() {
    if (json_) json_->finish({{"skipped", Json::array()}});
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
  Communicator& c = *communicator;
  std::optional<RanksPrinter> printer;
  if (c.rank() == 0) printer.emplace(o, c, launch, threads_of_rank(o, c));
  bool good = true;
  for (Case const& each : cases) {
    if (!each.problem) throw Error("problem", each.fault);
    RanksCase const result = measured(o, *each.problem, communicator);
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
