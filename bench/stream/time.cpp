// Times transforms of data in host memory through a device that may use little memory: both strategies, what crosses
// the link each second, and a copy in host memory by as many threads in the same run. The way there and back must give
// the input again.
//
//   bench_stream cuda:0 4G "c2c f32 forward 1024x1024x1024" "c2c f32 forward 24x24x24 batch 20000"
#include <skipper/skipper.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

double seconds(auto&& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_of_three(auto&& work) {
  double times[3];
  for (double& t : times) t = seconds(work);
  std::sort(times, times + 3);
  return times[1];
}

// Bytes a second, read plus write, of a copy by all cores.
double host_copy(std::vector<float> const& from, std::vector<float>& to) {
  std::size_t const threads = std::max(1u, std::thread::hardware_concurrency()),
                    piece = from.size() / threads;
  double const time = median_of_three([&] {
    std::vector<std::thread> all;
    for (std::size_t t = 0; t < threads; ++t)
      all.emplace_back(
          [&, t] { std::memcpy(to.data() + t * piece, from.data() + t * piece, piece * sizeof(float)); });
    for (std::thread& t : all) t.join();
  });
  return 2 * double(piece * threads) * sizeof(float) / time;
}

// Of scalars; the arrays begin with noise that repeats only after a long while.
double difference(std::vector<float> const& a, std::vector<float> const& b) {
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < a.size(); i += 101) {
    error += std::pow(double(a[i]) - double(b[i]), 2);
    whole += std::pow(double(a[i]), 2);
  }
  return std::sqrt(error / whole);
}

std::int64_t bytes(std::string const& word) {
  std::int64_t const count = std::atoll(word.c_str());
  std::size_t const unit = word.empty() ? 0 : std::string("KMGT").find(word.back()) + 1;
  return count << 10 * unit;
}

void measure(skipper::Problem const& problem, skipper::StreamSettings settings) {
  std::size_t const in_size = std::size_t(in_bytes(problem)) / 4,
                    out_size = std::size_t(out_bytes(problem)) / 4;
  std::vector<float> in(in_size), out(out_size), back(in_size);
  std::uint32_t state = 1;
  for (float& v : in) v = float(std::int32_t(state = state * 1664525u + 1013904223u)) * 0x1p-31f;
  double const host = host_copy(in, back);
  std::printf("%s: a copy in host memory %.1f GB/s\n", text(problem).c_str(), host * 1e-9);
  for (auto const strategy : {skipper::StreamStrategy::host_and_device, skipper::StreamStrategy::device_only})
    try {
      settings.strategy = strategy;
      skipper::StreamPlan const plan(problem, settings);
      double const time = median_of_three([&] { plan.execute(in.data(), out.data()); });
      skipper::StreamPlan const undo(skipper::inverse_problem(problem), settings);
      undo.execute(out.data(), back.data());
      double const moved = plan.trips() * double(in_bytes(problem) + out_bytes(problem));
      std::printf(
          "  %-16s %8.3f s, %d trips, %6.1f GB/s over the link, error of the way there and back %.1e\n",
          strategy == skipper::StreamStrategy::device_only ? "device_only" : "host_and_device", time,
          plan.trips(), moved / time * 1e-9, difference(in, back));
    } catch (skipper::Error const& e) {
      std::printf("  %s\n", e.what());
    }
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_stream DEVICE LIMIT PROBLEM...\n");
    return 2;
  }
  skipper::StreamSettings settings;
  settings.device = skipper::Device(words[1]);
  settings.memory_limit = bytes(words[2]);
  for (int i = 3; i < count; ++i) measure(skipper::parse_problem(words[i]), settings);
  return 0;
} catch (skipper::Error const& e) {
  std::fprintf(stderr, "bench_stream: %s\n", e.what());
  return 2;
}
