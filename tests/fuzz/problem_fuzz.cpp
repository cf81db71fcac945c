// Fuzz target: problem texts, and lines of case lists.
#include <skipper/plan.h>
#include <skipper/problem.h>

#include "fuzz/fuzz.h"

namespace skipper::fuzz {

int const inputs = 500000;

std::vector<std::string> seeds() {
  return {"c2c f32 forward 64x64x64 batch 512",
          "c2c f64 inverse 1000 scale 0.001",
          "c2r f32 inverse 512x512x512 in-place",
          "r2r f64 forward 64x32 kinds dct2,dst3",
          "r2r f64 forward 100 kinds dct1 norm ortho",
          "c2c f16 forward 256x256 batch 10",
          "r2c bf16 forward 256x256",
          "r2c f32 forward 64x128 load 40x100 keep 0+0x0+20",
          "r2c f32 forward 64x64x100 kinds fourier,fourier,dct1 batch 3",
          "c2c f32 forward 64x64 batch 4x8 in 128,1/65536,8192",
          "c2c f32 forward 256 batch 16 in 16/1 out 16/1 in-place",
          "c2c f32 forward 1024 batch 8 in 1/0",
          "c2c f32 forward 4096 batch 2 reversed",
          "c2c f32 inverse 4096 batch 2 from-reversed",
          "r2c f32 forward 6x6 in-place in 8,1 out 4,1",
          "c2c f32 512 64 64 64",
          "r2c f64 1 1000"};
}

namespace {

/// A problem that was accepted is valid, prints, and reads back as the same.
void look_at(Problem const& problem) {
  check(problem);
  std::string const line = text(problem);
  demand(parse_problem(line) == problem, "reads back as another problem: " + line);
  demand(text(parse_problem(line)) == line, "prints otherwise the second time: " + line);
  demand(in_bytes(problem) > 0 && out_bytes(problem) > 0, "spans no bytes: " + line);
  demand(problem.axes.size() <= max_rank && problem.batch.size() <= max_rank, "has too many dimensions");
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    demand(in_size(problem, a) > 0 && out_size(problem, a) > 0, "stores nothing of an axis: " + line);
}

}  // namespace

bool takes(std::string_view input) {
  bool accepted = false;
  for (auto const parse : {parse_problem, parse_case}) {
    Problem problem;
    if (!accepts([&] { problem = parse(input); })) continue;
    accepted = true;
    look_at(problem);
    accepts([&] { look_at(inverse_problem(problem)); });
    accepts([&] {
      Problem const dense = dense_layout(problem);
      check(dense);
      look_at(dense);
    });
  }
  return accepted;
}

}  // namespace skipper::fuzz
