// Sweeps with a user's functions: traced ones call them as the emulator does.
#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "gpu/prepare.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "trace/both.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

/// What is read is changed by its place, what is written is multiplied: the real part, or the real.
template <class T>
void on_load(void* value, long long place, void*) {
  *static_cast<T*>(value) += T(place % 7);
}
template <class T>
void on_store(void* value, long long place, void*) {
  *static_cast<T*>(value) *= T(1 + place % 3);
}

class TracedCallbacks : public ::testing::Test {
 protected:
  void TearDown() override { emulator::user_functions = {}; }

  static void expect_same(std::string const& problem_text) {
    SCOPED_TRACE(problem_text);
    Problem const problem = parse_problem(problem_text);
    bool const is_double = problem.precision == Precision::f64;
    emulator::user_functions = is_double ? emulator::UserFunctions{on_load<double>, on_store<double>}
                                         : emulator::UserFunctions{on_load<float>, on_store<float>};
    Machine const h200 = machine("h200");
    Program const program = planner(problem, h200, {.clusters = true, .l2_blocks = false}).front().program;
    gpu::Prepared prepared{program, {}};
    for (Lowered const& lowered : lower_all(program, h200))
      prepared.sweeps.push_back({lowered.spec, lowered.tiles, {}});
    gpu::set_user(prepared, "load", "store", nullptr);
    int calls = 0;
    for (std::size_t s = 0; s < prepared.sweeps.size(); ++s) {
      LoweredSweep sweep = lowered_sweep(program, int(s), h200);
      sweep.lowered.spec = prepared.sweeps[s].spec;
      EXPECT_EQ(difference(sweep, s), "") << "sweep " << s;
      ir::Kernel const kernel = trace::trace(sweep.lowered.spec, is_double ? ir::Type::f64 : ir::Type::f32);
      for (ir::Instruction const& i : kernel.code) calls += calls_user(i.op);
    }
    EXPECT_GT(calls, 0);
  }
};

TEST_F(TracedCallbacks, AreThoseOfTheEmulator) {
  for (char const* problem :
       {"c2c f32 forward 60 batch 7", "c2c f64 inverse 24x20", "r2c f32 forward 64 batch 3",
        "r2c f64 forward 63 batch 2", "c2r f32 inverse 100 batch 5", "c2r f32 inverse 6x30",
        "r2r f32 forward 17x12 kinds dct1,dst2", "c2c f16 forward 64 batch 9", "c2c f32 forward 30000",
        "c2c f32 forward 20 batch 7 in 1/23 out 2/50"})
    expect_same(problem);
}

}  // namespace
}  // namespace skipper::testing
