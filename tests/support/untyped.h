#pragma once
// Buffers of tests hold numbers of either side, real or in pairs: plans take them as void.

namespace skipper::testing {

inline void const* untyped(void const* pointer) { return pointer; }
inline void* untyped(void* pointer) { return pointer; }

}  // namespace skipper::testing
