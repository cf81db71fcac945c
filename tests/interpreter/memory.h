#pragma once
// The memory of a launch as the interpreter knows it. Every word knows whether it was ever written.
#include <memory>

#include "emulator/memory.h"
#include "ir/kernel.h"

namespace skipper::interpreter {

using emulator::Wide;

/// Which words of an array were ever written. It outlives launches.
class Written {
 public:
  Written(void const* base, std::size_t bytes)
      : base_(reinterpret_cast<std::uintptr_t>(base)), set_((bytes + grain - 1) / grain) {}
  bool covers(std::uintptr_t address) const { return address - base_ < set_.size() * grain; }
  void mark(std::uintptr_t address, std::size_t bytes, bool set);
  bool is_set(std::uintptr_t address, std::size_t bytes) const;

 private:
  static constexpr std::size_t grain = 2;  // bytes: what 16-bit storage writes
  std::uintptr_t base_;
  std::vector<char> set_;
};

/// Arrays that a launch may touch; where `written` is null, an array counts as written.
struct Array {
  emulator::Array what;
  std::shared_ptr<Written> written;
};

/// What the interpreter is told when a kernel does what it must not: the message names instruction, thread and tile.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace skipper::interpreter
