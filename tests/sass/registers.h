#pragma once
// The registers of a warp, and what an operand is to each of its threads.
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sass/memory.h"

namespace skipper::sass {

inline constexpr int lanes = 32;
using Mask = std::uint32_t;  // a bit a thread

template <class T>
using Lanes = std::array<T, lanes>;
using U32 = Lanes<std::uint32_t>;
using U64 = Lanes<std::uint64_t>;
using F32 = Lanes<float>;
using F64 = Lanes<double>;

/// f of each thread's values.
template <class F, class... A>
auto each(F f, Lanes<A> const&... a) {
  Lanes<decltype(f(a[0]...))> out;
  for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = f(a[lane]...);
  return out;
}

/// Threads for which f is true.
template <class F, class... A>
Mask where(F f, Lanes<A> const&... a) {
  Mask mask = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) mask |= Mask(f(a[lane]...) ? 1 : 0) << lane;
  return mask;
}

/// Of a pair of registers.
inline std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t(high) << 32 | low; }

inline bool has(Mask mask, std::size_t lane) { return mask >> lane & 1; }

class Registers {
 public:
  explicit Registers(Constants const& constants);

  U32 u32(Operand const& operand) const;
  U64 u64(Operand const& operand) const;
  F32 f32(Operand const& operand) const;
  F64 f64(Operand const& operand) const;
  Mask truth(Operand const& predicate) const;
  /// 0 or 1.
  U32 carry(Operand const& predicate) const;
  /// The sum of an address's parts.
  U64 address(Operand const& operand) const;
  /// A general register as it is, `next` registers on.
  U32 const& raw(Operand const& operand, int next = 0) const;

  // Only threads of `mask` are written. A uniform register takes the value of the first of them.
  void set(Operand const& to, Mask mask, U32 const& value, int next = 0);
  void set(Operand const& to, Mask mask, U64 const& value);
  void set(Operand const& to, Mask mask, F32 const& value);
  void set(Operand const& to, Mask mask, F64 const& value);
  void set_truth(Operand const& predicate, Mask mask, Mask truth);

 private:
  U32 plain(Operand const& operand, int next) const;
  U64 plain_pair(Operand const& operand) const;

  Constants const* constants_;
  std::vector<U32> general_;  // [zero_register + 2], the last ones always zero
  std::array<std::uint32_t, zero_uniform + 2> uniform_;
  std::array<Mask, true_predicate + 1> predicate_, uniform_predicate_;
};

}  // namespace skipper::sass
