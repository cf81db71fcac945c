#pragma once
// What is done with numbers of a thread without a branch. Where the text is recorded, ir/values.h has the same for its numbers.
namespace skipper::kernel {

/// The first value where the condition holds, else the second; both are worked out.
template <class N>
constexpr N select(bool yes, N a, N b) {
  return yes ? a : b;
}

/// The same number, of which a compiler may not know that it is not negative.
template <class N>
constexpr N not_negative(N x) {
  return x;
}

}  // namespace skipper::kernel
