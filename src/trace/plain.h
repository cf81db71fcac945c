#pragma once
// Records the kernels that are no sweeps (kernel/plain_entry.h). Sizes are arguments, so there is one kernel for each type of number.
#include "ir/kernel.h"

namespace skipper::trace {

enum class PlainKernel { columns, strided_columns, divide, swap, lower, largest, add_face };
inline constexpr PlainKernel plain_kernels[] = {
    PlainKernel::columns, PlainKernel::strided_columns, PlainKernel::divide,  PlainKernel::swap,
    PlainKernel::lower,   PlainKernel::largest,         PlainKernel::add_face};

/// Whether there is one of complex numbers.
bool takes_complex(PlainKernel kernel);

/// On arrays of f32 or f64, or of pairs of these. Its parameters are the fields of the kernel's arguments (arguments.h). Throws Error
/// where there is no such kernel.
ir::Kernel trace_plain(PlainKernel kernel, ir::Type real, bool is_complex);

}  // namespace skipper::trace
