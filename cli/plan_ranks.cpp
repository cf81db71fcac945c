// See plan_ranks.h.
#include "plan_ranks.h"

#include <skipper/distributed_planning.h>
#include <skipper/planning.h>

#include <algorithm>
#include <cstdio>

#include "command.h"
#include "json.h"
#include "rank_settings.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr int most_ranks = 1 << 20;
constexpr int most_rows = 16;  // of ranks in the summary

struct Request {
  Problem const& problem;
  int ranks;
  std::string machine;
  DistributedSettings settings;
};

bool is_empty(Box const& box) { return std::find(box.size.begin(), box.size.end(), 0) != box.size.end(); }

// "0:128 x 0:1024": first and behind the last of each dimension.
std::string box_text(Box const& box) {
  if (is_empty(box)) return "none";
  std::string text;
  for (std::size_t d = 0; d < box.size.size(); ++d)
    text +=
        (d ? " x " : "") + std::to_string(box.first[d]) + ":" + std::to_string(box.first[d] + box.size[d]);
  return text;
}

std::string rate_text(double bytes_per_second) { return number_text(bytes_per_second * 1e-9) + " GB/s"; }

Json box_json(Box const& box) {
  return Json::Object{{"first", Json::Array(box.first.begin(), box.first.end())},
                      {"size", Json::Array(box.size.begin(), box.size.end())}};
}

Json stage_json(PlannedStage const& stage) {
  return Json::Object{{"stage", stage.text},
                      {"transform_seconds", stage.transform_seconds},
                      {"exchange_seconds", stage.exchange_seconds},
                      {"seconds", stage.seconds},
                      {"node_bytes", stage.node_bytes},
                      {"network_bytes", stage.network_bytes},
                      {"messages", stage.messages}};
}

Json transfers_json(std::vector<PlannedTransfer> const& transfers) {
  Json::Array all;
  for (PlannedTransfer const& t : transfers)
    all.push_back(Json::Object{
        {"rank", t.rank}, {"box", box_json(t.box)}, {"bytes", t.bytes}, {"same_node", t.same_node}});
  return all;
}

Json rank_json(PlannedRank const& rank, int number) {
  Json::Array stages;
  for (PlannedRankStage const& s : rank.stages)
    stages.push_back(Json::Object{{"in", box_json(s.in)},
                                  {"out", box_json(s.out)},
                                  {"sends", transfers_json(s.sends)},
                                  {"receives", transfers_json(s.receives)}});
  return Json::Object{{"rank", number},
                      {"array_bytes", rank.array_bytes},
                      {"buffer_bytes", rank.buffer_bytes},
                      {"stages", stages}};
}

void print_json(Request const& request, PlannedRanks const& planned, std::optional<int> rank) {
  Json::Array stages;
  for (PlannedStage const& stage : planned.stages) stages.push_back(stage_json(stage));
  Json::Object json{{"problem", text(request.problem)},
                    {"machine", machine_text(request.machine)},
                    {"links", planned.links},
                    {"ranks", request.ranks},
                    {"rank_bandwidth", planned.rank_bandwidth},
                    {"estimated_seconds", planned.seconds},
                    {"array_bytes", planned.array_bytes},
                    {"buffer_bytes", planned.buffer_bytes},
                    {"program", planned.text},
                    {"stages", stages}};
  if (rank) json.emplace_back("rank", rank_json(planned_rank(planned.text, *rank, planned.links), *rank));
  std::printf("%s\n", Json(json).text().c_str());
}

void print_stages(PlannedRanks const& planned) {
  Table table({"  stage", "transforms", "exchange", "together", "to its node", "to others", "messages"});
  PlannedStage all;
  auto const row = [&](std::string const& name, PlannedStage const& s) {
    table.add({"  " + name, seconds_text(s.transform_seconds), seconds_text(s.exchange_seconds),
               seconds_text(s.seconds), bytes_text(double(s.node_bytes)), bytes_text(double(s.network_bytes)),
               std::to_string(s.messages)});
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
  std::printf("%s", table.text().c_str());
}

// Which box each rank has, before every stage and at the end.
void print_boxes(Request const& request, PlannedRanks const& planned) {
  std::vector<std::string> heading{"  rank"};
  for (std::size_t s = 0; s < planned.stages.size(); ++s) heading.push_back("stage " + std::to_string(s + 1));
  heading.push_back("output");
  Table table(heading);
  for (int r = 0; r < std::min(request.ranks, most_rows); ++r) {
    PlannedRank const rank = planned_rank(planned.text, r, planned.links);
    std::vector<std::string> row{"  " + std::to_string(r)};
    for (PlannedRankStage const& s : rank.stages) row.push_back(box_text(s.in));
    row.push_back(box_text(rank.stages.back().out));
    table.add(row);
  }
  std::printf("%s", table.text().c_str());
  if (request.ranks > most_rows)
    std::printf("  ... and %d more; --rank R shows one\n", request.ranks - most_rows);
}

void print_transfers(char const* verb, std::vector<PlannedTransfer> const& transfers) {
  for (PlannedTransfer const& t : transfers)
    std::printf("    %s rank %d%s: %s, %s\n", verb, t.rank, t.same_node ? "" : " (another node)",
                box_text(t.box).c_str(), bytes_text(double(t.bytes)).c_str());
}

void print_rank(PlannedRanks const& planned, int number) {
  PlannedRank const rank = planned_rank(planned.text, number, planned.links);
  std::printf("rank %d: arrays %s, buffers %s\n", number, bytes_text(double(rank.array_bytes)).c_str(),
              bytes_text(double(rank.buffer_bytes)).c_str());
  for (std::size_t s = 0; s < rank.stages.size(); ++s) {
    PlannedRankStage const& stage = rank.stages[s];
    std::printf("  stage %zu: %s\n", s + 1, box_text(stage.in).c_str());
    print_transfers("to", stage.sends);
    print_transfers("from", stage.receives);
  }
  std::printf("  output: %s\n", box_text(rank.stages.back().out).c_str());
}

void print_planned(Request const& request, PlannedRanks const& planned, std::optional<int> rank) {
  std::size_t const exchanges = planned.stages.size() - 1;
  std::string const head = planned.text.substr(0, planned.text.find('\n'));  // problem, ranks and pieces
  std::printf("%s on %s: %zu %s, about %s\n", head.c_str(), request.machine.c_str(), exchanges,
              exchanges == 1 ? "exchange" : "exchanges", seconds_text(planned.seconds).c_str());
  std::printf("%s\na rank copies %s; it needs %s for its arrays and %s beside them\n", planned.links.c_str(),
              rate_text(planned.rank_bandwidth).c_str(), bytes_text(double(planned.array_bytes)).c_str(),
              bytes_text(double(planned.buffer_bytes)).c_str());
  print_stages(planned);
  if (rank)
    print_rank(planned, *rank);
  else
    print_boxes(request, planned);
}

}  // namespace

std::vector<Option> plan_ranks_options() {
  return together({{{"--ranks", "N", "spread the array over N ranks, each with such a machine"},
                    {"--rank", "R", "with --ranks: the boxes and messages of rank R"},
                    {"--text", "", "with --ranks: only the program, as --program reads it"}},
                   distribution_options()});
}

int plan_ranks(Args const& args, Problem const& problem, std::string const& machine) {
  demand_absent(args, {"--runner-ups", "--no-clusters", "--no-chunks"}, "is about the plan of one device");
  args.demand_apart("--json", "--text");
  args.demand_apart("--rank", "--text");
  int const ranks = int(args.integer_or("--ranks", 1, 1, most_ranks));
  Request const request{problem, ranks, machine, distribution_from(args, problem, ranks)};
  std::optional<int> rank;
  if (args.has("--rank")) rank = int(args.integer_or("--rank", 0, 0, ranks - 1));
  PlannedRanks const planned = planned_ranks(problem, ranks, machine, request.settings);
  if (args.has("--text"))
    std::printf("%s\n", planned.text.c_str());
  else if (args.has("--json"))
    print_json(request, planned, rank);
  else
    print_planned(request, planned, rank);
  return done;
}

}  // namespace skipper::cli
