// The pipeline's interface to a CUDA device: three streams, pinned memory, events as marks.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/engine.h"
#include "stream/port.h"

namespace skipper {

class CudaDevice : public stream::Device {
 public:
  explicit CudaDevice(int device);
  ~CudaDevice() override;

  /// What is free of its memory now.
  Index free_bytes() const;

  bool shares_memory() const override { return false; }
  void* allocate(Index bytes) override;
  void release(void* memory) override;
  void* allocate_host(Index bytes) override;
  void release_host(void* memory) override;
  std::unique_ptr<stream::Prepared> prepare(Problem const& problem) override;
  std::unique_ptr<stream::Prepared> prepare(stream::Division const& division) override;
  std::unique_ptr<stream::Prepared> prepare(stream::Elimination const& elimination) override;
  Index buffer_bytes(stream::Prepared const& elimination, Index count) const override;
  void eliminate(stream::Prepared const& elimination, Index first, Index count, void const* from, void* to,
                 void* buffer, void* constant) override;
  bool reaches(void const* host) const override;
  void copy_up(void* device, void const* host, stream::Rows const& rows) override;
  void copy_down(void* host, void const* device, stream::Rows const& rows) override;
  void run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) override;
  void divide(stream::Prepared const& division, std::vector<stream::DivisionDim> const& dims, void* data,
              void* constant) override;
  stream::MarkRef mark(stream::StreamId which) override;
  void wait_for(stream::StreamId which, stream::Mark const& mark) override;

 private:
  struct Ready;
  struct Divisor;
  struct Eliminator;
  struct Recorded;
  gpu::Stream stream_of(stream::StreamId which) const { return streams_[static_cast<int>(which)]; }

  int device_;
  gpu::Driver const& driver_;
  gpu::Context context_;
  gpu::Stream streams_[3] = {};
  std::map<std::string, std::shared_ptr<gpu::Transform const>> transforms_;  // by the text of the problem
  std::mutex mutex_;
  std::vector<gpu::Event> events_;  // that no mark uses: made once, recorded again and again
};

}  // namespace skipper
