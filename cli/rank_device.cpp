// See rank_device.h.
#include "rank_device.h"

#include <algorithm>

namespace skipper::cli {

Device device_of_rank(DeviceOptions const& device, RankOptions const& ranks, int rank) {
  if (!ranks.devices.empty()) return Device(ranks.devices[std::size_t(rank) % ranks.devices.size()]);
  std::string const name = device.device.value_or("cpu");
  return Device(name == "best" ? "cpu" : name);
}

RankMemory::RankMemory(Device const& device, void const* in, std::size_t in_bytes, void* out,
                       std::size_t out_bytes)
    : host_in_(in), host_out_(out), in_bytes_(in_bytes), out_bytes_(out_bytes), in_(in), out_(out) {
  int const number = cuda_device(device.name());
  if (number < 0) return;
  cuda_ = std::make_unique<Cuda>(number);
  auto const room = [](std::size_t bytes) { return std::max<std::size_t>(bytes, 256); };
  bool const in_place = in == out && in;
  void* const memory =
      cuda_->device_memory("in", room(in_place ? std::max(in_bytes, out_bytes) : in_bytes)).data;
  in_ = memory;
  out_ = in_place ? memory : cuda_->device_memory("out", room(out_bytes)).data;
}

void RankMemory::put() {
  if (!cuda_) return;
  if (in_bytes_ > 0) cuda_->upload(const_cast<void*>(in_), host_in_, in_bytes_);
  cuda_->wait();
}

void RankMemory::execute(DistributedPlan const& plan) {
  plan.execute(in_, out_, {.stream = cuda_ ? cuda_->stream() : nullptr});
  if (cuda_) cuda_->wait();
}

std::vector<StageTimes> RankMemory::execute_timed(DistributedPlan const& plan) {
  return plan.execute_timed(in_, out_, {.stream = cuda_ ? cuda_->stream() : nullptr});
}

void RankMemory::get() {
  if (cuda_ && out_bytes_ > 0) cuda_->download(host_out_, out_, out_bytes_);
}

}  // namespace skipper::cli
