// The ways in which GPUs exchange data: each by the time of a whole transform over these devices, and by the bandwidth that the
// exchange alone comes to, beyond the time that the same sweeps take where nobody waits for anybody. By pairs of devices, and over
// all of them in pieces on one and two streams.
#include "exchanges.h"

#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

#include "command.h"
#include "each_case.h"
#include "escape.h"
#include "exchange_bench.h"
#include "format.h"
#include "gpu.h"
#include "json.h"

namespace skipper::cli {
namespace {

/// All of them, or the one that --exchange names.
std::vector<ExchangeMethod> methods_from(BenchOptions const& o) {
  if (o.exchange) return {parse_exchange(*o.exchange)};
  return {ExchangeMethod::fused, ExchangeMethod::direct, ExchangeMethod::swap, ExchangeMethod::staged,
          ExchangeMethod::host};
}

std::vector<Device> devices_from(BenchOptions const& o) {
  std::vector<Device> found;
  for (std::string const& name : o.ranks.devices) found.emplace_back(name);
  if (found.empty())
    for (DeviceDescription const& d : devices())
      if (cuda_device(d.name) >= 0) found.emplace_back(d.name);
  for (Device const& d : found)
    if (cuda_device(d.name()) < 0)
      refuse(formatted("--devices names {}, which is no GPU; `skipper info` lists those that are", d.name()));
  if (found.size() < 2)
    refuse("--exchanges needs two devices; give --devices cuda:0,cuda:1, or one twice: cuda:0,cuda:0");
  return found;
}

struct Measured {
  std::string method;
  double seconds = 0;
  double bandwidth = 0;  // bytes/s that a rank sends beyond the time of its sweeps; 0: hidden by them
  std::string fault;
};

/// The same stages by one rank, which exchanges with nobody.
std::string alone(std::string program) {
  std::vector<std::string> lines = split(program, '\n');
  std::string text;
  for (std::string& line : lines) {
    if (line.empty()) continue;
    if (std::size_t const at = line.find(" over "); at != std::string::npos) {
      std::size_t const end = line.find(" ranks", at);
      line = line.substr(0, at) + " over 1" + line.substr(end);
    } else if (line.starts_with("grid ")) {
      std::size_t const end = line.find(' ', 5);
      std::string grid = line.substr(5, end == std::string::npos ? end : end - 5), ones;
      for (std::size_t i = 0; i <= std::size_t(std::count(grid.begin(), grid.end(), 'x')); ++i)
        ones += i ? "x1" : "1";
      line = "grid " + ones + (end == std::string::npos ? "" : line.substr(end));
    }
    text += line + "\n";
  }
  return text;
}

/// Seconds of the sweeps of a plan, on all devices together.
double sweeps_seconds(Problem const& problem, std::vector<Device> const& devices, std::string const& program,
                      int repeats) {
  DistributedSettings settings;
  settings.program = alone(program);
  settings.exchange = ExchangeMethod::fused;
  DistributedPlan const plan(problem, {devices[0]}, settings);
  ExchangeBench bench(problem, {devices[0]});
  std::set<std::string> apart;
  for (Device const& d : devices) apart.insert(d.name());
  return bench.seconds(plan, repeats) / double(apart.size());
}

/// Seconds of the whole problem on one device.
double seconds_alone(Problem const& problem, Device const& device, int repeats) {
  ExchangeBench bench(problem, {device});
  return bench.seconds(DistributedPlan(problem, {device}), repeats);
}

Measured measured(Problem const& problem, std::vector<Device> const& devices, ExchangeMethod method,
                  ExchangeBench& bench, double sweeps, int repeats, int pieces = 0, int streams = 0) {
  Measured result{name(method), 0, 0, ""};
  try {
    DistributedSettings settings;
    settings.exchange = method;
    settings.any_output = true;
    settings.pieces = pieces;
    settings.gpu.streams = streams;
    DistributedPlan const plan(problem, devices, settings);
    result.seconds = bench.seconds(plan, repeats);
    double const beyond = result.seconds - sweeps;
    if (beyond > 0.02 * result.seconds)
      result.bandwidth = double(plan.sent_bytes()) / double(devices.size()) / beyond;
  } catch (Error const& e) {
    result.fault = e.what();
  }
  return result;
}

std::vector<std::string> row(Measured const& m, double alone, double sweeps) {
  if (!m.fault.empty()) return {"  " + m.method, m.fault.substr(0, 60), "", "", ""};
  return {"  " + m.method, seconds_text(m.seconds), number_text(m.seconds / alone),
          number_text(m.seconds / sweeps), m.bandwidth > 0 ? number_text(m.bandwidth * 1e-9) : "hidden"};
}

Json json(Measured const& m) {
  if (!m.fault.empty()) return {{"method", m.method}, {"fault", m.fault}};
  return {{"method", m.method}, {"seconds", m.seconds}, {"bandwidth", m.bandwidth}};
}

/// Pairs of devices that differ from each other, each pair of kinds once.
std::vector<std::vector<Device>> pairs_of(std::vector<Device> const& devices) {
  std::vector<std::vector<Device>> pairs;
  std::set<std::pair<std::string, std::string>> known;
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (std::size_t j = i + 1; j < devices.size(); ++j)
      if (known.insert({devices[i].name(), devices[j].name()}).second)
        pairs.push_back({devices[i], devices[j]});
  return pairs;
}

std::vector<Rows::Column> const exchange_columns{
    {"  exchange", 10}, {"time", 8}, {"over one device", 15}, {"over sweeps", 11}, {"GB/s", 6}};

/// One problem on these devices, printed as it is measured: rows for people, or one JSON object.
class Exchanges {
 public:
  /// `behind`: what ends the array that the object is in, if it is in one.
  Exchanges(BenchOptions const& o, Problem const& problem, std::vector<Device> const& devices,
            std::string const& behind)
      : problem_(problem),
        devices_(devices),
        methods_(methods_from(o)),
        repeats_(o.repeats.value_or(5)),
        one_(seconds_alone(problem, devices[0], repeats_)) {
    any_.any_output = true;
    if (o.json)
      json_.emplace(stdout, Json{{"problem", text(problem)}, {"one_device_seconds", one_}}, "pairs", behind);
    else
      print("{} on {} alone {}\n", text(problem), devices[0].name(), seconds_text(one_));
    std::fflush(stdout);
  }

  void by_pairs() {
    for (std::vector<Device> const& pair : pairs_of(devices_)) {
      std::string const names = pair[0].name() + " and " + pair[1].name();
      ExchangeBench bench(problem_, pair);
      Json results = Json::array();
      by_method(pair, DistributedPlan(problem_, pair, any_).describe(), names, bench,
                [&](Measured const& m) { results.push_back(json(m)); });
      if (json_) json_->add({{"devices", pair[0].name() + "," + pair[1].name()}, {"exchanges", results}});
    }
  }

  /// Over all devices: by every method, then in pieces. Keeps the best.
  void over_all(bool in_pieces) {
    std::string const program = DistributedPlan(problem_, devices_, any_).describe();
    ExchangeBench bench(problem_, devices_);
    std::optional<std::pair<double, ExchangeMethod>> best;
    if (json_) json_->next({{"program", program}}, "all");
    double const sweeps =
        by_method(devices_, program, formatted("all {}", devices_.size()), bench, [&](Measured const& m) {
          if (json_) json_->add(json(m));
          if (m.fault.empty() && (!best || m.seconds < best->first))
            best = {m.seconds, parse_exchange(m.method)};
        });
    if (!best) throw Error("exchange", "none of the methods works on these devices");
    if (methods_.size() > 1) keep_exchange(devices_, best->second);
    if (json_) json_->next({{"sweeps_seconds", sweeps}}, "pieces");
    if (in_pieces) by_pieces(bench, sweeps);
    if (json_)
      json_->finish({{"kept", name(best->second)}});
    else if (methods_.size() > 1)
      print("kept for these devices: {}\n", name(best->second));
  }

  /// Ends what is printed where something failed.
  void break_off(std::string const& why) {
    if (json_) json_->finish({{"fault", why}});
  }

 private:
  /// Seconds of the sweeps alone. `found` gets what each method takes.
  template <class Found>
  double by_method(std::vector<Device> const& devices, std::string const& program, std::string const& names,
                   ExchangeBench& bench, Found const& found) {
    double const sweeps = sweeps_seconds(problem_, devices, program, repeats_);
    if (!json_) print("{} over {}, sweeps alone {}\n", text(problem_), names, seconds_text(sweeps));
    Rows rows(stdout, exchange_columns);
    for (ExchangeMethod const method : methods_) {
      Measured const m = measured(problem_, devices, method, bench, sweeps, repeats_);
      if (!json_) rows.row(row(m, one_, sweeps));
      found(m);
    }
    return sweeps;
  }

  void by_pieces(ExchangeBench& bench, double sweeps) {
    Rows rows(stdout,
              {{"  pieces", 8}, {"direct, 1 stream", 16}, {"direct, 2", 9}, {"host, 1", 8}, {"host, 2", 8}});
    for (int const count : {1, 2, 4, 8, 16}) {
      std::vector<std::string> cells{formatted("  {}", count)};
      for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::host})
        for (int const streams : {1, 2}) {
          Measured const m = measured(problem_, devices_, method, bench, sweeps, repeats_, count, streams);
          cells.push_back(m.fault.empty() ? seconds_text(m.seconds) : "-");
          if (json_)
            json_->add(
                {{"method", m.method}, {"pieces", count}, {"streams", streams}, {"seconds", m.seconds}});
        }
      if (!json_) rows.row(cells);
    }
  }

  Problem problem_;
  std::vector<Device> devices_;
  std::vector<ExchangeMethod> methods_;
  int repeats_;
  double one_;  // seconds on the first device alone
  DistributedSettings any_;
  std::optional<JsonStream> json_;
};

Fault exchanges_of(BenchOptions const& o, Case const& c, std::vector<Device> const& devices,
                   std::string const& behind) {
  std::optional<Exchanges> exchanges;
  Fault fault{c.fault, true, nullptr};
  if (c.problem)
    fault = fault_of([&] {
      exchanges.emplace(o, *c.problem, devices, behind);
      if (!o.only_all) exchanges->by_pairs();
      exchanges->over_all(!o.only_all);
    });
  if (fault.why.empty()) return fault;
  if (exchanges)
    exchanges->break_off(fault.why);
  else if (o.json)
    print("{}\n", json_text({{"problem", c.line}, {"fault", fault.why}}));
  return fault;
}

}  // namespace

void exchanges_options(CLI::App& command, BenchOptions& to) {
  add_flag(command, "--exchanges", to.exchanges,
           "measure the ways in which GPUs exchange data, and keep the best");
  add_flag(command, "--only-all", to.only_all,
           "with --exchanges: leave out pairs of devices and piece sizes");
  need(command, {"--only-all"}, "--exchanges");
}

int bench_exchanges(BenchOptions const& o) {
  std::vector<Device> const devices = devices_from(o);
  Problem const usual = c2c({256, 256, 256});
  std::vector<Case> const cases = cases_from(o.problems, {{text(usual), usual, "", true}});
  bool const single = cases.size() == 1 && cases[0].named;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (o.json && !single) print("{}\n", i ? "," : "[");  // between the objects of an array
    Fault const fault = exchanges_of(o, cases[i], devices, single ? "" : "]\n");
    if (fault.refused && single) std::rethrow_exception(fault.refused);
    if (!fault.why.empty()) {
      ++failed;
      if (!o.json) print("not measured: {}: {}\n", escaped(cases[i].line), escaped(fault.why));
    }
    std::fflush(stdout);
  }
  if (o.json && !single) print("]\n");
  return failed ? answer_is_no : done;
}

}  // namespace skipper::cli
