// The parts of the module skipper._core. Each file adds its own to the module by a function named here; module.cpp calls them.
#pragma once

#include <nanobind/nanobind.h>

namespace skipper::python {

namespace nb = nanobind;

void bind_functions(nb::module_& m);  // functions.cpp: what skipper.fft calls
void bind_cache(nb::module_& m);      // cache.cpp: statistics of the plans that functions keep
void bind_plan(nb::module_& m);       // plan.cpp: class Plan, devices
void bind_convolution(nb::module_& m);
void bind_poisson(nb::module_& m);
void bind_stream(nb::module_& m);
void bind_distributed(nb::module_& m);

}  // namespace skipper::python
