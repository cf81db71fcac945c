// The public handle of transforms that go through a device slice by slice: a schedule, and the ports it runs over.
#include <skipper/stream.h>

#include <unistd.h>

#include <new>
#include <vector>

#include "api/cpu_port.h"
#include "stream/pipeline.h"

namespace skipper {
namespace {

/// Half of what the system says is free, so that its caches and the user's arrays have the other half.
std::int64_t free_memory() {
  long const pages = ::sysconf(_SC_AVPHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::int64_t(pages) * size / 2 : std::int64_t(1) << 30;
}

stream::Schedule made(Problem const& problem, StreamSettings const& settings, stream::Device& device) {
  if (settings.threads < 0)
    throw Error("settings.threads", "is " + std::to_string(settings.threads) +
                                        " but must be at least 0, which is one for each core");
  if (settings.memory_limit < 0)
    throw Error("settings.memory_limit", "is " + std::to_string(settings.memory_limit) +
                                             " bytes but must be at least 0, which is what is free");
  if (settings.device.name() != "cpu")
    throw Error("settings.device", "is " + settings.device.name() +
                                       " but streaming runs on the CPU only so far; use Device(\"cpu\")");
  stream::Limits const limits{settings.memory_limit > 0 ? settings.memory_limit : free_memory(), true};
  // The CPU is the device: what the host did beside it would only go round the limit.
  return stream::make_schedule(problem, {}, limits, StreamStrategy::device_only, [&](Problem const& slice) {
    return device.prepare(slice)->workspace_bytes();
  });
}

struct Free {
  void operator()(void* memory) const { ::operator delete(memory, std::align_val_t(64)); }
};

}  // namespace

struct StreamPlan::State {
  StreamSettings settings;
  mutable CpuDevice device;
  mutable CpuHost host;
  stream::Schedule schedule;

  State(Problem const& problem, StreamSettings const& s)
      : settings(s), device(s.threads), host(s.threads), schedule(made(problem, s, device)) {}
};

StreamPlan::StreamPlan(Problem const& problem, StreamSettings const& settings)
    : state_(std::make_shared<State const>(problem, settings)) {}

void StreamPlan::execute(void const* in, void* out, void* work) const {
  if (!in || !out) throw Error(in ? "out" : "in", "is a null pointer; give the first element of the array");
  bool const same = state_->schedule.problem.placement == Placement::in_place;
  if (same != (in == out))
    throw Error(
        "out", same ? "differs from in but the plan is in place; give one pointer twice"
                    : "is the same array as in but the plan is out of place; make it from in_place(problem)");
  std::unique_ptr<void, Free> own;
  if (!work && work_bytes() > 0) {
    own.reset(::operator new(static_cast<std::size_t>(work_bytes()), std::align_val_t(64)));
    work = own.get();
  }
  stream::execute(state_->schedule, state_->device, state_->host, in, out, work, state_->settings.progress);
}

std::int64_t StreamPlan::work_bytes() const { return state_->schedule.work_bytes; }
std::int64_t StreamPlan::device_bytes() const { return state_->schedule.device_bytes; }
int StreamPlan::trips() const { return state_->schedule.trips; }
std::string StreamPlan::describe() const { return stream::text(state_->schedule); }

}  // namespace skipper
