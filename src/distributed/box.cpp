// See box.h.
#include "distributed/box.h"

#include <algorithm>
#include <numeric>

namespace skipper::distributed {

Box whole_box(std::vector<Index> const& sizes) { return {std::vector<Index>(sizes.size(), 0), sizes}; }

Index volume(Box const& box) {
  Index all = 1;
  for (Index const size : box.size) all *= size;
  return all;
}

Box intersection(Box const& a, Box const& b) {
  std::size_t const dims = a.first.size();
  Box both{std::vector<Index>(dims, 0), std::vector<Index>(dims, 0)};
  for (std::size_t d = 0; d < dims; ++d) {
    Index const low = std::max(a.first[d], b.first[d]);
    Index const high = std::min(a.first[d] + a.size[d], b.first[d] + b.size[d]);
    if (low >= high) return {std::vector<Index>(dims, 0), std::vector<Index>(dims, 0)};
    both.first[d] = low;
    both.size[d] = high - low;
  }
  return both;
}

std::string text(Box const& box) {
  std::string line;
  for (std::size_t d = 0; d < box.first.size(); ++d)
    line += (d ? "," : "") + std::to_string(box.first[d]) + "+" + std::to_string(box.size[d]);
  return line;
}

namespace {

void check_within(Box const& box, std::size_t rank, std::vector<Index> const& sizes,
                  std::string const& argument) {
  std::string const whose = argument + "[" + std::to_string(rank) + "]";
  if (box.first.size() != sizes.size() || box.size.size() != sizes.size())
    throw Error(whose, "has " + std::to_string(box.first.size()) + " first indices and " +
                           std::to_string(box.size.size()) + " sizes but the array has " +
                           std::to_string(sizes.size()) +
                           " dimensions, batch and axes; give one of each a dimension");
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (box.first[d] < 0 || box.size[d] < 0 || box.size[d] > sizes[d] ||
        box.first[d] > sizes[d] - box.size[d])
      throw Error(whose, "takes " + std::to_string(box.first[d]) + "+" + std::to_string(box.size[d]) +
                             " of dimension " + std::to_string(d) + ", which has the indices 0 to " +
                             std::to_string(sizes[d] - 1) + "; give a part of these");
}

}  // namespace

void check_cover(std::vector<Box> const& boxes, std::vector<Index> const& sizes,
                 std::string const& argument) {
  Index all = 0;
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    check_within(boxes[r], r, sizes, argument);
    all += volume(boxes[r]);
  }
  // Boxes sorted by their begin along the first dimension meet only those that begin before they end.
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t r) { return is_empty(boxes[r]); });
  auto const begin = [&](std::size_t r) { return boxes[r].first[0]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      Box const &a = boxes[order[i]], &b = boxes[order[j]];
      if (b.first[0] >= a.first[0] + a.size[0]) break;
      Box const both = intersection(a, b);
      if (!is_empty(both))
        throw Error(argument, "the boxes of ranks " + std::to_string(std::min(order[i], order[j])) + " and " +
                                  std::to_string(std::max(order[i], order[j])) + " share " + text(both) +
                                  "; each element must belong to one rank");
    }
  if (Index const wanted = volume(whole_box(sizes)); all != wanted)
    throw Error(argument, "the boxes hold " + std::to_string(all) + " of " + std::to_string(wanted) +
                              " elements; together they must cover the array");
}

Part part_of(Index n, Index parts, Index i) {
  Index const each = n / parts, more = n % parts;
  return {i * each + std::min(i, more), each + (i < more ? 1 : 0)};
}

}  // namespace skipper::distributed
