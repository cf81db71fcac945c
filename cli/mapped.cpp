// See mapped.h.
#include "mapped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "format.h"

namespace skipper::cli {
namespace {

// Returns how many bytes there were.
std::uint64_t copy(InputFile const& from, int to) {
  std::vector<char> piece(1 << 20);
  std::uint64_t bytes = 0;
  for (std::size_t got = piece.size(); got == piece.size(); bytes += got) {
    got = from.read(piece.data(), piece.size());
    write_all(to, from.name() + ", kept in " + spool_folder(), {piece.data(), got});
  }
  return bytes;
}

}  // namespace

MappedFile::MappedFile(InputFile const& input) : name_(input.name()) {
  Descriptor spool;
  int file = input.file();
  if (input.length()) {
    before_ = std::uint64_t(std::max<off_t>(0, ::lseek(file, 0, SEEK_CUR)));
    bytes_ = *input.length();
  } else {
    spool = nameless_file(spool_folder(), name_);
    file = spool.number();
    bytes_ = copy(input, file);
  }
  if (bytes_ == 0) throw FileError(name_ + ": it is empty");
  map(file, false);
}

MappedFile::MappedFile(int file, std::string const& name, std::uint64_t bytes) : name_(name), bytes_(bytes) {
  if (int const error = ::posix_fallocate(file, 0, off_t(bytes)))
    fail_by_system(name, formatted("has no room for {} bytes", bytes), error);
  map(file, true);
}

void MappedFile::map(int file, bool writable) {
  memory_ =
      ::mmap(nullptr, before_ + bytes_, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
  if (memory_ == MAP_FAILED) fail_by_system(name_, "cannot be mapped", errno);
  data_ = static_cast<std::byte*>(memory_) + before_;
}

MappedFile::~MappedFile() { ::munmap(memory_, before_ + bytes_); }

void MappedFile::forget_pages() const { ::madvise(memory_, before_ + bytes_, MADV_DONTNEED); }

void MappedFile::flush() const {
  if (::msync(memory_, before_ + bytes_, MS_SYNC) != 0) fail_by_system(name_, "cannot be written", errno);
}

}  // namespace skipper::cli
