// See axis_weights.h. Angles are whole numbers of 1/turn of a turn, reduced before anything is rounded, where turn is twice the
// order of the axis. z is an odd power of that root and all others are even ones, so no series has the ratio 1.
#include "reference/axis_weights.h"

#include <algorithm>
#include <cmath>

#include "base/kinds.h"
#include "reference/axis.h"

namespace skipper::reference {
namespace {

using Wide = std::complex<double>;

__extension__ using Long = __int128;

constexpr double pi = 3.141592653589793238;

/// a modulo m, nearest to 0; in 64 bits where they suffice.
double nearest(Long a, Index m) {
  Index r = Index(a) == a ? Index(a) % m : Index(a % m);
  if (2 * r >= m) r -= m;
  if (2 * r < -m) r += m;
  return double(r);
}

/// The roots exp(2 pi i a / m) for all whole a, each the product of two of a table.
class RootsOfUnity {
 public:
  explicit RootsOfUnity(Index m) : m_(m) {
    while (block_ * block_ < m) block_ *= 2;
    for (Index i = 0; i < std::min(block_, m); ++i) fine_.push_back(exactly(i));
    for (Index i = 0; i < m; i += block_) coarse_.push_back(exactly(i));
  }

  Wide operator()(Long a) const {
    auto r = Index(nearest(a, m_));
    if (r < 0) r += m_;
    Wide const x = coarse_[std::size_t(r / block_)], y = fine_[std::size_t(r % block_)];
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }

 private:
  Wide exactly(Index a) const {
    double const angle = 2 * pi * (nearest(a, m_) / double(m_));
    return {std::cos(angle), std::sin(angle)};
  }

  Index m_, block_ = 1;
  std::vector<Wide> fine_, coarse_;
};

/// sin(pi a / m), exact near its zeros too.
double half_sine(Long a, Index m) {
  double const x = nearest(a, 2 * m), beyond = double(m) - std::abs(x);
  return std::copysign(std::sin(pi * (std::min(std::abs(x), beyond) / double(m))), x);
}

class Axis {
 public:
  Axis(Problem const& problem, std::size_t axis, bool conjugate)
      : n_(problem.axes[axis].size),
        first_(problem.axes[axis].out_first),
        inputs_(in_size(problem, axis)),
        outputs_(out_size(problem, axis)),
        kind_(problem.axes[axis].kind),
        angles_(kind_, n_),
        turn_(2 * angles_.order),
        z_((2 * Index(0.19 * double(turn_)) + 1) * (conjugate ? -1 : 1)),
        sign_(problem.direction == Direction::inverse ? 1 : -1),
        ortho_(problem.norm == Norm::ortho),
        c2r_(problem.kind == Kind::c2r && halved_axis(problem) == axis),
        halves_(2 * turn_) {}

  AxisWeights weights() const {
    AxisWeights w;
    w.out.reserve(std::size_t(outputs_)), w.in.reserve(std::size_t(inputs_));
    for (Index k = 0; k < outputs_; ++k) w.out.push_back(unit(Long(z_) * (first_ + k)));
    for (Index j = 0; j < inputs_; ++j) w.in.push_back(of_input(j));
    w.gain = is_extension(kind_) || c2r_ ? 2 : 1;
    return w;
  }

 private:
  /// exp(2 pi i a / turn)
  Wide unit(Long a) const { return halves_(2 * a); }
  /// Sum of q^k over the outputs k, where q = exp(2 pi i a / turn) is not 1. Where the sum is large, so where the divisor is nearly
  /// 0, that one is exact.
  Wide series(Long a) const {
    Long const reduced = Index(nearest(a, turn_));
    return halves_(reduced * (2 * first_ + outputs_ - 1)) *
           (halves_(reduced * outputs_).imag() / half_sine(reduced, turn_));
  }
  /// sum over the outputs of z^k exp(2 pi i sign u v(k) / order)
  Wide sum(Index u, int sign) const {
    Index const v0 = angles_.v(0), dv = angles_.v(1) - v0;
    Long const step = Long(2) * sign * u;  // of v, in turns
    Wide const all = series(z_ + step * dv);
    return v0 == 0 ? all : unit(step * v0) * all;
  }
  Wide combined(Wide ahead, Wide behind) const {
    Wide const cosine = 0.5 * (ahead + behind), sine = Wide(0, -0.5) * (ahead - behind);
    switch (facts(kind_).basis) {
      case Basis::exponential:
        return sign_ > 0 ? ahead : behind;
      case Basis::cosine:
        return cosine;
      case Basis::sine:
        return sine;
      case Basis::cas:
        break;
    }
    return cosine + sine;
  }
  Wide of_input(Index j) const {
    Index const u = angles_.u(j);
    bool const complex = facts(kind_).basis == Basis::exponential;
    Wide const all =
        combined(complex && sign_ < 0 ? Wide() : sum(u, 1), complex && sign_ > 0 ? Wide() : sum(u, -1));
    if (c2r_) return (j == 0 || 2 * j == n_ ? 1.0 : 2.0) * all;
    if (!is_extension(kind_)) return all;
    bool const raised = in_end_points(kind_)(j, n_);
    Wide total = (raised ? ortho_ ? std::sqrt(2.0) : 1.0 : 2.0) * all;
    // an orthonormal axis divides outputs by sqrt(2) that are end points
    for (Index const k : {Index(0), n_ - 1}) {
      bool const stored = k >= first_ && k < first_ + outputs_, twice = k == 0 && n_ == 1;
      if (!ortho_ || !stored || !out_end_points(kind_)(k, n_)) continue;
      Long const angle = Long(2) * u * angles_.v(k);
      Wide const term = unit(Long(z_) * k) * combined(unit(angle), unit(-angle));
      total += ((raised ? 1.0 - std::sqrt(2.0) : std::sqrt(2.0) - 2.0) * (twice ? 0.5 : 1.0)) * term;
    }
    return total;
  }

  Index n_, first_, inputs_, outputs_;
  AxisKind kind_;
  AxisAngles angles_;
  Index turn_, z_;
  int sign_;
  bool ortho_, c2r_;
  RootsOfUnity halves_;  // exp(pi i a / turn)
};

}  // namespace

AxisWeights axis_weights(Problem const& problem, std::size_t axis, bool conjugate) {
  return Axis(problem, axis, conjugate).weights();
}

}  // namespace skipper::reference
