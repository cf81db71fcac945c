// See codelets.h.
#include "trace/codelets.h"

#include "kernel/codelets.h"

namespace skipper::trace {
namespace {

template <class T>
void record_codelet(int length, Complex<T>* v) {
  kernel::with_radix(length, [&](auto r) { kernel::dft(*reinterpret_cast<Complex<T>(*)[r]>(v)); });
}

}  // namespace

void codelet(int length, Complex<Real>* v) { record_codelet(length, v); }
void codelet(int length, Complex<kernel::Perhaps<Real>>* v) { record_codelet(length, v); }

}  // namespace skipper::trace
