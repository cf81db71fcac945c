// The public handle of transforms that go through a device slice by slice: a schedule, and the ports it runs over.
#include <skipper/stream.h>

#include <mutex>
#include <utility>

#include "api/arrays.h"
#include "api/cpu_port.h"
#include "api/elements.h"
#include "api/held.h"
#include "api/stream_ports.h"
#include "cpu/process.h"
#include "gpu/driver.h"
#include "stream/pipeline.h"

namespace skipper {
namespace {

/// A device with the schedule for it.
struct Ready {
  std::unique_ptr<stream::Device> device;
  stream::Schedule schedule;
  Device where = Device("cpu");
};

Ready made(Problem const& problem, std::unique_ptr<stream::Device> device, std::int64_t limit,
           StreamSettings const& settings, StreamStrategy strategy) {
  auto const workspace = [&](Problem const& slice) { return device->prepare(slice)->workspace_bytes(); };
  stream::Limits const limits{limit, device->shares_memory(), settings.pinned};
  Ready ready;
  ready.schedule =
      stream::make_schedule(problem, bandwidths_for(settings, *device, limit), limits, strategy, workspace);
  if (!device->shares_memory()) ready.where = Device(settings.device.name());
  ready.device = std::move(device);
  return ready;
}

Ready made(Problem const& problem, StreamSettings const& settings) {
  Ready ready;
  with_device(settings,
              [&](std::unique_ptr<stream::Device> device, std::int64_t limit, StreamStrategy strategy) {
                ready = made(problem, std::move(device), limit, settings, strategy);
              });
  return ready;
}

/// Executions take turns: a device has one set of streams.
struct StreamLock {
  std::mutex mutex;
  stream::Reserve reserve;
  explicit StreamLock(stream::Device& device) : reserve(device) {}
};

}  // namespace

struct StreamPlan::State {
  StreamSettings settings;
  Ready ready;
  mutable CpuHost host;
  mutable cpu::PerProcess<StreamLock> locks;

  State(Problem const& problem, StreamSettings const& s)
      : settings(s), ready(made(problem, s)), host(host_options(s)) {}
  ~State() { locks.discard(); }
};

StreamPlan::StreamPlan(Problem const& problem, StreamSettings const& settings)
    : state_(std::make_shared<State const>(problem, settings)) {}

StreamPlan::StreamPlan(std::vector<std::int64_t> const& shape, StreamSettings const& settings)
    : StreamPlan(c2c(shape), settings) {}

void StreamPlan::run(void const* in, Element in_type, void* out, Element out_type,
                     ExecuteSettings const& call) const {
  State const& state = held(state_, "plan");
  bool const same = state.ready.schedule.problem.placement == Placement::in_place;
  demand_elements({in_type, out_type}, elements(problem()), same);
  demand_no_stream(call);
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  if (same != (in == out))
    throw Error(
        "out",
        same ? "differs from in but the plan is in place; give one pointer twice"
             : "is the same array as in but the plan is out of place; give another, or make it in place");
  demand_apart(in, out, spans_of(problem()));
  demand_workspace(call, [&] { return state.ready.schedule.work_bytes; });
  HostMemory const own(call.workspace ? 0 : state.ready.schedule.work_bytes);
  void* const work = call.workspace ? call.workspace : own.data();
  stream::Device& device = *state.ready.device;
  if (!device.shares_memory()) gpu::demand_driver();  // it is gone in a child of fork()
  StreamLock& locked = state.locks.get(device);
  std::lock_guard const lock(locked.mutex);
  stream::execute(state.ready.schedule, device, locked.reserve, state.host, in, out, work,
                  state.settings.progress);
  if (device.shares_memory()) locked.reserve.clear();
}

Problem const& StreamPlan::problem() const { return held(state_, "plan").ready.schedule.problem; }
Device const& StreamPlan::device() const { return held(state_, "plan").ready.where; }
std::size_t StreamPlan::workspace_bytes() const {
  return std::size_t(held(state_, "plan").ready.schedule.work_bytes);
}
std::int64_t StreamPlan::device_bytes() const { return held(state_, "plan").ready.schedule.device_bytes; }
int StreamPlan::trips() const { return held(state_, "plan").ready.schedule.trips; }
std::string StreamPlan::describe() const { return stream::text(held(state_, "plan").ready.schedule); }

}  // namespace skipper
