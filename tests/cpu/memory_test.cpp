// How much memory beyond the arrays: at most so many copies of one transform (its larger side), and for each thread what is
// held in cache. The table is that of docs/guide.md; what is said of results here is said for the arrays' contents elsewhere
// (long_test.cpp, engine_test.cpp).
#include <gtest/gtest.h>

#include "cpu/engine.h"
#include "support/quick.h"

namespace skipper::cpu::testing {
namespace {

using skipper::testing::takes;

struct Family {
  char const* name;
  double copies;
  std::vector<char const*> problems;
};

std::vector<Family> const families = {
    {"lines without large primes",
     1.0,
     {"c2c f32 forward 131072", "c2c f64 forward 100000", "c2c f32 inverse 177147"}},
    {"batches of lines", 1.0, {"c2c f32 forward 256 batch 4096", "c2c f32 forward 131072 batch 3"}},
    {"primes with small primes in p-1", 1.0, {"c2c f32 forward 147457", "c2c f64 forward 65537"}},
    {"other primes, and a few times these",
     1.2,
     {"c2c f32 forward 100003", "c2c f64 forward 50021", "c2c f32 forward 200006", "c2c f32 forward 99993"}},
    {"products of two long factors", 1.0, {"c2c f32 forward 1022117", "c2c f64 inverse 1018081"}},
    {"many times a prime", 1.9, {"c2c f32 forward 131344", "c2c f64 forward 164110"}},
    {"planes and cubes",
     1.0,
     {"c2c f32 forward 256x256", "c2c f64 forward 211x211", "c2c f32 forward 50x51x53",
      "r2c f32 forward 256x256", "r2c f64 forward 64x64x64", "c2r f32 inverse 256x256",
      "c2r f64 inverse 64x64x64", "r2c f32 forward 211x211", "c2r f32 inverse 32x32x32 batch 9"}},
    {"planes with a long prime axis", 1.1, {"c2c f32 forward 2x100003", "c2c f32 forward 100003x2"}},
    {"reals without large primes",
     1.01,
     {"r2c f32 forward 131072", "c2r f32 inverse 131072", "r2c f64 forward 177147",
      "c2r f32 inverse 177147"}},
    {"an even number of reals with large primes",
     1.2,
     {"r2c f32 forward 200006", "c2r f32 inverse 200006", "r2c f64 forward 200006"}},
    {"a prime number of reals with small primes in p-1",
     2.0,
     {"r2c f32 forward 147457", "c2r f64 inverse 147457"}},
    {"an odd number of reals with large primes",
     2.9,
     {"r2c f32 forward 100003", "c2r f64 inverse 100003", "r2c f64 forward 99991"}},
    {"cosines, sines and Hartley of an even length",
     3.0,
     {"r2r f32 forward 262144 kinds dct2", "r2r f64 forward 131072 kinds dst4",
      "r2r f32 forward 200006 kinds dct3", "r2r f32 forward 262144 kinds dht",
      "r2r f32 forward 262145 kinds dct1"}},
    {"those of an odd length",
     4.0,
     {"r2r f32 forward 177147 kinds dct2", "r2r f32 forward 100003 kinds dst3",
      "r2r f64 forward 100003 kinds dct4", "r2r f64 forward 99991 kinds dht"}},
};

TEST(Memory, WorkspaceIsAFewCopiesAtMost) {
  Machine machine = host_machine();
  machine.l2_bytes = 256 * 1024;  // in less, columns as wide as vectors of AVX-512 do not fit
  std::size_t number = 0;
  for (Family const& family : families)
    for (char const* const line : family.problems)
      for (bool const in_place : {false, true})
        for (int const threads : {1, 2}) {
          if (!takes(number++, 5)) continue;
          Problem p = parse_problem(std::string(line) + (in_place ? " in-place" : ""));
          Problem one = p;
          one.batch.clear();
          double const copy = double(std::max(in_bytes(one), out_bytes(one)));
          std::size_t const bytes = Transform(p, machine, {threads, ""}).workspace_bytes();
          double const allowed = family.copies * copy + 2.0 * threads * double(machine.l2_bytes);
          EXPECT_LE(double(bytes), allowed) << family.name << ": " << text(p) << ", " << threads
                                            << " threads: " << double(bytes) / copy << " copies\n"
                                            << Transform(p, machine, {threads, ""}).describe();
        }
}

// Out of place the output holds a part of a complex convolution: a whole copy is spared.
TEST(Memory, OutputHoldsWhatItCan) {
  char const* const line = "c2c f32 forward 100003";
  Problem p = parse_problem(line);
  std::size_t const apart = Transform(p, host_machine(), {1, ""}).workspace_bytes();
  p.axes[0].out_stride = 2;  // nothing can be held between the numbers of another
  std::size_t const strided = Transform(p, host_machine(), {1, ""}).workspace_bytes();
  EXPECT_GE(strided - apart, 0.95 * double(out_bytes(parse_problem(line)))) << line;
}

// A thread holds columns of the longest factor of a line, whether or not a cache does.
TEST(Memory, AThreadHoldsColumnsOfTheLongestFactor) {
  struct Line {
    char const* problem;
    double copies;
    Index factor, times;
  };
  Machine machine = host_machine();
  machine.l2_bytes = 256 * 1024;
  for (Line const& line :
       {Line{"r2r f32 forward 16777216 kinds dst1", 4, 24929, 8},
        Line{"r2r f64 forward 16777217 kinds dht", 4, 24929, 8}, Line{"c2c f32 forward 16785409", 0, 4097, 8},
        Line{"c2c f32 forward 1073741824", 0, 32768, 5}})
    for (int const threads : {1, 2, 16}) {
      Problem const p = parse_problem(line.problem);
      double const columns =
          std::max(2.0 * double(machine.l2_bytes), 128.0 * double(line.factor * line.times));
      EXPECT_LE(needs(p, machine, {threads, ""}).workspace_bytes,
                line.copies * 1.001 * double(in_bytes(p)) + threads * columns)
          << line.problem << ", " << threads << " threads";
    }
}

}  // namespace
}  // namespace skipper::cpu::testing
