// The kernels of the golden H200 programs compile with NVRTC, with all their elements in registers, or all but a few
// bytes: every hundredth and one of each family for sm_90, a sample for sm_80 and sm_100; with SKIPPER_QUICK=1 a few of
// these, with SKIPPER_LONG=1 all for sm_90, which takes minutes. Skipped where there is no NVRTC.
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <map>
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

/// What differs in kind: precision, cluster, and which parts of the kernel's text are in use.
std::string family(Job const& job) {
  kernel::SweepSpec const& s = job.spec;
  std::string name = job.is_double ? "f64" : "f32";
  auto add = [&](bool used, char const* part) { name += used ? part : ""; };
  add(s.cluster_ranks > 1, " cluster");
  add(s.guards > 0, " guards");
  add(s.pre.real_axis || s.post.real_axis, " real");
  add(s.pre.real, " from real");
  add(s.post.real, " to real");
  add(s.hermitian.used, " hermitian");
  add(s.rader.used, " powers");
  for (int i = 0; i < s.steps; ++i) add(s.step[i].middle.needed && !name.ends_with("middle"), " middle");
  return name;
}

/// How long a kernel is: the points of a thread, in so many steps.
int length(Job const& job) { return job.spec.steps * kernel::max_elements_per_thread(job.spec); }

/// Every `stride`-th of `all`, and on request the shortest of each family.
std::vector<Job> sample(std::vector<Job> const& all, std::size_t stride, bool families) {
  std::vector<Job> jobs;
  std::map<std::string, Job const*> shortest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % stride == 0) jobs.push_back(all[i]);
    Job const*& other = shortest[family(all[i])];
    if (!other || length(all[i]) < length(*other)) other = &all[i];
  }
  if (families)
    for (std::size_t number = 0; auto const& [name, job] : shortest)
      if (takes(number++, length(*job) > 48 ? 90 : 27)) jobs.push_back(*job);  // long ones take longest
  return jobs;
}

/// The kernels of all golden programs, each once.
std::vector<Job> make_golden_kernels() {
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

std::vector<Job> const& golden_kernels() {
  static std::vector<Job> const jobs = make_golden_kernels();
  return jobs;
}

/// Bytes that a kernel may spill with the registers that lowering took it to need.
constexpr int few_bytes = 32;

/// Compiles the jobs that `takes` accepts, on all cores.
void compile(std::vector<Job> const& jobs, std::string const& architecture, bool (*takes)(Job const&)) {
  auto const nvrtc = Nvrtc::open();
  if (!nvrtc) GTEST_SKIP() << "NVRTC is not installed here: kernels are not compiled";
  if (!nvrtc->supports(std::stoi(architecture.substr(3))))
    GTEST_SKIP() << "this NVRTC does not know " << architecture;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  int compiled = 0;
  std::atomic<int> spilled = 0;
  double seconds = 0;
  auto const work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < jobs.size();) {
      Job const& job = jobs[i];
      if (!takes(job)) continue;
      Compiled result;
      kernel::SweepSpec spec = job.spec;
      for (;; --spec.resident) {  // as gpu/jit.cpp does
        KernelText const kernel = kernel_text({spec}, job.is_double);
        result = nvrtc->compile(kernel.source, kernel.names, architecture);
        if (result.ok && spec.resident == job.spec.resident &&
            result.kernels.front().spill_stores > few_bytes)
          ++spilled;
        if (!result.ok || result.kernels.front().local_bytes <= gpu::harmless_spill || spec.resident <= 1)
          break;
      }
      std::lock_guard const lock(mutex);
      ++compiled;
      if (spec.resident < job.spec.resident)
        std::cout << job.what << ": " << job.spec.resident << " blocks an SM spill too much, "
                  << spec.resident << " do not\n";
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
  EXPECT_LE(spilled, 1 + compiled / 10) << "the estimate of registers is too low";
  std::cout << architecture << ": " << compiled << " kernels, " << seconds / std::max(1, compiled)
            << " s each\n";
}

bool any(Job const&) { return true; }
bool without_cluster(Job const& job) {
  return job.spec.cluster_ranks == 1 && job.spec.shared * (job.is_double ? 16 : 8) <= 163 * 1024;
}

std::size_t one_in(std::size_t of_all, std::size_t of_a_sample) {
  return thorough() ? of_all : quick() ? 24 * of_a_sample : of_a_sample;
}

TEST(GoldenKernels, CompileForHopperWithoutSpills) {
  compile(sample(golden_kernels(), one_in(1, 100), true), "sm_90", any);
}
TEST(GoldenKernels, SampleCompilesForAmpere) {
  compile(sample(golden_kernels(), one_in(12, 150), false), "sm_80", without_cluster);
}
TEST(GoldenKernels, SampleCompilesForBlackwell) {
  compile(sample(golden_kernels(), one_in(12, 150), false), "sm_100", any);
}

}  // namespace
}  // namespace skipper::testing
