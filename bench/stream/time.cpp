// Times transforms of data in host memory through a device that may use little of its own: both strategies, against what
// the link carries both ways at once and what a copy in host memory takes, measured in the same run. The input is a sum
// of a few modes, so the spectrum is known everywhere; a wrong number in it makes the program fail.
//
//   bench_stream cuda:0 4G "c2c f32 forward 1024x1024x1024" "c2c f32 forward 24x24x24 batch 512"
//   bench_stream cuda:0 32G pinned=0 once=1 "c2c f32 forward 2048x2048x1800 in-place"
//
// `pinned=1`: from here on the arrays are pinned. `once=1`: each is run once, not the median of five.
#include <skipper/skipper.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>

#include "bench/stream/machine.h"

using namespace skipper;
using namespace skipper::bench;

namespace {

using Number = std::complex<float>;

/// exp(2 pi i (k . r)) for a few k, each with an amplitude of its own, which is what the spectrum has there.
struct Modes {
  std::vector<std::size_t> shape;  // the batch first
  std::vector<std::vector<std::size_t>> places;

  explicit Modes(Problem const& p) {
    std::size_t batch = 1;
    for (Dim const& d : p.batch) batch *= std::size_t(d.size);
    shape = {batch};
    for (Axis const& a : p.axes) shape.push_back(std::size_t(a.size));
    for (std::size_t m = 0; m < 4; ++m) {
      places.emplace_back();
      for (std::size_t a = 1; a < shape.size(); ++a)
        places.back().push_back((m * (shape[a] / 3 + 1) + a) % shape[a]);
    }
  }
  std::size_t count() const {
    std::size_t n = 1;
    for (std::size_t s : shape) n *= s;
    return n;
  }
  static Number amplitude(std::size_t mode, std::size_t batch) {
    return {1 + float(mode), float(batch % 7) - float(mode)};
  }

  /// body(batch, slow indices, row) for all lines along the last axis.
  template <class Body>
  void each_line(Body const& body) const {
    std::size_t const length = shape.back(), lines = count() / length;
    on_all_cores(lines, [&](std::size_t line) {
      std::vector<std::size_t> index(shape.size() - 1);
      for (std::size_t a = shape.size() - 1, rest = line; a-- > 0; rest /= shape[a])
        index[a] = rest % shape[a];
      body(index, line * length);
    });
  }

  void fill(Number* data) const {
    std::vector<std::vector<Number>> waves;  // of the last axis, one a mode
    std::size_t const n = shape.back();
    for (auto const& k : places) {
      waves.emplace_back();
      for (std::size_t x = 0; x < n; ++x) waves.back().push_back(wave(k.back() * x % n, n));
    }
    each_line([&](std::vector<std::size_t> const& index, std::size_t at) {
      std::fill_n(data + at, n, Number());
      for (std::size_t m = 0; m < places.size(); ++m) {
        std::complex<double> factor = amplitude(m, index[0]);
        for (std::size_t a = 1; a < index.size(); ++a)
          factor *= wave(places[m][a - 1] * index[a] % shape[a], shape[a]);
        Number const f(factor);
        for (std::size_t x = 0; x < n; ++x) data[at + x] += f * waves[m][x];
      }
    });
  }

  /// The largest difference to the spectrum, over the largest number in it.
  double error(Number const* data) const {
    double const scale = double(count() / shape[0]);
    std::size_t const n = shape.back();
    std::mutex mutex;
    double worst = 0;
    each_line([&](std::vector<std::size_t> const& index, std::size_t at) {
      std::vector<std::complex<double>> right(n);
      for (std::size_t m = 0; m < places.size(); ++m)
        if (std::equal(index.begin() + 1, index.end(), places[m].begin()))
          right[places[m].back()] += std::complex<double>(amplitude(m, index[0]));
      double here = 0;
      for (std::size_t x = 0; x < n; ++x) {
        double const off = std::abs(std::complex<double>(data[at + x]) / scale - right[x]);
        here = off > here || std::isnan(off) ? off : here;
      }
      std::lock_guard lock(mutex);
      worst = here > worst || std::isnan(here) ? here : worst;
    });
    return worst / 4;
  }

 private:
  static Number wave(std::size_t k, std::size_t n) {
    return Number(std::polar(1.0, 2 * M_PI * double(k) / double(n)));
  }
};

struct Options {
  StreamSettings settings;
  bool pinned = false, once = false;
};

/// Bytes of host memory that are read or written: by transforms of the host, by copies into and out of pinned buffers, and
/// by the link.
double host_bytes(StreamPlan const& plan, bool host_transforms, bool direct, double moved) {
  return (host_transforms ? moved : 0) + plan.trips() * moved * (direct ? 1 : 3);
}

bool measure(Problem const& problem, Options const& options, Machine& machine) {
  if (problem.kind != Kind::c2c || problem.precision != Precision::f32)
    throw Error("PROBLEM", "is not c2c f32, whose spectrum is checked; use that");
  Modes const modes(problem);
  bool const same = problem.placement == Placement::in_place;
  Array in(machine, "in", std::size_t(in_bytes(problem)), options.pinned),
      out(machine, "out", same ? 0 : std::size_t(out_bytes(problem)), options.pinned);
  Number* const from = static_cast<Number*>(in.data());
  Number* const to = same ? from : static_cast<Number*>(out.data());
  std::printf("%s%s: a copy in host memory %.1f GB/s, the link %.1f GB/s both ways at once\n",
              text(problem).c_str(), options.pinned ? ", pinned" : "", machine.host() * 1e-9,
              machine.link() * 1e-9);
  bool good = true;
  for (auto const strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) try {
      bool const host = strategy == StreamStrategy::host_and_device;
      StreamSettings settings = options.settings;
      settings.strategy = strategy;
      double first = 0;  // when the host's transform is done: the rest is streaming
      Clock clock;
      settings.progress = [&](StreamProgress const& p) {
        if (host && p.slices_done == 1) first = clock.seconds();
        return true;
      };
      StreamPlan const plan(problem, settings);
      std::vector<std::pair<double, double>> times;  // of all, and until `first`
      for (int i = 0; i < (options.once ? 1 : 5); ++i) {
        if (same || i == 0) modes.fill(from);
        first = 0;
        clock = Clock();
        plan.execute(from, to);
        times.emplace_back(clock.seconds(), first);
      }
      std::sort(times.begin(), times.end());
      auto const [time, before] = times[times.size() / 2];
      double const error = modes.error(to), moved = double(in_bytes(problem) + out_bytes(problem));
      bool const direct = options.pinned && !problem.batch.empty();
      double const link = plan.trips() * moved / machine.link(),
                   memory = host_bytes(plan, host, direct, moved) / machine.host();
      bool const right = error < 1e-5;
      good &= right;
      std::printf(
          "  %-16s %8.4f s, %d trip%s, streaming %.4f s at %.1f GB/s: %.0f %% of the link; floors: link %.4f "
          "s, host memory %.4f s; %.2f x the larger; %.0f MiB of the device; error %.1e%s\n",
          host ? "host_and_device" : "device_only", time, plan.trips(), plan.trips() == 1 ? "" : "s",
          time - before, plan.trips() * moved / (time - before) * 1e-9, 100 * link / (time - before), link,
          memory, time / std::max(link, memory), double(plan.device_bytes()) / (1 << 20), error,
          right ? "" : "  WRONG");
      std::fflush(stdout);
    } catch (Error const& e) {
      std::printf("  %s\n", e.what());
    }
  return good;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_stream DEVICE LIMIT [pinned=0|1] [once=0|1] PROBLEM...\n");
    return 2;
  }
  Options options;
  options.settings.device = Device(words[1]);
  options.settings.memory_limit = bytes(words[2]);
  Machine machine(words[1]);
  bool good = true;
  for (int i = 3; i < count; ++i) {
    std::string const word = words[i];
    if (word.starts_with("pinned="))
      options.pinned = word.back() == '1';
    else if (word.starts_with("once="))
      options.once = word.back() == '1';
    else
      good &= measure(parse_problem(word), options, machine);
  }
  return good ? 0 : 1;
} catch (Error const& e) {
  std::fprintf(stderr, "bench_stream: %s\n", e.what());
  return 2;
}
