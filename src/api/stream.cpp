// The public handle of transforms that go through a device slice by slice: a schedule, and the ports it runs over.
#include <skipper/stream.h>

#include <mutex>
#include <utility>

#include "api/cpu_port.h"
#include "api/stream_ports.h"
#include "stream/pipeline.h"

namespace skipper {
namespace {

/// A device with the schedule for it.
struct Ready {
  std::unique_ptr<stream::Device> device;
  stream::Schedule schedule;
};

Ready made(Problem const& problem, std::unique_ptr<stream::Device> device, std::int64_t limit,
           StreamSettings const& settings, StreamStrategy strategy) {
  auto const workspace = [&](Problem const& slice) { return device->prepare(slice)->workspace_bytes(); };
  stream::Limits const limits{limit, device->shares_memory(), settings.pinned};
  Ready ready;
  ready.schedule =
      stream::make_schedule(problem, bandwidths_for(settings, *device, limit), limits, strategy, workspace);
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

}  // namespace

struct StreamPlan::State {
  StreamSettings settings;
  Ready ready;
  mutable CpuHost host;
  mutable std::mutex turn;  // a device has one set of lanes
  std::unique_ptr<stream::Reserve> reserve = std::make_unique<stream::Reserve>(*ready.device);

  State(Problem const& problem, StreamSettings const& s)
      : settings(s), ready(made(problem, s)), host(s.threads) {}
};

StreamPlan::StreamPlan(Problem const& problem, StreamSettings const& settings)
    : state_(std::make_shared<State const>(problem, settings)) {}

void StreamPlan::execute(void const* in, void* out, void* work) const {
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  bool const same = state_->ready.schedule.problem.placement == Placement::in_place;
  if (same != (in == out))
    throw Error(
        "out", same ? "differs from in but the plan is in place; give one pointer twice"
                    : "is the same array as in but the plan is out of place; make it from in_place(problem)");
  HostMemory const own(work ? 0 : work_bytes());
  if (!work) work = own.data();
  std::lock_guard const lock(state_->turn);
  stream::execute(state_->ready.schedule, *state_->ready.device, *state_->reserve, state_->host, in, out,
                  work, state_->settings.progress);
  if (state_->ready.device->shares_memory()) state_->reserve->clear();
}

std::int64_t StreamPlan::work_bytes() const { return state_->ready.schedule.work_bytes; }
std::int64_t StreamPlan::device_bytes() const { return state_->ready.schedule.device_bytes; }
int StreamPlan::trips() const { return state_->ready.schedule.trips; }
std::string StreamPlan::describe() const { return stream::text(state_->ready.schedule); }

}  // namespace skipper
