// See ranks_case.h.
#include "ranks_case.h"

#include <skipper/distributed_planning.h>

#include <algorithm>
#include <cmath>

#include "buffer.h"
#include "linear_check.h"
#include "rank_device.h"

namespace skipper::cli {
namespace {

constexpr int timed_executions = 3;

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
    double const most = settings.repeats;
    int const samples = int(std::clamp(settings.seconds / std::max(once, 1e-9), std::min(3.0, most), most));
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

}  // namespace

DistributedSettings settings_for(BenchOptions const& o, Problem const& problem, Communicator const& c) {
  if (problem.placement == Placement::in_place && halved_axis(problem))
    throw Error("placement",
                "is in place, which is not verified over ranks for r2c and c2r; measure out of place");
  DistributedSettings settings = distribution_from(o.distribution, problem, c.size());
  settings.exchange = parse_exchange(o.exchange.value_or("automatic"));
  settings.cpu.threads = o.device.threads;
  // The machine only decides which times are predicted, which nobody reads here.
  PlannedRanks const planned = planned_ranks(problem, c.size(), "h200", settings);
  if (planned.text.find(" permuted_") != planned.text.npos)
    throw Error("program", "is in permuted order, which is not verified; measure one in natural order");
  return settings;
}

RanksCase measured(BenchOptions const& o, Problem const& problem, DistributedSettings settings,
                   std::shared_ptr<Communicator> const& shared) {
  Communicator& c = *shared;
  RanksCase result;
  result.problem = problem;
  settings.device = device_of_rank(o.device, o.ranks, c.rank());
  double const begin = now();
  DistributedPlan const plan(problem, shared, settings);
  result.plan_seconds = largest(c, now() - begin);
  result.program = plan.describe();
  result.exchange = plan.exchange();
  RankBench bench(problem, plan, c, settings.device);
  result.defect = bench.defect();
  result.time = bench.time({.repeats = o.repeats.value_or(11), .seconds = o.seconds});
  result.stages = bench.phases();
  result.sent_bytes = largest(c, double(plan.sent_bytes()));
  result.all_sent_bytes = total(c, double(plan.sent_bytes()));
  result.memory_bytes = largest(c, double(plan.memory_bytes()));
  return result;
}

}  // namespace skipper::cli
