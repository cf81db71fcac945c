// See pieces.h.
#include "distributed/pieces.h"

#include <algorithm>

namespace skipper::distributed {

Pieces pieces_of(Box const& box, std::vector<bool> const& whole, Index elements) {
  Pieces pieces{box, box.size, is_empty(box) ? 0 : 1};
  Index held = volume(box);
  // Slow dimensions are cut first, so that a piece keeps long runs of memory.
  for (std::size_t d = 0; d < box.size.size() && held > elements; ++d) {
    if (whole[d] || box.size[d] <= 1) continue;
    Index const rest = held / box.size[d];
    Index const size = std::clamp<Index>(elements / rest, 1, box.size[d]);
    pieces.sizes[d] = size;
    pieces.count *= (box.size[d] + size - 1) / size;
    held = rest * size;
  }
  return pieces;
}

Box piece(Pieces const& pieces, Index i) {
  Box part = pieces.box;
  for (std::size_t d = part.size.size(); d-- > 0;) {
    Index const size = pieces.sizes[d];
    if (size == pieces.box.size[d]) continue;
    Index const parts = (pieces.box.size[d] + size - 1) / size;
    Index const at = i % parts * size;
    i /= parts;
    part.first[d] += at;
    part.size[d] = std::min(size, pieces.box.size[d] - at);
  }
  return part;
}

Box round_of(Box const& box, std::vector<bool> const& whole, Index rounds, Index round) {
  Box part = box;
  for (std::size_t d = 0; d < box.size.size(); ++d) {
    if (whole[d] || box.size[d] <= 1) continue;
    Part const of = part_of(box.size[d], rounds, round);
    part.first[d] += of.first;
    part.size[d] = of.size;
    return part;
  }
  if (round > 0) std::fill(part.size.begin(), part.size.end(), 0);
  return part;
}

}  // namespace skipper::distributed
