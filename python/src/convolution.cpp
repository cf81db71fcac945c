// skipper._core.Convolution: forward transform, product with the kernel's spectrum and inverse transform as one call.
#include <skipper/convolution.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "gil.h"
#include "run.h"
#include "words.h"

namespace skipper::python {
namespace {

using Shape = std::vector<std::int64_t>;

ConvolutionProblem problem_of(Shape shape, Shape kernel, std::string const& mode, bool correlate,
                              bool complex, std::string const& precision, std::int64_t batch,
                              std::int64_t kernels, double scale) {
  ConvolutionProblem problem;
  problem.shape = std::move(shape);
  problem.kernel = std::move(kernel);
  problem.mode = value_of<ConvolutionMode>("mode", mode,
                                           {{"full", ConvolutionMode::full},
                                            {"same", ConvolutionMode::same},
                                            {"valid", ConvolutionMode::valid},
                                            {"circular", ConvolutionMode::circular}});
  problem.correlate = correlate;
  problem.complex = complex;
  problem.precision = precision_of(precision);
  problem.batch = batch;
  problem.kernels = kernels;
  problem.scale = scale;
  return problem;
}

}  // namespace

void bind_convolution(nb::module_& m) {
  nb::class_<Convolution>(m, "Convolution")
      .def(
          "__init__",
          [](Convolution* self, Shape shape, Shape kernel_shape, std::uintptr_t kernel,
             std::string const& mode, bool correlate, bool complex, std::string const& precision,
             std::int64_t batch, std::int64_t kernels, double scale, std::string const& device, int threads) {
            ReleasedGil const released;
            new (self) Convolution(problem_of(std::move(shape), std::move(kernel_shape), mode, correlate,
                                              complex, precision, batch, kernels, scale),
                                   pointer(kernel), settings_of(device, threads));
          },
          nb::arg("shape"), nb::arg("kernel_shape"), nb::arg("kernel"), nb::arg("mode"), nb::arg("correlate"),
          nb::arg("complex"), nb::arg("precision"), nb::arg("batch"), nb::arg("kernels"), nb::arg("scale"),
          nb::arg("device"), nb::arg("threads"))
      .def(
          "execute",
          [](Convolution const& self, std::uintptr_t in, std::uintptr_t out, std::uintptr_t stream,
             std::uintptr_t workspace, std::int64_t bytes, nb::handle owner) {
            auto const work = [self, in, out, stream, workspace] {
              self.execute(static_cast<void const*>(pointer(in)), pointer(out), execution(stream, workspace));
            };
            run_work(work, bytes, {owner, owner});
          },
          nb::arg("in"), nb::arg("out"), nb::arg("stream"), nb::arg("workspace"), nb::arg("bytes"),
          nb::arg("owner"), "`bytes`: of both arrays where they are the CPU's, else 0.")
      .def("describe", &Convolution::describe)
      .def_prop_ro("out_shape", [](Convolution const& self) { return out_shape(self.problem()); })
      .def_prop_ro("workspace_bytes", &Convolution::workspace_bytes)
      .def_prop_ro("device", [](Convolution const& self) { return self.device().name(); });
}

}  // namespace skipper::python
