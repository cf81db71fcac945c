#pragma once
// Prints a kernel as CUDA C++, to be read, and to be compiled with functions of users. It includes nothing. Compilers are to be told
// not to fuse sums with products: -fmad=false.
#include "ir/kernel.h"

namespace skipper::ir {

/// `users` is text that stands in front: namespaces skipper::user_load and skipper::user_store, each with a type Value, a number or a
/// struct of two, and its function, as
///   Value on_load(Value x, long long place, void* data)
/// Throws std::invalid_argument where the kernel calls one and there is no text.
std::string cuda(Kernel const& kernel, std::string const& users = "");

}  // namespace skipper::ir
