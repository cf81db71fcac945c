// Every kernel of the golden H200 programs compiles with NVRTC for sm_90, and a sample for sm_80 and sm_100, with all
// its elements in registers, or all but a few bytes. Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include "gpu/jit.h"
#include "plan/lower/lower.h"
#include "plan/spec_text.h"
#include "support/goldens.h"
#include "support/nvrtc.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

struct Job {
  std::string what;
  kernel::SweepSpec spec;
  bool is_double;
};

/// The kernels of all golden programs, each once.
std::vector<Job> golden_kernels() {
  Machine const m = machine("h200");
  std::set<std::string> seen;
  std::vector<Job> jobs;
  for (Golden const& golden : goldens("h200"))
    for (int s = 0; s < int(golden.program.sweeps.size()); ++s) {
      Job job{text(golden.problem) + ", sweep " + std::to_string(s + 1), lower(golden.program, s, m).spec,
              golden.problem.precision == Precision::f64};
      // Batches and grids aside, many problems share a kernel: compile each kind once.
      kernel::SweepSpec kind = job.spec;
      for (kernel::Wide& extent : kind.grid_extent) extent = 0;
      if (seen.insert(kernel_name(kind, job.is_double)).second) jobs.push_back(std::move(job));
    }
  return jobs;
}

/// Compiles every `stride`-th job that `takes` accepts, on all cores.
void compile(std::vector<Job> const& jobs, std::string const& architecture, std::size_t stride,
             bool (*takes)(Job const&)) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  if (!nvrtc->supports(std::stoi(architecture.substr(3))))
    GTEST_SKIP() << "this NVRTC does not know " << architecture;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  int compiled = 0, relented = 0;
  double seconds = 0;
  auto const work = [&] {
    for (std::size_t i; (i = next.fetch_add(stride)) < jobs.size();) {
      Job const& job = jobs[i];
      if (!takes(job)) continue;
      Compiled result;
      kernel::SweepSpec spec = job.spec;
      for (;; --spec.resident) {  // as gpu/jit.cpp does
        KernelText const kernel = kernel_text({spec}, job.is_double);
        result = nvrtc->compile(kernel.source, kernel.names, architecture);
        if (!result.ok || result.kernels.front().spill_stores <= gpu::harmless_spill || spec.resident <= 1)
          break;
      }
      std::lock_guard const lock(mutex);
      ++compiled;
      if (spec.resident < job.spec.resident) {
        ++relented;
        std::cout << job.what << ": " << job.spec.resident << " blocks an SM spill, " << spec.resident
                  << " do not\n";
      }
      seconds += result.seconds;
      EXPECT_TRUE(result.ok) << job.what << "\n" << result.log.substr(0, 2000);
      for (KernelUse const& use : result.kernels)
        EXPECT_LE(use.local_bytes, gpu::harmless_spill)
            << job.what << " for " << architecture << ": " << use.registers << " registers, "
            << job.spec.threads << " threads, spills " << use.spill_stores << " bytes";
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) threads.emplace_back(work);
  for (auto& t : threads) t.join();
  EXPECT_GT(compiled, 0);
  EXPECT_LE(relented, 1 + compiled / 10) << "the estimate of registers is too low";
  std::cout << architecture << ": " << compiled << " kernels, " << seconds / std::max(1, compiled)
            << " s each\n";
}

bool any(Job const&) { return true; }
bool without_cluster(Job const& job) {
  return job.spec.ranks == 1 && job.spec.shared * (job.is_double ? 16 : 8) <= 163 * 1024;
}

TEST(GoldenKernels, CompileForHopperWithoutSpills) {
  compile(golden_kernels(), "sm_90", quick() ? 40 : 1, any);
}
TEST(GoldenKernels, SampleCompilesForAmpere) {
  compile(golden_kernels(), "sm_80", quick() ? 80 : 12, without_cluster);
}
TEST(GoldenKernels, SampleCompilesForBlackwell) {
  compile(golden_kernels(), "sm_100", quick() ? 80 : 12, any);
}

}  // namespace
}  // namespace skipper::testing
