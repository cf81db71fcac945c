// Times Poisson solves of cubes in core against a copy of the real array on the same device, and checks each: a right side
// of a few modes whose solution is known in closed form, and noise against the CPU's solution. A wrong one makes it fail.
//   bench_poisson DEVICE SIZE... [f32|f64] [describe] [steps] [ranks=N]... [exchange=METHOD]...
// DEVICE is cuda:0, or cpu, where the arrays are the host's. `steps` also times each plan of a solve by itself: those of the
// transforms there and back as they are, a fused inverse as the transform there. `ranks=8` also solves over so many ranks that share a
// GPU, in slabs, by each of the exchanges that are named, or by fused ones.
#include <skipper/distributed_poisson.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/gpu.h"
#include "gpu/driver.h"

using namespace skipper;

namespace {

/// Arrays on the device, or on the host.
class Place {
 public:
  explicit Place(std::string const& device) {
    if (int const number = cli::cuda_device(device); number >= 0) cuda_.emplace(number);
  }

  void* array(std::string const& name, std::size_t bytes) {
    if (cuda_) return cuda_->device_memory(name, bytes).data;
    auto& memory = host_[name];
    if (memory.size() < bytes) memory.resize(bytes);
    return memory.data();
  }
  void put(void* to, void const* from, std::size_t bytes) {
    cuda_ ? cuda_->upload(to, from, bytes) : void(std::memcpy(to, from, bytes));
  }
  void get(void* to, void const* from, std::size_t bytes) {
    wait();
    cuda_ ? cuda_->download(to, from, bytes) : void(std::memcpy(to, from, bytes));
  }
  void copy(void* to, void const* from, std::size_t bytes) {
    cuda_ ? cuda_->copy(to, from, bytes) : void(std::memcpy(to, from, bytes));
  }
  /// For all streams: a solve goes to the default one.
  void wait() {
    if (cuda_) gpu::demand(gpu::demand_driver().synchronise(), "waiting for the device");
  }

  /// The least of a few rounds, each long enough for a clock.
  double seconds(std::function<void()> const& work) {
    using Clock = std::chrono::steady_clock;
    auto const round = [&](int times) {
      auto const begin = Clock::now();
      for (int i = 0; i < times; ++i) work();
      wait();
      return std::chrono::duration<double>(Clock::now() - begin).count() / times;
    };
    round(1);
    int const times = int(std::clamp(0.02 / std::max(round(1), 1e-6), 1.0, 50.0));
    double best = 1e9;
    for (int i = 0; i < 4; ++i) best = std::min(best, round(times));
    return best;
  }

 private:
  std::optional<cli::Cuda> cuda_;
  std::map<std::string, std::vector<char>> host_;
};

struct Case {
  std::string name;
  PoissonProblem problem;
};

std::vector<Case> cases(std::int64_t n, Precision precision) {
  PoissonProblem p;
  p.precision = precision;
  p.axes.resize(3);
  for (PoissonAxis& axis : p.axes) axis.size = n;
  std::vector<Case> all = {{"3 periodic", p}};
  p.shift = -1;
  all.push_back({"3 periodic, shift -1", p});
  p.shift = 0;
  p.axes[0].low = p.axes[0].high = Boundary::neumann;
  all.push_back({"2 periodic, Neumann by DCT", p});
  p.axes[0].tridiagonal = true;
  all.push_back({"2 periodic, Neumann by elimination", p});
  return all;
}

/// Products of cosines along the axes, which the three-point Laplacian only multiplies.
template <class T>
void modes(PoissonProblem const& p, std::vector<T>& f, std::vector<T>& phi) {
  std::size_t const n = std::size_t(p.axes[0].size),
                    numbers[4][3] = {{1, 0, 0}, {2, 1, 3}, {0, 5, n / 4}, {n / 3, 1, 1}};
  std::fill(f.begin(), f.end(), T(0));
  phi = f;
  for (auto const& m : numbers) {
    double eigenvalue = p.shift;
    std::vector<double> line[3];
    for (std::size_t a = 0; a < 3; ++a) {
      double const waves = double(m[a]) * (p.axes[a].low == Boundary::periodic ? 1 : 0.5) / double(n);
      eigenvalue -= std::pow(2 * double(n) / p.axes[a].length * std::sin(M_PI * waves), 2);
      for (std::size_t i = 0; i < n; ++i)
        line[a].push_back(std::cos(2 * M_PI * std::fmod(waves * (double(i) + 0.5), 1.0)));
    }
    for (std::size_t z = 0, at = 0; z < n; ++z)
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x, ++at) {
          double const value = line[0][z] * line[1][y] * line[2][x];
          f[at] += T(value * 1e-3 * eigenvalue);
          phi[at] += T(value * 1e-3);
        }
  }
}

template <class T>
double error(std::vector<T> const& right, std::vector<T> const& got) {
  double off = 0, whole = 0;
  for (std::size_t i = 0; i < right.size(); ++i)
    off += std::pow(double(got[i]) - double(right[i]), 2), whole += std::pow(double(right[i]), 2);
  return std::sqrt(off / whole);
}

/// Each plan that a description names.
void time_steps(std::string const& description, PlanSettings const& settings, Place& place, double copy) {
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    std::string const kind = line.substr(0, 4);
    if (kind != "r2c " && kind != "c2r " && kind != "c2c ") continue;
    Problem const problem = parse_problem(line);
    Plan const plan(problem, settings);
    void* const in = place.array("in", std::size_t(in_bytes(problem)));
    void* const out = place.array("out", std::size_t(out_bytes(problem)));
    double const time = place.seconds([&] { plan.execute(in, out); });
    std::printf("  %.2f x copy (%.1f us): %s\n", time / copy, time * 1e6, line.c_str());
  }
}

struct Wanted {
  bool describe = false, steps = false;
  std::vector<int> ranks = {};
  std::vector<ExchangeMethod> exchanges = {};
};

/// The same over ranks that share the device: time over that of one, `alone`.
template <class T>
bool measure_ranks(PoissonProblem const& problem, int ranks, ExchangeMethod exchange, Device const& device,
                   Place& place, T const* f, T* phi, std::vector<T> const& right, double alone) try {
  DistributedSettings settings;
  settings.exchange = exchange;
  DistributedPoisson const solver(problem, std::vector<Device>(std::size_t(ranks), device), settings);
  std::vector<PoissonArrays<T>> arrays;
  std::int64_t at = 0;
  for (int r = 0; r < ranks; ++r) {  // slabs of the slowest axis are neighbours
    arrays.push_back({f + at, phi + at, {}, {}});
    at += solver.in_elements(r);
  }
  place.copy(phi, f, right.size() * sizeof(T));
  solver.solve(arrays);
  std::vector<T> got(right.size());
  place.get(got.data(), phi, got.size() * sizeof(T));
  double const off = error(right, got), time = place.seconds([&] { solver.solve(arrays); });
  bool const good = off < (sizeof(T) == 8 ? 1e-12 : 3e-5);
  std::printf("  %d ranks by %-8s %.1f us, %.2f of one rank's, error of noise %.1e%s\n", ranks,
              name(solver.exchange()), time * 1e6, time / alone, off, good ? "" : "  WRONG");
  return good;
} catch (Error const& e) {
  std::printf("  %d ranks by %-8s %s\n", ranks, name(exchange), e.what());
  return true;
}

template <class T>
bool measure(Case const& c, std::string const& device, Place& place, Wanted const& wanted) {
  PlanSettings settings, host;
  settings.device = Device(device);
  host.device = Device("cpu");
  Poisson const solver(c.problem, settings);
  std::size_t const n = std::size_t(c.problem.axes[0].size), count = n * n * n, bytes = count * sizeof(T);
  T* const f = static_cast<T*>(place.array("f", bytes));
  T* const phi = static_cast<T*>(place.array("phi", bytes));
  std::vector<T> given(count), right(count), got(count);

  modes(c.problem, given, right);
  place.put(f, given.data(), bytes);
  solver.solve(f, phi);
  place.get(got.data(), phi, bytes);
  double const of_modes = error(right, got);

  std::uint64_t state = 1;
  for (T& v : given) {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    v = T(float(std::int32_t(z >> 32)) * 0x1p-31f);
  }
  place.put(f, given.data(), bytes);
  double const defect = solver.solve(f, phi).defect;
  place.get(got.data(), phi, bytes);
  double const off = std::abs(Poisson(c.problem, host).solve(given.data(), right.data()).defect - defect);
  double const of_noise = error(right, got);

  double const copy = place.seconds([&] { place.copy(phi, f, bytes); });
  double const time = place.seconds([&] { solver.solve(f, phi); });
  bool const wide = sizeof(T) == 8;
  bool good = of_modes < (wide ? 1e-12 : 1e-4) && of_noise < (wide ? 1e-12 : 3e-5) && off < 1e-6;
  std::printf(
      "%-36s %s %4zu^3  %6.2f x copy (%.1f us, copy %.1f us), error of modes %.1e, of noise %.1e, of the "
      "defect %.1e%s\n",
      c.name.c_str(), wide ? "f64" : "f32", n, time / copy, time * 1e6, copy * 1e6, of_modes, of_noise, off,
      good ? "" : "  WRONG");
  if (wanted.describe) std::printf("%s", solver.describe().c_str());
  if (wanted.steps) time_steps(solver.describe(), settings, place, copy);
  for (int const ranks : wanted.ranks)
    for (ExchangeMethod const exchange : wanted.exchanges)
      good &= measure_ranks(c.problem, ranks, exchange, Device(device), place, f, phi, right, time);
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 3) {
    std::fprintf(stderr,
                 "usage: bench_poisson DEVICE SIZE... [f32|f64] [describe] [steps] [ranks=N]... "
                 "[exchange=METHOD]...\n");
    return 2;
  }
  std::vector<std::string> const all(words + 1, words + count);
  auto const said = [&](char const* word) { return std::find(all.begin(), all.end(), word) != all.end(); };
  std::string const& device = all[0];
  Place place(device);
  bool good = true;
  Wanted wanted{said("describe"), said("steps")};
  for (std::string const& word : all) {
    if (word.starts_with("ranks=")) wanted.ranks.push_back(std::atoi(word.c_str() + 6));
    if (word.starts_with("exchange=")) wanted.exchanges.push_back(parse_exchange(word.substr(9)));
  }
  if (wanted.exchanges.empty()) wanted.exchanges = {ExchangeMethod::fused};
  for (Precision const precision : {Precision::f32, Precision::f64}) {
    bool const wide = precision == Precision::f64;
    if (said(wide ? "f32" : "f64")) continue;
    for (std::string const& word : all)
      if (std::int64_t const n = std::atoll(word.c_str()); n > 0)
        for (Case const& c : cases(n, precision)) try {
            good &= (wide ? measure<double> : measure<float>)(c, device, place, wanted);
          } catch (Error const& e) {
            std::printf("%-36s %s\n", c.name.c_str(), e.what());
          }
  }
  return good ? 0 : 1;
} catch (Error const& e) {
  std::fprintf(stderr, "bench_poisson: %s\n", e.what());
  return 2;
}
