// Streams that wait for a point of another stream: what is read on them need not wait for what follows there.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace skipper::gpu {

class SideStreams {
  struct Pair {
    Stream stream = nullptr;
    Event event = nullptr;
  };

 public:
  explicit SideStreams(Context context) : context_(context) {}
  ~SideStreams();
  SideStreams(SideStreams const&) = delete;
  SideStreams& operator=(SideStreams const&) = delete;

  /// Lent until the end of its scope.
  class BorrowedStream {
   public:
    BorrowedStream(SideStreams& owner, Pair pair) : owner_(owner), pair_(pair) {}
    ~BorrowedStream();
    BorrowedStream(BorrowedStream const&) = delete;
    BorrowedStream& operator=(BorrowedStream const&) = delete;
    Stream stream() const { return pair_.stream; }
    /// A float, or a double where `wide`, of the device, waited for; `what` is for messages.
    double number(DevicePointer from, bool wide, std::string const& what) const;

   private:
    SideStreams& owner_;
    Pair pair_;
  };
  /// A stream that goes on when all is done that `stream` has been given so far. The context must be current.
  BorrowedStream after(Stream stream);

 private:
  Context context_;
  std::mutex mutex_;
  std::vector<Pair> free_;
};

}  // namespace skipper::gpu
