// The ways in which GPUs exchange data: each by the time of a whole transform over these devices, and by the bandwidth that the
// exchange alone comes to, beyond the time that the same sweeps take where nobody waits for anybody. By pairs of devices, and over
// all of them in pieces on one and two streams.
#include "exchanges.h"

#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <future>
#include <map>
#include <set>

#include "command.h"
#include "format.h"
#include "gpu.h"
#include "json.h"
#include "linear_check.h"
#include "measure.h"
#include "scalars.h"
#include "terminal.h"

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
    if (cuda_device(d.name()) < 0) refuse("--devices names " + d.name() + ", which is no GPU");
  if (found.size() < 2)
    refuse("--exchanges needs two devices; give --devices cuda:0,cuda:1, or one twice: cuda:0,cuda:0");
  return found;
}

/// Arrays of all ranks on their devices, and a stream for each.
class Bench {
 public:
  Bench(Problem const& problem, std::vector<Device> const& devices) : problem_(problem), devices_(devices) {
    for (std::size_t r = 0; r < devices.size(); ++r)
      ranks_.push_back(std::make_unique<Cuda>(cuda_device(devices[r].name())));
  }

  /// Seconds of an execution, the median. Throws Error where the result is wrong.
  double seconds(DistributedPlan const& plan, int repeats) {
    LinearCheck const check(problem_);
    std::vector<Host> const inputs = on_all_ranks([&](int r) {
      Host host{std::vector<std::byte>(bytes(plan.in_elements(r), in_element_bytes(problem_))), {}};
      fill(host.data, unsigned(r));
      check.make_sound(plan.in_box(r), host.data.data());
      host.sum = check.of_input(plan.in_box(r), host.data.data());
      return host;
    });
    std::vector<RankArrays> arrays;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      Cuda& cuda = *ranks_[r];
      auto const memory = [&cuda](char const* name, std::size_t size) {
        return cuda.device_memory(name, std::max<std::size_t>(size, 256)).data;
      };
      std::size_t const out_bytes = bytes(plan.out_elements(int(r)), out_element_bytes(problem_));
      void* const in = memory("in", inputs[r].data.size());
      void* const out = memory("out", out_bytes);
      void* const work = memory("work", std::size_t(plan.workspace_bytes(int(r))));
      cuda.upload(in, inputs[r].data.data(), inputs[r].data.size());
      cuda.poison(out, out_bytes);
      cuda.wait();
      arrays.push_back({in, out, {.workspace = work, .stream = cuda.stream()}});
    }
    plan.execute(arrays);
    std::vector<std::vector<std::byte>> results;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      auto& host = results.emplace_back(bytes(plan.out_elements(int(r)), out_element_bytes(problem_)));
      ranks_[r]->wait();
      ranks_[r]->download(host.data(), arrays[r].out, host.size());
    }
    WeightedSum ins, outs;
    for (Host const& host : inputs) ins += host.sum;
    for (WeightedSum const& sum : on_all_ranks(
             [&](int r) { return check.of_output(plan.out_box(r), results[std::size_t(r)].data()); }))
      outs += sum;
    double const defect = check.defect(ins, outs);
    if (!(defect <= 1))
      throw Error("result", "is wrong: a sum over the outputs is off by " + number_text(defect) +
                                " times what rounding may do");
    std::vector<double> samples;
    for (int i = 0; i < repeats; ++i) samples.push_back(sample(plan, arrays));
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }

 private:
  struct Host {
    std::vector<std::byte> data;
    WeightedSum sum;
  };

  static std::size_t bytes(std::int64_t elements, std::int64_t element) {
    return std::size_t(elements * element);
  }

  /// What work(rank) gives for each rank, on as many threads.
  template <class Work>
  std::vector<std::invoke_result_t<Work, int>> on_all_ranks(Work work) const {
    std::vector<std::future<std::invoke_result_t<Work, int>>> begun;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      begun.push_back(std::async(std::launch::async, work, int(r)));
    std::vector<std::invoke_result_t<Work, int>> results;
    for (auto& each : begun) results.push_back(each.get());
    return results;
  }

  void fill(std::vector<std::byte>& data, unsigned seed) const {
    std::size_t const size = scalar_bytes(problem_.precision), count = data.size() / size;
    constexpr std::size_t numbers_of_a_thread = 1 << 25;
    std::vector<std::future<void>> parts;
    for (std::size_t begin = 0; begin < count; begin += numbers_of_a_thread)
      parts.push_back(std::async(std::launch::async, [&, begin] {
        for (std::size_t i = begin; i < std::min(count, begin + numbers_of_a_thread); ++i) {
          double const x = double((i * size * 2654435761u + seed * 40503u) % 2001u) / 1000 - 1;
          with_scalar(problem_.precision, [&]<class Scalar>(Scalar) {
            Scalar const number(x);
            std::memcpy(data.data() + i * size, &number, size);
          });
        }
      }));
    for (auto& part : parts) part.get();
  }
  /// Several executions behind each other, so that the host's part is hidden as it is in a program.
  double sample(DistributedPlan const& plan, std::vector<RankArrays> const& arrays) {
    constexpr int times = 4;
    for (auto& cuda : ranks_) cuda->wait();
    double const begin = now();
    for (int i = 0; i < times; ++i) plan.execute(arrays);
    for (auto& cuda : ranks_) cuda->wait();
    return (now() - begin) / times;
  }

  Problem problem_;
  std::vector<Device> devices_;
  std::vector<std::unique_ptr<Cuda>> ranks_;
};

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
  Bench bench(problem, {devices[0]});
  std::set<std::string> apart;
  for (Device const& d : devices) apart.insert(d.name());
  return bench.seconds(plan, repeats) / double(apart.size());
}

/// Seconds of the whole problem on one device.
double seconds_alone(Problem const& problem, Device const& device, int repeats) {
  Bench bench(problem, {device});
  return bench.seconds(DistributedPlan(problem, {device}), repeats);
}

Measured measured(Problem const& problem, std::vector<Device> const& devices, ExchangeMethod method,
                  Bench& bench, double sweeps, int repeats, int pieces = 0, int streams = 0) {
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

/// One problem on these devices, printed as it is measured: rows for people, or parts of one JSON object.
class Exchanges {
 public:
  Exchanges(BenchOptions const& o, Problem const& problem, std::vector<Device> const& devices)
      : problem_(problem),
        devices_(devices),
        methods_(methods_from(o)),
        repeats_(o.repeats.value_or(5)),
        one_(seconds_alone(problem, devices[0], repeats_)) {
    any_.any_output = true;
    if (o.json)
      json_.emplace(stdout, Json{{"problem", text(problem)}, {"one_device_seconds", one_}}, "pairs");
    else
      print("{} on {} alone {}\n", text(problem), devices[0].name(), seconds_text(one_));
    std::fflush(stdout);
  }

  void by_pairs() {
    for (std::vector<Device> const& pair : pairs_of(devices_)) {
      std::string const names = pair[0].name() + " and " + pair[1].name();
      Bench bench(problem_, pair);
      Json results = Json::array();
      by_method(pair, DistributedPlan(problem_, pair, any_).describe(), names, bench,
                [&](Measured const& m) { results.push_back(json(m)); });
      if (json_) json_->add({{"devices", pair[0].name() + "," + pair[1].name()}, {"exchanges", results}});
    }
  }

  /// Over all devices: by every method, then in pieces. Keeps the best.
  void over_all(bool in_pieces) {
    std::string const program = DistributedPlan(problem_, devices_, any_).describe();
    Bench bench(problem_, devices_);
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

 private:
  /// Seconds of the sweeps alone. `found` gets what each method takes.
  template <class Found>
  double by_method(std::vector<Device> const& devices, std::string const& program, std::string const& names,
                   Bench& bench, Found const& found) {
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

  void by_pieces(Bench& bench, double sweeps) {
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

}  // namespace

void exchanges_options(CLI::App& command, BenchOptions& to) {
  add_flag(command, "--exchanges", to.exchanges,
           "measure the ways in which GPUs exchange data, and keep the best");
  add_flag(command, "--only-all", to.only_all,
           "with --exchanges: leave out pairs of devices and piece sizes");
  need(command, {"--only-all"}, "--exchanges");
}

int bench_exchanges(BenchOptions const& o) {
  demand_absent(*o.command, {"--list", "--suite"}, "does not go with --exchanges");
  if (o.problems.problems.size() > 1)
    refuse("--exchanges takes one problem and there are more; leave out " +
           in_quotes(o.problems.problems[1]));
  std::vector<Device> const devices = devices_from(o);
  Problem const problem =
      o.problems.problems.empty() ? c2c({256, 256, 256}) : problem_from(o.problems, o.problems.problems[0]);
  Exchanges exchanges(o, problem, devices);
  if (!o.only_all) exchanges.by_pairs();
  exchanges.over_all(!o.only_all);
  return done;
}

}  // namespace skipper::cli
