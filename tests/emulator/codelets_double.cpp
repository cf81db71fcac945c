// Codelets in double precision.
#include "emulator/compiled_codelets.h"

namespace skipper::emulator {

void codelet(int length, kernel::Complex<double>* v) { compiled_codelet(length, v); }
void codelet(int length, kernel::Complex<kernel::Perhaps<double>>* v) { compiled_codelet(length, v); }

}  // namespace skipper::emulator
