#pragma once
// The arrays of an emulated thread (src/kernel/registers.h): as long as those that NVRTC compiles for the same spec, though room is
// kept for the longest. An index beyond is an error, and what nobody has set is known as such (unset.h).
#include "emulator/counts.h"
#include "emulator/remembered.h"
#include "emulator/unset.h"
#include "kernel/registers.h"

#include <iterator>
#include <string>

namespace skipper::emulator {

inline constexpr char const* register_array_names[] = {"elements", "extra",    "twiddles",
                                                       "symbols",  "partners", "existing"};
inline constexpr int register_arrays = 1 + int(kernel::RegisterArray::existing);
static_assert(std::size(register_array_names) == register_arrays);
inline char const* name(kernel::RegisterArray array) { return register_array_names[int(array)]; }

/// How many places each array has: worked out once a launch.
struct RegisterPlaces {
  int of[register_arrays] = {};
};
constexpr RegisterPlaces register_places(kernel::SweepSpec const& spec) {
  RegisterPlaces all;
  for (int i = 0; i < register_arrays; ++i) all.of[i] = kernel::places(spec, kernel::RegisterArray(i));
  return all;
}

/// A thread's mistake of which its block knows tile and thread (worker.h).
struct ThreadError {
  std::string what;
};

/// A register's origin as an unset number carries it. Memory of ones gives none of these, in no format.
inline std::uint16_t register_origin(kernel::RegisterArray array, int q) {
  return std::uint16_t(0x4000 | int(array) << 8 | q);
}
/// What a message says of an origin.
inline std::string origin_text(std::uint16_t origin) {
  if (origin >> 12 != 4) return "memory that nobody has written";
  return "register " + std::to_string(origin & 0xff) + " of " +
         name(kernel::RegisterArray(origin >> 8 & 15)) + ", which nobody has set";
}

}  // namespace skipper::emulator

namespace skipper::kernel {

template <RegisterArray array, class E>
class Registers<array, E, emulator::Remembered> {
  static constexpr int room = array == RegisterArray::twiddles ? max_twiddles + 1 : max_registers;

 public:
  explicit Registers(emulator::Remembered spec)
      : size_(aggregate<emulator::register_places>(spec).of[int(array)]) {
    if constexpr (requires { emulator::Unset<E>::from(0); })
      for (int q = 0; q < size_; ++q) at_[q] = emulator::Unset<E>::from(emulator::register_origin(array, q));
  }
  E& operator[](int q) {
    verify(q);
    return at_[q];
  }
  E const& operator[](int q) const {
    verify(q);
    return at_[q];
  }

 private:
  void verify(int q) const {
    if (unsigned(q) >= unsigned(size_)) [[unlikely]]
      fail(q);
  }
  [[noreturn]] void fail(int q) const {
    throw emulator::ThreadError{"register " + std::to_string(q) + " of " + emulator::name(array) +
                                ", which has " + std::to_string(size_)};
  }

  int size_;
  E at_[room];
};

}  // namespace skipper::kernel
