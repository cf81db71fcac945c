// The canonical text of a spec: a C++ expression, so that what is printed, cached and compared is also what NVRTC
// compiles. Fields that hold their default and zeros at the end of an array are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/spec.h"

namespace skipper {

/// skipper::kernel::SweepSpec{.digits=3,.extent={16,16,16},...}
std::string text(kernel::SweepSpec const& spec);

/// Reads exactly what text() writes, and throws Error at anything else.
kernel::SweepSpec parse_spec(std::string_view text);

/// What tells one kernel from all others, for logs and caches:
/// skipper::kernel::sweep_kernel<float, skipper::kernel::SweepSpec{...}>
std::string kernel_name(kernel::SweepSpec const& spec, bool is_double);

/// A program for NVRTC and the name expressions of its kernels, one a spec and in the same order. Each spec is a
/// constexpr variable that its kernel names (kernel::Named).
struct KernelText {
  std::string source;
  std::vector<std::string> names;
};

/// CUDA C++ of a user. Each text defines `Value on_load(Value x, long long place, void* data)`, or on_store, where Value is
/// the computed number of that side: a real, or a Complex with parts re and im.
struct UserText {
  std::string load, store;
  bool load_real = false, store_real = false;
};
/// The texts, each in a namespace of its own (skipper::user_load, skipper::user_store) that has its Value, behind the header of
/// complex numbers.
std::string user_source(UserText const& user, bool is_double);
/// Whether a kernel has such text in it.
bool has_user(kernel::SweepSpec const& spec);

KernelText kernel_text(std::vector<kernel::SweepSpec> const& specs, bool is_double,
                       UserText const& user = {});

/// The kernel of two sweeps that are fused (kernel/fused_passes.h).
KernelText fused_text(kernel::SweepSpec const& first, kernel::SweepSpec const& last, bool is_double);

}  // namespace skipper
