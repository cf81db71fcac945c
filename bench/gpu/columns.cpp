// Times the elimination along columns of a Poisson solve by itself, with other numbers of blocks an SM and other
// prefetch distances, against a copy of the same array. What is computed does not depend on these: other bits make it fail.
//   bench_columns DEVICE ROWS COLUMNS [f32|f64]
#include <skipper/error.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/gpu.h"
#include "gpu/columns.h"
#include "gpu/driver.h"
#include "gpu/memory.h"

using namespace skipper;

namespace {

void wait() { gpu::demand(gpu::demand_driver().synchronise(), "waiting for the device"); }

double seconds(std::function<void()> const& work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  work();
  wait();
  for (int round = 0; round < 4; ++round) {
    auto const begin = Clock::now();
    for (int i = 0; i < 10; ++i) work();
    wait();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / 10);
  }
  return best;
}

/// Of second differences between Neumann ends; `across` is what Fourier modes of as many columns add.
struct Systems {
  std::vector<gpu::ColumnRow> rows;
  std::vector<double> across;

  Systems(std::size_t n, std::size_t columns) {
    double const h = 1 / double(n), one = 1 / (h * h);
    for (std::size_t i = 0; i < n; ++i) {
      double const lower = i > 0 ? one : 0, upper = i + 1 < n ? one : 0;
      rows.push_back({lower, -(lower + upper), upper, h});
    }
    for (std::size_t j = 0; j < columns; ++j)
      across.push_back(-8 * one * std::pow(std::sin(1.5 * double(j) / double(columns)), 2));
  }
};

bool measure(cli::Cuda& cuda, int device, Systems const& systems, bool wide) {
  std::size_t const count = systems.rows.size() * systems.across.size(), bytes = count * (wide ? 16 : 8);
  auto const f = cuda.device_memory("f", bytes).data, x = cuda.device_memory("x", bytes).data;
  std::vector<unsigned char> given(bytes), first, got(bytes);
  for (std::size_t i = 0; i < 2 * count; ++i) {
    double const value = std::sin(double(i % 9973));
    wide ? void(reinterpret_cast<double*>(given.data())[i] = value)
         : void(reinterpret_cast<float*>(given.data())[i] = float(value));
  }
  cuda.upload(f, given.data(), bytes);
  double const copy = seconds([&] { cuda.copy(x, f, bytes); });
  std::printf("# %zu rows of %zu columns, complex %s, copy %.1f us\n", systems.rows.size(),
              systems.across.size(), wide ? "f64" : "f32", copy * 1e6);
  auto const at = [](void* p) { return reinterpret_cast<gpu::DevicePointer>(p); };
  bool good = true;
  for (int blocks : {0, 1, 2, 3, 4, 5})
    for (int prefetch_distance : {0, 1, 2, 4}) {
      if (blocks == 0 && prefetch_distance > 0) continue;
      gpu::Columns const columns(systems.rows, systems.across, true, true, wide, device,
                                 {blocks, prefetch_distance});
      auto const buffer = cuda.device_memory("buffer", columns.buffer_bytes()).data;
      auto const solve = [&] { columns.solve(at(f), at(x), at(buffer), nullptr); };
      solve();
      wait();
      cuda.download(got.data(), x, bytes);
      if (first.empty()) first = got;
      bool const same = first == got;
      good = good && same;
      double const time = seconds(solve);
      std::printf("%s%d blocks an SM, prefetch distance %d runs: %.1f us, %.2f x copy%s\n",
                  blocks ? "" : "as chosen: ", blocks, prefetch_distance, time * 1e6, time / copy,
                  same ? "" : "  OTHER BITS");
      std::fflush(stdout);
    }
  return good;
}

}  // namespace

int main(int count, char** words) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_columns DEVICE ROWS COLUMNS [f32|f64]\n");
    return 2;
  }
  int const device = cli::cuda_device(words[1]);
  if (device < 0) throw Error("device", "is no GPU; give cuda:0");
  cli::Cuda cuda(device);
  Systems const systems(std::stoul(words[2]), std::stoul(words[3]));
  std::string const only = words[count - 1];
  bool good = true;
  if (only != "f64") good = measure(cuda, device, systems, false);
  if (only != "f32") good = measure(cuda, device, systems, true) && good;
  return good ? 0 : 1;
} catch (Error const& e) {
  std::fprintf(stderr, "bench_columns: %s\n", e.what());
  return 2;
}
