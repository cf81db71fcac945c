// The one reference: a problem evaluated by its definition, whole or at single outputs, in double for f32 and 16-bit storage and in
// double-double for f64 (number.h).
#pragma once

#include <vector>

#include "reference/axis.h"

namespace skipper::reference {

/// All outputs of one or more transforms: `x` holds their inputs, dense and row-major as the axes are stored, one
/// transform after another; so does the result. The scale and the norm are in it.
template <class R>
std::vector<Complex<R>> transformed(Problem const& problem, std::vector<Complex<R>> x);

/// Single outputs of one transform.
template <class R>
class Outputs {
 public:
  explicit Outputs(Problem const& problem);

  /// Outputs k, with k[0] out of `firsts`; load(index) gives the input at an index of all axes. Sums over the other axes
  /// are shared.
  template <class Load>
  std::vector<Complex<R>> along_first(std::vector<Index> const& k, std::vector<Index> const& firsts,
                                      Load load) const {
    std::vector<std::vector<Complex<R>>> coefficients(axes_.size());
    for (std::size_t a = 1; a < axes_.size(); ++a)
      axes_[a].each_term(k[a], [&](Index, Complex<R> const& w) { coefficients[a].push_back(w); });
    std::vector<Index> index(k.size(), 0);
    std::vector<Complex<R>> line;
    for (index[0] = 0; index[0] < axes_[0].inputs(); ++index[0])
      line.push_back(sum_from(1, coefficients, index, load));
    std::vector<Complex<R>> result;
    for (Index const first : firsts) {
      Complex<R> total;
      axes_[0].each_term(first, [&](Index j, Complex<R> const& w) { total = total + line[j] * w; });
      result.push_back(finished(total));
    }
    return result;
  }

  template <class Load>
  Complex<R> at(std::vector<Index> const& k, Load load) const {
    return along_first(k, {k[0]}, load).front();
  }

 private:
  template <class Load>
  Complex<R> sum_from(std::size_t axis, std::vector<std::vector<Complex<R>>> const& coefficients,
                      std::vector<Index>& index, Load const& load) const {
    if (axis == axes_.size()) return load(index);
    Complex<R> total;
    index[axis] = 0;
    for (Complex<R> const& w : coefficients[axis]) {
      total = total + sum_from(axis + 1, coefficients, index, load) * w;
      ++index[axis];
    }
    return total;
  }
  Complex<R> finished(Complex<R> total) const {
    return {scale_ * total.re, real_ ? R(0.0) : scale_ * total.im};
  }

  std::vector<AxisDefinition<R>> axes_;
  R scale_;
  bool real_;
};

}  // namespace skipper::reference
