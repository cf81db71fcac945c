// Ranks that are threads of this process, for as long as one piece of work.
#pragma once

#include <skipper/communicator.h>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace skipper::cli {

// Runs work(communicator) once a rank, each on a thread, and throws what the first of them threw.
inline void on_threads(int ranks,
                       std::function<void(std::shared_ptr<Communicator> const& communicator)> const& work) {
  auto const communicators = thread_communicators(ranks, std::chrono::minutes(1));
  std::vector<std::exception_ptr> faults(communicators.size());
  std::vector<std::thread> team;
  for (std::size_t r = 0; r < communicators.size(); ++r)
    team.emplace_back([&, r] {
      try {
        work(communicators[r]);
      } catch (...) {
        faults[r] = std::current_exception();
        communicators[r]->fail("another rank failed");
      }
    });
  for (std::thread& rank : team) rank.join();
  for (std::exception_ptr const& fault : faults)
    if (fault) std::rethrow_exception(fault);
}

}  // namespace skipper::cli
