// Files as memory: what is read or written of them comes and goes page by page, so they may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "file_error.h"
#include "input_file.h"

namespace skipper::cli {

class MappedFile {
 public:
  // All of an input, for reading. What cannot be mapped, a pipe or a device, is first copied into a file of no name in
  // the spool folder.
  explicit MappedFile(InputFile const& input);
  // An open file that gets this length, for reading and writing; its space on the disk is taken at once, so that a full
  // disk is an error here and not a fault later. The file must stay open. `name` stands in messages. Throws FileError.
  MappedFile(int file, std::string const& name, std::uint64_t bytes);
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
  void map(int file, bool writable);

  std::string name_;
  std::uint64_t bytes_ = 0, before_ = 0;  // bytes of the file that lie before the data
  void* memory_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace skipper::cli
