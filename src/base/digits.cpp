// Split and merge rest on (h * extent + l) * stride = h * (extent * stride) + l * stride. injective() looks
// for a collision: a non-zero vector of digit differences d, |d| < extent, with sum(d x stride) = 0.
#include "base/digits.h"

#include <skipper/error.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/numbers.h"

namespace skipper {
namespace {

void require_extent(Index extent) {
  if (extent < 1) throw Error("extent", "is " + std::to_string(extent) + " but must be at least 1");
}

void require_permutation(std::span<int const> order, std::size_t count) {
  std::vector<bool> seen(count, false);
  bool good = order.size() == count;
  for (std::size_t i = 0; good && i < count; ++i) {
    good = order[i] >= 0 && static_cast<std::size_t>(order[i]) < count &&
           !seen[static_cast<std::size_t>(order[i])];
    if (good) seen[static_cast<std::size_t>(order[i])] = true;
  }
  if (!good)
    throw Error("order", "must name each of the " + std::to_string(count) + " digits once, from 0 on");
}

// What one side of a merged digit needs: that the high stride continues the low digit.
bool continues(Index high, Index low, Index extent) { return multiply(low, extent) == high; }

struct Bounds {
  Index low, high;  // of all addresses
};

Bounds bounds(Digits const& digits, Stride side) {
  std::optional<Index> low = 0, high = 0;
  for (Digit const& digit : digits) {
    require_extent(digit.extent);
    auto const furthest = multiply(digit.extent - 1, digit.*side);
    auto& end = digit.*side < 0 ? low : high;
    end = end && furthest ? add(*end, *furthest) : std::nullopt;
  }
  Index count = 0;  // of the addresses between; it fitting, nothing that we form from strides overflows
  if (!low || !high || __builtin_sub_overflow(*high, *low, &count) || !add(count, 1)) {
    throw Error("strides", "span more than 63 bits of addresses; use smaller extents or strides");
  }
  return {*low, *high};
}

// The digits that move, by ascending magnitude of their stride. Signs do not matter to the set of
// differences, nor to the length of a segment.
std::vector<std::pair<Index, Index>> by_stride(Digits const& digits, Stride side) {
  bounds(digits, side);  // throws where a magnitude or a sum of them would overflow
  std::vector<std::pair<Index, Index>> steps;
  for (Digit const& digit : digits) {
    if (digit.extent > 1) steps.emplace_back(digit.*side < 0 ? -(digit.*side) : digit.*side, digit.extent);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

__extension__ typedef __int128 Wide;

Wide floor_divide(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }  // b > 0

// Depth first over digit differences, the largest stride first. Two facts leave few candidates: the smaller
// digits together reach only so far, and only multiples of the gcd of their strides.
struct CollisionSearch {
  struct Level {
    Index stride, extent;
    Index reach;    // of this and all smaller digits
    Index divisor;  // gcd of this and all smaller strides
  };
  std::vector<Level> levels;
  Index budget = Index(1) << 20;

  // Whether digits 0..i can sum up to `target`, a multiple of their divisor within their reach. When the
  // budget is spent it assumes so.
  bool reaches(std::size_t i, Wide target) {
    if (i == 0) return true;
    Level const& level = levels[i];
    Level const& below = levels[i - 1];
    Index const period = below.divisor / level.divisor;
    // difference * stride = target modulo below.divisor, solved for the difference modulo the period
    Wide const wanted = target / level.divisor % period;
    Index const first =
        mulmod(static_cast<Index>(wanted), inverse(level.stride / level.divisor, period), period);
    Wide const low = std::max<Wide>(1 - level.extent, -floor_divide(below.reach - target, level.stride));
    Wide const high = std::min<Wide>(level.extent - 1, floor_divide(target + below.reach, level.stride));
    Wide difference = low + (first - low % period + 2 * Wide(period)) % period;
    for (; difference <= high; difference += period) {
      if (--budget < 0 || reaches(i - 1, target - difference * level.stride)) return true;
    }
    return false;
  }

  // Whether some difference vector whose highest non-zero digit is i > 0 sums up to zero.
  bool collides(std::size_t i) {
    Index const period = levels[i - 1].divisor / levels[i].divisor;
    Index const most = std::min(levels[i].extent - 1, levels[i - 1].reach / levels[i].stride);
    for (Wide difference = period; difference <= most; difference += period) {
      if (--budget < 0 || reaches(i - 1, difference * levels[i].stride)) return true;
    }
    return false;
  }
};

}  // namespace

Digits dense(std::span<Index const> extents) {
  Digits digits(extents.size());
  Index stride = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    require_extent(extents[i]);
    digits[i] = {extents[i], stride, stride};
    auto const next = multiply(stride, extents[i]);
    if (!next) throw Error("extents", "have a product beyond 63 bits");
    stride = *next;
  }
  return digits;
}

Digits transposed(std::span<Index const> extents, std::span<int const> order) {
  Digits digits = dense(extents);
  require_permutation(order, extents.size());
  Index stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    Digit& digit = digits[static_cast<std::size_t>(order[i])];
    digit.write = stride;
    stride *= digit.extent;  // ends as the product that dense() has checked
  }
  return digits;
}

Split split(Digit const& digit, Index low) {
  require_extent(digit.extent);
  if (low < 1 || digit.extent % low != 0) {
    throw Error("low",
                "is " + std::to_string(low) + " but must divide the extent " + std::to_string(digit.extent));
  }
  auto const read = multiply(digit.read, low);
  auto const write = multiply(digit.write, low);
  if (!read || !write)
    throw Error("low", "is " + std::to_string(low) + ", which makes a stride beyond 63 bits");
  return {{digit.extent / low, *read, *write}, {low, digit.read, digit.write}};
}

std::optional<Digit> merge(Digit const& high, Digit const& low) {
  if (high.extent == 1) return low;
  if (low.extent == 1) return high;
  auto const extent = multiply(high.extent, low.extent);
  bool const fits =
      continues(high.read, low.read, low.extent) && continues(high.write, low.write, low.extent);
  if (!extent || !fits) return std::nullopt;
  return Digit{*extent, low.read, low.write};
}

Digits merged(Digits const& digits) {
  Digits result;
  for (Digit const& digit : digits) {
    if (digit.extent == 1) continue;
    auto const joined = result.empty() ? std::nullopt : merge(result.back(), digit);
    if (joined) {
      result.back() = *joined;
    } else {
      result.push_back(digit);
    }
  }
  return result;
}

Digits permuted(Digits const& digits, std::span<int const> order) {
  require_permutation(order, digits.size());
  Digits result;
  for (int const i : order) result.push_back(digits[static_cast<std::size_t>(i)]);
  return result;
}

Digits reversed(Digits const& digits) { return Digits(digits.rbegin(), digits.rend()); }

Digits swapped(Digits const& digits) {
  Digits result = digits;
  for (Digit& digit : result) std::swap(digit.read, digit.write);
  return result;
}

Index size(Digits const& digits) {
  Index product = 1;
  for (Digit const& digit : digits) {
    require_extent(digit.extent);
    auto const next = multiply(product, digit.extent);
    if (!next) throw Error("extents", "have a product beyond 63 bits");
    product = *next;
  }
  return product;
}

Address address(Digits const& digits, Index index) {
  Address at;
  Index rest = index;
  for (std::size_t i = digits.size(); i-- > 0;) {
    Digit const& digit = digits[i];
    require_extent(digit.extent);
    at.read += rest % digit.extent * digit.read;
    at.write += rest % digit.extent * digit.write;
    rest /= digit.extent;
  }
  if (index < 0 || rest != 0) {
    throw Error("index", "is " + std::to_string(index) + " but there are " + std::to_string(size(digits)) +
                             " elements");
  }
  return at;
}

Index reach(Digits const& digits, Stride side) { return bounds(digits, side).high + 1; }

Index lowest(Digits const& digits, Stride side) { return bounds(digits, side).low; }

Index segment(Digits const& digits, Stride side) {
  Index run = 1;
  for (auto const& [stride, extent] : by_stride(digits, side)) {
    if (stride > run) break;       // a gap; larger strides only begin behind it
    run += stride * (extent - 1);  // run * extent where stride == run, less where digits overlap
  }
  return run;
}

bool injective(Digits const& digits, Stride side) {
  CollisionSearch search;
  Index reached = 0, divisor = 0;
  for (auto const& [stride, extent] : by_stride(digits, side)) {
    if (stride == 0) return false;
    reached += stride * (extent - 1);
    divisor = gcd(divisor, stride);
    search.levels.push_back({stride, extent, reached, divisor});
    if (search.levels.size() > 1 && search.collides(search.levels.size() - 1)) return false;
  }
  return true;
}

bool injective(std::span<Index const> extents, std::span<Index const> strides) {
  if (extents.size() != strides.size()) {
    throw Error("strides", "number " + std::to_string(strides.size()) + " but there are " +
                               std::to_string(extents.size()) + " extents");
  }
  Digits digits;
  for (std::size_t i = 0; i < extents.size(); ++i) digits.push_back({extents[i], strides[i], strides[i]});
  return injective(digits, &Digit::read);
}

}  // namespace skipper
