// See device_run.h.
#include "device_run.h"

#include <algorithm>
#include <cstring>

#include "buffer.h"

namespace skipper::cli {

void DeviceRun::operator()(Device const& device, InAndOut const& arrays, std::size_t workspace_bytes,
                           Execute const& execute) {
  if (int const number = cuda_device(device.name()); number >= 0) {
    if (number != number_) cuda_ = std::make_unique<Cuda>(number_ = number);
    return on_gpu(arrays, workspace_bytes, execute);
  }
  Buffer work{std::int64_t(workspace_bytes)};
  work.poison();
  execute(arrays.in, arrays.out,
          {.workspace_bytes = work.bytes(), .workspace = work.bytes() ? work.data() : nullptr});
}

void DeviceRun::on_gpu(InAndOut const& arrays, std::size_t workspace_bytes, Execute const& execute) {
  bool const same = arrays.in == arrays.out;
  std::size_t const in_bytes = same ? std::max(arrays.in_bytes, arrays.out_bytes) : arrays.in_bytes;
  void* const in = cuda_->device_memory("in", in_bytes).data;
  void* const out = same ? in : cuda_->device_memory("out", arrays.out_bytes).data;
  void* const work = workspace_bytes ? cuda_->device_memory("work", workspace_bytes).data : nullptr;
  cuda_->upload(in, arrays.in, in_bytes);
  if (!same) cuda_->poison(out, arrays.out_bytes);
  if (work) cuda_->poison(work, workspace_bytes);
  execute(in, out, {.workspace_bytes = workspace_bytes, .workspace = work, .stream = cuda_->stream()});
  cuda_->download(arrays.in, in, in_bytes);
  if (!same) cuda_->download(arrays.out, out, arrays.out_bytes);
}

}  // namespace skipper::cli
