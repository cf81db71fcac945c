// A grid whose clusters need nothing of each other: they run one after the other, on one host thread or several.
#include "emulator/emulator.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "emulator/worker.h"

namespace skipper::emulator {

Counts run_grid(Grid const& grid, Checks checks, Body const& body, std::vector<Array> arrays, int workers) {
  GlobalMemory memory(std::move(arrays), checks.races);
  Wide const first = std::max<Wide>(grid.only, 0), tiles = grid.only < 0 ? grid.tiles : 1;
  workers = int(std::clamp<Wide>(tiles, 1, std::max(workers, 1)));

  // Each worker has a contiguous range of tiles, so the error of the lowest one is that of the lowest tile.
  std::vector<Counts> counts(static_cast<std::size_t>(workers));
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(workers));
  auto const work = [&](int w) {
    auto const i = std::size_t(w);
    try {
      Worker worker(grid, checks, body, memory);
      for (Wide tile = tiles * w / workers; tile < tiles * (w + 1) / workers; ++tile)
        worker.run(first + tile);
      counts[i] = worker.counts();
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int w = 1; w < workers; ++w) others.emplace_back(work, w);
  work(0);
  for (auto& thread : others) thread.join();

  Counts total;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    total += counts[i];
  }
  return total;
}

}  // namespace skipper::emulator
