// Problems that nobody thought of (src/coverage), planned as on machines that this is not: cores, small caches, and each instruction
// set that this one runs. Outputs and workspace are not-a-number before, and every output is judged: samples against the
// definition, all of them by a sum (reference/whole_check.h). Other threads must give the same bits.
// SKIPPER_RANDOM_PROBLEMS=20000 takes so many.
#include <gtest/gtest.h>
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <cstring>
#include <random>

#include "coverage/coverage.h"
#include "cpu/host.h"
#include "cpu/unset.h"
#include "reference/accuracy.h"
#include "reference/gaps.h"
#include "reference/whole_check.h"
#include "support/quick.h"

namespace skipper::cpu::testing {
namespace {

using namespace skipper::testing;

template <class Scalar>
void fill_with(void* data, Index bytes) {
  std::mt19937 random(1);
  auto* const numbers = static_cast<Scalar*>(data);
  for (Index i = 0; i < bytes / Index(sizeof(Scalar)); ++i)
    numbers[i] = Scalar(static_cast<float>(random()) * 0x1p-31f - 1);
}

void fill(Precision precision, std::vector<char>& array) {
  Index const bytes = Index(array.size());
  switch (precision) {
    case Precision::f32:
      return fill_with<float>(array.data(), bytes);
    case Precision::f64:
      return fill_with<double>(array.data(), bytes);
    case Precision::f16:
      return fill_with<Half>(array.data(), bytes);
    case Precision::bf16:
      return fill_with<BFloat16>(array.data(), bytes);
  }
}

std::vector<char> result(Problem const& p, Transform const& transform, std::vector<char> const& given) {
  bool const same = p.placement == Placement::in_place;
  std::vector<char> in = given, out = same ? given : unset<char>(Index(given.size()));
  execute_unset(transform, same ? out.data() : in.data(), out.data());
  EXPECT_EQ(in, given) << "the input was written";
  return out;
}

void expect_right(Problem const& p, std::vector<char> const& given, std::vector<char> const& out) {
  reference::Accuracy const error = reference::accuracy(p, given.data(), out.data());
  EXPECT_LE(error.l2, reference::allowed_l2(p));
  EXPECT_LE(error.max, reference::allowed_max(p));
  EXPECT_LE(reference::whole_check(p, given.data(), out.data(), 1).worst, 1);
  if (p.placement == Placement::out_of_place)
    EXPECT_TRUE(reference::gaps_are_untouched(p, out.data())) << "a gap of the output was written";
}

struct Engine {
  Machine machine;
  Options options;
};

/// Each instruction set with each number of cores, and caches so small that short lines are long.
std::vector<Engine> engines() {
  std::vector<Engine> all;
  for (std::string const& set : instruction_sets())
    for (int const cores : {1, 2, 3, 16}) {
      Machine m = host_machine();
      m.sms = cores;
      m.l1_bytes = cores % 2 ? 8 << 10 : 16 << 10;
      m.l2_bytes = 4 * m.l1_bytes;
      m.l3_bytes = 0;
      m.vector_bytes = Index(sizeof(float)) * variant(set).f32->table[0].lanes;
      all.push_back({m, {cores, set}});
    }
  return all;
}

Index problems_of_run() {
  char const* const given = std::getenv("SKIPPER_RANDOM_PROBLEMS");
  return given ? std::atoll(given) : quick() ? 96 : 1600;
}

TEST(RandomProblems, AreRightOnEveryMachine) {
  constexpr Index max_bytes = 1 << 20;
  std::vector<Engine> const all = engines();
  Index const groups = (problems_of_run() + coverage::group_size - 1) / coverage::group_size;
  for (Index g = 0; g < groups; ++g) {
    Engine const& engine = all[std::size_t((g + Index(seed_of_run())) % Index(all.size()))];
    auto const schedule = [&](Problem const& p) {
      return Transform(p, engine.machine, engine.options).describe();
    };
    coverage::Source const source = coverage::source_for(text(engine.machine), max_bytes, schedule);
    for (coverage::Chosen const& chosen :
         coverage::group(seed_of_run(), g, coverage::group_size, source.sizes, source.uses_of)) {
      SCOPED_TRACE(text(chosen.problem) + "\non " + std::to_string(engine.options.threads) + " cores, " +
                   engine.options.instruction_set + ", caches of " + std::to_string(engine.machine.l2_bytes));
      ASSERT_EQ(chosen.refusal, "");
      Problem const& p = chosen.problem;
      std::vector<char> given(static_cast<std::size_t>(std::max(in_bytes(p), out_bytes(p))));
      fill(p.precision, given);
      std::vector<char> const out = result(p, Transform(p, engine.machine, engine.options), given);
      expect_right(p, given, out);
      Engine other = engine;
      other.machine.sms = other.options.threads = engine.options.threads == 1 ? 3 : 1;
      Transform const by_others(p, other.machine, other.options);
      EXPECT_TRUE(result(p, by_others, given) == out) << other.options.threads << " threads change bits";
    }
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
