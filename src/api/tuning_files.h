// Reads and writes the files that tuned programs are kept in. Such a file is read whoever wrote it, since a program is checked
// before it runs; but one in the folder of compiled kernels, which nobody need have named, must be the user's own or root's.
#pragma once

#include <optional>
#include <string>

namespace skipper {

struct TuningText {
  std::optional<std::string> contents;  // of a regular file that can be read
  std::string fault;                    // why one that could be read is not
};
TuningText read_tuning(std::string const& path);

/// Replaced whole, so that a plan never reads half of it, at the end of symbolic links; what was killed earlier while it wrote is
/// removed. A new file is for its user alone, one that was there keeps owner and mode. Throws Error.
void write_tuning(std::string const& path, std::string const& contents);

}  // namespace skipper
