// The digit algebra. An address is sum(digit x stride), so an axis, a batch, a contiguous segment, a padded
// or a four-step layout are all the same: a list of digits, slowest first, each with an extent, a read stride
// and a write stride in elements. Strides may be negative or, on the read side, zero (a broadcast).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/index.h"

namespace skipper {

struct Digit {
  Index extent = 1;
  Index read = 0;
  Index write = 0;

  bool operator==(Digit const&) const = default;
};

using Digits = std::vector<Digit>;

// Selects a side: &Digit::read or &Digit::write.
using Stride = Index Digit::*;

struct Address {
  Index read = 0;
  Index write = 0;

  bool operator==(Address const&) const = default;
};

// --- making digits ------------------------------------------------------------------------------------

// Row major on both sides, the last extent fastest.
Digits dense(std::span<Index const> extents);

// Read row major; written dense too, but with digit order[0] slowest and digit order.back() fastest. The
// reversed order gives the digit reversal of the mixed radix.
Digits transposed(std::span<Index const> extents, std::span<int const> order);

// --- rewriting digits: the same pairs of addresses, counted differently --------------------------------

struct Split {
  Digit high, low;

  bool operator==(Split const&) const = default;
};

// digit = high * low + rest; `low` must divide the extent.
Split split(Digit const& digit, Index low);

// The inverse of split: one digit in place of two neighbours, where on both sides the high one's stride
// continues the low one. Extents of 1 have no stride and merge with anything.
std::optional<Digit> merge(Digit const& high, Digit const& low);

// The fewest digits with the same addresses in the same order: extents of 1 dropped, neighbours merged.
Digits merged(Digits const& digits);

// Digit i of the result is digits[order[i]]; the addresses come in another order.
Digits permuted(Digits const& digits, std::span<int const> order);

// Slowest last.
Digits reversed(Digits const& digits);

// Read and write exchanged: the inverse data movement.
Digits swapped(Digits const& digits);

// --- measuring digits ----------------------------------------------------------------------------------

// The product of the extents, 1 for no digits.
Index size(Digits const& digits);

// The addresses of the index-th element, 0 <= index < size. Like for_each_address it does not look out for
// overflow: that is for reach() to find, once.
Address address(Digits const& digits, Index index);

// The highest address plus one, and the lowest: all addresses lie in lowest..reach-1. lowest is 0 unless a
// stride is negative. Throws where the addresses span more than an Index holds.
Index reach(Digits const& digits, Stride side);
Index lowest(Digits const& digits, Stride side);

// How many elements lie side by side from the lowest address on: the length of a coalesced access.
Index segment(Digits const& digits, Stride side);

// Whether no two indices share an address. Exact for up to two digits of any size, and for all the layouts
// that can be decided in about a million steps, which is every sane one; beyond that the answer is false, so
// that a layout is refused rather than corrupted.
bool injective(Digits const& digits, Stride side);
bool injective(std::span<Index const> extents, std::span<Index const> strides);

// Calls body(Address) for every index in ascending order.
template <class Body>
void for_each_address(Digits const& digits, Body body) {
  std::vector<Index> count(digits.size(), 0);
  Address at;
  for (Index left = size(digits); left > 0; --left) {
    body(static_cast<Address const&>(at));
    for (std::size_t i = digits.size(); i-- > 0;) {
      Digit const& digit = digits[i];
      if (++count[i] < digit.extent) {
        at.read += digit.read;
        at.write += digit.write;
        break;
      }
      count[i] = 0;
      at.read -= (digit.extent - 1) * digit.read;
      at.write -= (digit.extent - 1) * digit.write;
    }
  }
}

}  // namespace skipper
