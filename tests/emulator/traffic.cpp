// Counts of wavefronts and sectors, lane by lane.
#include "emulator/traffic.h"

#include <algorithm>

namespace skipper::emulator {
namespace {

/// Wavefronts that the block `target` needs for the lanes of `phase` that go to it. `lanes` elements fill the
/// banks once, so elements collide when they are equal modulo `lanes`.
int phase_wavefronts(WarpAccess const& access, std::uint32_t phase, int lanes) {
  int in_column[warp_threads] = {};
  int most = 0;
  for (auto rest = phase; rest; rest &= rest - 1) {
    Wide const place = access.at[__builtin_ctz(rest)];
    bool shared = false;  // an earlier lane wants the same element
    for (auto earlier = phase & ~rest; earlier && !shared; earlier &= earlier - 1)
      shared = access.at[__builtin_ctz(earlier)] == place;
    if (!shared) most = std::max(most, ++in_column[place % lanes]);
  }
  return most;
}

}  // namespace

Wavefronts wavefronts(WarpAccess const& access) {
  Wavefronts total;
  int const lanes = std::min(warp_threads, bank_bytes / access.bytes);
  auto const all = lanes == warp_threads ? ~std::uint32_t(0) : (std::uint32_t(1) << lanes) - 1;
  for (int first = 0; first < warp_threads; first += lanes) {
    auto rest = access.active & all << first;
    while (rest) {  // once for each block that is written to
      Wide const target = access.at[__builtin_ctz(rest)] >> 32;
      std::uint32_t together = 0;
      for (auto lane = rest; lane; lane &= lane - 1)
        if (access.at[__builtin_ctz(lane)] >> 32 == target) together |= lane & -lane;
      total.used += phase_wavefronts(access, together, lanes);
      total.ideal += 1;
      rest &= ~together;
    }
  }
  return total;
}

int sectors(WarpAccess const& access) {
  Wide touched[2 * warp_threads];
  int n = 0;
  auto const note = [&](Wide sector) {
    if (n == 0 || touched[n - 1] != sector) touched[n++] = sector;
  };
  for (auto rest = access.active; rest; rest &= rest - 1) {
    Wide const at = access.at[__builtin_ctz(rest)];
    note(at / sector_bytes);
    note((at + access.bytes - 1) / sector_bytes);
  }
  std::sort(touched, touched + n);
  return int(std::unique(touched, touched + n) - touched);
}

int shared_sectors(WarpAccess const& access) {
  constexpr Wide rank_bytes =
      Wide(1) << 36;  // places count elements; here ranks lie further apart than any has bytes
  WarpAccess bytes = access;
  for (auto rest = access.active; rest; rest &= rest - 1) {
    int const lane = __builtin_ctz(rest);
    Wide const place = access.at[lane] & 0xffffffff;
    bytes.at[lane] = (access.at[lane] >> 32) * rank_bytes + place * access.bytes;
  }
  return sectors(bytes);
}

}  // namespace skipper::emulator
