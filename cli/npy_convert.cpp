// Arrays between precisions, and from real to complex.
#include <skipper/half.h>

#include <cstring>

#include "npy.h"

namespace skipper::cli {
namespace {

// The values of an array as the problem's type: converted between precisions, imaginary parts added where needed.
template <class From, class To>
std::vector<std::byte> converted(std::vector<std::byte> const& data, bool add_imaginary) {
  std::size_t const count = data.size() / sizeof(From), step = add_imaginary ? 2 : 1;
  std::vector<std::byte> result(count * step * sizeof(To));
  for (std::size_t i = 0; i < count; ++i) {
    From from;
    std::memcpy(&from, data.data() + i * sizeof(From), sizeof(From));
    To const to = To(from);
    std::memcpy(result.data() + i * step * sizeof(To), &to, sizeof(To));
  }
  return result;
}

template <class From>
std::vector<std::byte> converted_to(int bits, std::vector<std::byte> const& data, bool add_imaginary) {
  if (bits == 16) return converted<From, Half>(data, add_imaginary);
  if (bits == 32) return converted<From, float>(data, add_imaginary);
  return converted<From, double>(data, add_imaginary);
}

}  // namespace

void convert(NpyArray& array, NpyType type) {
  bool const imaginary = type.complex && !array.type.complex;
  if (array.type == type) return;
  if (array.type.bits == 16)
    array.data = converted_to<Half>(type.bits, array.data, imaginary);
  else if (array.type.bits == 32)
    array.data = converted_to<float>(type.bits, array.data, imaginary);
  else
    array.data = converted_to<double>(type.bits, array.data, imaginary);
  array.type = type;
}

}  // namespace skipper::cli
