// Random problems, planned and run under the emulator with every check: shapes, strides, batches, directions,
// placements, orders and machines that nobody thought of. SKIPPER_SEED repeats a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/numbers.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  Index upto(Index n) { return Index(random_() % std::uint64_t(n)); }
  bool one_in(Index n) { return upto(n) == 0; }
  template <class T>
  T of(std::vector<T> const& list) {
    return list[upto(Index(list.size()))];
  }

 private:
  std::mt19937_64 random_;
};

/// Dense or padded strides for the sizes taken in a random order of memory.
std::vector<Index> random_strides(Dice& dice, std::vector<Index> const& sizes, bool plain) {
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());  // the last dimension is the fastest
  if (!plain && dice.one_in(2))
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[dice.upto(Index(i))]);
  std::vector<Index> strides(sizes.size());
  Index stride = !plain && dice.one_in(8) ? 2 : 1;
  for (int d : order) {
    strides[d] = stride;
    stride *= sizes[d];
    if (!plain && dice.one_in(3)) stride += dice.upto(9);
  }
  return strides;
}

Problem random_problem(Dice& dice, Index max_points) {
  static std::vector<Index> const smooth = [] {
    std::vector<Index> list;
    for (Index n = 1; n <= 40000; ++n)
      if (is_smooth(n, 13)) list.push_back(n);
    return list;
  }();
  Problem p;
  p.precision = dice.of<Precision>({Precision::f32, Precision::f64});
  p.direction = dice.of<Direction>({Direction::forward, Direction::inverse});
  p.placement = dice.one_in(3) ? Placement::in_place : Placement::out_of_place;
  p.order =
      dice.of<Order>({Order::natural, Order::natural, Order::natural, Order::reversed, Order::from_reversed});
  if (dice.one_in(3)) p.scale = dice.of<double>({0.5, -2, 1.0 / 3});
  Index room = dice.of<Index>({64, 1000, 9000, max_points});
  Index const cluster_rank = 1 + dice.upto(4);
  std::vector<Index> sizes;
  auto const pick = [&](bool any) {
    Index const most =
        std::max<Index>(1, sizes.size() == 0 && cluster_rank == 1
                               ? room
                               : Index(std::pow(double(room), 0.3 + 0.2 * double(dice.upto(4)))));
    Index n = 1 + dice.upto(std::min(most, room));
    if (!any) n = *(std::upper_bound(smooth.begin(), smooth.end(), std::min<Index>(n, smooth.back())) - 1);
    room /= n;
    sizes.push_back(n);
  };
  for (Index i = 0; i < cluster_rank; ++i)
    pick(dice.one_in(4));  // any length now and then: most are non-smooth
  Index const batches = dice.upto(3);
  for (Index i = 0; i < batches; ++i) pick(true);
  bool const plain = dice.one_in(2);
  std::vector<Index> all = sizes;
  std::rotate(all.begin(), all.begin() + cluster_rank, all.end());  // batch outside the axes
  auto in = random_strides(dice, all, plain),
       out = p.placement == Placement::in_place ? in : random_strides(dice, all, plain);
  for (Index i = 0; i < batches; ++i) p.batch.push_back({all[i], in[i], out[i]});
  for (Index i = 0; i < cluster_rank; ++i)
    p.axes.push_back({all[batches + i], in[batches + i], out[batches + i]});
  return p;
}

/// No exchange parts what the threads of a block read from what others of them write.
TEST(RandomPrograms, OneStepMayTransposeItsTileWhereItStands) {
  Program const program = parse_program(
      "c2c f32 forward 4x4x4 in-place\n"
      "{Y(1,4,1,4,no-tw)} with X Z on block in -> out [Y Z X]\n"
      "{X(1,4,1,4,no-tw), Z(1,4,1,4,no-tw)} with Y on block out -> out");
  verify(program, machine("h200"), 1);
}

/// Ranks count one part of the padded points, then the other, then the first again.
TEST(RandomPrograms, ClustersConvolve) {
  for (char const* text :
       {"c2c f32 forward 509 batch 3\n{X(1,509,1,509,no-tw,by 1024)} on cluster of 4 in -> out",
        "c2c f64 inverse 1000 batch 2\n{X(1,1000,1,1000,no-tw,by 2048)} on cluster of 2 in -> out",
        "c2c f32 forward 67x16\n{X(1,16,1,16,no-tw), Y(1,67,1,67,no-tw,by 144)} on cluster of 8 in -> out",
        "c2c f32 forward 2039\n{X(1,2039,1,2039,no-tw,by 4096)} on cluster of 16 in -> out"}) {
    SCOPED_TRACE(text);
    verify(parse_program(text), machine("h200"), 2);
  }
}

/// A prime whose convolution no block holds is cut, whatever axes stand beside it.
TEST(RandomPrograms, LongPrimesStandBesideOtherAxes) {
  for (std::size_t number = 0;
       auto const& [text, name] : {std::pair("c2c f64 forward 8669x2x3 scale 0.5 in-place", "a100"),
                                   std::pair("c2c f64 inverse 2x3x8663", "rtx4090")}) {
    if (!takes(number++, 2)) continue;
    SCOPED_TRACE(text);
    Machine const m = machine(name);
    verify(planner(parse_problem(text), m, {.max_candidates = 1}).front().program, m, 3);
  }
}

/// Two lines of 2695 points cannot be shared out among threads, one can: so none is carried beside it.
TEST(RandomPrograms, LinesThatThreadsCannotDivideStandAlone) {
  Machine const m = machine("rtx4090");
  Problem const problem = parse_problem("c2c f32 forward 2695x1x2 in 8,1,4 out 4,2,1 scale -2 from-reversed");
  verify(planner(problem, m, {.max_candidates = 1}).front().program, m, 4);
}

TEST(RandomPrograms, ComputeTheTransformUnderEveryCheck) {
  std::uint64_t const seed = seed_of_run();
  Dice dice(seed);
  std::vector<Machine> const machines{machine("h200"), machine("a100"), machine("rtx4090")};
  int const count = quick() ? 30 : 160;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    Problem const problem = random_problem(dice, quick() ? 20000 : 100000);
    SCOPED_TRACE("problem " + std::to_string(i) + ": " + text(problem));
    Machine const& m = machines[dice.upto(3)];
    PlanOptions options;
    options.clusters = !dice.one_in(3);
    options.max_candidates = 4;
    auto const candidates = planner(problem, m, options);
    verify(candidates[dice.upto(Index(candidates.size()))].program, m, seed + std::uint64_t(i));
  }
}

}  // namespace
}  // namespace skipper::testing
