// Fuzz target: program texts, which users give (GpuSettings::program), and which tuning files and the cache hold.
#include <cmath>

#include "base/machine.h"
#include "fuzz/fuzz.h"
#include "plan/cost.h"
#include "plan/planner.h"
#include "plan/tile.h"
#include "support/quick.h"

namespace skipper::fuzz {

int const inputs = 400000;

std::vector<std::string> seeds() {
  std::vector<std::string> result = {
      // As the papers print them.
      "c2c f32 forward 256 batch 8 reversed\n{X(16,16,16,256,tw)} {X(16,16,1,16,no-tw)}",
      "c2c f32 forward 64x64\n\xe2\x80\xa2 {X(1,64,1,64,no\xe2\x88\x92tw)}\n\xe2\x80\xa2 "
      "{Y(1,64,1,64,no-tw)}",
      // By convolutions on chip and over sweeps, and L2 block by L2 block.
      "c2c f32 forward 1009 batch 2\n{X(1,1009,1,1009,no-tw,by 2048)}",
      "c2c f32 forward 31\n{X(8,8,8,64,tw)} {X(8,8,1,8,tw,convolve)} {X(8,8,8,64,no-tw,back)}",
      "c2r f32 inverse 512 batch 8\n{X(1,256,1,256,no-tw)}",
      "c2c f32 forward 128x128x128 batch 64\n"
      "{X(32,4,32,128,tw), Z(1,128,1,128,no-tw)} with X2 on block l2_block 2x16MB in -> l2_buffer [B Z Y X1 "
      "X2]\n"
      "{X(4,32,1,32,no-tw), Y(1,128,1,128,no-tw)} with X1 on block l2_buffer -> out",
  };
  for (std::size_t number = 0;
       char const* const problem :
       {"c2c f32 forward 64x64 batch 8", "c2c f64 inverse 16384", "r2c f32 forward 48x100",
        "c2c f32 forward 1021", "r2r f32 forward 60x64 kinds dct2,dst3", "c2c f32 forward 64x64x64",
        "c2c f32 forward 16x16 in 1,16 in-place out 1,16", "c2c f32 forward 4096x4096"})
    if (testing::takes(number++, 2))  // unoptimised and under sanitizers, planning takes longer than all else
      for (Candidate const& candidate :
           planner(parse_problem(problem), machine("h200"), {.max_candidates = 3}))
        result.push_back(text(candidate.program));
  return result;
}

bool takes(std::string_view input) {
  static Machine const h200 = machine("h200"), a100 = machine("a100");
  Program program;
  if (!accepts([&] { program = parse_program(input); })) return false;
  check(program);
  std::string const all = text(program);
  demand(parse_program(all) == program, "reads back as another program:\n" + all);
  demand(text(parse_program(all)) == all, "prints otherwise the second time:\n" + all);
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    demand(tile_points(tile_of(program, s)) > 0, "has a tile of nothing:\n" + all);
  for (Machine const& m : {h200, a100}) {
    double const cost = program_cost(program, m);
    demand(!std::isnan(cost) && cost > 0, "costs " + std::to_string(cost) + ":\n" + all);
  }
  return true;
}

}  // namespace skipper::fuzz
