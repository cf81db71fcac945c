// See block_order.h.
#include "plan/lower/block_order.h"

#include <algorithm>
#include <utility>

#include "base/numbers.h"

namespace skipper {
namespace {

using kernel::AffineMap;
using kernel::SweepSpec;

class Orderer {
 public:
  Orderer(SweepSpec const& spec, int fixed) : spec_(spec), free_(spec.grids - fixed) {
    for (int g = 0; g < spec.grids; ++g) rest_.push_back({g, 1, spec.grid_extent[g]});
  }

  /// Elements in a row, in the tile and in the tiles that the block order goes through so far.
  Index run(AffineMap const& side) const {
    Index n = 1;
    for (bool grew = true; grew;) {
      grew = false;
      for (int d = 0; d < spec_.digits; ++d) grew = grow(side.tile[d], spec_.extent[d], n) || grew;
      for (GridPart const& s : block_order_) grew = grow(side.grid[s.digit] * s.unit, s.extent, n) || grew;
    }
    return n;
  }

  /// Goes on along one side until runs have so many elements.
  void complete(AffineMap const& side, Index wanted) {
    for (Index n = run(side); n < wanted; n = run(side)) {
      auto const next = std::find_if(rest_.begin(), rest_.begin() + free_, [&](GridPart const& s) {
        return s.extent > 1 && side.grid[s.digit] * s.unit == n;
      });
      if (next == rest_.begin() + free_) return;
      Index part = next->extent;
      for (Index d : divisors(next->extent))
        if (d * n >= wanted) {
          part = d;
          break;
        }
      take(*next, part);
    }
  }

  /// The rest in the order of one side, then what is fixed.
  BlockOrder finish(AffineMap const& side) {
    std::stable_sort(rest_.begin(), rest_.begin() + free_, [&](GridPart const& a, GridPart const& b) {
      return side.grid[a.digit] * a.unit < side.grid[b.digit] * b.unit;
    });
    for (GridPart& s : rest_) take(s, s.extent);
    return std::move(block_order_);
  }

 private:
  static bool grow(Index stride, Index extent, Index& n) {
    if (extent == 1 || stride != n) return false;
    n *= extent;
    return true;
  }

  void take(GridPart& from, Index part) {
    if (part == 1) return;
    bool const goes_on = !block_order_.empty() && block_order_.back().digit == from.digit &&
                         block_order_.back().unit * block_order_.back().extent == from.unit;
    if (goes_on)
      block_order_.back().extent *= part;
    else
      block_order_.push_back({from.digit, from.unit, part});
    from.unit *= part;
    from.extent /= part;
  }

  SweepSpec const& spec_;
  int free_;
  std::vector<GridPart> rest_;
  BlockOrder block_order_;
};

void regrid(AffineMap& form, BlockOrder const& block_order) {
  AffineMap const old = form;
  std::fill(std::begin(form.grid), std::end(form.grid), 0);
  for (std::size_t g = 0; g < block_order.size(); ++g)
    form.grid[g] = old.grid[block_order[g].digit] * block_order[g].unit;
}

}  // namespace

BlockOrder block_order_of(SweepSpec const& spec, Index element_bytes, int fixed, Index run) {
  Orderer orderer(spec, fixed);
  bool const writes = orderer.run(spec.write) < orderer.run(spec.read);
  AffineMap const& shorter = writes ? spec.write : spec.read;
  AffineMap const& longer = writes ? spec.read : spec.write;
  orderer.complete(shorter, run / element_bytes);
  orderer.complete(longer, run / element_bytes);
  return orderer.finish(shorter);
}

SweepSpec reordered(SweepSpec const& spec, BlockOrder const& block_order) {
  if (block_order.size() > kernel::max_grid) return spec;
  SweepSpec other = spec;
  other.grids = int(block_order.size());
  std::fill(std::begin(other.grid_extent), std::end(other.grid_extent), 0);
  for (std::size_t g = 0; g < block_order.size(); ++g) other.grid_extent[g] = block_order[g].extent;
  for (AffineMap* form : {&other.read, &other.write, &other.load_factor.at, &other.store_factor.at,
                          &other.pre.index, &other.post.index})
    regrid(*form, block_order);
  for (kernel::Guard& g : other.guard) regrid(g.at, block_order);
  for (AffineMap& axis : other.symbol.at) regrid(axis, block_order);
  for (kernel::Step& step : other.step) {
    regrid(step.twiddle.low, block_order);
    regrid(step.middle.at, block_order);
  }
  return other;
}

}  // namespace skipper
