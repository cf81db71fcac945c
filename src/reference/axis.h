// One axis of a problem by its definition, out of the table of kinds (base/kinds.h), in numbers beyond the precision
// under test. Knows nothing of radices, passes or kernels.
#pragma once

#include <vector>

#include "base/kinds.h"
#include "reference/number.h"

namespace skipper::reference {

/// The angle of input j in output k is u v / order of a turn, u and v being integers: products are exact.
struct AxisAngles {
  Index order = 1;
  Shift in = Shift::none, out = Shift::none;

  AxisAngles(AxisKind kind, Index n);
  Index u(Index j) const { return point(in, j); }
  Index v(Index k) const { return point(out, k); }

 private:
  static Index point(Shift shift, Index i) {
    return shift == Shift::half ? 2 * i + 1 : i + (shift == Shift::one);
  }
};

/// Roots of unity exp(-2 pi i m / n) from one table, or for long axes from the product of two.
template <class R>
class Roots {
 public:
  explicit Roots(Index n);
  Complex<R> operator()(Index m) const {
    return coarse_.size() == 1 ? fine_[m] : coarse_[m / block_] * fine_[m % block_];
  }

 private:
  Index block_ = 1;
  std::vector<Complex<R>> fine_, coarse_;
};

template <class R>
class AxisDefinition {
 public:
  AxisDefinition(Problem const& problem, std::size_t axis);

  /// Those that are stored; an output is called by its number among these.
  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }

  /// work(j, coefficient) for every input j of an output. The halved axis of c2r also takes real parts of its sums.
  template <class Work>
  void each_term(Index number, Work work) const {
    Index const k = first_output_ + number;
    Index const v = angles_.v(k) % angles_.order;
    Index const step = angles_.in == Shift::half ? 2 * v % angles_.order : v;
    Index m = angles_.in == Shift::none ? 0 : v;
    for (Index j = 0; j < inputs_; ++j) {
      work(j, coefficient(m, j, k));
      m += step;
      if (m >= angles_.order) m -= angles_.order;
    }
  }

  /// The same for all outputs, [outputs][inputs].
  std::vector<Complex<R>> matrix() const;

  /// Where the matrix is large: all outputs of one line, by a transform in double-double.
  bool is_by_transform() const;
  std::vector<Complex<R>> by_transform(std::vector<Complex<R>> const& line) const;

  bool takes_real_parts() const { return c2r_; }

 private:
  Complex<R> coefficient(Index m, Index j, Index k) const {
    Complex<R> w = roots_(m);
    switch (basis_) {
      case Basis::exponential:
        if (inverse_) w = conjugate(w);
        break;
      case Basis::cosine:
        w.im = R(0.0);
        break;
      case Basis::sine:
        w = {-w.im, R(0.0)};
        break;
      case Basis::cas:
        w = {w.re - w.im, R(0.0)};
        break;
    }
    return is_plain_ ? w : weight(j, k) * w;
  }
  R weight(Index j, Index k) const;

  Index n_, inputs_, outputs_, first_output_;
  AxisAngles angles_;
  Basis basis_;
  EndPoints first_, last_;  // of the inputs, of the outputs
  bool inverse_, ortho_, c2r_, is_plain_;
  Roots<R> roots_;
};

}  // namespace skipper::reference
