// CUDA for measuring: memory, a stream, events and graphs of one GPU by the driver's interface, opened at run time.
// SKIPPER_CUDA_DRIVER names another library to open, as it does for the library.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace skipper::cli {

class Cuda {
 public:
  // Works in the device's primary context, and on a stream of its own. Throws Error where there is no driver.
  explicit Cuda(int device);
  ~Cuda();

  struct Memory {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  // At least so many bytes; what was there before is lost when it grows. Freed at the end.
  Memory device_memory(std::string const& name, std::size_t bytes);
  Memory host_memory(std::string const& name, std::size_t bytes);  // pinned: copies go at full speed
  void free_device_memory();

  void upload(void* device, void const* host, std::size_t bytes);
  void download(void* host, void const* device, std::size_t bytes);
  void copy(void* to, void const* from, std::size_t bytes);  // on the device, in stream order
  void fill(void* device, unsigned char value, std::size_t bytes);
  void poison(void* device, std::size_t bytes) { fill(device, 0xff, bytes); }  // not-a-number everywhere
  void wait();
  void* stream() const;

  // Seconds that the device takes for what `work` enqueues on stream().
  double seconds(std::function<void()> const& work);

  // What `work` enqueues on stream(), `times` over, as a graph that is enqueued at once.
  std::function<void()> replayed(std::function<void()> const& work, int times);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 2 for "cuda:2"; -1 for names of other devices.
int cuda_device(std::string const& name);

}  // namespace skipper::cli
