// See rank_settings.h.
#include "rank_settings.h"

#include <algorithm>

#include "input_file.h"

namespace skipper::cli {
namespace {

// Boxes of a grid such as 4x2x1, one a rank.
std::vector<Box> boxes_from(Args const& args, std::string const& option,
                            std::vector<std::int64_t> const& sizes, int ranks) {
  if (!args.has(option)) return {};
  std::vector<int> parts;
  std::int64_t count = 1;
  try {
    for (std::int64_t const n : integers(*args.value(option), 'x', "a grid such as 4x2x1")) {
      if (n < 1 || n > ranks)
        args.refuse(option + " has " + std::to_string(n) + " parts of a dimension but must have 1 to " +
                    std::to_string(ranks) + ", the ranks");
      parts.push_back(int(n));
      count = std::min<std::int64_t>(count * n, 1 << 30);
    }
  } catch (BadArgument const& e) {
    args.refuse(option + " " + e.what());
  }
  if (parts.size() != sizes.size())
    args.refuse(option + " cuts " + std::to_string(parts.size()) + " dimensions but the array has " +
                std::to_string(sizes.size()) + ", batch and axes");
  if (count > ranks)
    args.refuse(option + " has " + std::to_string(count) + " boxes but there are " + std::to_string(ranks) +
                " ranks");
  return bricks(sizes, parts, ranks);
}

}  // namespace

std::vector<Option> distribution_options() {
  return {
      {"--in", "GRID", "boxes of the input, parts of each dimension: 4x2x1 (default: slabs of the slowest)"},
      {"--out", "GRID", "boxes of the output (default: as the input)"},
      {"--any-output", "", "leave the output where that is cheapest, which saves an exchange"},
      {"--pieces", "N", "cut exchanges by messages into N pieces (default: chosen)"},
      {"--links", "LINKS", "nvlink, nvlink3, pcie, infiniband, host (default), or a text as it prints them"},
      {"--program", "FILE", "stages as --text prints them, in place of the planner's"}};
}

DistributedSettings distribution_from(Args const& args, Problem const& problem, int ranks) {
  for (std::string const other : {"--in", "--out", "--any-output", "--pieces"})
    args.demand_apart("--program", other);
  args.demand_apart("--out", "--any-output");
  DistributedSettings settings;
  settings.in = boxes_from(args, "--in", in_sizes(problem), ranks);
  settings.out = boxes_from(args, "--out", out_sizes(problem), ranks);
  settings.any_output = args.has("--any-output");
  settings.pieces = int(args.integer_or("--pieces", 0, 1, 1024));
  settings.links = args.value_or("--links", "");
  if (args.has("--program")) settings.program = read_file(*args.value("--program"));
  return settings;
}

void demand_absent(Args const& args, std::vector<std::string> const& options, std::string const& why) {
  for (std::string const& option : options)
    if (args.has(option)) args.refuse(option + " " + why + "; leave it out");
}

}  // namespace skipper::cli
