// See host.h and engine.h: what this CPU is and which of the compiled instruction sets it runs.
#include "cpu/host.h"

#include <sched.h>
#include <skipper/error.h>
#include <skipper/executor.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(SKIPPER_HAS_AVX2) || defined(SKIPPER_HAS_AVX512)
#include <cpuid.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/environment.h"
#include "base/lazy.h"
#include "cpu/engine.h"
#include "cpu/pool.h"
#include "cpu/process.h"

namespace skipper::cpu {

#ifdef __aarch64__
namespace neon {
extern Kernels const kernels_f32, kernels_f64;
}
#else
namespace baseline {
extern Kernels const kernels_f32, kernels_f64;
}
#endif
#ifdef SKIPPER_HAS_AVX2
namespace avx2 {
extern Kernels const kernels_f32, kernels_f64;
}
#endif
#ifdef SKIPPER_HAS_AVX512
namespace avx512 {
extern Kernels const kernels_f32, kernels_f64;
}
#endif

#if defined(SKIPPER_HAS_AVX2) || defined(SKIPPER_HAS_AVX512)
namespace {

// All that cmake/cpu_variants.cmake compiles the kernels with.
bool has_avx2() {
  __builtin_cpu_init();
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;  // Clang's __builtin_cpu_supports does not know F16C
  bool const has_f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c;
}
[[maybe_unused]] bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

}  // namespace
#endif

namespace {

std::vector<Variant const*> compiled_and_run_here() {
  std::vector<Variant const*> sets;
#ifdef __aarch64__
  static Variant const plain = {"neon", &neon::kernels_f32, &neon::kernels_f64};
#else
  static Variant const plain = {"baseline", &baseline::kernels_f32, &baseline::kernels_f64};
#endif
  sets.push_back(&plain);
#ifdef SKIPPER_HAS_AVX2
  static Variant const middle = {"avx2", &avx2::kernels_f32, &avx2::kernels_f64};
  if (has_avx2()) sets.push_back(&middle);
#endif
#ifdef SKIPPER_HAS_AVX512
  static Variant const wide = {"avx512", &avx512::kernels_f32, &avx512::kernels_f64};
  if (has_avx512()) sets.push_back(&wide);
#endif
  return sets;
}

std::string architecture(Variant const& best) {
#ifdef __aarch64__
  return std::string("aarch64-") + best.name;
#elif defined(__x86_64__)
  return std::string("x86-64-") + best.name;
#else
  return std::string("cpu-") + best.name;
#endif
}

[[noreturn]] void refuse_given_host(std::string const& why) {
  throw Error("SKIPPER_HOST", why + "; or unset the variable");
}

/// Throws Error where this machine cannot stand for that one.
Machine read_given_host(std::string const& text) {
  Machine m;
  try {
    m = machine(text);
  } catch (Error const& e) {
    refuse_given_host(e.what());
  }
  std::string known;
  for (Variant const* set : compiled_and_run_here()) {
    if (m.kind == MachineKind::cpu && m.architecture == architecture(*set)) return m;
    known += (known.empty() ? "" : ", ") + architecture(*set);
  }
  refuse_given_host("names the architecture " + m.architecture +
                    " but must name one that this machine runs: " + known);
}

/// The machine that is to be taken for this one, if any.
std::optional<Machine> const& given_host() {
  static constinit Lazy<std::optional<Machine>> given;
  return given.get([]() -> std::optional<Machine> {
    std::string const text = environment("SKIPPER_HOST");
    if (text.empty()) return std::nullopt;
    return read_given_host(text);
  });
}

}  // namespace

int cores() {
  if (given_host()) return static_cast<int>(std::min<Index>(given_host()->sms, max_threads));
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::vector<Variant const*> const& variants() {
  static constinit Lazy<std::vector<Variant const*>> found;
  return found.get([] {
    std::vector<Variant const*> sets = compiled_and_run_here();
    if (given_host())
      while (given_host()->architecture != architecture(*sets.back())) sets.pop_back();
    return sets;
  });
}

Variant const& variant(std::string const& name) {
  if (name.empty()) return *variants().back();
  std::string known;
  for (Variant const* set : variants()) {
    if (set->name == name) return *set;
    known += std::string(known.empty() ? "" : ", ") + set->name;
  }
  throw Error("cpu.instruction_set", "\"" + name + "\" is not one that this machine runs: " + known);
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (Variant const* set : variants()) names.push_back(set->name);
  return names;
}

namespace {

/// "64K" of /sys/devices/system/cpu/cpu0/cache/index*/size, for the level's data or unified cache.
Index cache_bytes(int level, Index otherwise) {
  for (int i = 0; i < 8; ++i) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    std::ifstream level_file(folder + "level"), type_file(folder + "type"), size_file(folder + "size");
    int found = 0;
    std::string type, size;
    if (!(level_file >> found) || !(type_file >> type) || !(size_file >> size)) continue;
    if (found != level || type == "Instruction" || size.size() > 15) continue;
    Index bytes = 0;
    for (char digit : size)
      if (digit >= '0' && digit <= '9') bytes = bytes * 10 + (digit - '0');
    if (size.back() == 'K') bytes *= 1024;
    if (size.back() == 'M') bytes *= 1024 * 1024;
    if (bytes > 0) return bytes;
  }
  return otherwise;
}

/// Bytes a second, read plus write, of the best of a few copies of arrays too large for the caches, by all cores.
double copy_bandwidth(Machine const& m) {
  Index const piece = Index(1) << 20;
  Index const wanted = std::max<Index>(Index(1) << 26, std::min<Index>(2 * m.l3_bytes, Index(1) << 28));
  Index const pieces = std::max<Index>(1, std::min(wanted, m.memory_bytes / 16) / piece);
  auto const from = std::make_unique<char[]>(pieces * piece), to = std::make_unique<char[]>(pieces * piece);
  Resolved const team = resolved(0, {});
  double best = 1e300;
  for (int round = 0; round < 4; ++round) {
    auto const start = std::chrono::steady_clock::now();
    parallel_for(pieces, Team(team.threads, &team.executor), [&](int, Index begin, Index end) {
      std::memcpy(to.get() + begin * piece, from.get() + begin * piece, (end - begin) * piece);
    });
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * static_cast<double>(pieces * piece) / best;
}

Machine facts() {
  if (given_host()) return *given_host();
  std::string const set = variants().back()->name;
  Machine m;
  m.name = "host";
  m.kind = MachineKind::cpu;
  m.architecture = architecture(*variants().back());
  m.sms = cores();
  m.vector_bytes = static_cast<Index>(sizeof(float)) * variants().back()->f32->table[0].lanes;
  m.registers_sm = m.registers_thread = (set == "avx2" || set == "baseline" ? 16 : 32) * m.vector_bytes / 4;
  m.sector_bytes = m.line_bytes = 64;
  m.l1_bytes = cache_bytes(1, 32 * 1024);
  m.l2_bytes = cache_bytes(2, 512 * 1024);
  m.l3_bytes = cache_bytes(3, 0);
  Index const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  m.memory_bytes = pages > 0 && page > 0 ? pages * page : 0;
  m.copy_bandwidth = 1e10;
  return m;
}

}  // namespace

double memory_limit(Machine const& machine) {
  double limit = machine.memory_bytes > 0 ? static_cast<double>(machine.memory_bytes) : 0x1p50;
  rlimit most{};
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    limit = std::min(limit, static_cast<double>(most.rlim_cur));
  return limit;
}

Machine host_machine() {
  static constinit Lazy<Machine> known;
  return known.get(facts);
}

Machine measured_host_machine() {
  struct Measured {
    std::mutex mutex;  // two at a time would each find half of it
    std::optional<Machine> machine;
  };
  static constinit PerProcess<Measured> known;
  Measured& measured = known.get();
  std::lock_guard const lock(measured.mutex);
  if (!measured.machine) {
    Machine m = facts();
    if (!given_host()) m.copy_bandwidth = copy_bandwidth(m);
    measured.machine = m;
  }
  return *measured.machine;
}

}  // namespace skipper::cpu
