#pragma once
// The codelets of emulated kernels. They are most of what a kernel takes to compile, and little of what it takes to run: so they are
// compiled once, unoptimised, and called.
#include "kernel/complex.h"
#include "kernel/perhaps.h"

namespace skipper::emulator {

/// kernel::dft of `length` numbers.
void codelet(int length, kernel::Complex<float>* v);
void codelet(int length, kernel::Complex<double>* v);
void codelet(int length, kernel::Complex<kernel::Perhaps<float>>* v);
void codelet(int length, kernel::Complex<kernel::Perhaps<double>>* v);

}  // namespace skipper::emulator
