// See axis.h.
#include "reference/axis.h"

#include <algorithm>
#include <cmath>

#include "reference/fine_transform.h"

namespace skipper::reference {

AxisAngles::AxisAngles(AxisKind kind, Index n) : in(facts(kind).in), out(facts(kind).out) {
  order = logical_size(kind, n) * (in == Shift::half ? 2 : 1) * (out == Shift::half ? 2 : 1);
}

template <class R>
Roots<R>::Roots(Index n) {
  constexpr Index longest_block = 4096;
  while (block_ < n && block_ < longest_block) block_ *= 2;
  for (Index i = 0; i < std::min(block_, n); ++i) fine_.push_back(root_in<R>(i, n));
  for (Index i = 0; i * block_ < n; ++i) coarse_.push_back(root_in<R>(i * block_, n));
}

template <class R>
AxisDefinition<R>::AxisDefinition(Problem const& problem, std::size_t axis)
    : n_(problem.axes[axis].size),
      inputs_(in_size(problem, axis)),
      outputs_(out_size(problem, axis)),
      first_output_(problem.axes[axis].out_first),
      angles_(problem.axes[axis].kind, n_),
      basis_(facts(problem.axes[axis].kind).basis),
      first_(in_end_points(problem.axes[axis].kind)),
      last_(out_end_points(problem.axes[axis].kind)),
      inverse_(problem.direction == Direction::inverse),
      ortho_(problem.norm == Norm::ortho),
      c2r_(problem.kind == Kind::c2r && halved_axis(problem) == axis),
      is_plain_(!c2r_ && !is_extension(problem.axes[axis].kind)),
      roots_(angles_.order) {}

/// How often an input stands in the extension, or in the whole spectrum, and what Norm::ortho makes of end points.
template <class R>
R AxisDefinition<R>::weight(Index j, Index k) const {
  if (c2r_) return j == 0 || 2 * j == n_ ? R(1.0) : R(2.0);
  static R const root_of_two = R(2.0) * root_in<R>(1, 8).re;
  bool const raised = first_(j, n_), lowered = ortho_ && last_(k, n_);
  // sqrt(2) where an input is an end point, 1/sqrt(2) where an output is: together 1, so that few weights are rounded
  if (raised) return !ortho_ || lowered ? R(1.0) : root_of_two;
  return lowered ? root_of_two : R(2.0);
}

/// By a count of operations: of one sum's term, and of a point of the transform.
template <class R>
bool AxisDefinition<R>::is_by_transform() const {
  double const term = sizeof(R) == sizeof(double) ? 4 : 60, order = double(angles_.order);
  return order * (150 * std::log2(order + 1) + 300) < term * double(inputs_) * double(outputs_);
}

template <class R>
std::vector<Complex<R>> AxisDefinition<R>::matrix() const {
  std::vector<Complex<R>> all;
  for (Index k = 0; k < outputs_; ++k) each_term(k, [&](Index, Complex<R> const& w) { all.push_back(w); });
  return all;
}

/// With Y the transform of `order` points that has the inputs, weighted, at their u: Y[v] = C - i S and Y[-v] = C + i S,
/// where C and S are the sums of cosines and sines.
template <class R>
std::vector<Complex<R>> AxisDefinition<R>::by_transform(std::vector<Complex<R>> const& line) const {
  Index const order = angles_.order;
  Index const inside = n_ / 2;  // an output that is no end point; those differ by a factor
  std::vector<Fine> x(order);
  for (Index j = 0; j < inputs_; ++j) {
    Complex<R> const w = is_plain_ ? line[j] : weight(j, inside) * line[j];
    x[angles_.u(j) % order] = {w.re, w.im};
  }
  std::vector<Fine> const y = fine_transform(x);
  std::vector<Complex<R>> out;
  DoubleDouble const half = 0.5;
  for (Index k = first_output_; k < first_output_ + outputs_; ++k) {
    Index const v = angles_.v(k) % order;
    Fine const ahead = y[v], behind = y[(order - v) % order];
    Fine const cosines = half * (ahead + behind), rotated = half * (ahead - behind);  // -i S
    Fine const sines = {-rotated.im, rotated.re};
    Fine sum;
    switch (basis_) {
      case Basis::exponential:
        sum = inverse_ ? behind : ahead;
        break;
      case Basis::cosine:
        sum = cosines;
        break;
      case Basis::sine:
        sum = sines;
        break;
      case Basis::cas:
        sum = cosines + sines;
        break;
    }
    if (ortho_ && last_(k, n_)) sum = root_in<DoubleDouble>(1, 8).re * sum;
    out.push_back({narrowed<R>(sum.re), narrowed<R>(sum.im)});
  }
  return out;
}

template class Roots<double>;
template class Roots<DoubleDouble>;
template class AxisDefinition<double>;
template class AxisDefinition<DoubleDouble>;

}  // namespace skipper::reference
