// Buffers: a chain in -> .. -> out over the sweeps. A sweep may stay in its buffer only when its tiles write just
// what they read; an intermediate result may stand in the user's output only when that is dense and as long; L2 blocks go through
// L2 buffer. Of all chains the one with the least workspace is taken.
#include <set>
#include <tuple>
#include <vector>

#include "plan/l2_block.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
bool assign_buffers(Program& program) {
  int const m = int(program.sweeps.size());
  bool const in_place = program.problem.placement == Placement::in_place;
  std::vector<bool> may_stay(m), fits_output(m);
  auto const l2_blocked = [&](int s) { return s >= 0 && program.sweeps[s].l2_block != 0; };
  for (int s = 0; s < m; ++s)
    may_stay[s] = l2_blocked(s - 1)
                      ? l2_blocks_stay(program, first_of_l2_block(program, s), program.sweeps[s - 1].l2_block,
                                       s - first_of_l2_block(program, s) + 1)
                      : writes_where_it_reads(program, s);
  for (int s = 0; s + 1 < m; ++s) fits_output[s] = keeps_within_output(program, s);

  // The first chain with the least workspace. What comes hangs on where the sweep reads and what was written last alone, so
  // that a dead end is seen once.
  std::vector<Buffer> chain;
  std::set<std::tuple<int, Buffer, Buffer>> dead;
  auto const search = [&](auto& self, int s, Buffer most) -> bool {
    if (s == m) return chain.back() == Buffer::out;
    int const before =
        first_of_l2_block(program, s) - 1;  // those that share L2 blocks read what the first does
    Buffer const from = before < 0 ? (in_place ? Buffer::out : Buffer::in) : chain[before];
    std::tuple const state(s, from, chain.empty() ? from : chain.back());
    if (dead.count(state)) return false;
    for (Buffer to : {Buffer::out, Buffer::work, Buffer::work2, Buffer::l2_buffer}) {
      if ((to == Buffer::l2_buffer) != l2_blocked(s) || (to != Buffer::l2_buffer && to > most)) continue;
      if (to == Buffer::out && s + 1 < m && !fits_output[s]) continue;
      if (from == to && !may_stay[s]) continue;
      chain.push_back(to);
      if (self(self, s + 1, most)) return true;
      chain.pop_back();
    }
    dead.insert(state);
    return false;
  };
  for (Buffer most : {Buffer::out, Buffer::work, Buffer::work2}) {
    chain.clear();
    dead.clear();
    if (search(search, 0, most)) break;
  }
  std::vector<Buffer> const& best = chain;
  if (best.empty()) return false;
  for (int s = 0; s < m; ++s) {
    program.sweeps[s].from = s == 0 ? Buffer::in : best[s - 1];
    program.sweeps[s].to = best[s];
  }
  return true;
}

}  // namespace skipper
