// Arrays between precisions, and from real to complex.
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
std::vector<std::byte> converted_to(Precision precision, std::vector<std::byte> const& data,
                                    bool add_imaginary) {
  return with_scalar(precision, [&]<class To>(To) { return converted<From, To>(data, add_imaginary); });
}

// NumPy's bool is a byte; whatever is not 0 is true.
struct Boolean {
  std::uint8_t byte;
  explicit operator double() const { return byte != 0 ? 1 : 0; }
};

template <class Signed, class Unsigned>
std::vector<std::byte> widened(std::vector<std::byte> const& data, bool is_signed) {
  return is_signed ? converted<Signed, double>(data, false) : converted<Unsigned, double>(data, false);
}

}  // namespace

void widen_integers(NpyArray& array, NpyNumber number, std::size_t bytes) {
  bool const is_signed = number == NpyNumber::signed_integer;
  array.data = number == NpyNumber::boolean ? converted<Boolean, double>(array.data, false)
               : bytes == 1                 ? widened<std::int8_t, std::uint8_t>(array.data, is_signed)
               : bytes == 2                 ? widened<std::int16_t, std::uint16_t>(array.data, is_signed)
               : bytes == 4                 ? widened<std::int32_t, std::uint32_t>(array.data, is_signed)
                                            : widened<std::int64_t, std::uint64_t>(array.data, is_signed);
}

void convert(NpyArray& array, NpyType type) {
  bool const imaginary = type.complex && !array.type.complex;
  if (array.type == type) return;
  array.data = with_scalar(array.type.precision, [&]<class From>(From) {
    return converted_to<From>(type.precision, array.data, imaginary);
  });
  array.type = type;
}

}  // namespace skipper::cli
