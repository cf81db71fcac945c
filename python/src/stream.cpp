// skipper._core.StreamPlan: transforms of arrays in host memory or in files, slice by slice within a limit of memory.
#include <skipper/stream.h>

#include <nanobind/stl/string.h>

#include "bindings.h"
#include "gil.h"
#include "progress.h"
#include "words.h"

namespace skipper::python {
namespace {

StreamPlan make(std::string const& problem, std::string const& device, int threads, std::int64_t memory_limit,
                std::string const& strategy) {
  ReleasedGil const released;
  return StreamPlan(parse_problem(problem), stream_settings(device, threads, memory_limit, strategy));
}

bool execute(StreamPlan const& plan, std::uintptr_t in, std::uintptr_t out, std::uintptr_t workspace,
             nb::object progress) {
  ProgressScope scope(std::move(progress));
  return scope.run(
      [&] { plan.execute(static_cast<void const*>(pointer(in)), pointer(out), execution(0, workspace)); });
}

}  // namespace

void bind_stream(nb::module_& m) {
  nb::class_<StreamPlan>(m, "StreamPlan")
      .def(
          "__init__",
          [](StreamPlan* self, std::string const& problem, std::string const& device, int threads,
             std::int64_t memory_limit, std::string const& strategy) {
            new (self) StreamPlan(make(problem, device, threads, memory_limit, strategy));
          },
          nb::arg("problem"), nb::arg("device"), nb::arg("threads"), nb::arg("memory_limit"),
          nb::arg("strategy"))
      .def("execute", &execute, nb::arg("in"), nb::arg("out"), nb::arg("workspace"),
           nb::arg("progress").none())
      .def("describe", &StreamPlan::describe)
      .def_prop_ro("problem", [](StreamPlan const& plan) { return text(plan.problem()); })
      .def_prop_ro("device", [](StreamPlan const& plan) { return plan.device().name(); })
      .def_prop_ro("workspace_bytes", &StreamPlan::workspace_bytes)
      .def_prop_ro("device_bytes", &StreamPlan::device_bytes)
      .def_prop_ro("trips", &StreamPlan::trips);
}

}  // namespace skipper::python
