#pragma once
// Which registers PTX may read before it has written them, on some path from the kernel's entry. Compilers may do what they
// like with such values, and ptxas has: it spilled some wrongly where it had to spill at all.
#include <string>
#include <string_view>
#include <vector>

namespace skipper::testing {

struct UnsetRead {
  std::string name;         // of the register
  std::string instruction;  // the first that may read it unset
};

/// Each register that may be read unset, once, in the order of the text. A write under a predicate may not happen, whatever the
/// predicate is, so it does not count. Throws std::runtime_error at what it does not understand.
std::vector<UnsetRead> unset_reads(std::string_view ptx);

}  // namespace skipper::testing
