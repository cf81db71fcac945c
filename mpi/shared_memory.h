// Memory that processes of one machine map together. Its name is removed once all have mapped it, so that nothing is left behind
// when a process dies; the memory itself goes with the last mapping.
#pragma once

#include <cstddef>
#include <string>

namespace skipper::mpi {

class SharedMemory {
 public:
  SharedMemory() = default;
  /// Makes new memory under a name of its own. Empty where the system refuses.
  static SharedMemory create(std::size_t bytes);
  /// Maps what another process made. Empty where that cannot be done.
  static SharedMemory open(std::string const& name, std::size_t bytes) noexcept;
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept { swap(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    swap(other);
    return *this;
  }

  void* data() const { return data_; }
  std::string const& name() const { return name_; }
  /// Removes the name; mappings stay.
  void unlink() noexcept;

 private:
  void swap(SharedMemory& other) noexcept;

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::string name_;  // of one that this process made and has not unlinked
};

}  // namespace skipper::mpi
