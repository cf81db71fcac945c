// The matrix of a cosine or sine axis by its definition: X_k = sum over j of weight times cos or sin of
// 2 pi (a j + b)(c k + d) / turn, with all products taken modulo the turn in integers.
#pragma once

#include <skipper/problem.h>

namespace skipper::cli {

struct TrigTerms {
  std::int64_t size = 1, turn = 1;
  std::int64_t a = 1, b = 0, c = 1, d = 0;
  bool sine = false;
  bool half_first = false, half_last = false;  // inputs that count half
  bool low_first = false, low_last = false;    // outputs that Norm::ortho divides by sqrt 2

  static TrigTerms of(Axis const& axis) {
    AxisKind const k = axis.kind;
    TrigTerms t;
    t.size = axis.size;
    t.sine = k >= AxisKind::dst1;
    bool const first = k == AxisKind::dct1 || k == AxisKind::dst1;
    bool const middle_in = k == AxisKind::dct2 || k == AxisKind::dst2 || is_fourth(k);
    bool const middle_out = k == AxisKind::dct3 || k == AxisKind::dst3 || is_fourth(k);
    t.turn = first ? 2 * (axis.size + (t.sine ? 1 : -1)) : (is_fourth(k) ? 8 : 4) * axis.size;
    t.a = middle_in ? 2 : 1, t.b = middle_in || t.sine ? 1 : 0;
    t.c = middle_out ? 2 : 1, t.d = middle_out || t.sine ? 1 : 0;
    t.half_first = k == AxisKind::dct1 || k == AxisKind::dct3;
    t.half_last = k == AxisKind::dct1 || k == AxisKind::dst3;
    t.low_first = k == AxisKind::dct1 || k == AxisKind::dct2;
    t.low_last = k == AxisKind::dct1 || k == AxisKind::dst2;
    return t;
  }

  // work(j, m, weight): the term of input j of output k has the angle m / turn.
  template <class Work>
  void each(std::int64_t k, bool ortho, Work work) const {
    constexpr double root = 1.41421356237309504880;
    std::int64_t const factor = (c * k + d) % turn;
    std::int64_t const step = product(a, factor);
    std::int64_t m = product(b, factor);
    bool const low = ortho && ((low_first && k == 0) || (low_last && k == size - 1));
    for (std::int64_t j = 0; j < size; ++j) {
      bool const half = (half_first && j == 0) || (half_last && j == size - 1);
      // sqrt 2 in and 1/sqrt 2 out cancel where both apply, so that few weights are rounded
      double weight = half ? 1 : 2;
      if (half && ortho) weight = low ? 1 : root;
      if (!half && low) weight = root;
      work(j, m, weight);
      m += step;
      if (m >= turn) m -= turn;
    }
  }

 private:
  static bool is_fourth(AxisKind k) { return k == AxisKind::dct4 || k == AxisKind::dst4; }
  std::int64_t product(std::int64_t x, std::int64_t y) const { return x * y % turn; }  // x is at most 2
};

}  // namespace skipper::cli
