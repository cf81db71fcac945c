// What fuzz targets share. A target, <name>_fuzz.cpp, says what valid inputs look like and what must hold for any input. The
// driver (driver.cpp) mutates the former with a fixed seed.
#pragma once

#include <skipper/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skipper::fuzz {

// ---- What a target defines.

/// Inputs that are valid, to begin with.
std::vector<std::string> seeds();
/// How many inputs a plain run takes; a target that does more with each takes fewer.
extern int const inputs;
/// Looks at one input, and fails where something does not hold that must. Whether the target accepted the input.
bool takes(std::string_view input);

// ---- What it may use.

/// Ends the program; the driver says which input it was.
[[noreturn]] void fail(std::string const& what);
inline void demand(bool holds, std::string const& what) {
  if (!holds) fail(what);
}

/// The one exception that may come has a message that begins with its argument and goes on, in visible characters.
void demand_good(Error const& error);

/// Runs the work; false where it ends in an Error, which must be a good one. Any other exception fails.
template <class Work>
bool accepts(Work const& work) {
  try {
    work();
    return true;
  } catch (Error const& e) {
    demand_good(e);
    return false;
  } catch (std::exception const& e) {
    fail(std::string("another exception than Error: ") + e.what());
  }
}

/// Numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t n) { return n ? std::size_t(next() % n) : 0; }

 private:
  std::uint64_t state_;
};

/// The input changed in one to four places: bytes, words and numbers flipped, left out, doubled, exchanged, taken from the
/// other input.
std::string mutated(std::string input, std::string const& other, Random& random);

}  // namespace skipper::fuzz
