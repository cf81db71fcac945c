// See rank_settings.h.
#include "rank_settings.h"

#include <algorithm>

#include "format.h"
#include "input_file.h"

namespace skipper::cli {
namespace {

// Boxes of a grid such as 4x2x1, one a rank.
std::vector<Box> boxes_from(std::string const& option, std::vector<std::int64_t> const& grid,
                            std::vector<std::int64_t> const& sizes, int ranks) {
  if (grid.empty()) return {};
  std::vector<int> parts;
  std::int64_t count = 1;
  for (std::int64_t const n : grid) {
    if (n < 1 || n > ranks)
      refuse(formatted("{} has {} parts of a dimension but must have 1 to {}, the ranks", option, n, ranks));
    parts.push_back(int(n));
    count = std::min<std::int64_t>(count * n, 1 << 30);
  }
  if (parts.size() != sizes.size())
    refuse(formatted("{} cuts {} dimensions but the array has {}, batch and axes", option, parts.size(),
                     sizes.size()));
  if (count > ranks) refuse(formatted("{} has {} boxes but there are {} ranks", option, count, ranks));
  return bricks(sizes, parts, ranks);
}

}  // namespace

void distribution_options(CLI::App& command, DistributionOptions& to) {
  add_integers(command, "--in", "GRID", 'x', to.in, "a grid such as 4x2x1",
               "boxes of the input, parts of each dimension: 4x2x1 (default: slabs of the slowest)");
  add_integers(command, "--out", "GRID", 'x', to.out, "a grid such as 4x2x1",
               "boxes of the output (default: as the input)");
  add_flag(command, "--any-output", to.any_output,
           "leave the output where that is cheapest, which saves an exchange");
  add_flag(command, "--permuted-in", to.permuted_in,
           "take a long axis that is split over ranks in permuted order, which saves an exchange");
  add_flag(command, "--permuted-out", to.permuted_out, "leave it so");
  add_integer(command, "--pieces", "N", to.pieces, {1, 1024},
              "cut exchanges by messages into N pieces (default: chosen)");
  add_text(command, "--links", "LINKS", to.links,
           "nvlink, nvlink3, pcie, infiniband, host (default), or a text as it prints them");
  add_text(command, "--program", "FILE", to.program,
           "stages as --text prints them, in place of the planner's");
  for (char const* const other :
       {"--in", "--out", "--any-output", "--permuted-in", "--permuted-out", "--pieces"})
    exclude(command, {"--program", other});
  exclude(command, {"--out", "--any-output"});
}

DistributedSettings distribution_from(DistributionOptions const& options, Problem const& problem, int ranks) {
  DistributedSettings settings;
  settings.in = boxes_from("--in", options.in, in_sizes(problem), ranks);
  settings.out = boxes_from("--out", options.out, out_sizes(problem), ranks);
  settings.any_output = options.any_output;
  if (options.permuted_in) settings.in_order = AxisOrder::permuted;
  if (options.permuted_out) settings.out_order = AxisOrder::permuted;
  settings.pieces = options.pieces;
  settings.links = options.links;
  if (options.program) settings.program = read_file(*options.program);
  return settings;
}

}  // namespace skipper::cli
