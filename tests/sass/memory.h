#pragma once
// Memory as machine code sees it: global arrays of the host, shared memory of the blocks of a cluster, constants. What is read
// before it was written holds poison: words that are no numbers and no addresses.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sass/form.h"

namespace skipper::sass {

/// As float, and as the upper word of double, not-a-number; as an address outside every array.
inline constexpr std::uint32_t poison = 0x7ff80bad;

struct Array {
  std::string name;
  void* data = nullptr;
  std::size_t bytes = 0;
  bool writable = false;
};

/// Bytes that one thread has stored at once.
struct Store {
  std::uintptr_t address = 0;
  int bytes = 0;
};

/// The arrays of a launch; their addresses are those of the host. Throws Fault at accesses beside them.
class GlobalMemory {
 public:
  explicit GlobalMemory(std::vector<Array> arrays) : arrays_(std::move(arrays)) {}

  void load(std::uint64_t address, void* to, int bytes) const;
  void store(std::uint64_t address, void const* from, int bytes);
  /// Where a word lies that is read and written at once.
  std::uint32_t& word(std::uint64_t address);

  /// All that was stored, in order.
  std::vector<Store> const& stores() const { return stores_; }

 private:
  std::byte* at(std::uint64_t address, int bytes, bool writes) const;

  std::vector<Array> arrays_;
  std::vector<Store> stores_;
};

/// What a generic address of shared memory begins with: the upper half of no address of the host.
inline constexpr std::uint64_t generic_shared = std::uint64_t(0xfeed) << 48;

/// Shared memory of one block. The kernel's own begins behind what the system keeps for itself.
class SharedMemory {
 public:
  static constexpr std::uint32_t begin = 0x400;
  /// In an address of 32 bits a block's rank in its cluster stands above the offset.
  static constexpr int rank_bit = 24;

  explicit SharedMemory(std::size_t bytes) : words_((bytes + 3) / 4, poison), bytes_(bytes) {}

  void load(std::uint32_t offset, void* to, int bytes) const;
  void store(std::uint32_t offset, void const* from, int bytes);

 private:
  std::size_t place(std::uint32_t offset, int bytes, char const* what) const;

  std::vector<std::uint32_t> words_;
  std::size_t bytes_;
};

/// Constant bank 0: what a launch is, then the kernel's arguments.
class Constants {
 public:
  static constexpr std::size_t stack_top = 0x28, grid_x = 0xc, grid_y = 0x10, arguments = 0x210;

  explicit Constants(std::string const& given);

  void set(std::size_t offset, std::uint32_t word);
  void load(std::uint64_t offset, void* to, int bytes) const;

 private:
  std::string bytes_;
};

}  // namespace skipper::sass
