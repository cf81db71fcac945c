// Where a command reads: a file, or what cannot be read twice (a pipe, a FIFO, a terminal). `-` is standard input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "file_error.h"

namespace skipper::cli {

class InputFile {
 public:
  explicit InputFile(std::string const& path);

  // As messages call it.
  std::string const& name() const { return name_; }
  // From where it stands to its end; nothing where only reading tells.
  std::optional<std::uint64_t> length() const { return length_; }
  int file() const { return file_.number(); }
  // Reads so many bytes, or fewer where the file ends.
  std::size_t read(char* to, std::size_t bytes) const { return read_some(file_.number(), name_, to, bytes); }

 private:
  std::string name_;
  Descriptor file_;
  std::optional<std::uint64_t> length_;
};

// All of a file of text. Throws FileError beyond a size that no list and no result has, so that an endless one ends.
std::string read_file(std::string const& path);

// Whether the file is a regular one, which has a folder where something may be put beside it.
bool is_regular(std::string const& path);

// Refuses where standard input is named more than once: it can be read once.
void demand_one_standard_input(std::vector<std::string> const& paths);

}  // namespace skipper::cli
