#pragma once
// Assembles PTX by the toolkit's nvJitLink, where it is installed, and says what the machine code needs.
#include <optional>
#include <string>

namespace skipper::testing {

struct Assembled {
  bool ok = false;
  std::string log, cubin;
  int registers = 0;
  int spilled = 0;  // bytes that are stored
};

/// Nothing where there is no nvJitLink, or it does not know the architecture: 90 is sm_90.
std::optional<Assembled> assemble(std::string const& ptx, int architecture);

}  // namespace skipper::testing
