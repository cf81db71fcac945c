// The papers' own plans parse, are complete, and mean what the papers say: in place, in order in, digit-reversed out.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "plan/planner.h"
#include "plan/tile.h"
#include "support/papers.h"

namespace skipper::testing {
namespace {

TEST(Papers, AllPlansThatTheTextsHoldWholeAreHere) {
  auto const plans = paper_plans();
  auto const count = [&](std::string const& start) {
    return std::count_if(plans.begin(), plans.end(),
                         [&](PaperPlan const& p) { return p.name.starts_with(start); });
  };
  EXPECT_EQ(count("tesla-"), 4);
  EXPECT_EQ(count("fermi-"), 6);
  EXPECT_EQ(count("example-256"), 2);
  EXPECT_EQ(count("poisson-"), 8);
}

/// Counted in the papers: the lines in braces of each plan.
TEST(Papers, PlansHaveAsManySweepsAsThePapersHaveKernels) {
  std::map<std::string, int> const kernels = {
      {"example-256", 4},
      {"example-256-one-after-the-other", 3},
      {"tesla-1024x256x256", 4},
      {"tesla-128x128x128", 3},
      {"tesla-256x128x128", 3},
      {"tesla-512x512x512", 4},
      {"fermi-128x512x1024", 4},
      {"fermi-128x1024x1024", 4},
      {"fermi-128x512x512", 4},
      {"fermi-256x512x512", 4},
      {"fermi-256x512x1024", 4},
      {"fermi-512x512x512", 4},
      {"poisson-tesla-forward", 4},
      {"poisson-tesla-inverse", 4},
      {"poisson-kepler-forward", 4},
      {"poisson-kepler-inverse", 4},
      {"poisson-neumann-tesla-forward", 1},
      {"poisson-neumann-tesla-inverse", 1},
      {"poisson-neumann-kepler-forward", 2},
      {"poisson-neumann-kepler-inverse", 2},
  };
  auto const plans = paper_plans();
  EXPECT_EQ(plans.size(), kernels.size());
  for (PaperPlan const& plan : plans) {
    ASSERT_TRUE(kernels.count(plan.name)) << plan.name;
    EXPECT_EQ(int(parse_program(plan.sweeps, plan.problem).sweeps.size()), kernels.at(plan.name))
        << plan.name;
  }
}

TEST(Papers, PlansParseAreCompleteAndStayInPlace) {
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    Program const program = parse_program(plan.sweeps, plan.problem);
    EXPECT_NO_THROW(check(program));
    EXPECT_EQ(int(program.sweeps.size()), plan.kernels);
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      EXPECT_TRUE(writes_where_it_reads(program, s));
      EXPECT_EQ(program.sweeps[s].to, Buffer::out) << "needs workspace";
    }
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(Papers, OutputIsDigitReversed) {
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    Program const program = parse_program(plan.sweeps, plan.problem);
    for (int d = 0; d < int(program.dims.size()); ++d)
      for (int part = 0; part < int(program.radices[d].size()); ++part) {
        // In place: a digit is written where it was read, so the first one transformed, the least significant of
        // the output, is the slowest in memory.
        EXPECT_EQ(input_stride(program, {d, part}), output_stride(program, {d, part}));
        bool const slower_first = plan.problem.order == Order::reversed;
        EXPECT_TRUE(part == 0 || slower_first == (output_stride(program, {d, part}) <
                                                  output_stride(program, {d, part - 1})));
      }
  }
}

/// Which index each place of an axis holds, before the plan (j = j1 n/r1 + j2 n/(r1 r2) + ..) or after it
/// (k = k1 + k2 r1 + ..).
std::vector<Index> indices_at_places(Program const& program, int dim, bool after) {
  Dimension const& d = program.dims[std::size_t(dim)];
  auto const& radices = program.radices[std::size_t(dim)];
  std::vector<Index> index(std::size_t(d.size), -1);
  for (Index count = 0; count < d.size; ++count) {
    Index rest = count, place = 0, j = 0, k = 0, weight = 1;
    for (int part = 0; part < int(radices.size()); ++part) {
      Index const r = radices[std::size_t(part)], digit = rest % r;
      rest /= r;
      k += digit * weight;
      weight *= r;
      j += digit * (d.size / weight);
      place += digit * (after ? output_stride(program, {dim, part}) / d.out
                              : input_stride(program, {dim, part}) / d.in);
    }
    index[std::size_t(place)] = after ? k : j;
  }
  return index;
}

/// Mixed-radix digit reversal by its definition: the digits of a place, the last radix counting the lowest, read
/// backwards.
Index reversed(Index place, std::vector<Index> const& radices) {
  Index result = 0;
  std::vector<Index> digits;
  for (auto r = radices.rbegin(); r != radices.rend(); ++r) {
    digits.push_back(place % *r);
    place /= *r;
  }
  for (std::size_t i = 0; i < digits.size(); ++i)
    result = result * radices[radices.size() - 1 - i] + digits[i];
  return result;
}

TEST(Papers, PlacesHoldTheDigitReversedIndex) {
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    Program const program = parse_program(plan.sweeps, plan.problem);
    bool const leaves_reversed = plan.problem.order == Order::reversed;
    for (int d = 0; d < int(program.dims.size()); ++d) {
      if (!program.dims[std::size_t(d)].axis) continue;
      auto const before = indices_at_places(program, d, false), after = indices_at_places(program, d, true);
      for (Index p = 0; p < program.dims[std::size_t(d)].size; ++p) {
        Index const natural = (leaves_reversed ? before : after)[std::size_t(p)];
        ASSERT_EQ(natural, p) << program.dims[std::size_t(d)].name << ": the other side is in order";
        if (leaves_reversed) {
          ASSERT_EQ(after[std::size_t(p)], reversed(p, program.radices[std::size_t(d)]))
              << program.dims[std::size_t(d)].name;
        }
      }
    }
  }
}

/// The inverse half of a Poisson solver reads exactly the order that the forward half leaves.
TEST(Papers, InverseHalvesTakeUpWhereForwardHalvesEnd) {
  std::map<std::string, PaperPlan> plans;
  for (PaperPlan const& plan : paper_plans()) plans[plan.name] = plan;
  for (std::string const pair :
       {"poisson-tesla", "poisson-kepler", "poisson-neumann-tesla", "poisson-neumann-kepler"}) {
    PaperPlan const &one = plans.at(pair + "-forward"), &two = plans.at(pair + "-inverse");
    Program const forward = parse_program(one.sweeps, one.problem),
                  inverse = parse_program(two.sweeps, two.problem);
    ASSERT_EQ(forward.dims, inverse.dims) << pair;
    for (int d = 0; d < int(forward.dims.size()); ++d)
      if (forward.dims[std::size_t(d)].axis) {
        EXPECT_EQ(indices_at_places(forward, d, true), indices_at_places(inverse, d, false))
            << pair << " " << forward.dims[std::size_t(d)].name;
      }
  }
}

/// Every published plan again, with a line lost, two lines swapped, a number changed.
TEST(Papers, PlantedErrorsAreFound) {
  auto const refusal = [](std::string const& sweeps, Problem const& problem) -> std::string {
    try {
      (void)parse_program(sweeps, problem);
    } catch (Error const& e) {
      return e.what();
    }
    return "accepted";
  };
  for (PaperPlan const& plan : paper_plans()) {
    SCOPED_TRACE(plan.name);
    std::string last_lost = plan.sweeps.substr(0, plan.sweeps.rfind('{'));
    std::string const said = refusal(last_lost, plan.problem);
    EXPECT_NE(said.find(plan.kernels == 1 ? "no sweep" : "missing or wrong"), std::string::npos) << said;

    std::string const first =
        plan.sweeps.substr(plan.sweeps.find('{'), plan.sweeps.find('}') + 1 - plan.sweeps.find('{'));
    std::string const reordered =
        plan.sweeps.substr(plan.sweeps.find('}') + 1) + first;  // the first sweep comes last
    bool const axes_apart =
        plan.name == "example-256-one-after-the-other" || plan.kernels == 1;  // then any order will do
    EXPECT_EQ(refusal(reordered, plan.problem) == "accepted", axes_apart) << reordered;

    std::string span = plan.sweeps;
    std::size_t end = span.find('(');
    for (int number = 0; number < 4; ++number) end = span.find_first_of(",)", end + 1);
    span.insert(end, "0");
    EXPECT_NE(refusal(span, plan.problem).find("where the axis needs"), std::string::npos)
        << span << refusal(span, plan.problem);
  }
}

TEST(Papers, BrokenPlansAreRefused) {
  Problem const problem = parse_problem("c2c f32 forward 64x64 in-place reversed");
  auto const refusal = [&](std::string const& sweeps) -> std::string {
    try {
      (void)parse_program(sweeps, problem);
    } catch (Error const& e) {
      return e.what();
    }
    return "accepted";
  };
  std::string const y = "{Y(1,64,1,64,no-tw)}";
  EXPECT_EQ(refusal("{X(8,8,8,64,tw)} {X(8,8,1,8,no-tw)} " + y), "accepted");
  EXPECT_NE(refusal("{X(8,8,8,64,tw)} " + y).find("64"), std::string::npos)
      << "the second half of X is missing";
  EXPECT_NE(refusal("{X(8,8,1,8,no-tw)} {X(8,8,8,64,tw)} " + y).find("needs X(8,8,8,64,tw)"),
            std::string::npos)
      << "the wrong order";
  EXPECT_NE(refusal("{X(8,8,8,32,tw)} {X(8,8,1,8,no-tw)} " + y).find("needs X(8,8,8,64,tw)"),
            std::string::npos)
      << "the wrong span";
  EXPECT_NE(refusal("{X(8,8,8,64,no-tw)} {X(8,8,1,8,no-tw)} " + y).find("needs X(8,8,8,64,tw)"),
            std::string::npos)
      << "no twiddles";
  EXPECT_NE(refusal("{X(8,8,8,64,tw), Q(1,2,3,4,tw)}").find("'Q' is not an axis"), std::string::npos);
  EXPECT_NE(refusal("{X(8,8,8,64,tw)} {X(8,8,1,8,no-tw)}").find("Y"), std::string::npos) << "Y is missing";
}

}  // namespace
}  // namespace skipper::testing
