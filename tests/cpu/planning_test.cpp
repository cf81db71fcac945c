// What making a plan costs: bytes allocated at most and held in the end, against the size of one array; that counting
// a plan gives what making it takes, and computes nothing; what is refused. Times are in bench/cpu/planning.cpp.
#include <gtest/gtest.h>
#include <malloc.h>
#include <skipper/error.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <random>

#include "base/numbers.h"
#include "cpu/engine.h"
#include "support/quick.h"

namespace {
std::atomic<std::int64_t> bytes_now{0}, bytes_peak{0};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  std::int64_t const now = bytes_now += static_cast<std::int64_t>(malloc_usable_size(memory));
  for (std::int64_t peak = bytes_peak; now > peak && !bytes_peak.compare_exchange_weak(peak, now);) {
  }
  return memory;
}
void freed(void* memory) {
  if (memory) bytes_now -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
std::size_t whole(std::size_t bytes, std::align_val_t alignment) {
  std::size_t const unit = static_cast<std::size_t>(alignment);
  return (bytes + unit - 1) / unit * unit;
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(std::malloc(bytes ? bytes : 1)); }
void* operator new[](std::size_t bytes) { return counted(std::malloc(bytes ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return counted(std::aligned_alloc(static_cast<std::size_t>(a), whole(bytes, a)));
}
void operator delete(void* memory) noexcept { freed(memory); }
void operator delete[](void* memory) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t) noexcept { freed(memory); }
void operator delete[](void* memory, std::size_t) noexcept { freed(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { freed(memory); }

namespace skipper::cpu::testing {
namespace {

struct Taken {
  double peak, held;  // bytes
};
Taken taken_by(Problem const& p, Machine const& machine) {
  clear_plan_cache();
  std::int64_t const before = bytes_now;
  bytes_peak = before;
  Transform const plan(p, machine, {2, ""});
  return {double(bytes_peak - before), double(bytes_now - before)};
}

double one_array(Problem const& p) { return double(std::max(in_bytes(p), out_bytes(p))); }

Machine small_machine() {
  Machine m = host_machine();
  m.l2_bytes = 128 * 1024;  // so that lines are long already where tests are quick
  return m;
}

struct BoundPass {
  char const* text;
  double peak, held;
};

TEST(Planning, IsLean) {
  std::size_t number = 0;
  for (BoundPass const& b : std::vector<BoundPass>{
           {"c2c f32 forward 262144", 1, 0.5},
           {"c2c f32 forward 262147", 3, 1.5},  // a prime, by Bluestein's rule
           {"c2c f64 inverse 262147", 3, 1.5},
           {"c2c f32 forward 786433", 3, 1.5},   // a prime, by Rader's
           {"c2c f32 forward 1022117", 1, 0.5},  // 1009 x 1013
           {"r2c f32 forward 524294", 3, 1.5},   // twice a prime
           {"r2c f64 forward 524288", 3, 1.5},
           {"r2r f32 262144 kinds dct1", 3, 1.5},
           {"r2r f32 262144 kinds dct2", 3, 1.5},
           {"r2r f32 262144 kinds dct3", 3, 1.5},
           {"r2r f64 262144 kinds dct4", 3, 1.5},
           {"r2r f32 262145 kinds dct1", 3, 1.5},
           {"r2r f32 262143 kinds dst1", 3, 1.5},
           {"r2r f32 262144 kinds dst2", 3, 1.5},
           {"r2r f64 262144 kinds dst3", 3, 1.5},
           {"r2r f32 262144 kinds dst4", 3, 1.5},
           {"r2r f32 1022116 kinds dst1", 1, 0.5},
           {"r2r f32 262143 kinds dct2", 3, 1.5},  // odd
           {"r2r f32 262147 kinds dct1", 3, 1.5},
           {"r2r f32 262147 kinds dct2", 3, 1.5},  // a prime
           {"r2r f64 262147 kinds dct3", 3, 1.5},
           {"r2r f32 262147 kinds dct4", 3, 1.5},
           {"r2r f32 262148 kinds dct1", 3, 1.5},  // a prime and one, as are the next
           {"r2r f64 262146 kinds dst1", 3, 1.5},
           {"r2r f32 262147 kinds dst2", 3, 1.5},
           {"r2r f32 262147 kinds dst3", 3, 1.5},
           {"r2r f64 262147 kinds dst4", 3, 1.5},
           {"r2r f32 786433 kinds dct2", 3, 1.5},  // a prime, by Rader's rule
           {"r2c f32 forward 262147", 3, 1.5},
           {"r2c f64 forward 262147", 3, 1.5},
           {"c2r f32 inverse 262147", 3, 1.5},
           {"r2c f32 forward 786433", 3, 1.5},
           {"c2r f64 inverse 786433", 3, 1.5},
           {"r2c f32 forward 1000001", 3, 1.5},  // 101 x 9901
       }) {
    if (!skipper::testing::takes(number++, 3)) continue;
    Problem const p = parse_problem(b.text);
    Taken const taken = taken_by(p, small_machine());
    EXPECT_LE(taken.peak / one_array(p), b.peak) << b.text;
    EXPECT_LE(taken.held / one_array(p), b.held) << b.text;
  }
}

// Lines that a cache holds: entries of row ops are no tables as long as the line.
TEST(Planning, IsLeanInCache) {
  Machine machine = host_machine();
  machine.l2_bytes = 1 << 20;
  for (BoundPass const& b : std::vector<BoundPass>{
           {"r2r f32 262144 kinds dct2", 3, 1.5},
           {"r2r f32 262144 kinds dct4", 3, 1.5},
           {"r2r f32 262144 kinds dst4", 3, 1.5},
           {"r2r f64 65536 kinds dct4", 3, 1.5},
           {"r2r f32 262143 kinds dct2", 3, 1.5},
           {"r2r f32 262139 kinds dct2", 3, 1.5},
           {"r2r f32 262144 kinds dct1", 3, 1.5},
           // by tables as long as their complex points, longer for wide vectors, and twice that
           {"r2r f32 32767 kinds dct2", 8.5, 4},
           {"r2r f32 65521 kinds dct4", 12, 7.5}}) {
    Problem const p = parse_problem(b.text);
    Taken const taken = taken_by(p, machine);
    EXPECT_LE(taken.peak / one_array(p), b.peak) << b.text;
    EXPECT_LE(taken.held / one_array(p), b.held) << b.text;
  }
}

TEST(Planning, CountsWhatItTakes) {
  for (char const* const text :
       {"c2c f32 forward 4096", "c2c f32 forward 262147", "c2c f64 inverse 786433", "r2c f32 forward 524294",
        "c2r f64 inverse 177147", "r2r f32 262144 kinds dct2", "r2r f32 100003 kinds dst4",
        "c2c f32 forward 211x1009", "r2r f64 70001x3 kinds dct1,dst2", "c2c f32 forward 131344 batch 2",
        "c2c f16 forward 1000x20", "c2c f16 forward 100 batch 300 in 300/1 out 300/1",
        "r2c f32 forward 100003"}) {
    Problem const p = parse_problem(text);
    Options const options = {2, ""};
    std::int64_t const before = bytes_now;
    bytes_peak = before;
    Needs const counted = needs(p, small_machine(), options);
    EXPECT_LT(bytes_peak - before, 256 * 1024) << "counting computes no table: " << text;
    std::size_t const workspace = Transform(p, small_machine(), options).workspace_bytes();
    EXPECT_NEAR(double(workspace), counted.workspace_bytes, 4096 + 0.01 * counted.workspace_bytes) << text;
    double const held = taken_by(p, small_machine()).held;
    EXPECT_NEAR(held, counted.table_bytes, 400 * 1024 + 0.05 * held) << text;
  }
}

void expect_refusal(Problem const& p, double least) {
  Machine machine = host_machine();
  machine.memory_bytes = Index(16) << 30;
  std::int64_t const before = bytes_now;
  bytes_peak = before;
  try {
    Transform const plan(p, machine, {2, ""});
    ADD_FAILURE() << text(p) << " is not refused";
  } catch (Error const& e) {
    std::string const what = e.what();
    EXPECT_NE(what.find("bytes of tables and workspace"), std::string::npos) << what;
    std::size_t const at = what.find("needs ");
    ASSERT_NE(at, std::string::npos) << what;
    EXPECT_GE(std::strtod(what.c_str() + at + 6, nullptr), least) << what;
    EXPECT_NE(what.find("stream the data"), std::string::npos) << what;
  }
  EXPECT_LT(bytes_peak - before, 1 << 20) << text(p) << ": nothing is computed before";
}

TEST(Planning, RefusesWhatCannotFit) {
  for (char const* const text :
       {"c2c f32 forward 17179869184", "c2c f32 forward 1099511627776", "c2c f32 forward 1099511627689",
        "r2c f32 forward 1152921504606846976", "c2r f32 inverse 1152921504606846976",
        "c2c f64 forward 4294967311", "r2r f32 17179869184 kinds dct2", "r2r f32 17179869183 kinds dst1",
        "r2r f64 1099511627689 kinds dct4", "c2c f32 forward 3x17179869184",
        "c2c f32 forward 2147483659 batch 2"}) {
    Problem const p = parse_problem(text);
    Problem one = p;
    one.batch.clear();
    expect_refusal(p, 0.99 * one_array(one) / (one.axes.size() > 1 ? 3 : 1));
  }
  Problem padded = parse_problem("c2c f16 forward 4096x4096x4096");  // through a buffer of the whole
  expect_refusal(padded, 549755813888.0);
}

TEST(Planning, LetsGoWhatFits) {
  Machine machine = host_machine();
  machine.memory_bytes = Index(16) << 30;
  // Larger than the memory, as mapped files may be, but done tile by tile.
  for (char const* const text :
       {"c2c f32 forward 65536x65536", "c2c f32 forward 1024 batch 1099511627",
        "r2r f32 100000x100000 kinds dct2,dct2", "c2c f64 forward 1024x1024x1024x16"}) {
    Needs const all = needs(parse_problem(text), machine, {2, ""});
    EXPECT_LT(all.table_bytes + all.workspace_bytes, double(machine.memory_bytes)) << text;
    EXPECT_NO_THROW(Transform(parse_problem(text), machine, {2, ""})) << text;
  }
}

// Whatever is asked, counting ends with numbers that make sense.
TEST(Planning, CountsAnything) {
  std::mt19937_64 random(19);
  auto below = [&](Index n) { return Index(random() % std::uint64_t(n)); };
  Machine machine = host_machine();
  for (int i = 0; i < 300; ++i) {
    std::vector<std::int64_t> shape;
    double points = 1;
    for (Index rank = 1 + below(5); rank > 0; --rank) {
      Index const n = 1 + below(Index(1) << (1 + below(40 / rank)));
      shape.push_back(n);
      points *= double(n);
    }
    if (points > 0x1p55) continue;
    Problem const p = below(2) ? c2c(shape, 1, below(2) ? Precision::f32 : Precision::f64) : r2c(shape);
    Needs const all = needs(p, machine, {1 + int(below(4)), ""});
    EXPECT_GE(all.table_bytes, 0) << text(p);
    EXPECT_GE(all.workspace_bytes, 0) << text(p);
    EXPECT_LT(all.table_bytes + all.workspace_bytes, 64 * 16 * points + 64.0 * double(machine.l2_bytes))
        << text(p);
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
