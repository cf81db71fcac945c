// splitmix64, whose i-th number needs none before it.
#include "noise.h"

#include <algorithm>

#include "all_cores.h"
#include "scalars.h"

namespace skipper::cli {
namespace {

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;  // times 2^64

// Between -1 and 1.
double mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double(std::int64_t(z ^ (z >> 31)) >> 11) * 0x1p-52;
}

}  // namespace

void fill_with_noise(void* data, std::size_t bytes, Precision precision, std::uint64_t seed, double largest) {
  constexpr std::size_t piece = 1 << 20;  // numbers that one thread makes at a time
  std::size_t const count = bytes / scalar_bytes(precision);
  with_scalar(precision, [&]<class Scalar>(Scalar) {
    auto* const numbers = static_cast<Scalar*>(data);
    on_all_cores((count + piece - 1) / piece, 0, [&](std::size_t p) {
      for (std::size_t i = p * piece; i < std::min(count, (p + 1) * piece); ++i)
        numbers[i] = Scalar(largest * mixed((seed + i + 1) * golden_ratio + 1));
    });
  });
}

}  // namespace skipper::cli
