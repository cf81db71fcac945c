// See memory.h.
#include "distributed/memory.h"

#include <algorithm>

#include "distributed/planner.h"

namespace skipper::distributed {
namespace {

Index array_bytes(Program const& program, Index rank, bool in_place) {
  std::size_t const last = program.stages.size() - 1;
  auto const side = [&](Box const& box, bool input, Index element) {
    bool const whole = is_of_axis(program, input ? 0 : last);
    return array_elements(box, whole ? whole_problem(program) : program.problem, input, in_place) * element;
  };
  Index const in = side(program.stages[0].cut.box(rank), true, in_element_bytes(program, 0));
  Index const out = side(cut_after(program, last).box(rank), false, out_element_bytes(program, last));
  return in_place ? std::max(in, out) : in + out;
}

Index window_bytes(Program const& program, Index rank) {
  std::size_t const last = program.stages.size() - 1;
  Index largest = 0;
  for (std::size_t s = 0; s <= last; ++s) {
    if (s > 0)
      largest = std::max(largest, volume(program.stages[s].cut.box(rank)) * in_element_bytes(program, s));
    if (s < last)
      largest = std::max(largest, volume(cut_after(program, s).box(rank)) * out_element_bytes(program, s));
  }
  return last > 0 ? 2 * largest : 0;
}

Index message_bytes(Program const& program, Index rank, Links const& links) {
  Index all = 0;
  for (std::size_t s = 0; s + 1 < program.stages.size(); ++s) {
    Distribution const here = sent_cut(program, s), next = received_cut(program, s);
    auto const add = [&](Index peer, Index elements) {
      if (peer / links.ranks_per_node != rank / links.ranks_per_node)
        all += elements * out_element_bytes(program, s);
    };
    next.meet_volumes(here.box(rank), add);
    here.meet_volumes(next.box(rank), add);
  }
  return all;
}

}  // namespace

Index array_elements(Box const& box, Problem const& problem, bool input, bool in_place) {
  if (is_empty(box)) return 0;
  auto const halved = halved_axis(problem);
  Index const all = volume(box);
  if (!halved || !in_place) return all;
  Index const n = problem.axes[*halved].size, rows = all / box.size[problem.batch.size() + *halved];
  bool const real = input == (problem.kind == Kind::r2c);
  return rows * (n / 2 + 1) * (real ? 2 : 1);
}

RankMemory rank_memory(Program const& program, Index rank, Links const& links, bool in_place) {
  return {array_bytes(program, rank, in_place), window_bytes(program, rank),
          message_bytes(program, rank, links)};
}

RankMemory largest_memory(Program const& program, Links const& links, bool in_place) {
  std::vector<Index> ranks = sample(program.ranks);
  Index most = 0, of = 0;
  for (Index r = 0; r < program.ranks; ++r) {
    Index const bytes = array_bytes(program, r, in_place) + window_bytes(program, r);
    if (bytes > most) most = bytes, of = r;
  }
  ranks.push_back(of);
  RankMemory largest;
  for (Index const r : ranks) {
    RankMemory const memory = rank_memory(program, r, links, in_place);
    if (memory.all() > largest.all()) largest = memory;
  }
  return largest;
}

}  // namespace skipper::distributed
