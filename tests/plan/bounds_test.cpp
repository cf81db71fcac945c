// Planning is bounded whatever the problem is: factorisations tried, sweeps placed and lowered, and bytes allocated,
// for problems that were made to be hard. No clocks.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>

#include "plan/planner.h"
#include "support/quick.h"

namespace {

std::atomic<long long> live_bytes = 0, peak_bytes = 0;

void* counted(std::size_t size) {
  void* const p = std::malloc(size ? size : 1);
  if (!p) throw std::bad_alloc();
  long long const now = live_bytes += (long long)malloc_usable_size(p);
  if (now > peak_bytes) peak_bytes = now;
  return p;
}

void discounted(void* p) {
  if (p) live_bytes -= (long long)malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
// std::stable_sort allocates its buffer so.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return counted(size); }
void operator delete(void* p) noexcept { discounted(p); }
void operator delete[](void* p) noexcept { discounted(p); }
void operator delete(void* p, std::size_t) noexcept { discounted(p); }
void operator delete[](void* p, std::size_t) noexcept { discounted(p); }

namespace skipper::testing {
namespace {

/// What planning may overshoot: a factorisation is weighed to its end, and a few of every number of sweeps always are.
constexpr Index slack = 2;
constexpr long long max_bytes = 128 << 20;

void expect_bounded(Problem const& problem, std::string const& name) {
  SCOPED_TRACE(name + ": " + text(problem));
  long long const before = live_bytes;
  peak_bytes = before;
  PlanningWork work;
  try {
    auto const found = planner(problem, machine(name), {}, work);
    ASSERT_FALSE(found.empty());
    check(found.front().program);
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), "axes");  // which no program fits
  }
  Index const plans = problem.order == Order::from_reversed ? 2 : 1;
  EXPECT_LE(work.extensions, slack * plans * max_total_extensions);
  EXPECT_LE(work.placed, slack * plans * max_placed);
  EXPECT_LE(work.lowered, slack * plans * max_lowered);
  EXPECT_LE(peak_bytes - before, max_bytes);
}

std::string kinds(std::string const& kind, int n) {
  std::string all = " kinds " + kind;
  for (int i = 1; i < n; ++i) all += "," + kind;
  return all;
}

std::string shape(std::string const& size, int n) {
  std::string all = size;
  for (int i = 1; i < n; ++i) all += "x" + size;
  return all;
}

TEST(PlanningBounds, HoldForWhatTookLong) {
  std::vector<std::string> const hard = {
      "r2r f32 forward " + shape("12", 5) + kinds("dct2", 5),
      "r2r f32 forward " + shape("12", 6) + kinds("dct2", 6),
      "r2r f64 forward " + shape("4", 9) + kinds("dst3", 9),
      "c2c f32 forward 10007x10007x11",
      "c2c f32 forward 100003x100019",
      "c2c f16 forward 1000x1000x1000",
      "c2c f16 inverse 971x7x7x79x36x7",
      "c2c f32 inverse 97x8x101x73x36 batch 4 in-place",
      "r2c f16 forward 11x512x7560 batch 16 in-place",
      "c2c f64 forward 720x127x420x29 kinds dst2,fourier,dst1,fourier",
      "c2c f32 forward 1441440x720720",
      "c2c f32 forward 5040x5040x5040 from-reversed",
      "c2c f32 forward " + shape("2", 33),
      "c2c f32 forward " + shape("1", 63) + "x2 batch " + shape("2", 30),
      "r2c f32 forward " + shape("3", 20),
      "c2c f32 forward 288230376151711744",
      "c2c f16 inverse 11x6x4x4x4x7x10x3x2x9x2x11x8x9",
      "c2c f16 inverse 360x4324320 out 1,360",
      "r2r f16 forward 360360x95348x2x2x2 kinds dst4,dst1,dct4,dst3,dct2 in-place",  // which has no program
      "c2c f16 inverse 623x524x428 from-reversed",
  };
  std::vector<std::string> const others = {"h100", "a100", "rtx4090"};
  for (std::size_t i = 0; i < hard.size(); ++i) {
    if (!takes(i, 8)) continue;
    expect_bounded(parse_problem(hard[i]), "h200");
    for (std::size_t m = 0; m < others.size(); ++m)  // of every fourth one more machine, by turns
      if (thorough() || (!quick() && i % 4 == 0 && i / 4 % others.size() == m))
        expect_bounded(parse_problem(hard[i]), others[m]);
  }
}

/// Ranks up to 64 of any kind; every size may be 1.
TEST(PlanningBounds, HoldForRandomRanks) {
  std::mt19937 random(11);
  auto const upto = [&](Index n) { return Index(random() % unsigned(n)); };
  for (int i = 0; i < (quick() ? 2 : thorough() ? 24 : 12); ++i) {
    Problem p;
    p.precision =
        std::vector{Precision::f32, Precision::f64, Precision::f16, Precision::bf16}[std::size_t(upto(4))];
    int const cluster_rank = 1 + int(upto(64));
    bool const cosines = upto(3) == 0;
    Index left = Index(1) << 32;
    for (int a = 0; a < cluster_rank; ++a) {
      Index const n = std::min(
          left, std::vector<Index>{1, 2, 2, 3, 5, 12, 67, 4093}[std::size_t(upto(cluster_rank < 7    ? 8
                                                                                 : cluster_rank < 30 ? 6
                                                                                                     : 4))]);
      p.axes.push_back({n, 0, 0, cosines ? AxisKind::dct2 : AxisKind::fourier});
      left /= n;
    }
    if (cosines) p.kind = Kind::r2r;
    for (Index b = upto(20); b > 0 && left > 1; --b)
      p.batch.push_back({1 + upto(std::min<Index>(left, 9)), 0, 0}), left /= p.batch.back().size;
    p = dense_layout(p);
    expect_bounded(p, std::vector{"h200", "a100", "rtx4090"}[std::size_t(upto(3))]);
  }
}

TEST(PlanningBounds, GiveTheSamePlanEveryTime) {
  Problem const p = parse_problem(quick() ? "c2c f16 inverse 971x7x79x7" : "c2c f16 inverse 971x7x7x79x36x7");
  EXPECT_EQ(planner(p, machine("h100")).front().program, planner(p, machine("h100")).front().program);
}

}  // namespace
}  // namespace skipper::testing
