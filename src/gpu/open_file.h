// Files and folders of the system's as they are opened, closed with the object; and whether what is in them may be believed.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace skipper::gpu {

class OpenFile {
 public:
  /// Takes over what open() gave, -1 where it gave nothing.
  explicit OpenFile(int number = -1) : number_(number) {}
  OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept { return std::swap(number_, other.number_), *this; }
  ~OpenFile();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Nothing where it is not open.
  std::optional<struct stat> facts() const;

 private:
  int number_;
};

/// Why what is in a file or folder may not be believed: somebody who is neither its reader nor root wrote it, or could have. Empty
/// where nothing is wrong.
std::string distrust(struct stat const& facts);

/// All that is in a regular file of at most so many bytes; nothing for others, and where the system refuses.
std::optional<std::string> contents_of(OpenFile const& file, std::size_t most);

/// Whether all of it could be written.
bool write_all(OpenFile const& file, std::string_view bytes);

}  // namespace skipper::gpu
