// See verify_random.h.
#include "verify_random.h"

#include <skipper/planning.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "command.h"
#include "coverage/coverage.h"
#include "each_case.h"
#include "escape.h"
#include "format.h"
#include "json.h"
#include "measure.h"
#include "random_sorts.h"
#include "terminal.h"
#include "verdict.h"

namespace skipper::cli {
namespace {

constexpr std::int64_t usual_bytes = std::int64_t(256) << 20;  // of an array at the most

// Every count-th group from the first one on.
struct Share {
  std::int64_t first = 0, count = 1;
};
Share share_from(RandomOptions const& o) {
  if (!o.share) return {};
  std::vector<std::int64_t> const both = integers(*o.share, '/', "a share such as 0/16");
  if (both.size() != 2 || both[0] < 0 || both[1] <= both[0])
    refuse(
        formatted("--share is {} but must be a number and a larger one, such as 0/16", in_quotes(*o.share)));
  return {both[0], both[1]};
}

std::string machine_of(Device const& device) {
  for (DeviceDescription const& d : devices())
    if (d.name == device.name()) return d.machine;
  return machine_text("host");
}

// On the device itself: what that cannot do is to be seen. Of a GPU the threads are those that judge.
PlanSettings settings_for(DeviceOptions const& device) {
  PlanSettings settings = plan_settings_from(device);
  settings.device = Device(settings.device.name());
  if (cuda_device(settings.device.name()) >= 0) settings.cpu = {};
  return settings;
}

constexpr char const* transforms = "transforms";
constexpr std::int64_t of_other_sorts = 4;  // one problem of so many

// The sorts beside transforms that are drawn from.
std::vector<RandomSort> sorts_of(RandomOptions const& o) {
  std::vector<RandomSort> sorts;
  for (RandomSort const& sort : random_sorts())
    if (!o.sort || *o.sort == sort.name) sorts.push_back(sort);
  return sorts;
}

// The problems, one after the other, and what they covered.
class Run {
 public:
  Run(RandomOptions const& o, DeviceOptions const& device)
      : o_(o),
        share_(share_from(o)),
        settings_(settings_for(device)),
        verifier_(settings_, device.threads, reference::Samples::few),
        sorts_(sorts_of(o)),
        others_{settings_.device, settings_.cpu, plan_settings_from(device).cpu, device.threads} {
    machine_ = o.machine ? machine_text(*o.machine) : machine_of(settings_.device);
    source_ = coverage::source_for(machine_, o.bytes.value_or(usual_bytes),
                                   [this](Problem const& p) { return Plan(p, on_cpu()).describe(); });
    if (!sorts_.empty() && o.sort) source_.vocabulary = {};
    for (RandomSort const& sort : sorts_)
      source_.vocabulary.problems.insert(source_.vocabulary.problems.end(), sort.words.begin(),
                                         sort.words.end());
  }

  void all() {
    std::int64_t const n = *o_.problems, groups = (n + coverage::group_size - 1) / coverage::group_size;
    Progress progress(std::size_t(n / share_.count));
    double const begin = now();
    auto const late = [&] { return o_.within > 0 && now() - begin > o_.within; };
    for (std::int64_t g = share_.first; g < groups; g += share_.count) {
      std::int64_t const size = std::min(coverage::group_size, n - g * coverage::group_size);
      std::int64_t const others = sorts_.empty() ? 0 : o_.sort ? size : size / of_other_sorts;
      for (coverage::Chosen const& chosen :
           coverage::group(std::uint64_t(o_.seed), g, size - others, source_.sizes, source_.uses_of)) {
        if (late()) return;
        progress.step(text(chosen.problem));
        one(chosen);
        progress.clear();
      }
      std::int64_t const first = g * coverage::group_size / (o_.sort ? 1 : of_other_sorts);
      for (std::int64_t i = first; i < first + others; ++i) {
        if (late()) return;
        std::uint64_t const number = std::uint64_t(i) / sorts_.size();
        Drawn const drawn =
            sorts_[std::size_t(i) % sorts_.size()].draw(std::uint64_t(o_.seed), number, source_.sizes);
        progress.step(drawn.text);
        one(drawn);
        progress.clear();
      }
    }
  }

  bool good() const { return faults_.empty(); }
  void print_table() const;
  Json json() const;

 private:
  struct Bad {
    std::string problem, why;
    bool refused;
  };

  PlanSettings on_cpu() const {
    PlanSettings settings = settings_;
    settings.device = Device("cpu");
    settings.gpu = {};
    return settings;
  }

  void one(coverage::Chosen const& chosen) {
    std::string const problem = text(chosen.problem);
    if (!chosen.refusal.empty()) return refused(problem, chosen.uses, chosen.refusal);
    one(problem, chosen.uses, [&] { return Outcome{complaint(verifier_.verdict(chosen.problem)), {}}; });
  }
  void one(Drawn const& drawn) {
    one(drawn.text, drawn.uses, [&] { return drawn.verify(others_); });
  }
  void one(std::string const& problem, coverage::Uses uses, std::function<Outcome()> const& verify) {
    Outcome outcome;
    if (o_.machine)
      print("{}\n", problem);
    else if (Fault const trouble = fault_of([&] { outcome = verify(); }); !trouble.why.empty())
      return refused(problem, uses, trouble.why);
    for (std::string const& word : outcome.covers) uses.insert({word, ""});
    count(uses);
    if (!outcome.wrong.empty()) fault({problem, outcome.wrong, false});
  }
  void refused(std::string const& problem, coverage::Uses const& uses, std::string const& why) {
    count(uses);
    fault({problem, why, true});
  }
  void count(coverage::Uses const& uses) {
    ++problems_;
    coverage::add(counts_, uses);
  }
  void fault(Bad bad) {
    print(stderr, "{}: {}: {}\n", bad.refused ? "refused" : "wrong", bad.problem, escaped(bad.why));
    faults_.push_back(std::move(bad));
  }

  RandomOptions const& o_;
  Share share_;
  PlanSettings settings_;
  Verifier verifier_;
  std::vector<RandomSort> sorts_;
  RandomRun others_;
  std::string machine_;
  coverage::Source source_;
  coverage::Counts counts_;
  std::int64_t problems_ = 0;
  std::vector<Bad> faults_;
};

void Run::print_table() const {
  std::vector<std::string> heading{"mechanism", "problems"};
  heading.insert(heading.end(), source_.vocabulary.with.begin(), source_.vocabulary.with.end());
  Table table(heading);
  for (coverage::Row const& row : coverage::table(counts_, source_.vocabulary)) {
    std::vector<std::string> cells{row.mechanism, formatted("{}", row.problems)};
    for (std::int64_t const count : row.with) cells.push_back(formatted("{}", count));
    cells.resize(heading.size());
    table.add(cells);
  }
  print("{}", table.text());
  auto const refused = std::count_if(faults_.begin(), faults_.end(), [](Bad const& b) { return b.refused; });
  print("{} problems, seed {}: {} wrong, {} refused\n", problems_, o_.seed,
        std::int64_t(faults_.size()) - refused, refused);
}

Json Run::json() const {
  Json covered = Json::array(), faults = Json::array();
  for (coverage::Row const& row : coverage::table(counts_, source_.vocabulary)) {
    Json with = Json::object();
    for (std::size_t i = 0; i < row.with.size(); ++i) with[source_.vocabulary.with[i]] = row.with[i];
    covered.push_back({{"mechanism", row.mechanism}, {"problems", row.problems}, {"with", with}});
  }
  for (Bad const& bad : faults_)
    faults.push_back({{"problem", bad.problem}, {bad.refused ? "unsupported" : "wrong", bad.why}});
  return {{"seed", o_.seed},
          {"machine", machine_},
          {"problems", problems_},
          {"covered", covered},
          {"faults", faults}};
}

}  // namespace

void random_options(CLI::App& command, RandomOptions& to) {
  add_integer(command, "--random", "N", to.problems, {1, 1 << 24},
              "N problems drawn at random that cover the mechanisms of the plans");
  add_integer(command, "--seed", "S", to.seed, {0}, "other ones (default 1)");
  add_text(command, "--share", "I/N", to.share, "the I-th of N shares of them, 0/16 to 15/16");
  add_text(command, "--machine", "NAME", to.machine, "those of this machine, printed and not computed");
  add_bytes(command, "--bytes", to.bytes, "of an array at the most (default 256M)");
  std::vector<std::string> sorts{transforms};
  for (RandomSort const& sort : random_sorts()) sorts.push_back(sort.name);
  add_choice(command, "--of", "SORT", to.sort, sorts, "of one sort alone: " + joined(sorts, ", "));
  add_number(command, "--within", "SECONDS", to.within, 0, "begin none after that time");
  exclude(command, {"--random", "--list", "--suite"});
  for (char const* const kind : {"--kind", "--precision", "--batch", "--inverse", "--in-place"})
    exclude(command, {"--random", kind});
  need(command, {"--seed", "--share", "--machine", "--bytes", "--of", "--within"}, "--random");
}

int verify_random(RandomOptions const& options, DeviceOptions const& device, bool as_json) {
  Run run(options, device);
  run.all();
  if (as_json)
    print("{}\n", json_text(run.json()));
  else
    run.print_table();
  return run.good() ? done : answer_is_no;
}

}  // namespace skipper::cli
