// The public handle of transforms that go through a device slice by slice: a schedule, and the ports it runs over.
#include <skipper/stream.h>

#include <unistd.h>

#include <mutex>
#include <new>
#include <utility>

#include "api/cpu_port.h"
#include "api/cuda_port.h"
#include "api/engine.h"
#include "stream/pipeline.h"

namespace skipper {
namespace {

/// Half of what the system says is free, so that its caches and the user's arrays have the other half.
std::int64_t free_memory() {
  long const pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::int64_t(pages) * size / 2 : std::int64_t(1) << 30;
}

void demand_sound(StreamSettings const& settings) {
  if (settings.threads < 0)
    throw Error("settings.threads", "is " + std::to_string(settings.threads) +
                                        " but must be at least 0, which is one for each core");
  if (settings.memory_limit < 0)
    throw Error("settings.memory_limit", "is " + std::to_string(settings.memory_limit) +
                                             " bytes but must be at least 0, which is what is free");
}

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
  ready.schedule = stream::make_schedule(problem, {}, limits, strategy, workspace);
  ready.device = std::move(device);
  return ready;
}

/// With "best", what the GPU cannot do is done by the CPU.
Ready made(Problem const& problem, StreamSettings const& settings) {
  demand_sound(settings);
  std::int64_t const limit = settings.memory_limit;
  if (auto const number = cuda_number(settings.device.name())) try {
      auto device = std::make_unique<CudaDevice>(*number);
      std::int64_t const most = limit > 0 ? limit : device->free_bytes() / 10 * 9;
      return made(problem, std::move(device), most, settings, settings.strategy);
    } catch (Error const&) {
      if (!settings.device.is_best()) throw;
    }
  // The CPU is the device: what a host did beside it would only go round the limit.
  return made(problem, std::make_unique<CpuDevice>(settings.threads), limit > 0 ? limit : free_memory(),
              settings, StreamStrategy::device_only);
}

struct Free {
  void operator()(void* memory) const { ::operator delete(memory, std::align_val_t(64)); }
};

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
  std::unique_ptr<void, Free> own;
  if (!work && work_bytes() > 0) {
    own.reset(::operator new(static_cast<std::size_t>(work_bytes()), std::align_val_t(64)));
    work = own.get();
  }
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
