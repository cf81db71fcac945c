// Work that has many independent pieces, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace skipper::cli {

// Runs work(i) for i below count on so many threads; 0: one for each core. One piece runs on the caller's.
template <class Work>
void on_all_cores(std::size_t count, int threads, Work const& work) {
  if (count == 1) return work(0);
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> team;
  std::size_t const size =
      threads > 0 ? std::size_t(threads) : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t t = 0; t < std::min(size, count); ++t)
    team.emplace_back([&] {
      for (std::size_t i; (i = next++) < count;) work(i);
    });
}

}  // namespace skipper::cli
