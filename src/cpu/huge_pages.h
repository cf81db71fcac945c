// Asks for huge pages for large workspaces: columns of a long line touch one page a row, more than a TLB holds of small pages.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace skipper::cpu {

/// A hint to the system, for memory that is not written yet. Does nothing where the memory is small.
inline void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
  auto const begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  auto const end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (bytes >= 2 * page && begin < end)
    static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#endif
}

}  // namespace skipper::cpu
