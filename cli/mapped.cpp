// See mapped.h.
#include "mapped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "npy.h"

namespace skipper::cli {
namespace {

[[noreturn]] void fail(std::string const& path, std::string const& what, int error) {
  throw FileError(path + ": " + what + ": " + std::strerror(error));
}

struct Closing {
  int handle;
  ~Closing() {
    if (handle >= 0) ::close(handle);
  }
};

}  // namespace

MappedFile::MappedFile(std::string const& path) : path_(path) {
  Closing file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.handle < 0) fail(path, "cannot be opened", errno);
  struct stat facts {};
  if (::fstat(file.handle, &facts) != 0) fail(path, "cannot be looked at", errno);
  if (!S_ISREG(facts.st_mode)) throw FileError(path + ": is not a regular file");
  if (facts.st_size == 0) throw FileError(path + ": is empty");
  bytes_ = std::uint64_t(facts.st_size);
  handle_ = file.handle;
  map(false);
  file.handle = -1;
}

MappedFile::MappedFile(std::string const& path, std::uint64_t bytes) : path_(path), bytes_(bytes) {
  Closing file{::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (file.handle < 0) fail(path, "cannot be written", errno);
  if (int const error = ::posix_fallocate(file.handle, 0, off_t(bytes)))
    fail(path, "has no room for " + std::to_string(bytes) + " bytes", error);
  handle_ = file.handle;
  map(true);
  file.handle = -1;
}

void MappedFile::map(bool writable) {
  void* const memory =
      ::mmap(nullptr, bytes_, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, handle_, 0);
  if (memory == MAP_FAILED) fail(path_, "cannot be mapped", errno);
  data_ = static_cast<std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(data_, bytes_);
  if (handle_ >= 0) ::close(handle_);
}

void MappedFile::forget_pages() const { ::madvise(data_, bytes_, MADV_DONTNEED); }

void MappedFile::flush() const {
  if (::msync(data_, bytes_, MS_SYNC) != 0) fail(path_, "cannot be written", errno);
}

}  // namespace skipper::cli
