#pragma once
// The codelets of recorded kernels. They are most of what a kernel takes to compile, so they are compiled once, and called.
#include "kernel/perhaps.h"
#include "trace/numbers.h"

namespace skipper::trace {

/// kernel::dft of `length` numbers.
void codelet(int length, Complex<Real>* v);
void codelet(int length, Complex<kernel::Perhaps<Real>>* v);

}  // namespace skipper::trace
