// Rows along the last dimension are written one by one; the row that is read has the negative index along every
// transformed axis.
#include "mirror.h"

#include <algorithm>
#include <complex>

namespace skipper::python {
namespace {

// Which dimensions are transformed, and the one that is halved.
struct Mirrored {
  std::array<bool, max_dims> is_transformed{};
  int halved = 0;
};

std::int64_t negative(std::int64_t k, std::int64_t n) { return k == 0 ? 0 : n - k; }

// One row along the last dimension, from k = first on.
template <class T>
void mirror_row(std::complex<T>* to, std::complex<T> const* from, std::int64_t first, std::int64_t n,
                bool is_transformed, bool conjugate) {
  T const sign = conjugate ? T(-1) : T(1);
  auto const parts = [&](std::complex<T> z) { return std::complex<T>(z.real(), sign * z.imag()); };
  if (!is_transformed) {
    for (std::int64_t k = first; k < n; ++k) to[k] = parts(from[k]);
    return;
  }
  if (first == 0) to[0] = parts(from[0]);
  for (std::int64_t k = std::max<std::int64_t>(first, 1); k < n; ++k) to[k] = parts(from[n - k]);
}

template <class T>
void mirror_all(std::complex<T>* data, Layout const& whole, Mirrored const& m, bool inverse) {
  int const last = whole.rank - 1;
  Sizes index{};
  std::int64_t const n = whole.shape[m.halved];
  auto const first_of = [&](int d) { return d == m.halved ? n / 2 + 1 : std::int64_t(0); };
  for (int d = 0; d < last; ++d) index[d] = first_of(d);
  if (n <= 2) return;
  for (;;) {
    std::int64_t to = 0, from = 0;
    for (int d = 0; d < last; ++d) {
      to += index[d] * whole.strides[d];
      from += (m.is_transformed[d] ? negative(index[d], whole.shape[d]) : index[d]) * whole.strides[d];
    }
    mirror_row(data + to, data + from, first_of(last), whole.shape[last], m.is_transformed[last], !inverse);
    int d = last - 1;
    while (d >= 0 && ++index[d] == whole.shape[d]) index[d] = first_of(d), --d;
    if (d < 0) return;
  }
}

// Conjugates what r2c has written: along the halved axis the first n/2 + 1.
template <class T>
void conjugate_half(std::complex<T>* data, Layout const& whole, int halved) {
  std::int64_t outer = 1, inner = 1;
  for (int d = 0; d < halved; ++d) outer *= whole.shape[d];
  for (int d = halved + 1; d < whole.rank; ++d) inner *= whole.shape[d];
  std::int64_t const n = whole.shape[halved];
  for (std::int64_t i = 0; i < outer; ++i) {
    T* const parts = reinterpret_cast<T*>(data + i * n * inner);
    for (std::int64_t k = 0; k < (n / 2 + 1) * inner; ++k) parts[2 * k + 1] = -parts[2 * k + 1];
  }
}

template <class T>
void mirror_as(void* data, Layout const& whole, Mirrored const& m, bool inverse) {
  auto* const numbers = static_cast<std::complex<T>*>(data);
  mirror_all(numbers, whole, m, inverse);
  if (inverse) conjugate_half(numbers, whole, m.halved);
}

}  // namespace

void make_half(Request& request, Layout& whole) {
  Axes& axes = request.axes;
  int const fastest = static_cast<int>(std::max_element(axes.index.begin(), axes.index.begin() + axes.count) -
                                       axes.index.begin());
  std::swap(axes.index[fastest], axes.index[axes.count - 1]);
  std::swap(axes.sizes[fastest], axes.sizes[axes.count - 1]);
  whole = request.in;
  whole.scalar = complex_of(request.in.scalar);
  for (int a = 0; a < axes.count; ++a) whole.shape[axes.index[a]] = axes.sizes[a];
  set_dense(whole);
  request.operation.kind = Kind::r2c;
  request.place = OutputPlace::strided;
  request.out.strides = whole.strides;
  set_output(request);
}

void mirror(void* data, Layout const& whole, Axes const& axes, bool inverse) {
  Mirrored m;
  for (int a = 0; a < axes.count; ++a) m.is_transformed[axes.index[a]] = true;
  m.halved = axes.index[axes.count - 1];
  if (whole.scalar == Scalar::complex64)
    mirror_as<float>(data, whole, m, inverse);
  else
    mirror_as<double>(data, whole, m, inverse);
}

}  // namespace skipper::python
