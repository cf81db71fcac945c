#pragma once
// Compares what a block has stored as machine code with what the emulator has: the same places, and the same numbers but for rounding.
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "machine_code/vast_array.h"
#include "sass/memory.h"

namespace skipper::testing {

/// What the outputs of two runs differ by.
struct Difference {
  std::size_t compared = 0, numbers_unset = 0;
  double squares = 0, reference = 0;
  double relative() const { return std::sqrt(squares / reference); }
};

template <class Read>
void compare_numbers(Difference& d, std::byte const* got, std::byte const* wanted, int bytes, int size,
                     Read read) {
  for (int at = 0; at + size <= bytes; at += size, ++d.compared) {
    double const x = read(got + at), y = read(wanted + at);
    if (x != x || y != y) {
      ++d.numbers_unset;
      continue;
    }
    d.squares += (x - y) * (x - y);
    d.reference += y * y;
  }
}

template <class Bits>
Bits bits_at(std::byte const* at) {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

inline void compare_stores(Difference& d, Number number, std::byte const* got, std::byte const* wanted,
                           int bytes) {
  switch (number) {
    case Number::f32:
      return compare_numbers(d, got, wanted, bytes, 4,
                             [](std::byte const* at) { return double(bits_at<float>(at)); });
    case Number::f64:
      return compare_numbers(d, got, wanted, bytes, 8,
                             [](std::byte const* at) { return bits_at<double>(at); });
    case Number::f16:
      return compare_numbers(d, got, wanted, bytes, 2, [](std::byte const* at) {
        return double(half_value(bits_at<std::uint16_t>(at)));
      });
    case Number::bf16:
      return compare_numbers(d, got, wanted, bytes, 2, [](std::byte const* at) {
        return double(bfloat16_value(bits_at<std::uint16_t>(at)));
      });
  }
}

inline double allowed_difference(Number number) {
  return number == Number::f64 ? 1e-14 : number == Number::f32 ? 3e-6 : number == Number::f16 ? 1e-3 : 8e-3;
}

/// Where the numbers of a block differ from the emulator's, in words; empty where they do not. `stored`: bytes that the
/// emulator has stored.
inline std::string difference(std::vector<sass::Store> stores, VastArray const& got, VastArray const& wanted,
                              Number number, std::size_t stored) {
  std::ostringstream out;
  auto const begin = [&](sass::Store const& s) {
    return s.address - reinterpret_cast<std::uintptr_t>(got.data());
  };
  std::sort(stores.begin(), stores.end(), [](auto const& a, auto const& b) { return a.address < b.address; });
  std::size_t bytes = 0, end = 0, twice = 0;
  Difference d;
  for (sass::Store const& s : stores) {
    std::size_t const at = begin(s);
    if (at < end) ++twice;
    end = at + std::size_t(s.bytes);
    bytes += std::size_t(s.bytes);
    compare_stores(d, number, static_cast<std::byte const*>(got.data()) + at,
                   static_cast<std::byte const*>(wanted.data()) + at, s.bytes);
  }
  if (stores.empty()) out << "nothing stored; ";
  if (twice) out << twice << " stores to where another went; ";
  if (bytes != stored) out << bytes << " bytes stored, not " << stored << "; ";
  if (d.numbers_unset) out << d.numbers_unset << " of " << d.compared << " numbers unset; ";
  if (d.compared != d.numbers_unset && !(d.relative() <= allowed_difference(number)))
    out << "relative error " << d.relative() << "; ";
  return out.str();
}

}  // namespace skipper::testing
