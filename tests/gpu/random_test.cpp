// Random problems through all that a plan does on a GPU, on the fake driver: planned for GPUs so small that several sweeps and
// clusters occur in arrays of a few hundred KB, launched as on a GPU, and every output judged. L2 blocks and fused passes begin
// at 64 MB: fused_passes_test.cpp has them, and on a GPU `verify --random` draws them. Every other problem is solved by the best
// program, the rest by a runner-up, which crosses mechanisms that are seldom best: users may ask for it, and tuning finds it.
// SKIPPER_SEED gives other problems, SKIPPER_RANDOM_PROBLEMS more of them.
#include <skipper/skipper.h>

#include <algorithm>
#include <cstring>

#include "buffer.h"
#include "coverage/coverage.h"
#include "gpu/fake_driver/fixture.h"
#include "gpu/loaded.h"
#include "plan/planner.h"
#include "reference/accuracy.h"
#include "reference/gaps.h"
#include "reference/whole_check.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

constexpr Index KiB = 1024;
constexpr int unset_byte = 0xff;  // in every byte it makes not-a-number of every precision

/// An H200 in all but its size. It is as much slower as its L2 is smaller, so that a launch costs no more beside the data.
Machine small_gpu(std::string const& name, Index shared, Index l2) {
  Machine m = machine("h200");
  m.name = name;
  m.shared_block = m.shared_sm = shared;
  m.shared_reserved = 0;
  m.copy_bandwidth *= double(l2) / double(m.l2_bytes);
  m.l2_bytes = l2;
  check(m);
  return m;
}

using Bytes = std::vector<unsigned char>;

class Random : public FakeDriver {
 protected:
  /// What the program of a problem gives of `in`, both arrays in host memory; in place `in` is `out`.
  void run(Problem const& problem, Machine const& machine, cli::Buffer const& in, cli::Buffer& out) {
    Stopwatch watch;
    std::vector<Candidate> const candidates = planner(problem, machine, {.max_candidates = 12});
    std::size_t const number = number_++, which = number % 2 == 0 ? 0 : number / 2 % candidates.size();
    SCOPED_TRACE(text(candidates[which].program));
    auto const program = gpu::loaded("", 0, watch, [&] {
      gpu::Prepared prepared = gpu::prepared(candidates[which].program, machine, watch);
      prepared.parts = prepared.program.problem.kind != problem.kind;
      return prepared;
    });
    Bytes const given(static_cast<unsigned char const*>(in.data()),
                      static_cast<unsigned char const*>(in.data()) + in.bytes());
    EXPECT_EQ(text(parse_program(text(program->program))), text(program->program)) << "it does not read back";
    DeviceArray<unsigned char> from(given), to(Bytes(out.bytes(), unset_byte)),
        work(Bytes(program->workspace_bytes() + 1, unset_byte));
    gpu::Current const current(program->context);
    auto const at = [](auto& array) { return gpu::DevicePointer(array.data()); };
    bool const same = problem.placement == Placement::in_place;
    program->launch(at(from), same ? at(from) : at(to), at(work), nullptr);
    Bytes const result = (same ? from : to).values();
    std::memcpy(out.data(), result.data(), result.size());
    if (!same) {
      EXPECT_EQ(from.values(), given) << "the input changed";
    }
  }

  void judge(Problem const& problem, Machine const& machine) {
    SCOPED_TRACE(text(problem) + " on " + text(machine));
    cli::Buffer in(std::max(in_bytes(problem), out_bytes(problem))), out(in.bytes());
    in.fill_random(problem.precision);
    ASSERT_NO_THROW(run(problem, machine, in, out));
    reference::Accuracy const error = reference::accuracy(problem, in.data(), out.data());
    EXPECT_LE(error.l2, reference::allowed_l2(problem));
    EXPECT_LE(error.max, reference::allowed_max(problem));
    EXPECT_LE(reference::whole_check(problem, in.data(), out.data(), 1).worst, 1);
    if (problem.placement == Placement::out_of_place) {
      EXPECT_TRUE(reference::gaps_are_untouched(problem, out.data())) << "a gap of the output was written";
    }
  }

  void judge_groups(Machine const& machine, Index groups) {
    coverage::Source const source = coverage::source_for(text(machine), Index(1) << 20, {});
    for (Index g = 0; g < groups; ++g)
      for (coverage::Chosen const& chosen :
           coverage::group(seed_of_run(), g, coverage::group_size, source.sizes, source.uses_of)) {
        if (chosen.refusal.empty())
          judge(chosen.problem, machine);
        else
          ++refused_, std::cout << "refused: " << text(chosen.problem) << ": " << chosen.refusal << "\n";
        coverage::add(counts_, chosen.uses);
      }
  }

  std::size_t number_ = 0;
  Index refused_ = 0;
  coverage::Counts counts_;
};

Index groups_of_run() {
  char const* const given = std::getenv("SKIPPER_RANDOM_PROBLEMS");
  return given     ? std::max<Index>(1, std::strtoll(given, nullptr, 10) / coverage::group_size)
         : quick() ? 1
                   : 4;
}

TEST_F(Random, ProblemsAreRightOnASmallGpu) {
  judge_groups(small_gpu("small", 16 * KiB, 256 * KiB), groups_of_run());
}

TEST_F(Random, ProblemsAreRightOnASmallerGpu) {
  judge_groups(small_gpu("smaller", 8 * KiB, 128 * KiB), groups_of_run());
}

}  // namespace
}  // namespace skipper::testing
