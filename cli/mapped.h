// Files as memory: what is read or written of them comes and goes page by page, so they may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skipper::cli {

class MappedFile {
 public:
  // An existing file, for reading.
  explicit MappedFile(std::string const& path);
  // A new file of this length, for reading and writing; its space on the disk is taken at once, so that a full disk is an
  // error here and not a fault later. Throws FileError.
  MappedFile(std::string const& path, std::uint64_t bytes);
  ~MappedFile();
  MappedFile(MappedFile const&) = delete;
  MappedFile& operator=(MappedFile const&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

  // Lets go of the pages that are held in this program's name; they come back when touched.
  void forget_pages() const;
  // Returns when all is on the disk.
  void flush() const;

 private:
  void map(bool writable);

  std::string path_;
  int handle_ = -1;
  std::uint64_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace skipper::cli
