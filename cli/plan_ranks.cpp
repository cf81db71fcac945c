// See plan_ranks.h.
#include "plan_ranks.h"

#include <skipper/planning.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "format.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int max_ranks = 1 << 20;
constexpr int max_rows = 16;  // of ranks in the summary

bool is_empty(Box const& box) { return std::find(box.size.begin(), box.size.end(), 0) != box.size.end(); }

// "0:128 x 0:1024": first and behind the last of each dimension.
std::string box_text(Box const& box) {
  if (is_empty(box)) return "none";
  std::string text;
  for (std::size_t d = 0; d < box.size.size(); ++d)
    text += formatted("{}{}:{}", d ? " x " : "", box.first[d], box.first[d] + box.size[d]);
  return text;
}

std::string rate_text(double bytes_per_second) { return number_text(bytes_per_second * 1e-9) + " GB/s"; }

Json box_json(Box const& box) { return {{"first", box.first}, {"size", box.size}}; }

Json stage_json(PlannedStage const& stage) {
  return {{"stage", stage.text},
          {"transform_seconds", stage.transform_seconds},
          {"exchange_seconds", stage.exchange_seconds},
          {"seconds", stage.seconds},
          {"node_bytes", stage.node_bytes},
          {"network_bytes", stage.network_bytes},
          {"messages", stage.messages}};
}

Json transfers_json(std::vector<PlannedTransfer> const& transfers) {
  Json all = Json::array();
  for (PlannedTransfer const& t : transfers)
    all.push_back(
        {{"rank", t.rank}, {"box", box_json(t.box)}, {"bytes", t.bytes}, {"same_node", t.same_node}});
  return all;
}

Json rank_json(PlannedRank const& rank, int number) {
  Json stages = Json::array();
  for (PlannedRankStage const& s : rank.stages)
    stages.push_back({{"in", box_json(s.in)},
                      {"out", box_json(s.out)},
                      {"sends", transfers_json(s.sends)},
                      {"receives", transfers_json(s.receives)}});
  return {{"rank", number},
          {"array_bytes", rank.array_bytes},
          {"buffer_bytes", rank.buffer_bytes},
          {"stages", stages}};
}

void print_stages(PlannedRanks const& planned) {
  Table table({"  stage", "transforms", "exchange", "together", "to its node", "to others", "messages"});
  PlannedStage all;
  auto const row = [&](std::string const& name, PlannedStage const& s) {
    table.add({"  " + name, seconds_text(s.transform_seconds), seconds_text(s.exchange_seconds),
               seconds_text(s.seconds), bytes_text(double(s.node_bytes)), bytes_text(double(s.network_bytes)),
               formatted("{}", s.messages)});
  };
  for (PlannedStage const& s : planned.stages) {
    row(s.text.size() > 40 ? s.text.substr(0, 37) + "..." : s.text, s);
    all.transform_seconds += s.transform_seconds;
    all.exchange_seconds += s.exchange_seconds;
    all.seconds += s.seconds;
    all.node_bytes += s.node_bytes;
    all.network_bytes += s.network_bytes;
    all.messages += s.messages;
  }
  row("all", all);
  print("{}", table.text());
}

// Which box each rank has, before every stage and at the end.
void print_boxes(PlanOverRanks const& plan) {
  PlannedRanks const& planned = plan.planned;
  std::vector<std::string> heading{"  rank"};
  for (std::size_t s = 0; s < planned.stages.size(); ++s) heading.push_back(formatted("stage {}", s + 1));
  heading.push_back("output");
  Table table(heading);
  for (int r = 0; r < std::min(plan.ranks, max_rows); ++r) {
    PlannedRank const rank = planned_rank(planned.text, r, planned.links);
    std::vector<std::string> row{formatted("  {}", r)};
    for (PlannedRankStage const& s : rank.stages) row.push_back(box_text(s.in));
    row.push_back(box_text(rank.stages.back().out));
    table.add(row);
  }
  print("{}", table.text());
  if (plan.ranks > max_rows) print("  ... and {} more; --rank R shows one\n", plan.ranks - max_rows);
}

void print_transfers(char const* verb, std::vector<PlannedTransfer> const& transfers) {
  for (PlannedTransfer const& t : transfers)
    print("    {} rank {}{}: {}, {}\n", verb, t.rank, t.same_node ? "" : " (another node)", box_text(t.box),
          bytes_text(double(t.bytes)));
}

void print_rank(PlannedRanks const& planned, int number) {
  PlannedRank const rank = planned_rank(planned.text, number, planned.links);
  print("rank {}: arrays {}, buffers {}\n", number, bytes_text(double(rank.array_bytes)),
        bytes_text(double(rank.buffer_bytes)));
  for (std::size_t s = 0; s < rank.stages.size(); ++s) {
    PlannedRankStage const& stage = rank.stages[s];
    print("  stage {}: {}\n", s + 1, box_text(stage.in));
    print_transfers("to", stage.sends);
    print_transfers("from", stage.receives);
  }
  print("  output: {}\n", box_text(rank.stages.back().out));
}

}  // namespace

Json to_json(PlanOverRanks const& plan) {
  PlannedRanks const& planned = plan.planned;
  Json stages = Json::array();
  for (PlannedStage const& stage : planned.stages) stages.push_back(stage_json(stage));
  Json json{{"problem", text(plan.problem)},
            {"machine", machine_text(plan.machine)},
            {"links", planned.links},
            {"ranks", plan.ranks},
            {"rank_bandwidth", planned.rank_bandwidth},
            {"estimated_seconds", planned.seconds},
            {"array_bytes", planned.array_bytes},
            {"buffer_bytes", planned.buffer_bytes},
            {"program", planned.text},
            {"stages", stages}};
  if (plan.rank) json["rank"] = rank_json(planned_rank(planned.text, *plan.rank, planned.links), *plan.rank);
  return json;
}

void print_plan(PlanOverRanks const& plan) {
  PlannedRanks const& planned = plan.planned;
  std::size_t const exchanges = planned.stages.size() - 1;
  std::string const head = planned.text.substr(0, planned.text.find('\n'));  // problem, ranks and pieces
  print("{} on {}: {} {}, about {}\n", head, plan.machine, exchanges,
        exchanges == 1 ? "exchange" : "exchanges", seconds_text(planned.seconds));
  print("{}\na rank copies {}; it needs {} for its arrays and {} beside them\n", planned.links,
        rate_text(planned.rank_bandwidth), bytes_text(double(planned.array_bytes)),
        bytes_text(double(planned.buffer_bytes)));
  print_stages(planned);
  if (plan.rank)
    print_rank(planned, *plan.rank);
  else
    print_boxes(plan);
}

void plan_ranks_options(CLI::App& command, PlanRanksOptions& to) {
  add_integer(command, "--ranks", "N", to.ranks, {1, max_ranks},
              "spread the array over N ranks, each with such a machine");
  add_integer(command, "--rank", "R", to.rank, {0, max_ranks},
              "with --ranks: the boxes and messages of rank R");
  add_flag(command, "--text", to.text, "with --ranks: only the program, as --program reads it");
  distribution_options(command, to.distribution);
  need(command, {"--rank", "--text", "--in", "--out", "--any-output", "--pieces", "--links", "--program"},
       "--ranks");
  exclude(command, {"--json", "--text"});
  exclude(command, {"--rank", "--text"});
}

PlanOverRanks plan_over_ranks(PlanRanksOptions const& options, Problem const& problem,
                              std::string const& machine) {
  int const ranks = *options.ranks;
  DistributedSettings const settings = distribution_from(options.distribution, problem, ranks);
  return {problem, ranks, options.rank, machine, planned_ranks(problem, ranks, machine, settings)};
}

}  // namespace skipper::cli
