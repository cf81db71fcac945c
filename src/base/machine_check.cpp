// What a machine must be for plans to be made for it: each field by itself, then how they go together.
#include <skipper/error.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/machine_fields.h"

namespace skipper {
namespace {

// A word is what can stand between blanks in the text.
void require_word(char const* what, std::string const& word) {
  bool const good =
      !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!good)
    refuse_machine(std::string("the ") + what + " " + quoted(word) +
                   " is not one word of visible characters");
}

void require_bandwidth(double value) {
  constexpr double least = 1e3, most = 1e18;
  if (!std::isfinite(value) || value < least || value > most)
    refuse_machine("copy_bandwidth must be a finite number of bytes/s from 1e3 to 1e18");
}

void require_range(MachineField const& field, Machine const& m) {
  Index const value = m.*(field.value);
  Index const least = m.kind == MachineKind::gpu ? std::max(field.least, field.least_of_gpu) : field.least;
  if (value < least)
    refuse_machine(field.key + (" is " + std::to_string(value)) + " but must be at least " +
                   std::to_string(least));
  if (value > field.most)
    refuse_machine(field.key + (" is " + std::to_string(value)) + " but must be at most " +
                   std::to_string(field.most));
}

void require_power_of_two(char const* key, Index value) {
  if (!std::has_single_bit(std::uint64_t(value)))
    refuse_machine(key + (" is " + std::to_string(value)) + " but must be a power of two");
}

void require_multiple(char const* key, Index value, char const* of_key, Index of) {
  if (value % of != 0)
    refuse_machine(key + (" is " + std::to_string(value)) + " but must be a multiple of " + of_key +
                   ", which is " + std::to_string(of));
}

void require_at_most(std::string const& what, Index value, char const* than_key, Index than) {
  if (value > than)
    refuse_machine(what + " is " + std::to_string(value) + " but must be at most " + than_key +
                   ", which is " + std::to_string(than));
}

void check_gpu(Machine const& m) {
  require_power_of_two("warp", m.warp);
  require_power_of_two("banks", m.banks);
  require_power_of_two("sector_bytes", m.sector_bytes);
  require_power_of_two("vector_bytes", m.vector_bytes);
  require_power_of_two("cluster", m.cluster);
  require_multiple("threads_block", m.threads_block, "warp", m.warp);
  require_at_most("threads_block", m.threads_block, "threads_sm", m.threads_sm);
  require_at_most("registers_thread of a warp", m.registers_thread * m.warp, "registers_sm", m.registers_sm);
  require_at_most("shared_block with shared_reserved", m.shared_block + m.shared_reserved, "shared_sm",
                  m.shared_sm);
}

}  // namespace

void check(Machine const& m) {
  if (m.kind != MachineKind::gpu && m.kind != MachineKind::cpu)
    refuse_machine("the kind is neither gpu nor cpu");
  require_word("name", m.name);
  require_word("architecture", m.architecture);
  require_bandwidth(m.copy_bandwidth);
  for (MachineField const& field : machine_fields) require_range(field, m);
  require_multiple("line_bytes", m.line_bytes, "sector_bytes", m.sector_bytes);
  if (m.kind == MachineKind::gpu) check_gpu(m);
}

}  // namespace skipper
