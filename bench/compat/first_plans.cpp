// first_plans <library> <fftw|fftwf> <c2c|r2c|r2r|2d> <n> ...: microseconds that a library with FFTW's interface takes for its first
// plan of each size by FFTW_ESTIMATE, a line each. bench/clients.sh runs it in turn on FFTW and on Skipper.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int forward = -1, redft10 = 5;
constexpr unsigned estimate = 1u << 6;

using Plan1d = void* (*)(int, void*, void*, int, unsigned);
using PlanReal = void* (*)(int, void*, void*, unsigned);
using Plan2d = void* (*)(int, int, void*, void*, int, unsigned);

}  // namespace

int main(int count, char** words) {
  if (count < 5) return 2;
  void* const library = dlopen(words[1], RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  std::string const prefix = words[2], kind = words[3];
  auto const function = [&](char const* name) { return dlsym(library, (prefix + name).c_str()); };
  std::vector<double> in(1 << 19), out(1 << 19);
  auto const plan = [&](int n) {
    if (kind == "2d")
      return reinterpret_cast<Plan2d>(function("_plan_dft_2d"))(n, n, in.data(), out.data(), forward,
                                                                estimate);
    if (kind == "r2c")
      return reinterpret_cast<PlanReal>(function("_plan_dft_r2c_1d"))(n, in.data(), out.data(), estimate);
    if (kind == "r2r")
      return reinterpret_cast<Plan1d>(function("_plan_r2r_1d"))(n, in.data(), out.data(), redft10, estimate);
    return reinterpret_cast<Plan1d>(function("_plan_dft_1d"))(n, in.data(), out.data(), forward, estimate);
  };
  plan(kind == "2d" ? 3 : 18);  // what the first plan of a process prepares
  for (int i = 4; i < count; ++i) {
    int const n = std::atoi(words[i]);
    auto const begin = std::chrono::steady_clock::now();
    void* const made = plan(n);
    std::chrono::duration<double, std::micro> const took = std::chrono::steady_clock::now() - begin;
    std::printf("%d %.2f\n", n, made ? took.count() : -1.0);
  }
}
