// Transforms of data in host memory, or in mapped files, through a device that need not hold them all: slices go
// through it one after the other, and gather, copy, sweeps, copy and scatter overlap. With Device("cpu") the same
// bounds the memory of a transform, which is how arrays in files that are larger than memory are done.
//
//   skipper::StreamSettings settings;
//   settings.memory_limit = std::int64_t(4) << 30;
//   skipper::StreamPlan plan(skipper::c2c({1024, 1024, 1024}), settings);
//   plan.execute(in, out);
#pragma once

#include <skipper/device.h>
#include <skipper/element.h>
#include <skipper/execute.h>
#include <skipper/problem.h>
#include <skipper/settings.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

// host_and_device: the host transforms one axis, the device the others, one trip over the link. device_only: the device
// does all, in as many trips as it must. automatic: the one that is faster by the bandwidths of link and host memory,
// which the first plan of a process measures; another run may find others, so name one where each bit counts.
enum class StreamStrategy { automatic, host_and_device, device_only };

struct StreamProgress {
  std::int64_t slices_done = 0, slices = 0;
};

struct StreamSettings {
  Device device = Device("best");  // what a best GPU cannot do is done by the CPU
  std::int64_t memory_limit = 0;   // bytes of device memory; 0: what is free. On a CPU: of all buffers
  StreamStrategy strategy = StreamStrategy::automatic;
  bool pinned =
      false;  // arrays will be pinned, which makes the trips of device_only cheaper: automatic counts on it
  // Of the host, whichever the device is: it gathers, scatters and may transform. An execution has two threads more of its own.
  CpuSettings cpu = {};
  // Called on the calling thread after every slice; false stops the execution with a Cancelled.
  std::function<bool(StreamProgress const&)> progress = {};
};

// Thrown by execute() where the progress function said so. The output is then incomplete.
class Cancelled : public Error {
 public:
  Cancelled() : Error("progress", "returned false, so the transform was stopped before its end") {}
};

// As other plans, one that was moved from throws Error from all functions.
class StreamPlan {
 public:
  // Any problem; what is in f16 or bf16, padded, cropped or in reversed order goes through a whole transform at a time. Throws
  // Error where the problem cannot be done so, or where even one slice does not fit; the message says what limit would
  // do.
  explicit StreamPlan(Problem const& problem, StreamSettings const& settings = {});

  // Complex to complex in f32, forward, over a dense array of this shape, as a Plan's.
  explicit StreamPlan(std::vector<std::int64_t> const& shape, StreamSettings const& settings = {});
  template <std::integral Size>
  explicit StreamPlan(std::initializer_list<Size> shape, StreamSettings const& settings = {})
      : StreamPlan(std::vector<std::int64_t>(shape.begin(), shape.end()), settings) {}

  // Host pointers, pageable or not, of types as a plan's. Executions of one plan take turns. The workspace is host memory;
  // a stream is an Error, since the plan has its own and returns when the output is there.
  template <ArrayElement In, WritableElement Out>
  void execute(In* in, Out* out, ExecuteSettings const& settings = {}) const {
    run(in, element_v<In>, out, element_v<Out>, settings);
  }

  Problem const& problem() const;
  Device const& device() const;
  std::size_t workspace_bytes() const;  // of host memory, for an array between two passes; often 0
  std::int64_t device_bytes() const;    // most of the device's memory at once; at most the limit
  int trips() const;                    // how often data go to the device and back
  std::string describe() const;

 private:
  void run(void const* in, Element in_type, void* out, Element out_type,
           ExecuteSettings const& settings) const;

  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
