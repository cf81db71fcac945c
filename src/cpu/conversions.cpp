// See conversions.h.
#include "cpu/conversions.h"

#include <skipper/half.h>

namespace skipper::cpu {

void widen_f16_in_software(std::uint16_t const* in, float* out, Index count) {
  for (Index i = 0; i < count; ++i) out[i] = half_value(in[i]);
}
void narrow_f16_in_software(float const* in, std::uint16_t* out, Index count) {
  for (Index i = 0; i < count; ++i) out[i] = half_bits(in[i]);
}

}  // namespace skipper::cpu
