#pragma once
// The arrays that a thread has in registers: each has as many places as the spec needs, and only indices that are constants once
// loops are unrolled. The emulator has its own of the same lengths, which checks each index and knows what nobody has set
// (tests/emulator/registers.h).
#include "kernel/known.h"

namespace skipper::kernel {

/// Elements; what goes beside them, point zero of lines by Rader or the extra element of a Hermitian split; twiddles that are read
/// before the data; the symbols of elements and of their partners; which of the elements exist.
enum class RegisterArray { elements, extra, twiddles, symbols, partners, existing };

constexpr int places(SweepSpec const& s, RegisterArray array) {
  return array == RegisterArray::twiddles ? all_twiddles(s) + 1 : max_elements_per_thread(s);
}

/// Zeros where a thread sets nothing: a compiler that has to spill may do what it likes with values that may be unset.
template <RegisterArray array, class E, class Spec>
class Registers {
 public:
  constexpr explicit Registers(Spec) {}
  constexpr E& operator[](int q) { return at_[q]; }
  constexpr E const& operator[](int q) const { return at_[q]; }

 private:
  E at_[places(Spec::value, array)] = {};
};

}  // namespace skipper::kernel
