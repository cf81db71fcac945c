// Schedules as values: trips, peak bytes, slices, the choice by bandwidths, and the errors.
#include "stream/schedule.h"

#include <gtest/gtest.h>

#include "stream/slices.h"

namespace skipper::stream {
namespace {

constexpr Index gib = Index(1) << 30;

/// A transform out of place within the device needs one more array.
Index one_slice(Problem const& problem) { return std::max(in_bytes(problem), out_bytes(problem)); }

Schedule schedule(Problem const& p, Index limit, StreamStrategy strategy = StreamStrategy::automatic,
                  Bandwidths const& b = {}) {
  return make_schedule(p, b, {limit, false}, strategy, one_slice);
}

// The paper's case: 8 GiB through 4.
TEST(Schedule, ThePapersCase) {
  Problem const p = c2c({1024, 1024, 1024});
  Schedule const one = schedule(p, 4 * gib, StreamStrategy::host_and_device);
  ASSERT_EQ(one.passes.size(), 2u);
  EXPECT_FALSE(one.passes[0].on_device);
  EXPECT_EQ(one.passes[1].whole.axes.size(), 2u);
  EXPECT_EQ(one.passes[1].slicing.extents, std::vector<Index>{64});  // 512 bytes of X
  EXPECT_EQ(one.passes[1].slicing.slices, 16);
  EXPECT_EQ(one.trips, 1);
  EXPECT_LE(one.device_bytes, 4 * gib);
  EXPECT_EQ(one.work_bytes, 0);

  Schedule const two = schedule(p, 4 * gib, StreamStrategy::device_only);
  ASSERT_EQ(two.passes.size(), 2u);
  EXPECT_EQ(two.passes[0].whole.axes.size(), 2u);  // slabs of Y and X
  EXPECT_EQ(two.passes[1].whole.axes.size(), 1u);
  EXPECT_EQ(two.trips, 2);
}

// Where the link is slow, crossing it once wins; where the host is, the device does all.
TEST(Schedule, BandwidthsDecide) {
  Problem const p = c2c({1024, 1024, 1024});
  Bandwidths slow_link;
  slow_link.up = slow_link.down = 6e9;
  slow_link.both = 11e9;
  EXPECT_EQ(schedule(p, gib, StreamStrategy::automatic, slow_link).trips, 1);
  Bandwidths slow_host_transform;  // the host so slow that its own pass costs more than a second trip
  slow_host_transform.host = 1e9;
  slow_host_transform.up = slow_host_transform.down = slow_host_transform.both = 1e12;
  Schedule const s = schedule(p, gib, StreamStrategy::automatic, slow_host_transform);
  Schedule const one = schedule(p, gib, StreamStrategy::host_and_device, slow_host_transform);
  Schedule const two = schedule(p, gib, StreamStrategy::device_only, slow_host_transform);
  EXPECT_EQ(s.seconds, std::min(one.seconds, two.seconds));
}

TEST(Schedule, BatchesAreCutAndCrossOnce) {
  Schedule const s = schedule(c2c({24, 24, 24}, 512), gib);
  EXPECT_EQ(s.trips, 1);
  EXPECT_EQ(s.passes.size(), 1u);
  EXPECT_GT(s.passes[0].slicing.slices, 16);
  EXPECT_EQ(s.passes[0].slicing.slots, 3);
  // Small slices of pinned arrays are copied as they lie, with more of them under way where there is room.
  auto const pinned = [](Index limit) {
    return make_schedule(c2c({24, 24, 24}, 512), {}, {limit, false, true}, StreamStrategy::automatic,
                         one_slice);
  };
  EXPECT_EQ(pinned(gib).passes[0].slicing.slots, 6);
  EXPECT_LE(pinned(gib / 128).passes[0].slicing.slots, 3);
  EXPECT_LE(pinned(gib / 128).device_bytes, gib / 128);
}

// A plane that does not fit leaves one axis a trip.
TEST(Schedule, ThreeTripsWhereAPlaneDoesNotFit) {
  Schedule const s = schedule(c2c({256, 256, 256}), 4 * 256 * 8 * 20, StreamStrategy::device_only);
  EXPECT_EQ(s.trips, 3);
}

TEST(Schedule, PeakNeverExceedsTheLimit) {
  for (Index const limit : {Index(40000), Index(100000), Index(1) << 20})
    for (Problem const& p : {c2c({60, 70, 80}), r2c({100, 300}), c2r({64, 64, 64}), c2c({1 << 16})}) {
      Schedule const s = schedule(p, limit);
      EXPECT_LE(s.device_bytes, limit);
      for (Pass const& pass : s.passes) {
        if (!pass.on_device) continue;
        EXPECT_LE(pass.slicing.device_bytes(), limit);
        Index points = 0, all = 1;
        for (Index i = 0; i < pass.slicing.slices; ++i) {
          Index box = 1;
          for (Index const c : slice_box(pass.whole, pass.slicing.extents, i).count) box *= c;
          points += box;
        }
        for (Dim const& d : pass.whole.batch) all *= d.size;
        EXPECT_EQ(points, all);  // every line in one slice
      }
    }
}

// Sanitizers see whether a limit, or what slices need, overflows on the way.
TEST(Schedule, TakesAnyLimitAndRefusesWhatNoMemoryHolds) {
  for (Problem const& p : {c2c({64, 64, 64}), r2c({100, 300}), c2c({1 << 16})})
    for (bool const shared : {false, true}) {
      auto const within = [&](Index limit) {
        return text(make_schedule(p, {}, {limit, shared}, StreamStrategy::automatic, one_slice));
      };
      for (Index const limit : {Index(1) << 61, Index(1) << 62, largest_index})
        EXPECT_EQ(within(limit), within(Index(1) << 50)) << limit;
    }
  Problem const line = c2c({(Index(1) << 58) - 27});  // a prime, which nothing cuts
  EXPECT_THROW(schedule(line, largest_index, StreamStrategy::device_only), Error);
}

TEST(Schedule, SaysWhatLimitWouldDo) {
  Problem const p = c2c({64, 64, 64});
  Index needed = 0;
  try {
    schedule(p, 100, StreamStrategy::device_only);
    FAIL();
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "memory_limit");
    std::string const what = e.what();
    needed = std::stoll(what.substr(what.find("needs ") + 6));
  }
  EXPECT_THROW(schedule(p, needed - 1, StreamStrategy::device_only), Error);
  EXPECT_EQ(schedule(p, needed, StreamStrategy::device_only).trips, 3);
}

std::string fault(Problem const& p, StreamStrategy strategy = StreamStrategy::automatic) {
  try {
    schedule(p, gib, strategy);
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

TEST(Schedule, RefusesWhatCannotBeStreamed) {
  Problem p = c2c({8, 8});
  p.order = Order::reversed;
  EXPECT_EQ(fault(p, StreamStrategy::host_and_device), "strategy");
  EXPECT_EQ(fault(r2c({7}), StreamStrategy::host_and_device), "strategy");
  p = c2c({8});
  p.axes[0].size = 0;
  EXPECT_EQ(fault(p), "axes[0].size");
}

TEST(Schedule, PrintsItself) {
  EXPECT_EQ(text(schedule(c2c({256, 256}), 300000, StreamStrategy::host_and_device)),
            "c2c f32 forward 256x256\n"
            "host: c2c f32 forward 256 batch 256, in to out\n"
            "device: c2c f32 forward 256 batch 256 in 256/1 out 256/1 in-place, out to out, 8 slices of "
            "65536 bytes, 3 at once\n"
            "1 trip, 262144 bytes of the device, 262144 pinned, 0 of work\n");
}

}  // namespace
}  // namespace skipper::stream
