#pragma once
// How much of a long test is run. SKIPPER_QUICK=1, which `make test` and sanitizers set, asks for a
// smaller share of the cases. SKIPPER_LONG=1 asks for all of them, where a plain run takes a sample.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>
#include <vector>

namespace skipper::testing {

inline bool is_asked(char const* variable) {
  char const* const value = std::getenv(variable);
  return value && *value && *value != '0';
}

inline bool quick() { return is_asked("SKIPPER_QUICK"); }
inline bool thorough() { return is_asked("SKIPPER_LONG"); }

/// The seed of samples, printed by every run: 1, so that runs are alike; SKIPPER_SEED gives another, and `random` draws one,
/// so that samples come round to everything.
inline std::uint64_t seed_of_run() {
  static std::uint64_t const seed = [] {
    char const* const given = std::getenv("SKIPPER_SEED");
    bool const drawn = given && std::string_view(given) == "random";
    std::uint64_t const chosen = drawn   ? std::random_device{}()
                                 : given ? std::strtoull(given, nullptr, 10)
                                         : 1;
    std::cout << "SKIPPER_SEED=" << chosen << "\n";
    return chosen;
  }();
  return seed;
}

/// Whether a list's case of this number is taken: all are, but under SKIPPER_QUICK one in so many, others the next run.
inline bool takes(std::size_t number, std::size_t one_in) {
  return !quick() || (number + std::size_t(seed_of_run())) % one_in == 0;
}

/// Every length to 2048 where there is time, else all to `all_to` and one in so many of the rest.
inline std::vector<std::int64_t> lengths_to_2048(std::int64_t all_to, std::int64_t one_in) {
  if (thorough()) one_in = 1;
  if (quick()) all_to = 8, one_in = 193;
  std::int64_t const offset = std::int64_t(seed_of_run() % std::uint64_t(one_in));
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= 2048; ++n)
    if (n <= all_to || n % one_in == offset) lengths.push_back(n);
  return lengths;
}

}  // namespace skipper::testing
