// See bandwidths.h.
#include "stream/bandwidths.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "stream/reserve.h"

namespace skipper::stream {
namespace {

constexpr int rounds = 4;  // the first one meets memory that nobody touched

/// Bytes a second of the best round, in which so many bytes are moved.
template <class Work>
double best(Index bytes, Work&& work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    auto const begin = Clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return double(bytes) / std::max(least, 1e-9);
}

}  // namespace

Bandwidths measured(Device& device, Host& host, Index bytes) {
  Bandwidths found;
  auto const whole = aligned(bytes);
  std::vector<std::byte> from(static_cast<std::size_t>(4 * whole)), to(from.size());
  found.host = best(2 * 4 * whole, [&] {
    host.loop(4 * whole, [&](Index begin, Index end) {
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(end - begin));
    });
  });
  if (device.shares_memory()) return found;
  Reserve reserve(device);
  std::byte* const there = reserve.on_device(2 * whole);
  std::byte* const here = reserve.pinned(2 * whole);
  auto const up = [&] { device.copy_up(there, here, {bytes}); };
  auto const down = [&] { device.copy_down(here + whole, there + whole, {bytes}); };
  auto const wait = [&](StreamId id) { device.mark(id)->wait(); };
  found.up = best(bytes, [&] { up(), wait(StreamId::up); });
  found.down = best(bytes, [&] { down(), wait(StreamId::down); });
  found.both = best(2 * bytes, [&] { up(), down(), wait(StreamId::up), wait(StreamId::down); });
  return found;
}

}  // namespace skipper::stream
