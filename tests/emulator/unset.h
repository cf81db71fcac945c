#pragma once
// Numbers that nobody has set: NaN whose upper seven bits of payload are ones. Memory of nothing but ones holds such numbers in
// every format, 16-bit storage included. The processor gives what comes out of arithmetic the payload of the NaN that went in
// (x86-64 and aarch64, for either operand), so a result made of one is known too; the NaN of an invalid operation has no
// payload, and is none of these. The lower bits say where a number comes from (registers.h).
#include "kernel/complex.h"
#include "kernel/storage.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace skipper::emulator {

/// Where the unset number comes from that x was made of: 16 bits, or nothing where x is set.
inline std::optional<std::uint16_t> unset_origin(float x) {
  auto const bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fff0000u) != 0x7fff0000u) return std::nullopt;
  return std::uint16_t(bits);
}
inline std::optional<std::uint16_t> unset_origin(double x) {
  constexpr std::uint64_t pattern = 0x7fffe00000000000u;
  auto const bits = std::bit_cast<std::uint64_t>(x);
  if ((bits & pattern) != pattern) return std::nullopt;
  return std::uint16_t(bits >> 29);
}
template <class T>
std::optional<std::uint16_t> unset_origin(kernel::Complex<T> x) {
  auto const origin = unset_origin(x.re);
  return origin ? origin : unset_origin(x.im);
}
/// What is no floating-point number cannot be told from a set one.
template <class E>
std::optional<std::uint16_t> unset_origin(E const&) {
  return std::nullopt;
}

inline constexpr std::uint16_t from_memory = 0;

/// The unset number that says it comes from there, of a type that has such.
template <class E>
struct Unset;
template <>
struct Unset<float> {
  static float from(std::uint16_t origin) { return std::bit_cast<float>(0x7fff0000u | origin); }
};
template <>
struct Unset<double> {
  static double from(std::uint16_t origin) {
    return std::bit_cast<double>(0x7fffe00000000000u | std::uint64_t(origin) << 29);
  }
};
template <class T>
struct Unset<kernel::Complex<T>> {
  static kernel::Complex<T> from(std::uint16_t origin) {
    return {Unset<T>::from(origin), Unset<T>::from(origin)};
  }
};

}  // namespace skipper::emulator
