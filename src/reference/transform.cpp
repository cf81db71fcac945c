// See transform.h.
#include "reference/transform.h"

#include <functional>
#include <numeric>

namespace skipper::reference {
namespace {

template <class R>
std::vector<Complex<R>> product(std::vector<Complex<R>> const& matrix, std::vector<Complex<R>> const& line) {
  std::vector<Complex<R>> y(matrix.size() / line.size());
  auto const* w = matrix.data();
  for (Complex<R>& sum : y)
    for (Complex<R> const& x : line) sum = sum + x * *w++;
  return y;
}

/// All lines of a dense array along one dimension.
template <class R>
void transform_along(AxisDefinition<R> const& axis, std::vector<Complex<R>>& x, Index inner) {
  Index const in = axis.inputs(), out = axis.outputs(), outer = Index(x.size()) / in / inner;
  bool const fast = axis.is_by_transform();
  auto const matrix = fast ? std::vector<Complex<R>>{} : axis.matrix();
  std::vector<Complex<R>> line(in), result(outer * out * inner);
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < inner; ++i) {
      for (Index j = 0; j < in; ++j) line[j] = x[(o * in + j) * inner + i];
      auto const y = fast ? axis.by_transform(line) : product(matrix, line);
      for (Index k = 0; k < out; ++k) {
        Complex<R>& to = result[(o * out + k) * inner + i] = y[k];
        if (axis.takes_real_parts()) to.im = R(0.0);
      }
    }
  x = std::move(result);
}

}  // namespace

template <class R>
std::vector<Complex<R>> transformed(Problem const& problem, std::vector<Complex<R>> x) {
  auto const halved = halved_axis(problem);
  std::vector<Index> shape;
  for (std::size_t a = 0; a < problem.axes.size(); ++a) shape.push_back(in_size(problem, a));
  auto const transform = [&](std::size_t a) {
    Index const inner = std::accumulate(shape.begin() + a + 1, shape.end(), Index(1), std::multiplies<>());
    transform_along(AxisDefinition<R>(problem, a), x, inner);
    shape[a] = out_size(problem, a);
  };
  // On the other side of the halved axis there are half as many numbers.
  if (halved && problem.kind == Kind::r2c) transform(*halved);
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    if (halved != a) transform(a);
  if (halved && problem.kind == Kind::c2r) transform(*halved);
  R const scale = R(whole_scale(problem));
  for (Complex<R>& value : x) value = scale * value;
  return x;
}

template <class R>
Outputs<R>::Outputs(Problem const& problem)
    : scale_(R(whole_scale(problem))), real_(facts(problem.kind).real_out) {
  for (std::size_t a = 0; a < problem.axes.size(); ++a) axes_.emplace_back(problem, a);
}

template std::vector<Complex<double>> transformed(Problem const&, std::vector<Complex<double>>);
template std::vector<Complex<DoubleDouble>> transformed(Problem const&, std::vector<Complex<DoubleDouble>>);
template class Outputs<double>;
template class Outputs<DoubleDouble>;

}  // namespace skipper::reference
