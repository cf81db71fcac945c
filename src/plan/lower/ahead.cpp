#include "plan/lower/ahead.h"

#include "kernel/questions.h"
#include "plan/lower/occupancy.h"

#include <algorithm>

namespace skipper {

namespace {

// Of the tiles that all SMs hold at once, how many further the one is that a block asks for (H200, 2026-11-16): so much is
// 2 to 4 MB. With a third of them L2 loses what it was asked for before it is read; with a tenth it is asked for too late.
constexpr double share_ahead = 0.16;
constexpr Index line_bytes = 128, sector_bytes = 32;
constexpr Index least_tile = 8 * 1024;  // smaller ones come and go as fast as memory does
// Above so many threads a block is alone on its SM, and its loads are short enough to wait for its asking.
constexpr int threads_that_ask_first = 512;

}  // namespace

kernel::Ahead ahead_of(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                       Machine const& machine) {
  bool const measured = machine.cluster > 1;  // sm_90
  if (!measured || !kernel::plain(spec, kernel::Sum::head)) return {};
  Work const work = work_of(spec, element_bytes);
  Index blocks = std::max<Index>(1, blocks_of(work, work.registers, machine));
  if (spec.most > 0) blocks = std::min<Index>(blocks, spec.most);
  Index const at_once = std::max<Index>(1, blocks * machine.sms / spec.ranks);
  Index const ahead = std::max<Index>(1, Index(share_ahead * double(at_once)));
  if (tiles < at_once + ahead || work.points * element_bytes < least_tile) return {};
  Index const stored = spec.head.half ? element_bytes / 2 : element_bytes;
  kernel::SweepSpec asking = spec;
  asking.ahead = {ahead, int(line_bytes / stored), spec.threads > threads_that_ask_first};
  bool const in_sectors = kernel::asked_count(asking) * sector_bytes <= work.points * spec.ranks * stored;
  return in_sectors ? asking.ahead : kernel::Ahead{};
}

}  // namespace skipper
