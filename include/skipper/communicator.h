// What a distributed transform asks of its ranks: memory that ranks of one node write into directly, messages for the
// others, and a barrier. libskipper_mpi implements it on MPI (skipper/mpi.h), nccl_communicator() on NCCL (skipper/nccl.h),
// thread_communicators() on threads of one process. Every call is made by all ranks in the same order, except where said,
// and by the thread that makes or executes the plan. A call that cannot be completed because another rank has failed or does not
// answer throws Error, and so does every later one.
#pragma once

#include <skipper/error.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

// Host memory that a rank shares with the ranks of its node, coherent, and with atomics that work between them. A
// rank's memory stays until all ranks have destroyed the window, which they need not do together. Who reaches whom is
// mutual and the same for every window of a communicator: of an exchange sender and receiver each decide by it,
// alone, whether data are stored or sent.
class Window {
 public:
  virtual ~Window() = default;
  // The memory of a rank as this process reaches it, aligned to 64 bytes; nullptr where it does not. One's own is
  // always reached.
  virtual void* memory(int rank) const = 0;
};

// One message of an exchange; `data` is read or written until wait() returns. Both ranks name the same number of bytes, which may
// exceed 2 GiB.
struct Message {
  int rank = 0;  // the peer
  void* data = nullptr;
  std::size_t bytes = 0;
  int tag = 0;  // below 32768; until wait() no two messages from one rank to another have the same
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // The number of ranks that share a node, counted in order of rank; 1 where nothing is known.
  virtual int ranks_per_node() const = 0;

  // Collective. Each rank names its own size; 0 is fine.
  virtual std::unique_ptr<Window> allocate(std::size_t bytes) = 0;

  // Whether messages may be in memory of a GPU.
  virtual bool takes_device_memory() const { return false; }

  // Starts messages, which only the ranks concerned do; wait() returns when all that this rank started are done.
  virtual void receive(Message const& message) = 0;
  virtual void send(Message const& message) = 0;
  virtual void wait() = 0;

  // Whether enqueue() is there, which hands what this rank has started to a stream of its GPU instead of waiting: messages come behind
  // what was enqueued before, and `data` is in use until the stream has passed them. Ranks enqueue the same exchanges in the
  // same order.
  virtual bool takes_streams() const { return false; }
  virtual void enqueue(void* stream) {
    static_cast<void>(stream);
    throw Error("communicator", "takes no streams; wait for messages by wait()");
  }

  // Collective. `all` has room for size() times `bytes`, in order of rank.
  virtual void all_gather(void const* mine, void* all, std::size_t bytes) = 0;

  // Collective. What a rank wrote into windows before it came here, others see when they leave.
  virtual void barrier() = 0;

  // Tells the others that this rank has failed and why. Not collective, and throws nothing.
  virtual void fail(std::string const& reason) noexcept = 0;
};

// Ranks that are threads of this process: communicator r is for the thread that is rank r. A rank that waits for
// another longer than `timeout` throws Error.
std::vector<std::shared_ptr<Communicator>> thread_communicators(
    int ranks, std::chrono::milliseconds timeout = std::chrono::minutes(5));

}  // namespace skipper
