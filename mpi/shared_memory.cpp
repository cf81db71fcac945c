// See shared_memory.h.
#include "shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <utility>

namespace skipper::mpi {

SharedMemory SharedMemory::create(std::size_t bytes) {
  static std::atomic<unsigned> made = 0;
  SharedMemory memory;
  memory.bytes_ = bytes;
  // Containers that share /dev/shm may have processes of one number, so that does not suffice for a name.
  // getrandom() and not std::random_device, which needs a newer glibc.
  unsigned random = 0;
  if (::getrandom(&random, sizeof random, 0) < 0) random = 0;  // O_EXCL finds out that the name is another's
  memory.name_ =
      "/skipper-" + std::to_string(::getpid()) + "-" + std::to_string(made++) + "-" + std::to_string(random);
  int const file = ::shm_open(memory.name_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) {
    memory.name_.clear();  // another's
    return memory;
  }
  // Space is taken now: a page that is missing later would end the process by a signal.
  void* const data = ::posix_fallocate(file, 0, off_t(bytes)) == 0
                         ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                         : MAP_FAILED;
  ::close(file);
  if (data == MAP_FAILED) return {};  // the name goes with `memory`
  memory.data_ = data;
  return memory;
}

SharedMemory SharedMemory::open(std::string const& name, std::size_t bytes) noexcept {
  SharedMemory memory;
  int const file = ::shm_open(name.c_str(), O_RDWR, 0);
  if (file < 0) return memory;
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (data == MAP_FAILED) return memory;
  memory.data_ = data;
  memory.bytes_ = bytes;
  return memory;
}

SharedMemory::~SharedMemory() {
  unlink();
  if (data_) ::munmap(data_, bytes_);
}

void SharedMemory::unlink() noexcept {
  if (!name_.empty()) ::shm_unlink(name_.c_str());
  name_.clear();
}

void SharedMemory::swap(SharedMemory& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(name_, other.name_);
}

}  // namespace skipper::mpi
