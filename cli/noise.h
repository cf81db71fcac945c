// Numbers that look random and are the same on every run.
#pragma once

#include <skipper/problem.h>

#include <cstddef>
#include <cstdint>

namespace skipper::cli {

// Reals between -largest and largest, one after the other, made on all cores.
void fill_with_noise(void* data, std::size_t bytes, Precision precision, std::uint64_t seed = 1,
                     double largest = 1);

}  // namespace skipper::cli
