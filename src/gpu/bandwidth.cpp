// See bandwidth.h.
#include "gpu/bandwidth.h"

#include <skipper/error.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "gpu/cache.h"
#include "gpu/memory.h"

namespace skipper::gpu {
namespace {

std::string key_of(DeviceFacts const& f) {
  return "bandwidth " + f.title + "\nsms " + std::to_string(f.sms) + " memory " +
         std::to_string(f.memory_bytes) + " l2 " + std::to_string(f.l2_bytes) + "\ndriver " +
         driver_version();
}

double two_digits(double x) {
  double const unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::round(x / unit) * unit;
}

std::optional<double> parsed(std::string const& text) {
  double x = 0;
  auto const [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), x);
  bool const good = trouble == std::errc() && end == text.data() + text.size() && std::isfinite(x) && x > 0;
  return good ? std::optional(x) : std::nullopt;
}

/// The best of a few copies of what L2 cannot hold, each waited for.
double measured_now(int device, DeviceFacts const& f) try {
  constexpr std::size_t most = std::size_t(1) << 30;
  Driver const& d = *driver();
  Current const current(context_for(device));
  std::size_t free = 0, total = 0;
  demand(d.free_memory(&free, &total), "reading the free memory");
  std::size_t const wanted =
      std::clamp<std::size_t>(std::size_t(8 * f.l2_bytes), std::size_t(256) << 20, most);
  std::size_t const bytes = std::min(wanted, free / 4) / 256 * 256;
  if (bytes < std::size_t(2 * f.l2_bytes) || bytes == 0) return 0;
  Memory const from(bytes), to(bytes);
  Stream made = nullptr;
  demand(d.create_stream(&made, non_blocking), "making a stream");
  std::unique_ptr<StreamTag, Status (*)(Stream)> const stream(made, d.destroy_stream);
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 6; ++round) {  // the first brings the clocks up
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i) demand(d.copy_async(to.at(), from.at(), bytes, made), "copying");
    demand(d.synchronise_stream(made), "waiting for a copy");
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / 4);
  }
  return best > 0 ? 2 * double(bytes) / best : 0;
} catch (Error const&) {  // no memory, or a capture that allows no calls
  return 0;
}

}  // namespace

double measured_bandwidth(int device, DeviceFacts const& facts) {
  std::string const key = key_of(facts);
  if (auto const kept = fetch(key))
    if (auto const known = parsed(*kept)) return *known;
  double const now = measured_now(device, facts);
  if (now <= 0) return 0;
  double const rounded = two_digits(now);
  save(key, std::to_string(rounded));
  return rounded;
}

}  // namespace skipper::gpu
