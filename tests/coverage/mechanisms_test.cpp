// Plans say what they do: problems that are known to need a mechanism have it, and the words for a CPU are those of its schedules.
#include "coverage/mechanisms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cpu/engine.h"

namespace skipper::coverage {
namespace {

bool has(Uses const& uses, std::string const& mechanism, std::string const& with = "") {
  return uses.contains({mechanism, with});
}

struct Known {
  char const *problem, *mechanism;
};

TEST(Mechanisms, OfGpuProgramsAreTold) {
  Machine const h200 = machine("h200");
  for (auto const& [problem, mechanism] :
       std::vector<Known>{{"c2c f32 forward 180x140 batch 1331", "fused passes"},
                          {"c2c f32 forward 65537 batch 7", "Rader across a cluster"},
                          {"c2c f32 forward 65536 batch 100", "cluster tier"},
                          {"c2c f32 forward 257 batch 200", "Rader on chip, complex"},
                          {"c2c f32 forward 593 batch 9000", "Rader in shared memory"},
                          {"c2c f64 forward 41 batch 3000", "matrix product"},
                          {"c2c f32 forward 83 batch 100000", "symmetric prime DFT, both sums"},
                          {"c2c f32 forward 107 batch 8000", "symmetric prime DFT, one sum"},
                          {"c2c f32 forward 107 batch 30000", "Bluestein on chip"},
                          {"c2c f64 forward 65537", "Bluestein over several sweeps"},
                          {"r2c f32 forward 4096 batch 10", "Hermitian split by rows"},
                          {"c2c f16 forward 64 batch 10", "16-bit storage"},
                          {"r2r f32 forward 64x64 kinds dct2,dct2 batch 99", "crossed cosines"},
                          {"r2r f32 forward 1 kinds dct2 batch 9", "thread tier"}}) {
    Uses const uses = uses_of(lowered_program(parse_problem(problem), h200));
    EXPECT_TRUE(has(uses, mechanism)) << problem << ": " << mechanism;
  }
  Uses const plain = uses_of(lowered_program(parse_problem("c2c f32 forward 4096 batch 16"), h200));
  EXPECT_FALSE(has(plain, "fused passes"));
  EXPECT_FALSE(has(plain, "Bluestein on chip"));
  EXPECT_FALSE(has(plain, "block tier", "ragged"));
}

TEST(Mechanisms, AreCrossedWithWhatIsAwkward) {
  LoweredProgram lowered = lowered_program(parse_problem("c2c f32 forward 4096 batch 16"), machine("h200"));
  EXPECT_FALSE(has(uses_of(lowered), "block tier", "idle first"));
  EXPECT_FALSE(has(uses_of(lowered), "block tier", "odd warps"));
  lowered.specs[0].threads += 7;
  EXPECT_TRUE(has(uses_of(lowered), "block tier", "idle first"));
  EXPECT_TRUE(has(uses_of(lowered), "block tier", "idle last"));
  EXPECT_TRUE(has(uses_of(lowered), "block tier", "odd warps"));
  Uses const cut =
      uses_of(lowered_program(parse_problem("c2c f32 forward 180x140 batch 1331"), machine("h200")));
  EXPECT_TRUE(has(cut, "fused passes", "cut L2 block")) << "1331 is no multiple of 12";
}

/// Where a schedule's text changes its words, the table of words must follow.
TEST(Mechanisms, OfSchedulesAreToldByTheirWords) {
  Machine small = machine("xeon-avx512");  // lines of some thousand points are long
  small.l1_bytes = 16384, small.l2_bytes = 65536, small.l3_bytes = 131072;
  Vocabulary const vocabulary = cpu_vocabulary();
  std::vector<std::string> missing = vocabulary.mechanisms;
  for (char const* const line : {"c2c f32 64x100 batch 3",
                                 "c2c f32 1009 batch 40",
                                 "r2c f64 45 batch 9",
                                 "r2c f64 64x100",
                                 "r2c f32 65536",
                                 "c2c f32 10007",
                                 "c2c f32 719",
                                 "c2c f32 2879",
                                 "c2c f32 12289",
                                 "r2r f64 100x57 kinds dct1,dst4",
                                 "r2r f64 30x57 kinds dct2,dst1",
                                 "r2r f64 30x57x8 kinds dct3,dst2,dht",
                                 "r2r f64 30x57 kinds dct4,dst3",
                                 "r2r f32 10007 kinds dct2",
                                 "c2c f32 8 batch 1000",
                                 "c2c f32 64x48 load 40x33",
                                 "c2r f64 64x64x16",
                                 "r2r f32 60000 kinds dct2",
                                 "r2r f64 16385 kinds dct1",
                                 "r2c f32 15625",
                                 "r2r f64 8 kinds dct2"}) {
    Problem const problem = parse_problem(line);
    Uses const uses = uses_of(problem, cpu::Transform(problem, small, {.threads = 2}).describe());
    std::erase_if(missing, [&](std::string const& m) { return has(uses, m); });
  }
  EXPECT_TRUE(missing.empty()) << ::testing::PrintToString(missing);
}

}  // namespace
}  // namespace skipper::coverage
