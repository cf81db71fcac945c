#pragma once
// Prints a kernel as CUDA C++, to be read, and to be compiled with functions of users. It includes nothing. Compilers are to be told
// not to fuse sums with products: -fmad=false.
#include "ir/kernel.h"

namespace skipper::ir {

std::string cuda(Kernel const& kernel);

}  // namespace skipper::ir
