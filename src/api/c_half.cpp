// The C interface to numbers in 16-bit storage.
#include <skipper/bfloat16.h>
#include <skipper/half.h>
#include <skipper/skipper_c.h>

#include <algorithm>

#include "api/guarded.h"

namespace {

template <class From, class To, class Convert>
int converted(From const* from, To* to, long long count, Convert convert) {
  return skipper::c::guarded([&] {
    if (count < 0) throw skipper::Error("count", "is " + std::to_string(count) + " but must be at least 0");
    if (count == 0) return;
    skipper::c::demanded(from, "from");
    skipper::c::demanded(to, "to");
    std::transform(from, from + count, to, convert);
  });
}

}  // namespace

extern "C" {

int skipper_f16_from_f32(float const* from, unsigned short* to, long long count) {
  return converted(from, to, count, skipper::half_bits);
}

int skipper_bf16_from_f32(float const* from, unsigned short* to, long long count) {
  return converted(from, to, count, skipper::bfloat16_bits);
}

int skipper_f32_from_f16(unsigned short const* from, float* to, long long count) {
  return converted(from, to, count, skipper::half_value);
}

int skipper_f32_from_bf16(unsigned short const* from, float* to, long long count) {
  return converted(from, to, count, skipper::bfloat16_value);
}

}  // extern "C"
