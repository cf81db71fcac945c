// The fields of a machine that are whole numbers: their keys in its text, and what each can be by itself.
#pragma once

#include <array>

#include "base/machine.h"

namespace skipper {

struct MachineField {
  char const* key;
  Index Machine::*value;
  Index least, most;
  Index least_of_gpu;
};

// The caps are beyond every device, and so low that no product of a few of them overflows.
inline constexpr std::array<MachineField, 19> machine_fields = {{
    {"sms", &Machine::sms, 1, 1 << 16, 1},
    {"threads_block", &Machine::threads_block, 1, 1024, 32},
    {"threads_sm", &Machine::threads_sm, 1, 1 << 16, 32},
    {"blocks_sm", &Machine::blocks_sm, 1, 1 << 12, 1},
    {"warp", &Machine::warp, 1, 64, 1},
    {"registers_sm", &Machine::registers_sm, 0, 1 << 24, 1},
    {"registers_thread", &Machine::registers_thread, 0, 1 << 16, 16},
    {"shared_block", &Machine::shared_block, 0, 1 << 30, 0},
    {"shared_sm", &Machine::shared_sm, 0, 1 << 30, 0},
    {"shared_reserved", &Machine::shared_reserved, 0, 1 << 30, 0},
    {"banks", &Machine::banks, 0, 1 << 10, 1},
    {"sector_bytes", &Machine::sector_bytes, 1, 1 << 12, 16},
    {"line_bytes", &Machine::line_bytes, 1, 1 << 16, 16},
    {"vector_bytes", &Machine::vector_bytes, 1, 1 << 12, 1},
    {"cluster", &Machine::cluster, 1, 16, 1},
    {"l1_bytes", &Machine::l1_bytes, 0, Index(1) << 40, 0},
    {"l2_bytes", &Machine::l2_bytes, 0, Index(1) << 40, 0},
    {"l3_bytes", &Machine::l3_bytes, 0, Index(1) << 40, 0},
    {"memory_bytes", &Machine::memory_bytes, 0, Index(1) << 52, 0},
}};

/// The beginning of a text between quotes, as messages show it.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t most = 60;
  return "'" + std::string(text.substr(0, most)) + (text.size() > most ? "...'" : "'");
}

/// Throws the Error that says what is wrong, and which machines there are.
[[noreturn]] void refuse_machine(std::string const& what);

}  // namespace skipper
