// Conversions between arrays of f16 and f32, by the instruction set or in software.
#pragma once

#include <cstdint>

#include "base/index.h"

namespace skipper::cpu {

struct HalfKernels {
  void (*widen)(std::uint16_t const* in, float* out, Index count) = nullptr;
  void (*narrow)(float const* in, std::uint16_t* out, Index count) = nullptr;
};

/// In integers, for instruction sets without conversions.
void widen_in_software(std::uint16_t const* in, float* out, Index count);
void narrow_in_software(float const* in, std::uint16_t* out, Index count);

}  // namespace skipper::cpu
