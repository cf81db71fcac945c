// What `verify --random` draws beside transforms, on the fake driver.
#include "random_sorts.h"

#include "cli/command_line.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

using RandomSortsOnGpu = FakeDriver;

TEST_F(RandomSortsOnGpu, AreFoundRightOnAGpu) {
  for (cli::RandomSort const& sort : cli::random_sorts()) {
    cli::CommandOutcome const o = cli::outcome_of(
        {"verify", "--random", "6", "--of", sort.name, "--device", "cuda:0", "--bytes", "4K"});
    EXPECT_EQ(o.code, cli::done) << sort.name << "\n" << o.error;
  }
}

}  // namespace
}  // namespace skipper::testing
