// Memory that successive executions of one plan share: the first one allocates it, the next ones find it there. Pinning memory
// takes longer than copying it over the link.
#pragma once

#include "stream/port.h"

namespace skipper::stream {

/// The alignment of parts of a reserve.
inline constexpr Index reserve_alignment = 64;
constexpr Index aligned(Index bytes) {
  return (bytes + reserve_alignment - 1) / reserve_alignment * reserve_alignment;
}

class Reserve {
 public:
  explicit Reserve(Device& device) : device_(&device) {}
  Reserve(Reserve const&) = delete;
  Reserve& operator=(Reserve const&) = delete;
  ~Reserve() { clear(); }

  /// Returns at least so many bytes, which the next call may take back.
  std::byte* on_device(Index bytes);
  std::byte* pinned(Index bytes);
  void clear();

 private:
  struct Piece {
    void* data = nullptr;
    Index bytes = 0;
  };

  Device* device_;
  Piece device_piece_, pinned_piece_;
};

}  // namespace skipper::stream
