#pragma once
// A choice that a thread makes by itself, where there is no branch: both values are worked out.
namespace skipper::kernel {

template <class N>
constexpr N select(bool yes, N a, N b) {
  return yes ? a : b;
}

}  // namespace skipper::kernel
