#pragma once
// Kernels that the fake driver interprets. The engine hands it each kernel as data beside its text (gpu/assemble.h); compiling that
// gives an image with the kernel in it, which stands for machine code and may be kept on disk.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/block.h"
#include "ir/kernel.h"

namespace skipper::fake_driver {

/// Keeps a kernel until its text, PTX or CUDA C++, is compiled.
void know_kernel(std::string const& text, ir::Kernel const& kernel);
std::optional<ir::Kernel> take_kernel(std::string const& text);

/// The bytes of a kernel, and back.
std::string packed(ir::Kernel const& kernel);
ir::Kernel unpacked(char const* bytes);

/// A launch's arguments, as the driver is given them: the bit pattern of each parameter.
std::vector<std::int64_t> arguments(ir::Kernel const& kernel, void** parameters);

/// Whether it may be launched while the kernel before still runs: it waits for that one by itself.
bool waits_for_previous(ir::Kernel const& kernel);

/// Runs the first blocks, or clusters, of a kernel, which may call a user's functions. What it does wrong is an interpreter::Fault.
void interpret(ir::Kernel const& kernel, std::vector<std::int64_t> const& arguments, std::int64_t blocks,
               emulator::UserFunctions const& user);

}  // namespace skipper::fake_driver
