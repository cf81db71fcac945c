// Reads the arguments that scipy.fft's functions have in common, with SciPy's rules and exceptions.
#pragma once

#include <nanobind/nanobind.h>

#include "request.h"

namespace skipper::python {

namespace nb = nanobind;

// The functions of skipper.fft, by their names; each stands for its n-dimensional forms as well.
enum class Function { fft, ifft, rfft, irfft, hfft, ihfft, dct, idct, dst, idst };

bool is_trigonometric(Function function);

// hfft and ihfft are irfft and rfft of conjugates: of the input, of the output.
bool conjugates_input(Function function);
bool conjugates_output(Function function);

// A call as it came from Python. Arguments that a function does not have are None.
struct Call {
  Function function;
  bool many;              // `size` and `axis` are s and axes of an n-dimensional form
  nb::handle type;        // of dct and the like, 1 to 4
  nb::handle size, axis;  // n and axis, or s and axes
  nb::handle norm;
  nb::handle workers;
  nb::handle orthogonalize;
};

Operation operation_of(Call const& call);

// Where an n-dimensional form has no axes, the count is 0: c2c and r2r then return their input.
Axes axes_of(Call const& call, Layout const& in);

// SciPy's workers: None is the default, negative numbers count from the number of cores.
int threads_of(nb::handle workers);

std::int64_t integer(nb::handle value);

void bind_workers(nb::module_& m);

}  // namespace skipper::python
