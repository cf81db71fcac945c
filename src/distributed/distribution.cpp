// See distribution.h.
#include "distributed/distribution.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace skipper::distributed {
namespace {

Index product(Grid const& grid) {
  Index all = 1;
  for (Index const parts : grid) all *= parts;
  return all;
}

Box box_of(std::vector<Index> const& sizes, Grid const& grid, Index rank) {
  Box box{std::vector<Index>(sizes.size(), 0), std::vector<Index>(sizes.size(), 0)};
  if (rank >= product(grid)) return box;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    Part const part = part_of(sizes[d], grid[d], rank % grid[d]);
    rank /= grid[d];
    box.first[d] = part.first;
    box.size[d] = part.size;
  }
  return box;
}

/// The grid whose boxes these are, if there is one.
std::optional<Grid> grid_of(std::vector<Index> const& sizes, std::vector<Box> const& boxes) {
  Grid grid;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    std::set<Index> begins;
    for (Box const& box : boxes)
      if (!is_empty(box)) begins.insert(box.first[d]);
    grid.push_back(std::max<Index>(1, Index(begins.size())));
  }
  if (product(grid) > Index(boxes.size())) return std::nullopt;
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    Box const expected = box_of(sizes, grid, Index(r));
    if (is_empty(boxes[r]) ? !is_empty(expected) : boxes[r] != expected) return std::nullopt;
  }
  return grid;
}

/// The parts of n that meet first .. first + size - 1.
std::pair<Index, Index> parts_that_meet(Index n, Index parts, Index first, Index size) {
  Index const each = n / parts, more = n % parts;
  auto const part_with = [&](Index i) {
    Index const in_larger = more * (each + 1);
    return i < in_larger ? i / (each + 1) : more + (i - in_larger) / std::max<Index>(each, 1);
  };
  return {part_with(first), part_with(first + size - 1)};
}

}  // namespace

Distribution::Distribution(std::vector<Index> sizes, Index ranks, Grid grid)
    : sizes_(std::move(sizes)), ranks_(ranks), cut_(std::move(grid)) {}

Distribution::Distribution(std::vector<Index> sizes, std::vector<Box> boxes)
    : sizes_(std::move(sizes)), ranks_(Index(boxes.size())) {
  if (auto grid = grid_of(sizes_, boxes))
    cut_ = std::move(*grid);
  else
    cut_ = std::move(boxes);
}

Box Distribution::box(Index rank) const {
  if (auto const* grid = std::get_if<Grid>(&cut_)) return box_of(sizes_, *grid, rank);
  return std::get<std::vector<Box>>(cut_)[std::size_t(rank)];
}

bool Distribution::is_whole(std::size_t d) const {
  if (auto const* grid = std::get_if<Grid>(&cut_)) return (*grid)[d] == 1;
  auto const& boxes = std::get<std::vector<Box>>(cut_);
  return std::all_of(boxes.begin(), boxes.end(),
                     [&](Box const& box) { return is_empty(box) || box.size[d] == sizes_[d]; });
}

Index Distribution::largest_volume() const {
  if (std::holds_alternative<Grid>(cut_)) return volume(box(0));  // larger parts come first
  Index most = 0;
  for (Box const& box : std::get<std::vector<Box>>(cut_)) most = std::max(most, volume(box));
  return most;
}

namespace {

/// use(rank, coordinates) for the boxes of a grid between two corners, which it has along each dimension.
template <class Use>
void count_through(Grid const& grid, std::vector<Index> const& low, std::vector<Index> const& high, Use use) {
  std::vector<Index> at = low;
  for (;;) {
    Index rank = 0;
    for (std::size_t d = 0; d < at.size(); ++d) rank = rank * grid[d] + at[d];
    use(rank, at);
    std::size_t d = at.size();
    while (d > 0 && at[d - 1] == high[d - 1]) {
      at[d - 1] = low[d - 1];
      --d;
    }
    if (d == 0) return;
    ++at[d - 1];
  }
}

/// The corners of a grid's boxes that meet a box: along each dimension they are neighbours.
std::pair<std::vector<Index>, std::vector<Index>> corners(std::vector<Index> const& sizes, Grid const& grid,
                                                          Box const& box) {
  std::vector<Index> low, high;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    auto const [first, last] = parts_that_meet(sizes[d], grid[d], box.first[d], box.size[d]);
    low.push_back(first);
    high.push_back(last);
  }
  return {low, high};
}

}  // namespace

void Distribution::meet(Box const& box, std::function<void(Index, Box const&)> const& use) const {
  if (is_empty(box)) return;
  if (auto const* boxes = std::get_if<std::vector<Box>>(&cut_)) {
    for (std::size_t r = 0; r < boxes->size(); ++r)
      if (Box const both = intersection(box, (*boxes)[r]); !is_empty(both)) use(Index(r), both);
    return;
  }
  Grid const& grid = std::get<Grid>(cut_);
  auto const [low, high] = corners(sizes_, grid, box);
  count_through(grid, low, high, [&](Index rank, std::vector<Index> const&) {
    use(rank, intersection(box, box_of(sizes_, grid, rank)));
  });
}

std::vector<bool> Distribution::telling_dimensions(Box const& box) const {
  std::vector<bool> differs(sizes_.size(), false);
  if (is_empty(box)) return differs;
  if (auto const* grid = std::get_if<Grid>(&cut_)) {
    auto const [low, high] = corners(sizes_, *grid, box);
    for (std::size_t d = 0; d < differs.size(); ++d) differs[d] = low[d] < high[d];
    return differs;
  }
  std::optional<Box> first;
  meet(box, [&](Index rank, Box const&) {
    Box const met = this->box(rank);
    if (!first) first = met;
    for (std::size_t d = 0; d < differs.size(); ++d)
      differs[d] = differs[d] || met.first[d] != first->first[d] || met.size[d] != first->size[d];
  });
  return differs;
}

void Distribution::meet_volumes(Box const& box, std::function<void(Index, Index)> const& use) const {
  auto const* grid = std::get_if<Grid>(&cut_);
  if (!grid) return meet(box, [&](Index rank, Box const& both) { use(rank, volume(both)); });
  if (is_empty(box)) return;
  auto const [low, high] = corners(sizes_, *grid, box);
  count_through(*grid, low, high, [&](Index rank, std::vector<Index> const& at) {
    Index shared = 1;
    for (std::size_t d = 0; d < at.size(); ++d) {
      Part const part = part_of(sizes_[d], (*grid)[d], at[d]);
      shared *=
          std::min(part.first + part.size, box.first[d] + box.size[d]) - std::max(part.first, box.first[d]);
    }
    use(rank, shared);
  });
}

Distribution Distribution::of_sizes(std::vector<Index> const& sizes) const {
  if (auto const* grid = std::get_if<Grid>(&cut_)) return {sizes, ranks_, *grid};
  std::vector<Box> boxes = std::get<std::vector<Box>>(cut_);
  for (Box& box : boxes)
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] != sizes_[d] && box.size[d] != 0) box.size[d] = sizes[d];
  return {sizes, std::move(boxes)};
}

std::string Distribution::text() const {
  std::string line;
  if (auto const* grid = std::get_if<Grid>(&cut_)) {
    for (std::size_t d = 0; d < grid->size(); ++d) line += (d ? "x" : "") + std::to_string((*grid)[d]);
    return "grid " + line;
  }
  for (Box const& box : std::get<std::vector<Box>>(cut_))
    line += (line.empty() ? "" : ";") + distributed::text(box);
  return "boxes " + line;
}

namespace {

[[noreturn]] void refuse(std::string_view word, std::string const& why) {
  throw Error("program", "'" + std::string(word.substr(0, 60)) + "' " + why +
                             "; give what describe() of a distributed plan prints");
}

std::vector<std::string_view> split(std::string_view line, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t const end = line.find(at);
    parts.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + 1);
  }
}

Index number(std::string_view word) {
  Index value = 0;
  auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) refuse(word, "is not a number");
  return value;
}

Box parse_box(std::string_view word, std::size_t dims) {
  Box box;
  for (std::string_view const part : split(word, ',')) {
    auto const sides = split(part, '+');
    if (sides.size() != 2) refuse(part, "is not FIRST+SIZE");
    box.first.push_back(number(sides[0]));
    box.size.push_back(number(sides[1]));
  }
  if (box.first.size() != dims) refuse(word, "has not " + std::to_string(dims) + " dimensions");
  return box;
}

}  // namespace

Distribution parse_distribution(std::string_view kind, std::string_view text, std::vector<Index> const& sizes,
                                Index ranks) {
  if (kind == "boxes") {
    std::vector<Box> boxes;
    for (std::string_view const word : split(text, ';')) boxes.push_back(parse_box(word, sizes.size()));
    if (Index(boxes.size()) != ranks)
      refuse(text, "has " + std::to_string(boxes.size()) + " boxes for " + std::to_string(ranks) + " ranks");
    check_cover(boxes, sizes, "program");
    return {sizes, std::move(boxes)};
  }
  if (kind != "grid") refuse(kind, "is neither grid nor boxes");
  Grid grid;
  Index used = 1;
  for (std::string_view const word : split(text, 'x')) {
    grid.push_back(number(word));
    if (grid.back() < 1 || grid.back() > ranks / used)
      refuse(text, "is not a grid of at most " + std::to_string(ranks) + " boxes");
    used *= grid.back();
  }
  if (grid.size() != sizes.size()) refuse(text, "has not " + std::to_string(sizes.size()) + " dimensions");
  return {sizes, ranks, std::move(grid)};
}

}  // namespace skipper::distributed

namespace skipper {

std::vector<Box> bricks(std::vector<std::int64_t> const& sizes, std::vector<int> const& parts, int ranks) {
  if (parts.size() != sizes.size())
    throw Error("parts", "has " + std::to_string(parts.size()) + " entries for an array of " +
                             std::to_string(sizes.size()) + " dimensions; give one a dimension");
  std::int64_t used = 1;
  for (int const p : parts) {
    if (p < 1 || p > ranks / used)
      throw Error("parts", "make no grid of at least 1 and at most " + std::to_string(ranks) +
                               " boxes, one a rank; give positive numbers with a smaller product");
    used *= p;
  }
  distributed::Distribution const cut(sizes, ranks, distributed::Grid(parts.begin(), parts.end()));
  std::vector<Box> boxes;
  for (int r = 0; r < ranks; ++r) boxes.push_back(cut.box(r));
  return boxes;
}

std::vector<Box> slabs(std::vector<std::int64_t> const& sizes, int ranks, std::size_t dimension) {
  if (dimension >= sizes.size())
    throw Error("dimension", "is " + std::to_string(dimension) + " but the array has " +
                                 std::to_string(sizes.size()) + " dimensions, counted from 0");
  std::vector<int> parts(sizes.size(), 1);
  parts[dimension] = int(std::min<std::int64_t>(ranks, std::max<std::int64_t>(sizes[dimension], 1)));
  return bricks(sizes, parts, ranks);
}

std::vector<Box> pencils(std::vector<std::int64_t> const& sizes, int ranks, std::size_t whole) {
  if (whole >= sizes.size())
    throw Error("whole", "is " + std::to_string(whole) + " but the array has " +
                             std::to_string(sizes.size()) + " dimensions, counted from 0");
  std::vector<std::size_t> cut;
  for (std::size_t d = 0; d < sizes.size() && cut.size() < 2; ++d)
    if (d != whole) cut.push_back(d);
  if (cut.size() < 2) {
    if (cut.empty()) return bricks(sizes, {1}, ranks);
    return slabs(sizes, ranks, cut[0]);
  }
  // The largest box of each grid decides; of equal ones the most square.
  std::vector<int> best(sizes.size(), 1);
  std::int64_t least = -1, least_sum = 0;
  for (int rows = 1; rows <= ranks && rows <= sizes[cut[0]]; ++rows) {
    int const columns = int(std::min<std::int64_t>(ranks / rows, std::max<std::int64_t>(sizes[cut[1]], 1)));
    std::int64_t const largest =
        ((sizes[cut[0]] + rows - 1) / rows) * ((sizes[cut[1]] + columns - 1) / columns);
    if (least >= 0 && (largest > least || (largest == least && rows + columns >= least_sum))) continue;
    least = largest;
    least_sum = rows + columns;
    best[cut[0]] = rows;
    best[cut[1]] = columns;
  }
  return bricks(sizes, best, ranks);
}

}  // namespace skipper
