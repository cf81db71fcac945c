#pragma once
// Memory that nobody wrote: NaN in every precision, so that what is read of it shows in the results, also where it is
// multiplied by zero.
#include <cstring>
#include <vector>

#include "cpu/engine.h"

namespace skipper::cpu::testing {

template <class T>
std::vector<T> unset(Index count) {
  std::vector<T> all(static_cast<std::size_t>(count));
  std::memset(static_cast<void*>(all.data()), 0xff, all.size() * sizeof(T));
  return all;
}

/// Executes with a workspace that nobody wrote, somewhere in a cache line.
inline void execute_unset(Transform const& transform, void const* in, void* out) {
  std::vector<double> workspace = unset<double>(static_cast<Index>(transform.workspace_bytes() / 8 + 2));
  transform.execute(in, out, workspace.data() + 1);
}

}  // namespace skipper::cpu::testing
