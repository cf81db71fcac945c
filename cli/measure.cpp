// Samples in rounds, medians and spreads; and a team of threads that copies.
#include "measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

namespace skipper::cli {
namespace {

// A clock reads 100 ns off at the worst; a sample of so many seconds is then exact to a thousandth.
constexpr double least_sample = 2e-4;

double sample(std::function<void()> const& work, long calls) {
  double const begin = now();
  for (long i = 0; i < calls; ++i) work();
  return (now() - begin) / double(calls);
}

// Warms up, and finds how many calls make a sample.
long calibrated(std::function<void()> const& work, double seconds) {
  work();
  double const sample_seconds = std::max(least_sample, std::min(seconds / 50, 5e-3));
  for (long calls = 1;;) {
    double const spent = sample(work, calls) * double(calls);
    if (spent >= sample_seconds) return calls;
    double const grown = double(calls) * std::clamp(1.2 * sample_seconds / std::max(spent, 1e-9), 1.5, 100.0);
    calls = long(std::ceil(grown));
  }
}

}  // namespace

Timing summary(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto const at = [&](double part) {
    double const place = part * double(samples.size() - 1);
    std::size_t const low = std::size_t(place);
    std::size_t const high = std::min(low + 1, samples.size() - 1);
    return samples[low] + (place - double(low)) * (samples[high] - samples[low]);
  };
  return {at(0.5), (at(0.75) - at(0.25)) / at(0.5)};
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()));
}

std::vector<Timing> in_rounds(std::size_t works, MeasureSettings const& settings,
                              std::function<double(std::size_t)> const& sample) {
  std::vector<std::vector<double>> samples(works);
  double const end = now() + settings.seconds * double(works);
  for (int round = 0; round < settings.repeats && (round < 3 || now() < end); ++round)
    for (std::size_t i = 0; i < works; ++i) samples[i].push_back(sample(i));
  std::vector<Timing> result;
  for (auto const& s : samples) result.push_back(summary(s));
  return result;
}

std::vector<Timing> measure(std::vector<std::function<void()>> const& works,
                            MeasureSettings const& settings) {
  std::vector<long> calls;
  for (auto const& work : works) calls.push_back(calibrated(work, settings.seconds));
  return in_rounds(works.size(), settings, [&](std::size_t i) { return sample(works[i], calls[i]); });
}

// Worker w copies part w of the job; `round` tells them that there is a new one, `left` that all are done.
struct CopyTeam::Team {
  struct Job {
    char const* from = nullptr;
    char* to = nullptr;
    std::size_t bytes = 0;
  };

  explicit Team(int count) : parts(std::size_t(count)) {
    for (std::size_t w = 1; w < parts; ++w) workers.emplace_back([this, w] { work(w); });
  }
  ~Team() {
    stop = true;
    ++round;
    round.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void copy_part(std::size_t w) const {
    std::size_t const begin = job.bytes * w / parts, end = job.bytes * (w + 1) / parts;
    std::memcpy(job.to + begin, job.from + begin, end - begin);
  }

  void work(std::size_t w) {
    for (int seen = 0;;) {
      round.wait(seen);
      seen = round.load();
      if (stop) return;
      copy_part(w);
      if (--left == 0) left.notify_all();
    }
  }

  void copy(Job const& next) {
    job = next;
    left = int(parts) - 1;
    ++round;
    round.notify_all();
    copy_part(0);
    for (int now_left = left; now_left != 0; now_left = left) left.wait(now_left);
  }

  std::size_t parts;
  Job job;
  std::atomic<int> round = 0, left = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> workers;
};

CopyTeam::CopyTeam(int threads) : team_(std::make_unique<Team>(threads)) {}
CopyTeam::~CopyTeam() = default;

void CopyTeam::copy(void const* from, void* to, std::size_t bytes) {
  constexpr std::size_t worth_waking = 1 << 20;  // a copy in cache is over before the others are awake
  if (team_->parts == 1 || bytes < worth_waking)
    std::memcpy(to, from, bytes);
  else
    team_->copy({static_cast<char const*>(from), static_cast<char*>(to), bytes});
}

}  // namespace skipper::cli
