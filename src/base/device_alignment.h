// Parts of one allocation of device memory begin where allocations of CUDA do.
#pragma once

namespace skipper {

inline constexpr int device_alignment = 256;  // bytes

template <class Count>
constexpr Count device_aligned(Count bytes) {
  return (bytes + device_alignment - 1) / device_alignment * device_alignment;
}

}  // namespace skipper
