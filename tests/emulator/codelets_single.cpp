// Codelets in single precision.
#include "emulator/compiled_codelets.h"

namespace skipper::emulator {

void codelet(int length, kernel::Complex<float>* v) { compiled_codelet(length, v); }
void codelet(int length, kernel::Complex<kernel::Perhaps<float>>* v) { compiled_codelet(length, v); }

}  // namespace skipper::emulator
