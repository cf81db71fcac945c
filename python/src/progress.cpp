#include "progress.h"

#include <utility>

#include "words.h"

namespace skipper::python {
namespace {

namespace nb = nanobind;

thread_local ProgressScope* current = nullptr;  // of the execution that this thread is in

}  // namespace

ProgressScope::ProgressScope(nb::object function)
    : function_(std::move(function)), outer_(std::exchange(current, this)) {}

ProgressScope::~ProgressScope() { current = outer_; }

bool ProgressScope::report(StreamProgress const& progress) { return !current || current->ask(progress); }

bool ProgressScope::ask(StreamProgress const& progress) {
  HeldGil const gil;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (function_.is_none()) return true;
    nb::object const answer = function_(progress.slices_done, progress.slices);
    return !answer.is(nb::handle(Py_False));
  } catch (nb::python_error const&) {
    thrown_ = std::current_exception();
    return false;
  }
}

StreamSettings stream_settings(std::string const& device, int threads, std::int64_t memory_limit,
                               std::string const& strategy) {
  StreamSettings settings;
  settings.device = Device(device);
  settings.memory_limit = memory_limit;
  settings.strategy = value_of<StreamStrategy>("strategy", strategy,
                                               {{"automatic", StreamStrategy::automatic},
                                                {"host_and_device", StreamStrategy::host_and_device},
                                                {"device_only", StreamStrategy::device_only}});
  settings.cpu.threads = threads;
  settings.progress = ProgressScope::report;
  return settings;
}

}  // namespace skipper::python
