#pragma once
// What codelets_single.cpp and codelets_double.cpp compile; see codelets.h.
#include "emulator/codelets.h"
#include "kernel/codelets.h"

namespace skipper::emulator {

template <class T>
void compiled_codelet(int length, kernel::Complex<T>* v) {
  kernel::with_radix(length, [&](auto r) {
    kernel::Complex<T> u[r.value];
    for (int k = 0; k < r; ++k) u[k] = v[k];
    kernel::dft(u);
    for (int k = 0; k < r; ++k) v[k] = u[k];
  });
}

}  // namespace skipper::emulator
