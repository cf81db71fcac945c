#pragma once
// Ranks as threads of a test.
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace skipper::testing {

/// Runs body(rank) on a thread a rank; what they threw, by rank.
inline std::vector<std::string> on_ranks(int ranks, std::function<void(int)> const& body) {
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        body(r);
      } catch (std::exception const& e) {
        errors[std::size_t(r)] = e.what();
      }
    });
  for (auto& t : threads) t.join();
  return errors;
}

}  // namespace skipper::testing
