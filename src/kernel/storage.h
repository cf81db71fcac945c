#pragma once
// 16-bit storage, IEEE binary16 or bfloat16, as it stands in memory, alone or as a Complex of it. Nothing is computed in
// it: a block widens what it loads to float and rounds what it stores.
namespace skipper::kernel {

struct Half {
  unsigned short bits;
};
struct BFloat16 {
  unsigned short bits;
};

/// What numbers of a stored type are computed in.
template <class S>
struct ComputedIn {
  using type = S;
  static constexpr bool narrow = false;
};
template <>
struct ComputedIn<Half> {
  using type = float;
  static constexpr bool narrow = true;
};
template <>
struct ComputedIn<BFloat16> {
  using type = float;
  static constexpr bool narrow = true;
};
template <class S>
concept SixteenBit = ComputedIn<S>::narrow;

}  // namespace skipper::kernel
