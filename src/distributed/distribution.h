// The distribution of an array over ranks: a grid, whose boxes need no list, or arbitrary boxes. A grid of 8x1x1 is slabs, 4x2x1
// pencils, 2x2x2 bricks. Ranks count the grid's boxes in row-major order; ranks beyond it have none.
#pragma once

#include <skipper/distributed.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "distributed/box.h"

namespace skipper::distributed {

using Grid = std::vector<Index>;  // parts of each dimension

class Distribution {
 public:
  Distribution(std::vector<Index> sizes, Index ranks, Grid grid);
  /// One box a rank, which cover the array; a grid if they are one.
  Distribution(std::vector<Index> sizes, std::vector<Box> boxes);

  std::vector<Index> const& sizes() const { return sizes_; }
  Index ranks() const { return ranks_; }
  Box box(Index rank) const;
  /// Whether every rank that has any of the array has all of this dimension.
  bool is_whole(std::size_t dimension) const;
  Index largest_volume() const;

  /// Calls use(rank, box) for each rank whose box meets this one, with their intersection.
  void meet(Box const& box, std::function<void(Index, Box const&)> const& use) const;

  /// The same with the number of elements in the intersection; allocates nothing where the cut is a grid.
  void meet_volumes(Box const& box, std::function<void(Index, Index)> const& use) const;

  /// The dimensions along which the ranks' boxes that meet this one differ from each other.
  std::vector<bool> telling_dimensions(Box const& box) const;

  /// The same cut of an array that differs only in dimensions that are whole.
  Distribution of_sizes(std::vector<Index> const& sizes) const;

  /// "grid 8x1x1", or "boxes 0+4,0+8;4+4,0+8".
  std::string text() const;
  bool operator==(Distribution const&) const = default;

 private:
  std::vector<Index> sizes_;
  Index ranks_ = 1;
  std::variant<Grid, std::vector<Box>> cut_;
};

/// Reads what text() prints after "grid " or "boxes ". Throws Error.
Distribution parse_distribution(std::string_view kind, std::string_view text, std::vector<Index> const& sizes,
                                Index ranks);

}  // namespace skipper::distributed
