// Two sweeps in one kernel: in whatever order its blocks begin, what is traced gives in the interpreter what whole sweeps give in the
// emulator, and reads nothing of an L2 buffer that its tiles have not written.
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/emulator.h"
#include "interpreter/interpreter.h"
#include "ir/check.h"
#include "support/run_program.h"
#include "trace/fused.h"
#include "trace/fused_sweeps.h"

namespace skipper::testing {
namespace {

using Numbers = Array<float>;
using kernel::Wide;

Numbers noise(Index size) {
  Numbers numbers(static_cast<std::size_t>(size));
  std::uint32_t state = 1;
  for (auto& x : numbers)
    for (float* part : {&x.re, &x.im}) {
      state = state * 1664525u + 1013904223u;
      *part = float(std::int32_t(state)) / 2147483648.0f;
    }
  return numbers;
}

Numbers roots_of(Lowered const& lowered) {
  Numbers roots;
  for (auto const& w : roots32(lowered)) roots.push_back({w.real(), w.imag()});
  roots.push_back({});
  return roots;
}

Numbers emulated(Lowered const& lowered, Numbers const& in, Index out_size, float scale) {
  Numbers out = unset_array<float>(out_size), roots = roots_of(lowered);
  emulator::Launch<float> const launch{in.data(),    Wide(in.size()),    out.data(), Wide(out.size()),
                                       roots.data(), Wide(roots.size()), scale};
  kernel::SweepSpec spec = lowered.spec;
  spec.flow = {};
  emulator::emulate<float>(spec, lowered.tiles, launch);
  return out;
}

ir::Kernel traced(Fused const& f, bool second_launch) {
  kernel::FusedPasses passes = f.passes;
  passes.second_launch = second_launch;
  ir::Kernel const kernel = trace::trace_fused(f.first.spec, f.last.spec, passes, ir::Type::f32);
  EXPECT_TRUE(ir::faults(kernel).empty()) << ir::faults(kernel).front();
  return kernel;
}

struct Result {
  Numbers out;
  bool deferred;
};
/// Both launches, the second by three blocks.
Result interpreted(Fused const& f, Numbers& in, Index out_size, interpreter::Order order) {
  Numbers out = unset_array<float>(out_size), first_roots = roots_of(f.first), last_roots = roots_of(f.last),
          l2_buffers = unset_array<float>(f.passes.pitch * Index(f.passes.slots));
  std::vector<unsigned> counters(kernel::counters_of(f.passes.slots)),
      deferred(kernel::deferred_words_of(f.passes.all[0] + f.passes.all[1]));
  auto const address = [](auto& array) {
    return std::int64_t(reinterpret_cast<std::uintptr_t>(array.data()));
  };
  float const scale = float(program_scale(f.program));
  std::int64_t scale_bits = 0;
  std::memcpy(&scale_bits, &scale, sizeof scale);
  auto const size = [](auto const& array) { return Wide(array.size()); };
  auto const written =
      std::make_shared<interpreter::Written>(l2_buffers.data(), l2_buffers.size() * sizeof l2_buffers[0]);
  interpreter::Launch const launch{
      {address(in), address(l2_buffers), address(first_roots), scale_bits, 0, 0, 0, address(l2_buffers),
       address(out), address(last_roots), scale_bits, 0, 0, 0, address(counters), address(deferred)},
      {{emulator::loadable(in.data(), size(in)), nullptr},
       {emulator::storable(out.data(), size(out)), nullptr},
       {emulator::storable(l2_buffers.data(), size(l2_buffers)), written},
       {emulator::loadable(l2_buffers.data(), size(l2_buffers)), written},
       {emulator::root_table(first_roots.data(), size(first_roots)), nullptr},
       {emulator::root_table(last_roots.data(), size(last_roots)), nullptr},
       {emulator::storable(counters.data(), size(counters)), nullptr},
       {emulator::loadable(counters.data(), size(counters)), nullptr},
       {emulator::storable(deferred.data(), size(deferred)), nullptr}},
      f.first.tiles + f.last.tiles};
  interpreter::run_concurrently(traced(f, false), launch, order);
  Result result{{}, deferred[0] != 0};
  interpreter::Launch second = launch;
  second.tiles = 3;
  order.at_once = 3;
  order.give_up = true;  // who looks for items to claim does not wait
  interpreter::run_concurrently(traced(f, true), second, order);
  for (std::size_t i = 1; i < deferred.size(); ++i) EXPECT_EQ(deferred[i], 0u) << "items are left";
  result.out = std::move(out);
  return result;
}

std::vector<std::string> const programs = {
    "c2c f32 forward 4096 batch 7\n"
    "{X(64,64,64,4096,tw)} with X2%16 on block l2_block 3x32KB fused in -> l2_buffer [B X1 X2]\n"
    "{X(64,64,1,64,no-tw)} with X1%16 on block l2_buffer -> out",
    "c2c f32 inverse 60x84 batch 6\n"
    "{Y(1,60,1,60,no-tw)} with X%12 on block l2_block 3x40320B fused in -> l2_buffer [B Y X]\n"
    "{X(1,84,1,84,no-tw)} with Y%12 on block l2_buffer -> out"};

TEST(TracedFusedPasses, GiveTheBitsOfWholeSweeps) {
  for (auto const& text : programs)
    for (unsigned slots : {3u, 4u}) {
      SCOPED_TRACE(text);
      Fused const f = fused(parse_program(text), 0, slots);
      Index const size = points(f.program.problem);
      Numbers in = noise(size);
      float const scale = float(program_scale(f.program));
      Numbers const expected = emulated(f.last, emulated(f.first, in, size, scale), size, scale);
      using Start = interpreter::Order::Start;
      bool any_deferred = false;
      for (auto const& order : {interpreter::Order{Start::by_index, 4, 1},
                                {Start::by_index, 1000, 2},
                                {Start::shuffled, 1000, 3},
                                {Start::reversed, 1000, 4},
                                {Start::reversed, 3, 5, true}}) {
        auto const [out, deferred] = interpreted(f, in, size, order);
        EXPECT_EQ(std::memcmp(expected.data(), out.data(), out.size() * sizeof out[0]), 0);
        EXPECT_TRUE(!deferred || order.give_up) << "all that an item waits for was under way";
        any_deferred = any_deferred || deferred;
      }
      EXPECT_TRUE(any_deferred) << "nothing was left to the second launch";
    }
}

}  // namespace
}  // namespace skipper::testing
