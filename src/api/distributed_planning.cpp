// Stages over ranks as plain public values.
#include <skipper/distributed_planning.h>

#include <algorithm>
#include <sstream>

#include "api/agreement.h"
#include "base/machine.h"
#include "cpu/engine.h"
#include "distributed/choice.h"
#include "distributed/memory.h"

namespace skipper {
namespace {

using namespace distributed;

Links links_of(std::string_view name_or_text) {
  return distributed::links(name_or_text.empty() ? "host" : name_or_text);
}

/// The ranks of a node share a CPU; of GPUs each has its own.
double rank_bandwidth(std::string_view name, Index ranks, Links const& links) {
  Machine const facts = name == "host" ? cpu::measured_host_machine() : machine(name);
  Index const sharing = facts.kind == MachineKind::cpu ? std::min(ranks, links.ranks_per_node) : 1;
  return facts.copy_bandwidth / double(sharing);
}

/// Throws Error unless they are one a rank and cover the array.
void check_boxes(std::vector<Box> const& boxes, std::vector<Index> const& sizes, Index ranks,
                 std::string const& argument) {
  if (boxes.empty()) return;
  if (Index(boxes.size()) != ranks)
    throw Error(argument, "has " + std::to_string(boxes.size()) + " boxes but there are " +
                              std::to_string(ranks) + " ranks; give one box a rank");
  for (Box const& box : boxes)
    if (box.first.size() != sizes.size() || box.size.size() != sizes.size())
      throw Error(argument, "has a box that is not of " + std::to_string(sizes.size()) +
                                " dimensions, batch and axes; give each its first indices and sizes");
  check_cover(boxes, sizes, argument);
}

Planned stages_of(Problem const& problem, Index ranks, Links const& joined, double bandwidth,
                  DistributedSettings const& settings) {
  if (!settings.program.empty())
    return costed(parse_program(settings.program, problem, ranks), joined, bandwidth);
  check_boxes(settings.in, in_sizes(problem), ranks, "in");
  check_boxes(settings.out, out_sizes(problem), ranks, "out");
  return chosen({problem, ranks, settings.in, settings.out, settings.any_output, settings.in_order,
                 settings.out_order, joined, bandwidth, settings.pieces});
}

std::vector<std::string> stage_lines(std::string const& text) {
  std::istringstream lines(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  found.erase(found.begin());  // the problem
  return found;
}

}  // namespace

PlannedRanks planned_ranks(Problem const& problem, int ranks, std::string_view machine,
                           DistributedSettings const& settings) {
  if (ranks < 1) throw Error("ranks", "is " + std::to_string(ranks) + " but must be at least 1");
  if (settings.pieces < 0 || settings.pieces > 1024)
    throw Error("pieces", "is " + std::to_string(settings.pieces) + " but must be 0 to 1024");
  check_distributable(problem);
  demand_dense(problem);
  Links const joined = links_of(settings.links);
  PlannedRanks result;
  result.links = text(joined);
  result.rank_bandwidth = rank_bandwidth(machine, ranks, joined);
  Planned const planned = stages_of(problem, ranks, joined, result.rank_bandwidth, settings);
  result.text = distributed::text(planned.program);
  result.seconds = planned.seconds;
  std::vector<std::string> const lines = stage_lines(result.text);
  for (std::size_t s = 0; s < planned.stages.size(); ++s) {
    StageCost const& cost = planned.stages[s];
    result.stages.push_back({lines[s], cost.compute_seconds, cost.exchange_seconds, cost.seconds,
                             cost.sent_bytes - cost.network_bytes, cost.network_bytes, cost.messages});
  }
  RankMemory const memory = largest_memory(planned.program, joined, problem.placement == Placement::in_place);
  result.array_bytes = memory.array_bytes;
  result.buffer_bytes = memory.window_bytes + memory.message_bytes;
  return result;
}

PlannedRank planned_rank(std::string_view program, int rank, std::string_view links) {
  Program const parsed = parse_program(program);
  Links const joined = links_of(links);
  if (rank < 0 || rank >= parsed.ranks)
    throw Error("rank", "is " + std::to_string(rank) + " but the program has the ranks 0 to " +
                            std::to_string(parsed.ranks - 1));
  PlannedRank result;
  for (std::size_t s = 0; s < parsed.stages.size(); ++s) {
    PlannedRankStage stage{parsed.stages[s].cut.box(rank), cut_after(parsed, s).box(rank), {}, {}};
    auto const into = [&](std::vector<PlannedTransfer>& list) {
      return [&](Index peer, Box const& shared) {
        if (peer == rank) return;
        bool const near = peer / joined.ranks_per_node == rank / joined.ranks_per_node;
        list.push_back({int(peer), shared, volume(shared) * out_element_bytes(parsed, s), near});
      };
    };
    if (s + 1 < parsed.stages.size()) {
      Distribution const here = sent_cut(parsed, s), next = received_cut(parsed, s);
      next.meet(here.box(rank), into(stage.sends));
      here.meet(next.box(rank), into(stage.receives));
    }
    result.stages.push_back(std::move(stage));
  }
  RankMemory const memory =
      rank_memory(parsed, rank, joined, parsed.problem.placement == Placement::in_place);
  result.array_bytes = memory.array_bytes;
  result.buffer_bytes = memory.window_bytes + memory.message_bytes;
  return result;
}

std::vector<std::string> links_names() { return distributed::links_names(); }

}  // namespace skipper
