// See reserve.h.
#include "stream/reserve.h"

namespace skipper::stream {

std::byte* Reserve::on_device(Index bytes) {
  if (bytes > device_piece_.bytes) {
    if (device_piece_.data) device_->release(device_piece_.data);
    device_piece_ = {};
    device_piece_ = {device_->allocate(bytes), bytes};
  }
  return static_cast<std::byte*>(device_piece_.data);
}

std::byte* Reserve::pinned(Index bytes) {
  if (bytes > pinned_piece_.bytes) {
    if (pinned_piece_.data) device_->release_host(pinned_piece_.data);
    pinned_piece_ = {};
    pinned_piece_ = {device_->allocate_host(bytes), bytes};
  }
  return static_cast<std::byte*>(pinned_piece_.data);
}

void Reserve::clear() {
  if (device_piece_.data) device_->release(device_piece_.data);
  if (pinned_piece_.data) device_->release_host(pinned_piece_.data);
  device_piece_ = pinned_piece_ = {};
}

}  // namespace skipper::stream
