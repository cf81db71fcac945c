// Real lines that a cluster holds by itself, by programs as a user may give them: whole, padded and cropped, of every kind that has a
// Hermitian split. Rows and conjugate rows are with other ranks there, in every map that counts along the line.
#include "gpu/fake_driver/fixture.h"
#include "support/as_cpu.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

class ClusterLines : public FakeDriver {};

TEST_F(ClusterLines, OfRealsAreRight) {
  constexpr char const* kinds[] = {"r2c f32 forward 4608",
                                   "c2r f32 inverse 4608",
                                   "r2r f32 forward 4608 kinds dct2",
                                   "r2r f32 forward 4608 kinds dct3",
                                   "r2r f32 forward 4608 kinds dct4",
                                   "r2r f32 forward 4608 kinds dst2",
                                   "r2r f32 forward 4608 kinds dst3",
                                   "r2r f32 forward 4608 kinds dst4",
                                   "r2r f32 forward 4608 kinds dht"};
  std::size_t number = 0;
  for (char const* kind : kinds)
    for (char const* sides : {"", " load 1100", " keep 0+437", " keep 100+1900", " load 900 keep 7+2000"}) {
      if (!takes(number++, 4)) continue;
      Problem const problem = parse_problem(kind + std::string(" batch 2") + sides);
      expect_as_cpu(problem, {}, text(problem) + "\n{X(1,2304,1,2304,no-tw)} on cluster of 4 in -> out");
    }
}

TEST_F(ClusterLines, OfPlanesAreRight) {
  std::size_t number = 0;
  for (char const* whole : {"r2c f32 forward 64x96", "c2r f32 inverse 64x96"})
    for (char const* sides : {"", " load 30x20", " keep 5+40x0+31", " load 50x40 keep 0+64x3+20"}) {
      if (!takes(number++, 2)) continue;
      Problem const problem = parse_problem(whole + std::string(" batch 2") + sides);
      char const* const order = problem.kind == Kind::r2c ? "X(1,48,1,48,no-tw), Y(1,64,1,64,no-tw)"
                                                          : "Y(1,64,1,64,no-tw), X(1,48,1,48,no-tw)";
      expect_as_cpu(problem, {}, text(problem) + "\n{" + order + "} on cluster of 4 in -> out");
    }
}

}  // namespace
}  // namespace skipper::testing
