#pragma once
// Kernels written by hand, for tests of the interpreter: a line an instruction, or a label.
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "sass/run.h"

namespace skipper::sass {

/// As nvdisasm prints them.
inline std::string listing(std::string const& lines) {
  std::ostringstream out;
  out << "\t.section\t.text.k,\"ax\",@progbits\n";
  std::istringstream in(lines);
  int address = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with(":"))
      out << line << "\n";
    else
      out << "        /*" << std::hex << 16 * address++ << "*/                   " << line << " ;\n";
  }
  return out.str();
}

/// Where the kernel finds its first argument, the address of its output; and what begins most kernels here: R2 is its
/// place for a word of this thread.
inline std::string const own_place =
    "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE.U32 R2, R0, 0x4, R2\n";

/// A kernel's output, a word a thread; words that were not stored are ~0.
inline std::vector<std::uint32_t> output_of(std::string const& lines, int threads = 32, int ranks = 1,
                                            std::size_t shared_bytes = 256) {
  std::vector<std::uint32_t> out(std::size_t(threads * ranks), ~0u);
  void* const data = out.data();
  std::string arguments(sizeof data, '\0');
  std::memcpy(arguments.data(), &data, sizeof data);
  run(decode(listing(lines)), {.threads = threads,
                               .shared_bytes = shared_bytes,
                               .cluster_ranks = ranks,
                               .grid_x = unsigned(ranks),
                               .arguments = arguments,
                               .arrays = {{"the output", data, 4 * out.size(), true}}});
  return out;
}

/// A kernel that computes R4 of its thread number R0 and stores it.
inline std::vector<std::uint32_t> values_of(std::string const& lines, int threads = 32) {
  return output_of(own_place + lines + "STG.E desc[UR4][R2.64], R4\nEXIT\n", threads);
}
inline std::uint32_t value_of(std::string const& lines) { return values_of(lines).front(); }

/// What is wrong with a kernel; empty where nothing is.
inline std::string fault_of(std::string const& lines, int threads = 32) {
  try {
    output_of(lines, threads);
  } catch (Fault const& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace skipper::sass
