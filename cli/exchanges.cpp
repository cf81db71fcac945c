// The ways in which GPUs exchange data: each by the time of a whole transform over these devices, and by the bandwidth that the
// exchange alone comes to, beyond the time that the same sweeps take where nobody waits for anybody. By pairs of devices, and over
// all of them in pieces on one and two streams.
#include "exchanges.h"

#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <future>
#include <map>
#include <set>

#include "cases.h"
#include "gpu.h"
#include "json.h"
#include "linear_check.h"
#include "measure.h"
#include "settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

/// All of them, or the one that --exchange names.
std::vector<ExchangeMethod> methods_from(Args const& args) {
  if (auto const one = args.value("--exchange")) return {parse_exchange(*one)};
  return {ExchangeMethod::fused, ExchangeMethod::direct, ExchangeMethod::swap, ExchangeMethod::staged,
          ExchangeMethod::host};
}

std::vector<Device> devices_from(Args const& args) {
  std::vector<Device> found;
  if (auto const list = args.value("--devices")) {
    for (std::string const& name : split(*list, ',')) found.emplace_back(name);
  } else {
    for (DeviceDescription const& d : devices())
      if (cuda_device(d.name) >= 0) found.emplace_back(d.name);
  }
  for (Device const& d : found)
    if (cuda_device(d.name()) < 0) args.refuse("--devices names " + d.name() + ", which is no GPU");
  if (found.size() < 2)
    args.refuse("--exchanges needs two devices; give --devices cuda:0,cuda:1, or one twice: cuda:0,cuda:0");
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
      arrays.push_back({in, out, {work, cuda.stream()}});
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
    std::size_t const size = problem_.precision == Precision::f64 ? 8 : 4, count = data.size() / size;
    constexpr std::size_t numbers_of_a_thread = 1 << 25;
    std::vector<std::future<void>> parts;
    for (std::size_t begin = 0; begin < count; begin += numbers_of_a_thread)
      parts.push_back(std::async(std::launch::async, [&, begin] {
        for (std::size_t i = begin; i < std::min(count, begin + numbers_of_a_thread); ++i) {
          double const x = double((i * size * 2654435761u + seed * 40503u) % 2001u) / 1000 - 1;
          float const narrow = float(x);
          std::memcpy(data.data() + i * size, size == 8 ? static_cast<void const*>(&x) : &narrow, size);
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
    settings.streams = streams;
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
  if (!m.fault.empty()) return Json::Object{{"method", m.method}, {"fault", m.fault}};
  return Json::Object{{"method", m.method}, {"seconds", m.seconds}, {"bandwidth", m.bandwidth}};
}

using Pairs = std::vector<std::vector<Device>>;

/// Pairs of devices that differ from each other, each pair of kinds once.
Pairs pairs_of(std::vector<Device> const& devices) {
  Pairs pairs;
  std::set<std::pair<std::string, std::string>> known;
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (std::size_t j = i + 1; j < devices.size(); ++j)
      if (known.insert({devices[i].name(), devices[j].name()}).second)
        pairs.push_back({devices[i], devices[j]});
  return pairs;
}

}  // namespace

std::vector<Option> exchanges_options() {
  return {{"--exchanges", "", "measure the ways in which GPUs exchange data, and keep the best"},
          {"--only-all", "", "with --exchanges: leave out pairs of devices and piece sizes"}};
}

int bench_exchanges(Args const& args) {
  args.demand_operands(0, 1, "one shape or problem");
  std::vector<Device> const devices = devices_from(args);
  Problem const problem =
      args.operands().empty() ? c2c({256, 256, 256}) : problem_from(args, args.operands()[0]);
  int const repeats = int(args.integer_or("--repeats", 5, 1, 1000));
  bool const as_json = args.has("--json"), only_all = args.has("--only-all");
  std::vector<ExchangeMethod> const methods = methods_from(args);
  Json::Array by_pairs, all, by_pieces;
  double const one = seconds_alone(problem, devices[0], repeats);
  if (!as_json)
    std::printf("%s on %s alone %s\n", text(problem).c_str(), devices[0].name().c_str(),
                seconds_text(one).c_str());
  DistributedSettings any;
  any.any_output = true;
  for (std::vector<Device> const& pair : only_all ? Pairs{} : pairs_of(devices)) {
    std::string const program = DistributedPlan(problem, pair, any).describe();
    double const sweeps = sweeps_seconds(problem, pair, program, repeats);
    Bench bench(problem, pair);
    Table table({"  exchange", "time", "over one device", "over sweeps", "GB/s"});
    Json::Array results;
    for (ExchangeMethod const method : methods) {
      Measured const m = measured(problem, pair, method, bench, sweeps, repeats);
      table.add(row(m, one, sweeps));
      results.push_back(json(m));
    }
    by_pairs.push_back(
        Json::Object{{"devices", pair[0].name() + "," + pair[1].name()}, {"exchanges", results}});
    if (as_json) continue;
    std::printf("%s over %s and %s, sweeps alone %s\n%s", text(problem).c_str(), pair[0].name().c_str(),
                pair[1].name().c_str(), seconds_text(sweeps).c_str(), table.text().c_str());
    std::fflush(stdout);
  }
  std::string const program = DistributedPlan(problem, devices, any).describe();
  double const sweeps = sweeps_seconds(problem, devices, program, repeats);
  Bench bench(problem, devices);
  Table table({"  exchange", "time", "over one device", "over sweeps", "GB/s"});
  std::optional<std::pair<double, ExchangeMethod>> best;
  for (ExchangeMethod const method : methods) {
    Measured const m = measured(problem, devices, method, bench, sweeps, repeats);
    table.add(row(m, one, sweeps));
    all.push_back(json(m));
    if (m.fault.empty() && (!best || m.seconds < best->first)) best = {m.seconds, method};
  }
  if (!best) throw Error("exchange", "none of the methods works on these devices");
  if (methods.size() > 1) keep_exchange(devices, best->second);
  Table pieces({"  pieces", "direct, 1 stream", "direct, 2", "host, 1", "host, 2"});
  for (int const count : only_all ? std::vector<int>{} : std::vector{1, 2, 4, 8, 16}) {
    std::vector<std::string> cells{"  " + std::to_string(count)};
    for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::host})
      for (int const streams : {1, 2}) {
        Measured const m = measured(problem, devices, method, bench, sweeps, repeats, count, streams);
        cells.push_back(m.fault.empty() ? seconds_text(m.seconds) : "-");
        by_pieces.push_back(Json::Object{
            {"method", m.method}, {"pieces", count}, {"streams", streams}, {"seconds", m.seconds}});
      }
    pieces.add(cells);
  }
  if (as_json) {
    std::printf("%s\n", Json(Json::Object{{"problem", text(problem)},
                                          {"program", program},
                                          {"one_device_seconds", one},
                                          {"sweeps_seconds", sweeps},
                                          {"pairs", by_pairs},
                                          {"all", all},
                                          {"pieces", by_pieces},
                                          {"kept", name(best->second)}})
                            .text()
                            .c_str());
    return done;
  }
  std::printf("%s over all %zu, sweeps alone %s\n%s%s", text(problem).c_str(), devices.size(),
              seconds_text(sweeps).c_str(), table.text().c_str(),
              by_pieces.empty() ? "" : pieces.text().c_str());
  if (methods.size() > 1) std::printf("kept for these devices: %s\n", name(best->second));
  return done;
}

}  // namespace skipper::cli
