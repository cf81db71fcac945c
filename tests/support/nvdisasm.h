#pragma once
// The disassembler of CUDA, a program: on PATH, among CUDA's own, or from PyPI in the environment that scripts/deps.sh makes.
#include <filesystem>
#include <optional>
#include <string>

namespace skipper::testing {

/// Nothing where the machine has none.
std::optional<std::filesystem::path> nvdisasm();

/// What it prints of the code of a cubin. Throws where it fails.
std::string disassembled(std::filesystem::path const& nvdisasm, std::string const& cubin);

}  // namespace skipper::testing
