// One rank of a distributed program, prepared on a CPU: its transforms, its buffers and its exchanges with each rank.
//
// A stage that an exchange follows is cut into pieces that a cache holds (pieces.h). A piece is transformed on chip, and its
// parts go straight to where the next stage of each receiving rank expects them: into the peer's window where this process
// reaches it, else into a message. Where nothing is left to transform, the data stay in the sender's window, and receivers copy
// their boxes from there.
//
// Exchanges alternate between two windows, and a barrier follows each. The first exchange of an execution takes the window that
// the last stage of the one before did not read, so no barrier is needed between executions.
#pragma once

#include <skipper/communicator.h>
#include <skipper/distributed.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "distributed/pieces.h"
#include "distributed/port.h"
#include "distributed/program.h"
#include "distributed/twiddles.h"

namespace skipper::distributed {

/// Computes a stage on a part of its box, which has the stage's axes whole; called from several threads at once.
using Action = std::function<void(Box const& part, void const* in, void* out)>;

/// Makes the action of the middle stage of a round trip: forward along its axes, the caller's operation on the spectrum, and
/// inverse. It is for parts of these sizes and strides; all_threads: one part at a time.
using MakeMiddle = std::function<Action(std::vector<Index> const& sizes, std::vector<Index> const& in_strides,
                                        std::vector<Index> const& out_strides, bool all_threads)>;

/// The settings of a run beyond its program.
struct RunOptions {
  bool in_place = false;  // the caller's two arrays are one
  ExchangeMethod method = ExchangeMethod::automatic;
  MakeMiddle middle = {};  // of a round trip
  std::vector<Index> in_strides = {},
                     out_strides = {};  // of the caller's arrays; empty: dense, or as in_place has them
};

class RankRun {
 public:
  /// Collective. The program has passed check().
  RankRun(Program program, std::shared_ptr<Communicator> communicator,
          std::unique_ptr<Processor const> processor, RunOptions options);
  ~RankRun();

  /// Collective. With `times`, which has one entry a stage, adds what each phase took; without, no clock is read.
  void execute(void const* in, void* out, std::vector<StageTimes>* times = nullptr);

  Index memory_bytes() const { return memory_bytes_; }
  /// `direct`, or `messages` where any part is sent as one.
  ExchangeMethod method() const;
  /// Bytes sent to other ranks in one execution.
  Index sent_bytes() const { return sent_bytes_; }

 private:
  struct Exchange;
  struct Target {  // the array that messages are unpacked into
    std::byte* data;
    Box box;
    std::vector<Index> strides;
  };
  void make_exchange(std::size_t stage, ExchangeMethod method);
  Action action(std::size_t stage, std::vector<Index> const& sizes, std::vector<Index> const& in_strides,
                std::vector<Index> const& out_strides, bool at_once) const;
  Action twiddled(Action transform, std::size_t stage, Box const& part);
  void run_whole(std::size_t stage, std::byte const* in, std::byte* out) const;
  void push(std::size_t stage, std::byte const* in, StageTimes* times);
  void push_piece(Exchange const& exchange, std::size_t stage, Box const& part, std::byte const* in, int slot,
                  StageTimes* times);
  void fetch(std::size_t stage, std::byte* out, StageTimes* times);
  void finish_messages(Exchange& exchange, std::size_t stage, Target const& to);
  std::byte* window(std::size_t stage, Index rank) const;

  Program const program_;
  Index const rank_;
  std::shared_ptr<Communicator> communicator_;
  std::unique_ptr<Processor const> processor_;
  RunOptions const options_;
  std::vector<Index> in_strides_, out_strides_;       // of the caller's arrays
  std::vector<std::unique_ptr<Exchange>> exchanges_;  // behind each stage but the last
  std::vector<Action> whole_;                         // of stages that are computed at once, else empty
  std::unique_ptr<Window> windows_[2];
  std::vector<std::vector<std::byte>> buffers_;  // a slot each
  std::shared_ptr<RootSource const> roots_;      // of an axis that is split
  Index memory_bytes_ = 0, sent_bytes_ = 0;
  std::size_t parity_ = 0;  // of the window that the first exchange takes
  bool failed_ = false;     // an execution was given up, and its messages may be under way
};

}  // namespace skipper::distributed
