// Cosines, sines and Hartley transforms of complex data that no block holds, on the fake driver's A100.
#include <skipper/skipper.h>

#include "cli/command_line.h"
#include "gpu/fake_driver/fixture.h"
#include "gpu/prepare.h"

namespace skipper::testing {
namespace {

class ComplexPartsOnGpu : public FakeDriver {
 protected:
  PlanSettings settings() const {
    PlanSettings s;
    s.device = Device("cuda:1");
    s.gpu.host_arrays = HostArrays::staged;
    return s;
  }
  Problem const problem_ = parse_problem("c2c f64 forward 7875 kinds dct3");
};

TEST_F(ComplexPartsOnGpu, AreComputedAsReals) {
  for (char const* const problem :
       {"c2c f64 inverse 16384 kinds dst3 batch 2 scale -2", "c2c f32 forward 20011 kinds dct1 norm ortho",
        "c2c f32 forward 30000 kinds dht batch 2 in-place",
        "c2c f16 forward 40960 kinds dct2 norm ortho in-place",
        "c2c f64 forward 12000x3 kinds dct4,dct2 load 7000x2 keep 0+10000x1+2",
        "c2c f32 forward 3x40000 kinds dht,dst2 in 40008,1 out 1,3"}) {
    auto const o = cli::outcome_of({"verify", problem, "--device", "cuda:1"});
    EXPECT_EQ(o.code, cli::done) << problem << ": " << o.out << o.error;
  }
}

TEST_F(ComplexPartsOnGpu, RunAGivenProgram) {
  auto const x = noise<double>(7875);
  std::vector<std::complex<double>> own(x.size()), given(x.size());
  Plan(problem_, settings()).execute(x.data(), own.data());
  PlanSettings with_program = settings();
  with_program.gpu.program = planned(problem_, "a100").front().text;
  EXPECT_NE(with_program.gpu.program.find("r2r"), std::string::npos);
  Plan(problem_, with_program).execute(x.data(), given.data());
  EXPECT_EQ(own, given);
}

TEST_F(ComplexPartsOnGpu, AreRefusedToFunctionsOfWholeNumbers) {
  PlanSettings with_function = settings();
  with_function.callbacks.cuda_load = "Value on_load(Value x, long long, void*) { return x; }";
  for (bool const given : {false, true}) try {
      if (given) with_function.gpu.program = planned(problem_, "a100", {.l2_blocks = false}).front().text;
      Plan(problem_, with_function);
      ADD_FAILURE() << "accepted";
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "callbacks") << e.what();
    }
}

/// A base address stands for whole numbers, the kernel counts reals.
TEST_F(ComplexPartsOnGpu, GoToPeers) {
  Stopwatch watch;
  for (char const* const problem : {"c2c f64 forward 7875 kinds dct3", "c2c f64 forward 1000 kinds dct3"}) {
    gpu::Prepared made = gpu::prepared(parse_problem(problem), machine("a100"), {.l2_blocks = false}, watch);
    gpu::set_peers(made, 100);
    EXPECT_EQ(made.sweeps.back().spec.post.peer_unit, 200) << problem;
  }
}

}  // namespace
}  // namespace skipper::testing
