// The canonical text: goldens, the examples of docs/problem-text.md, round trips of random valid
// problems, and a fuzz of damaged texts, which must throw Error or give a valid problem that
// round-trips.
#include <skipper/problem.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "base/kinds.h"
#include "support/quick.h"
#include "support/source_dir.h"

namespace skipper {
namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  std::size_t index(std::size_t size) { return engine_() % size; }
  bool one_in(std::int64_t n) { return below(n) == 0; }

  template <class List>
  auto of(List const& list) {
    return list[index(list.size())];
  }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[index(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

// Strides of a random nesting of these sizes with random gaps; distinct by construction.
std::vector<std::int64_t> nested_strides(Random& random, std::vector<std::int64_t> const& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1 + (random.one_in(3) ? random.below(4) : 0);
  for (std::size_t const i : order) {
    strides[i] = stride;
    stride = stride * sizes[i] + (random.one_in(3) ? random.below(9) : 0);
  }
  return strides;
}

void relay_out(Random& random, Problem& problem) {
  std::vector<std::int64_t> in, out;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    in.push_back(in_size(problem, i));
    out.push_back(out_size(problem, i));
  }
  for (Dim const& dim : problem.batch) {
    in.push_back(dim.size);
    out.push_back(dim.size);
  }
  in = nested_strides(random, in);
  out = problem.placement == Placement::in_place ? in : nested_strides(random, out);
  if (problem.placement == Placement::out_of_place && !problem.batch.empty() && random.one_in(2))
    in[problem.axes.size() + random.index(problem.batch.size())] = 0;
  std::size_t at = 0;
  auto const place = [&](auto& dim) {
    dim.in_stride = in[at];
    dim.out_stride = out[at];
    ++at;
  };
  for (Axis& axis : problem.axes) place(axis);
  for (Dim& dim : problem.batch) place(dim);
}

Problem random_problem(Random& random) {
  Problem problem;
  problem.kind = random.of(all_kinds);
  problem.precision = static_cast<Precision>(random.below(4));
  if (problem.kind == Kind::c2c) problem.direction = static_cast<Direction>(random.below(2));
  if (problem.kind == Kind::c2r) problem.direction = Direction::inverse;
  std::int64_t const rank = 1 + random.below(4);
  bool const mixed = random.one_in(3);
  for (std::int64_t i = 0; i < rank; ++i) {
    AxisKind kind = AxisKind::fourier;
    if (mixed) kind = random.of(all_axis_kinds);
    if (problem.kind == Kind::r2r) kind = random.of(real_axis_kinds);
    std::int64_t const size = random.one_in(5) ? 1 : 1 + random.below(300);
    problem.axes.push_back({std::max(size, smallest_size(kind)), 0, 0, kind});
  }
  bool const halves = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
  if (halves && !halved_axis(problem)) problem.axes[0].kind = AxisKind::fourier;
  for (std::int64_t i = random.below(3); i > 0; --i)
    problem.batch.push_back({random.one_in(4) ? 1 : 1 + random.below(500), 0, 0});
  if (random.one_in(3)) problem.placement = Placement::in_place;
  bool const fourier =
      std::ranges::all_of(problem.axes, [](Axis const& axis) { return axis.kind == AxisKind::fourier; });
  if (problem.kind == Kind::c2c && fourier && random.one_in(3))
    problem.order = random.one_in(2) ? Order::reversed : Order::from_reversed;
  double const sign = random.one_in(2) ? 1.0 : -1.0;
  if (random.one_in(3)) problem.scale = sign / static_cast<double>(1 + random.below(1 << 30));
  if (random.one_in(4)) problem.norm = Norm::ortho;
  problem = dense_layout(problem);
  bool const padded = halves && problem.placement == Placement::in_place;
  if (!padded && random.one_in(2)) relay_out(random, problem);
  return problem;
}

TEST(ProblemText, Goldens) {
  EXPECT_EQ(text(c2c({64, 64, 64}, 512)), "c2c f32 forward 64x64x64 batch 512");
  EXPECT_EQ(text(c2c({7}, 1, Precision::f64, Direction::inverse)), "c2c f64 inverse 7");
  EXPECT_EQ(text(c2r({7}, 2, Precision::f16)), "c2r f16 inverse 7 batch 2");
  EXPECT_EQ(text(r2c({7}, 2, Precision::bf16)), "r2c bf16 forward 7 batch 2");
  EXPECT_EQ(text(in_place(r2c({4, 6}))), "r2c f32 forward 4x6 in-place");
  EXPECT_EQ(text(r2r({4, 6}, {AxisKind::dct2, AxisKind::dst4}, 3)),
            "r2r f32 forward 4x6 kinds dct2,dst4 batch 3");
  Problem p = c2c({4, 6}, 3);
  p.axes[0].in_stride = 8;
  p.batch[0].out_stride = 100;
  p.scale = 0.1;
  p.order = Order::reversed;
  EXPECT_EQ(text(p), "c2c f32 forward 4x6 batch 3 in 8,1/24 out 6,1/100 scale 0.1 reversed");
  EXPECT_EQ(parse_problem(text(p)), p);
  // A batch dimension of size 1 is not the same value as none.
  p = c2c({4});
  p.batch.push_back({1, 4, 4});
  EXPECT_EQ(text(p), "c2c f32 forward 4 batch 1");
  EXPECT_EQ(parse_problem(text(p)), p);
}

TEST(ProblemText, InvalidProblemsPrint) {
  EXPECT_EQ(text(Problem{}), "c2c f32 forward ");
  Problem p;
  p.kind = static_cast<Kind>(9);
  p.axes = {{-1, -5, 0}, {INT64_MAX, 1, 1}, {INT64_MAX, 1, 1}};
  EXPECT_EQ(text(p).substr(0, 16), "? f32 forward -1");
}

TEST(ProblemText, ScaleRoundTripsExactly) {
  for (double const scale : {0.1, 1.0 / 3, -2.5e-17, 1e22, 123456789.123456789, 0.0, -0.0,
                             2.2250738585072014e-308, 1.7976931348623157e308}) {
    Problem p = c2c({4}, 1, Precision::f64);
    p.scale = scale;
    double const back = parse_problem(text(p)).scale;
    EXPECT_EQ(back, scale);
    EXPECT_EQ(std::signbit(back), std::signbit(scale));
  }
}

TEST(ProblemText, RandomProblemsRoundTrip) {
  std::uint32_t const start = static_cast<std::uint32_t>(testing::seed_of_run());
  Random random(start);
  int with_strides = 0;
  for (int round = 0; round < 6000; ++round) {
    Problem const problem = random_problem(random);
    std::string const printed = text(problem);
    SCOPED_TRACE("seed " + std::to_string(start) + ": " + printed);
    ASSERT_NO_THROW(check(problem));
    Problem const back = parse_problem(printed);
    ASSERT_EQ(back, problem);
    ASSERT_EQ(text(back), printed);
    if (problem != dense_layout(problem)) ++with_strides;
  }
  EXPECT_GT(with_strides, 1500);
}

// Random byte edits of valid texts: mostly refused, now and then another valid problem.
TEST(ProblemText, DamagedTextsAreRefusedOrRoundTrip) {
  std::uint32_t const start = static_cast<std::uint32_t>(testing::seed_of_run());
  Random random(start);
  std::string_view const bytes = " ,/x:.-+0123456789999ceinrftbadksol\t\n\xff";
  int accepted = 0, refused = 0;
  for (int round = 0; round < 8000; ++round) {
    std::string input = text(random_problem(random));
    for (std::int64_t edits = 1 + random.below(4); edits > 0; --edits) {
      std::size_t const at = random.index(input.size() + 1);
      char const c =
          random.one_in(10) ? static_cast<char>(random.below(256)) : bytes[random.index(bytes.size())];
      switch (random.below(5)) {
        case 0:
          input.insert(at, 1, c);
          break;
        case 1:
          input.erase(at, static_cast<std::size_t>(1 + random.below(3)));
          break;
        case 2:
          input.insert(at, input.substr(at / 2, 12));
          break;
        case 3:
          input.resize(random.one_in(8) ? at : input.size());
          break;
        default:
          if (at < input.size()) input[at] = c;
      }
    }
    SCOPED_TRACE("seed " + std::to_string(start) + ": " + input);
    std::optional<Problem> problem;
    try {
      problem = parse_problem(input);
    } catch (Error const& error) {
      ASSERT_FALSE(error.argument().empty());
      ASSERT_GT(std::string(error.what()).size(), error.argument().size() + 10);
    }
    ++(problem ? accepted : refused);
    if (problem) {
      ASSERT_NO_THROW(check(*problem));
      ASSERT_EQ(parse_problem(text(*problem)), *problem);
    }
    try {
      (void)parse_case(input);
    } catch (Error const&) {
    }
  }
  EXPECT_GT(accepted, 400);
  EXPECT_GT(refused, 400);
}

// The message of the Error that reading gives, or "" if it reads.
std::string refusal(std::string_view input) {
  try {
    parse_problem(input);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

// The fenced blocks of the page by their label.
TEST(ProblemTextPage, ExamplesHold) {
  std::filesystem::path const page = testing::source_dir() / "docs/problem-text.md";
  std::ifstream file(page);
  ASSERT_TRUE(file) << page;
  std::string label;
  int examples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      label = line.substr(3);
      continue;
    }
    std::size_t const arrow = line.find(" => ");
    std::string const left = line.substr(0, arrow);
    std::string const right = arrow == line.npos ? "" : line.substr(arrow + 4);
    SCOPED_TRACE(line);
    if (label == "problem")
      EXPECT_EQ(text(parse_problem(line)), line);
    else if (label == "accepted")
      EXPECT_EQ(text(parse_problem(left)), right);
    else if (label == "refused")
      EXPECT_TRUE(refusal(left).starts_with(right + ": "));
    else if (label == "case")
      EXPECT_EQ(text(parse_case(left)), right);
    else
      continue;
    ++examples;
  }
  EXPECT_GE(examples, 25);
}

}  // namespace
}  // namespace skipper
