// A distributed program on GPUs, made ready: transforms, buffers, and what goes where in each exchange. The ranks that this
// process has are run together, all of them or, with a communicator, one.
//
// An exchange goes one of these ways (ExchangeMethod without automatic):
//   fused   the last sweep of the stage stores into the arrays of its peers, by a table of base addresses
//   swap    the sweep stores into the rank's own array, each peer's part where that peer's own data will stand; a kernel then swaps
//           the two parts in registers
//   direct  the stage leaves its output in an array of its own, and each part is copied to its peer
//   staged  likewise; of the two copies between a pair of ranks one goes directly, the other by the host
//   host    likewise; both go by pinned memory of the host
//   messages  parts are packed and sent by the communicator: for ranks that do not reach each other's memory
// Copies go piece by piece on a stream of their own, so that a piece is sent while the next is computed.
//
// Ranks of one process wait for each other by events, so execute() only enqueues. Ranks of several processes wait for their
// streams and meet at a barrier, unless the communicator enqueues messages on streams (NCCL): then nobody touches what others have, and
// the order of each rank's stream is all that is needed.
#pragma once

#include <skipper/communicator.h>
#include <skipper/distributed.h>

#include <functional>
#include <memory>
#include <vector>

#include "distributed/window_references.h"
#include "distributed/gpu_exchange.h"
#include "distributed/gpu_port.h"
#include "distributed/gpu_phase_timer.h"

namespace skipper::distributed {

struct GpuRank {
  Index rank = 0;
  std::shared_ptr<Gpu> gpu;
};

/// The arrays, workspace and stream of one rank in a call.
struct GpuCall {
  void const* in = nullptr;
  void* out = nullptr;
  void* workspace = nullptr;
  GpuStream stream = nullptr;
  GpuPhaseTimer* timer = nullptr;  // null: phases are not timed

  void lap(std::size_t stage, Phase phase) const {
    if (timer) timer->lap(stage, phase);
  }
};

/// What the middle stage of a round trip does on a rank to a part of its box, which has the stage's axes whole: there
/// along these, what is done to the spectrum, and back. As a transform from the part's first element to that of its
/// output, which lie with these strides; `peer_unit` as Gpu::prepare has it.
using MakeGpuMiddle = std::function<std::unique_ptr<GpuTransform>(
    GpuRank const& rank, Box const& part, std::vector<Index> const& in_strides,
    std::vector<Index> const& out_strides, Index peer_unit)>;

struct GpuOptions {
  GpuArrays arrays = {};
  ExchangeMethod method = ExchangeMethod::automatic;
  ExchangeMethod preferred = ExchangeMethod::fused;  // what automatic stands for, where it can be
  int streams = 0;            // 1: copies take turns with transforms; 2: they run beside them
  MakeGpuMiddle middle = {};  // of a round trip
};

class GpuRun {
 public:
  /// Collective where there is a communicator, which then says which rank is here; else all ranks are, in order.
  GpuRun(Program program, std::vector<GpuRank> ranks, std::shared_ptr<Communicator> communicator,
         GpuOptions options);
  ~GpuRun();

  /// A call for each rank that is here.
  void execute(std::vector<GpuCall> const& calls);
  /// The same with events in the streams. Waits for the end; returns the times of each stage on each of these ranks.
  std::vector<std::vector<StageTimes>> execute_timed(std::vector<GpuCall> calls);

  /// Of the i-th rank that is here.
  Index workspace_bytes(std::size_t i) const;
  Index memory_bytes(std::size_t i) const;
  Index sent_bytes(std::size_t i) const;
  /// What the exchanges are done by.
  ExchangeMethod method() const { return method_; }

 private:
  struct Local;
  struct Copies;
  struct Stored;

  bool all_here() const { return !communicator_; }
  Index window_bytes(Index rank, int which) const;
  void allocate(Local& local);
  void reach_peers();
  void settle_method(GpuOptions const& options);
  bool everywhere(bool here) const;
  bool is_routable(std::size_t s, bool to_swap) const;
  void make_stage(Local& local, std::size_t s);
  std::unique_ptr<GpuTransform> transform_of(Local& local, std::size_t s, Box const& part,
                                             std::vector<Index> const& out_strides, Index peer_unit);
  GpuLoad load_of(Local& local, std::size_t s, Box const& part, bool to_peers) const;
  void make_room_for_packed(Local& local);
  Index make_arrivals(Local& local, std::size_t s);
  bool is_packed(Index sender, Index receiver) const;
  void* receiver(Local const& local, std::size_t s, Index rank, std::vector<GpuCall> const& calls) const;
  void const* input(Local const& local, std::size_t s, std::vector<GpuCall> const& calls) const;
  void* work_of(Local const& local, GpuCall const& call) const;
  GpuCall const& call_of(Local const& local, std::vector<GpuCall> const& calls) const;
  void const* bases(Local& local, std::size_t s, std::vector<GpuCall> const& calls);

  template <class Body>
  void or_fail(Body const& body) const;
  void enqueue(std::vector<GpuCall> calls);
  void meet(std::vector<GpuCall> const& calls);
  void meet_behind(std::size_t s, std::vector<GpuCall> const& calls);
  void run_stage(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void run_pieces(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void land(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void run_piece(Local& local, std::size_t s, std::size_t p, std::vector<GpuCall> const& calls);
  void join_copies(Local& local, std::size_t s, GpuCall const& call);
  GpuStream copying(Local const& local, GpuCall const& call) const;
  Index rounds(std::size_t s) const { return stages_.stages[s].has_transforms ? stages_.program.pieces : 1; }
  void receive_messages(Local& local, std::size_t s, Index round);
  void send_piece(Local& local, std::size_t s, GpuPiece const& piece);
  void exchange_messages(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void enqueue_messages(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void unpack(Local& local, std::size_t s, GpuCall const& call);
  void swap(Local& local, std::size_t s, std::vector<GpuCall> const& calls);
  void finish(Local& local, std::vector<GpuCall> const& calls);

  GpuStages const stages_;
  std::shared_ptr<Communicator> communicator_;
  std::vector<std::unique_ptr<Local>> locals_;
  MakeGpuMiddle middle_;
  std::unique_ptr<WindowReferences> references_;  // where there is a communicator
  std::vector<bool> to_peers_, to_swap_;          // stages that can store by base addresses
  ExchangeMethod method_ = ExchangeMethod::direct;
  bool messages_on_device_ = false, messages_on_streams_ = false;
  int streams_ = 2;
};

}  // namespace skipper::distributed
