// Conversions between arrays of f32 and of a 16-bit storage, by the instruction set or in software.
#pragma once

#include <cstdint>

#include "base/index.h"

namespace skipper::cpu {

struct Conversions {
  void (*widen)(std::uint16_t const* in, float* out, Index count) = nullptr;
  void (*narrow)(float const* in, std::uint16_t* out, Index count) = nullptr;
};

/// f16 in integers, for instruction sets without conversions.
void widen_f16_in_software(std::uint16_t const* in, float* out, Index count);
void narrow_f16_in_software(float const* in, std::uint16_t* out, Index count);

}  // namespace skipper::cpu
