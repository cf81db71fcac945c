#include "ir/sink.h"

#include <gtest/gtest.h>

#include "interpreter/interpreter.h"
#include "ir/check.h"
#include "ir/recorded.h"

namespace {

using namespace skipper::ir;
using namespace skipper::testing;
namespace interpreter = skipper::interpreter;
namespace emulator = skipper::emulator;

/// How many integers and predicates are worked out in no region.
int outside(Kernel const& kernel) {
  int depth = 0, count = 0;
  for (Instruction const& i : kernel.code) {
    depth += i.op == Op::if_begin || i.op == Op::loop_begin;
    depth -= i.op == Op::if_end || i.op == Op::loop_end;
    count += depth == 0 && i.count > 0 && is_pure(i.op) && (i.type == Type::pred || is_integer(i.type));
  }
  return count;
}

Kernel valid(Kernel kernel) {
  auto const found = faults(kernel);
  EXPECT_TRUE(found.empty()) << found.front() << "\n" << text(kernel);
  return kernel;
}

/// The outputs for inputs 1, 2, .. 64.
std::vector<float> run(Kernel const& kernel) {
  std::vector<float> in(64), out(64);
  for (int i = 0; i < 64; ++i) in[std::size_t(i)] = float(i + 1);
  auto const address = [](auto& x) { return std::int64_t(reinterpret_cast<std::uintptr_t>(x.data())); };
  interpreter::run(kernel, {{address(in), address(out)},
                            {{emulator::loadable(in.data(), 64), nullptr},
                             {emulator::storable(out.data(), 64), nullptr}}});
  return out;
}

/// Every instruction is there once, the kernel is valid, and gives what it gave.
Kernel sunk_as_before(Kernel const& kernel) {
  Kernel const result = valid(sunk(kernel));
  EXPECT_EQ(result.code.size(), kernel.code.size());
  EXPECT_EQ(run(result), run(kernel));
  return result;
}

TEST(Sink, WorksOutWhatARegionNeedsInIt) {
  Recording r(header(64));
  Index const near = r.thread / 3, far = r.thread % 5 + 7 * (r.thread / 9);
  if (auto const here = Region(r.thread < 20)) r.store(r.thread, r.load(near));
  if (auto const here = Region(r.thread >= 40)) r.store(r.thread, r.load(far));
  Kernel const kernel = valid(r.builder.finish());
  ASSERT_GT(outside(kernel), 6);
  EXPECT_LE(outside(sunk_as_before(kernel)), 4) << "both conditions, and the place of the output";
}

TEST(Sink, LeavesWhatTwoRegionsShare) {
  Recording r(header(64));
  Index const place = 7 * (r.thread / 9);
  if (auto const here = Region(r.thread < 20)) r.store(r.thread, r.load(place));
  if (auto const here = Region(r.thread >= 40)) r.store(r.thread, r.load(place + 1));
  Kernel const kernel = valid(r.builder.finish());
  EXPECT_EQ(outside(sunk_as_before(kernel)), outside(kernel));
}

TEST(Sink, GoesIntoRegionsOfRegions) {
  Recording r(header(64));
  Index const place = 7 * (r.thread / 9);
  if (auto const here = Region(r.thread < 60))
    if (auto const there = Region(r.load(r.thread) == Real(8.0))) r.store(r.thread, r.load(place));
  Kernel const result = sunk_as_before(valid(r.builder.finish()));
  std::string const all = text(result);
  std::size_t const inner = all.rfind("  if %"), quotient = all.find("multiply_high");
  EXPECT_NE(quotient, all.npos) << all;
  EXPECT_GT(quotient, inner) << all;
}

TEST(Sink, MovesNothingIntoALoop) {
  Recording r(header(64));
  Index const place = 7 * (r.thread / 9);
  r.builder.loop(0, Index(4).held(), 1,
                 [&](int i) { r.store(r.thread, r.load(place + Index::of(i))); });
  Kernel const kernel = valid(r.builder.finish());
  EXPECT_EQ(outside(sunk_as_before(kernel)), outside(kernel));
}

TEST(Sink, ServesMergesBeforeTheirRegion) {
  Recording r(header(64));
  Index place = r.thread / 2, other = 63 - r.thread / 3;
  if (auto const here = Region(r.load(r.thread) == Real(9.0))) place = other;
  r.store(r.thread, r.load(place));
  sunk_as_before(valid(r.builder.finish()));
}

}  // namespace
