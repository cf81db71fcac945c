// The problems of kernels.txt, whose kernels are run as machine code: their plans have every mechanism there is.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "coverage/mechanisms.h"
#include "machine_code/listed_problems.h"

namespace skipper::testing {
namespace {

/// What next to no plan for the H200 is crossed with.
std::set<std::string> const rare = {"more in lines"};

TEST(KernelsList, HasEveryMechanism) {
  coverage::Uses uses;
  for (Problem const& problem : listed_problems("kernels.txt"))
    uses.merge(coverage::uses_of(coverage::lowered_program(problem, machine("h200"))));
  coverage::Vocabulary const all = coverage::gpu_vocabulary();
  for (auto const* names : {&all.mechanisms, &all.problems})
    for (std::string const& name : *names)
      EXPECT_TRUE(uses.count({name, ""})) << name << ": draw problems until one has it (coverage/draw.h)";
  std::set<std::string> met;
  for (coverage::Use const& use : uses) met.insert(use.with);
  for (std::string const& with : all.with) EXPECT_TRUE(met.count(with) || rare.count(with)) << with;
}

}  // namespace
}  // namespace skipper::testing
