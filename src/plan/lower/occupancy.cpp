#include "plan/lower/occupancy.h"

#include <algorithm>

namespace skipper {

/// Some 24 registers beside the elements hold addresses and what a butterfly needs on the way.
bool fits_registers(Index threads, Index held, Index element_bytes, Machine const& machine, Index extra) {
  Index const four = 4 * machine.warp;  // registers go to four warps at a time
  Index const a_thread =
      std::min(machine.registers_thread, machine.registers_sm / ((threads + four - 1) / four * four) / 8 * 8);
  Index const elements = held * element_bytes / 4, crowding = elements > 48 ? elements / 8 : 0;
  return elements + crowding + extra + 24 <= a_thread && held <= kernel::max_registers;
}

/// Bounded by shared memory, by threads, and by registers with room for a butterfly on the way. Told so, the compiler
/// issues all loads of a thread before the first use; asked for more, it spills. It needs no telling where one block
/// fills the SM, and none where a block is only a warp or so.
int resident_blocks(kernel::SweepSpec const& spec, Index element_bytes, Machine const& machine) {
  Index const warps = (spec.threads + machine.warp - 1) / machine.warp;
  Index const words = element_bytes / 4;
  Index const ends = spec.load_end.needed || spec.store_end.needed ? 12 : 0;  // factors and where they stand
  Index const registers = most_held(spec) * words * 5 / 4 + 8 * words + 20 + ends;
  Index blocks = std::min(machine.threads_sm / (warps * machine.warp),
                          machine.registers_sm / (warps * machine.warp * registers));
  if (spec.shared > 0)
    blocks = std::min(blocks, machine.shared_sm / (spec.shared * element_bytes + machine.shared_reserved));
  bool const full = warps * machine.warp > machine.threads_block / 2;
  if (warps <= 2 || (full && blocks <= 1)) return 0;
  return int(std::clamp<Index>(blocks, 1, machine.blocks_sm));
}

Occupancy occupancy(kernel::SweepSpec const& spec, Index element_bytes, Index registers,
                    Machine const& machine) {
  Index const warps = (spec.threads + machine.warp - 1) / machine.warp;
  Index const four = (warps + 3) / 4 * 4;  // registers go to four warps at a time, 8 a thread at the least
  Index const a_block = four * machine.warp * ((registers + 7) / 8 * 8);
  Index blocks = std::min(
      {machine.blocks_sm, machine.threads_sm / (warps * machine.warp), machine.registers_sm / a_block});
  if (spec.shared > 0)
    blocks = std::min(blocks, machine.shared_sm / (spec.shared * element_bytes + machine.shared_reserved));
  return {blocks, blocks * warps, blocks * active(spec, 0) * held(spec, 0) * element_bytes};
}

}  // namespace skipper
