// An output that is spread over several arrays (kernel/memory.h): what is traced stores each element where the kernel text does.
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/emulator.h"
#include "interpreter/interpreter.h"
#include "plan/planner.h"
#include "support/run_program.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

using Numbers = Array<float>;
using kernel::Wide;

/// Arrays of `unit` elements each, and for each the address that its element number 0 would have.
struct Peers {
  std::vector<Numbers> arrays;
  std::vector<unsigned long long> bases;
  Peers(Index elements, Index unit) {
    for (Index first = 0; first < elements; first += unit) arrays.push_back(unset_array<float>(unit));
    for (std::size_t i = 0; i < arrays.size(); ++i)
      bases.push_back(reinterpret_cast<unsigned long long>(arrays[i].data()) -
                      i * std::size_t(unit) * sizeof(Numbers::value_type));
  }
};

TEST(TracedPeers, HaveTheirElements) {
  for (Index unit : {1000, 1024}) {
    Program const program =
        planner(parse_problem("c2c f32 forward 512 batch 10"), machine("h200")).front().program;
    Lowered const lowered = lower(program, 0, machine("h200"));
    kernel::SweepSpec spec = lowered.spec;
    spec.post.peer_unit = unit;
    Index const size = points(program.problem);
    Numbers in(static_cast<std::size_t>(size)), roots;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = {float(i % 97) - 40, float(i % 89) - 30};
    for (auto const& w : roots32(lowered)) roots.push_back({w.real(), w.imag()});
    Peers emulated(size, unit), interpreted(size, unit);
    kernel::Args<float> const args{in.data(),    reinterpret_cast<Numbers::value_type*>(kernel::peer_origin),
                                   roots.data(), 1.0f,
                                   nullptr,      emulated.bases.data()};
    emulator::run_sweep<float>(spec, lowered.tiles, args);

    auto const address = [](auto& array) {
      return std::int64_t(reinterpret_cast<std::uintptr_t>(array.data()));
    };
    float const one = 1;
    std::int64_t scale_bits = 0;
    std::memcpy(&scale_bits, &one, sizeof one);
    interpreter::Launch launch{
        {address(in), std::int64_t(kernel::peer_origin), address(roots), scale_bits, 0,
         address(interpreted.bases), 0},
        {{emulator::loadable(in.data(), Wide(in.size())), nullptr},
         {emulator::root_table(roots.data(), Wide(roots.size())), nullptr},
         {emulator::root_table(interpreted.bases.data(), Wide(interpreted.bases.size())), nullptr}},
        lowered.tiles};
    for (auto& array : interpreted.arrays)
      launch.arrays.push_back({emulator::storable(array.data(), Wide(array.size())), nullptr});
    interpreter::run(trace::trace(spec, ir::Type::f32), launch);
    for (std::size_t i = 0; i < emulated.arrays.size(); ++i)
      EXPECT_EQ(std::memcmp(emulated.arrays[i].data(), interpreted.arrays[i].data(),
                            std::size_t(unit) * sizeof in[0]),
                0)
          << "array " << i;
  }
}

}  // namespace
}  // namespace skipper::testing
