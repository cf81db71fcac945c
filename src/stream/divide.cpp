// See divide.h.
#include "stream/divide.h"

#include <complex>

namespace skipper::stream {
namespace {

template <class V, class Real>
void divide_all(std::vector<double> const& symbols, std::vector<DivisionDim> const& dims, V* data,
                V* constant, Loop const& loop) {
  DivisionDim const row = dims.empty() ? DivisionDim{} : dims[0];
  Index rows = 1;
  for (std::size_t d = 1; d < dims.size(); ++d) rows *= dims[d].size;
  loop(rows, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      double around = 0;
      Index rest = r;
      for (std::size_t d = 1; d < dims.size(); ++d) {
        around += symbols[std::size_t(dims[d].first + rest % dims[d].size)];
        rest /= dims[d].size;
      }
      double const* const own = symbols.data() + row.first;
      V* const values = data + r * row.size;
      for (Index i = 0; i < row.size; ++i) {
        double const symbol = own[i] + around;
        if (symbol == 0)
          *constant = std::exchange(values[i], V(0));
        else
          values[i] *= Real(1 / symbol);
      }
    }
  });
}

}  // namespace

void divide(Division const& by, std::vector<DivisionDim> const& dims, void* data, void* constant,
            Loop const& loop) {
  auto const as = [&]<class V, class Real>(V, Real) {
    divide_all<V, Real>(by.symbols, dims, static_cast<V*>(data), static_cast<V*>(constant), loop);
  };
  if (by.precision == Precision::f64)
    by.complex ? as(std::complex<double>(), double()) : as(double(), double());
  else
    by.complex ? as(std::complex<float>(), float()) : as(float(), float());
}

}  // namespace skipper::stream
