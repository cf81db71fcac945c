// See trig.h. With t = exp(-2 pi i / 4n):
//   dct2  v = x0 x2 x4 .. x5 x3 x1, V its transform: X_k = 2 Re(t^k V_k), X_n-k = -2 Im(t^k V_k) (Makhoul 1980). An even
//         n takes V from a complex transform of half the length, an odd one from one of v as it is.
//   dct3  its transpose, which is its inverse times 2n
//   dct4  n even: z_j = x_2j + i x_(n-1-2j), twiddled before and after a transform of n/2 points;
//         n odd: a permutation with signs, see odd_dct4()
//   dct1  N = n-1 even: the sums x_j + x_(N-j) give the even outputs, again by dct1, the differences the odd ones by
//         dct3 of N/2, and so on; N odd: see odd_dct1()
//   dst1  likewise with N = n+1
//   dst2  dct2 of (-1)^j x_j, outputs reversed; dst3, dst4: dct3, dct4 of x reversed, outputs times (-1)^k
//   dht   H_k = Re V_k - Im V_k, H_n-k = Re V_k + Im V_k, V the transform of x; an even n as in dct2
// Where lines are done one at a time, short transforms, or the short ones that dct1 and dst1 end with, are matrix products.
#include "cpu/trig.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/kinds.h"
#include "base/numbers.h"
#include "base/roots.h"

namespace skipper::cpu {
namespace {

/// The row of an element of a core transform, and the factor that it is multiplied by.
struct ScaledRow {
  Index row = 0;
  double factor = 1;
};
using ElementMap = std::function<ScaledRow(Index)>;

struct LineMaps {
  TrigArray from = TrigArray::in;
  ElementMap in, out;
};

constexpr double half_root = 0.70710678118654752440;

/// Makes a program. The functions that give entries share it and keep it alive.
class TrigMaker : public std::enable_shared_from_this<TrigMaker> {
 public:
  TrigMaker(AxisKind kind, Index n, double scale, bool ortho, bool one_line, TrigRoots roots,
            std::function<bool(Index)> by_sums)
      : kind_(kind),
        n_(n),
        scale_(scale),
        ortho_(ortho),
        one_line_(one_line),
        quick_(roots == TrigRoots::quick),
        by_sums_(std::move(by_sums)) {
    order_ = order_of(kind, n);
    if (roots != TrigRoots::none) roots_.emplace(order_);
  }

  TrigProgram make() {
    make_ops();
    by_sums_ = {};  // entries outlive what it looks at
    return std::move(made);
  }

 private:
  /// The order of the roots of unity that the kind needs.
  static Index order_of(AxisKind kind, Index n) {
    switch (kind) {
      case AxisKind::dct1:
      case AxisKind::dst1:
        return logical_size(kind, n);
      case AxisKind::dct2:
      case AxisKind::dst2:
      case AxisKind::dct3:
      case AxisKind::dst3:
        return 4 * n;
      case AxisKind::dct4:
      case AxisKind::dst4:
        return 16 * n;
      case AxisKind::dht:
        return n;
      case AxisKind::fourier:
        break;
    }
    throw std::logic_error("trig_program: the kind has no program of row ops");
  }

  void make_ops() {
    switch (kind_) {
      case AxisKind::dct1:
      case AxisKind::dst1:
        return dct1();
      case AxisKind::dct2:
      case AxisKind::dst2:
        return second(n_, line_maps());
      case AxisKind::dct3:
      case AxisKind::dst3:
        return third(n_, line_maps());
      case AxisKind::dct4:
      case AxisKind::dst4:
        return fourth(line_maps());
      case AxisKind::dht:
        return hartley(n_, line_maps());
      case AxisKind::fourier:
        break;
    }
  }

  // The weights of Norm::ortho at the end points of input and output.
  double weight_in(Index j) const { return ortho_ && in_end_points(kind_)(j, n_) ? 2 * half_root : 1; }
  double weight_out(Index k) const { return ortho_ && out_end_points(kind_)(k, n_) ? half_root : 1; }

  /// DST-II to DST-IV as DCT-II to DCT-IV of permuted and negated elements.
  LineMaps line_maps() const {
    bool const sine = is_sine();
    bool const second = kind_ == AxisKind::dst2;
    auto sign = [](Index j) { return j % 2 ? -1.0 : 1.0; };
    return {TrigArray::in,
            [=, self = shared_from_this()](Index j) {
              Index const row = sine && !second ? self->n_ - 1 - j : j;
              return ScaledRow{row, self->weight_in(row) * (second ? sign(j) : 1)};
            },
            [=, self = shared_from_this()](Index k) {
              Index const row = second ? self->n_ - 1 - k : k;
              return ScaledRow{row, self->scale_ * self->weight_out(row) * (sine && !second ? sign(k) : 1)};
            }};
  }

  TrigOp& act(RowOp kind, TrigArray from, TrigArray to) {
    TrigOp& op = made.ops.emplace_back();
    op.kind = kind, op.from = from, op.to = to;
    return op;
  }
  void add_pairs(RowOp kind, TrigArray from, TrigArray to, Index count,
                 std::function<RowPair<double>(Index)> entry) {
    TrigOp& op = act(kind, from, to);
    op.count = count;
    op.pair = std::move(entry);
  }

  /// exp(-2 pi i k / order), for an order that divides the program's.
  std::complex<double> root(Index k, Index order) const {
    if (!roots_) return 1;
    Index const at = k * (order_ / order);
    return quick_ ? roots_->at<float>(at) : roots_->at<double>(at);
  }
  void transform(Index n, Direction direction) {
    act(RowOp::combine, TrigArray::points, TrigArray::points).n = n;
    made.ops.back().direction = direction;
    made.points = std::max(made.points, n);
  }

  bool has_sums(Index n) const { return n % 2 == 1 && by_sums_ && by_sums_(n); }
  void sum(Index n, PairSums sums) {
    act(RowOp::combine, TrigArray::points, TrigArray::points).n = n;
    made.ops.back().sums = sums;
    made.points = std::max(made.points, n / 2 + 1);
  }
  /// The i-th of `count` numbers sorted by their remainders modulo `classes`. Where entries depend on the remainder, consecutive ones
  /// then form progressions (planned_row_op.h).
  static Index by_classes(Index i, Index count, Index classes) {
    for (Index c = 0; c < classes; ++c) {
      Index const members = (count - c + classes - 1) / classes;
      if (i < members) return c + i * classes;
      i -= members;
    }
    return 0;
  }
  /// For sums: x + y and x - y of two elements of a line, each with its factor, as a pair.
  static RowPair<double> sum_and_difference(ScaledRow x, ScaledRow y, Index to) {
    return {{x.row, y.row}, {to, to}, {1, x.factor}, {1, -y.factor}};
  }

  // Matrix products for short lines, by the definitions of problem.h.
  bool is_short(Index n) const { return one_line_ && n <= max_product; }
  /// All roots of one small order.
  class SmallRoots {
   public:
    explicit SmallRoots(Index order) : order_(order), roots_(skipper::roots<double>(order, order)) {}
    std::complex<double> operator()(Index k) const { return roots_[static_cast<std::size_t>(k % order_)]; }

   private:
    Index order_;
    std::vector<std::complex<double>> roots_;
  };
  using Term = double (*)(SmallRoots const& root, Index j, Index k, Index n);
  void multiply(Index n, LineMaps const& s, Index order, Term term) {
    SmallRoots const root(order);
    TrigProduct& p = act(RowOp::combine, s.from, TrigArray::out).product;
    p.n = n;
    auto set = [n](ElementMap const& map, Index& first,
                   Index& step) {  // upwards, so that it begins where the array does
      step = n > 1 ? map(1).row - map(0).row : 1;
      bool const down = step < 0;
      first = map(down ? n - 1 : 0).row;
      step = down ? -step : step;
      return [=](Index i) { return down ? n - 1 - i : i; };
    };
    auto const input = set(s.in, p.in_first, p.in_step), output = set(s.out, p.out_first, p.out_step);
    auto const factors = [n](ElementMap const& map) {
      std::vector<double> all(static_cast<std::size_t>(n));
      for (Index i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = map(i).factor;
      return all;
    };
    std::vector<double> const in = factors(s.in), out = factors(s.out);
    p.matrix.reserve(static_cast<std::size_t>(n * n));
    for (Index row = 0; row < n; ++row)
      for (Index column = 0; column < n; ++column) {
        Index const j = input(row), k = output(column);
        p.matrix.push_back(in[static_cast<std::size_t>(j)] * out[static_cast<std::size_t>(k)] *
                           term(root, j, k, n));
      }
  }
  static double first_cosine(SmallRoots const& root, Index j, Index k, Index n) {
    return (j == 0 || j == n - 1 ? 1 : 2) * root(j * k).real();
  }
  static double first_sine(SmallRoots const& root, Index j, Index k, Index) {
    return -2 * root((j + 1) * (k + 1)).imag();
  }
  static double second_cosine(SmallRoots const& root, Index j, Index k, Index) {
    return 2 * root((2 * j + 1) * k).real();
  }
  static double third_cosine(SmallRoots const& root, Index j, Index k, Index) {
    return (j == 0 ? 1 : 2) * root(j * (2 * k + 1)).real();
  }
  static double dct4_cosine(SmallRoots const& root, Index j, Index k, Index) {
    return 2 * root((2 * j + 1) * (2 * k + 1)).real();
  }

  /// The input of dct2 (or output of dct3) that is element j of v (the Makhoul permutation).
  static Index shuffled(Index j, Index n) { return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1; }

  /// Element j of v, and where n is even the next one beside it, to or from row j, or j / 2, of points.
  void pack_shuffled(Index n, TrigArray from, ElementMap const& in) {
    add_pairs(RowOp::pack, from, TrigArray::points, n % 2 ? n : n / 2, [n, in](Index row) -> RowPair<double> {
      Index const j = n % 2 ? row : 2 * row;
      auto const [x, a] = in(shuffled(j, n));
      auto const [y, b] = n % 2 ? ScaledRow{-1, 0} : in(shuffled(j + 1, n));
      return {{x, y}, {row, row}, {1, a}, {0, b}};
    });
  }
  void unpack_shuffled(Index n, ElementMap const& out) {
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, n % 2 ? n : n / 2,
              [n, out](Index row) -> RowPair<double> {
                Index const j = n % 2 ? row : 2 * row;
                auto const [u, a] = out(shuffled(j, n));
                auto const [v, b] = n % 2 ? ScaledRow{u, 0} : out(shuffled(j + 1, n));
                return {{row, row}, {u, v}, {1, a}, {0, b}};
              });
  }

  /// Outputs of dct2, or inputs of dct3, against rows k and n/2-k of points.
  void add_quads(RowOp kind, TrigArray from, TrigArray to, Index n, ElementMap const& map) {
    TrigOp& op = act(kind, from, to);
    Index const half = n / 2;
    op.count = half / 2 + 1;
    op.quad = [self = shared_from_this(), n, half, map](Index k) -> RowQuad<double> {
      auto const w = self->root(k, n), t0 = self->root(k, 4 * n), t1 = self->root(half - k, 4 * n);
      ScaledRow at[4] = {map(k), map(k == 0 ? 0 : n - k), map(half - k), map(half + k)};
      if (k == 0) at[1].factor = 0;  // there is no X_n
      return {{at[0].row, at[1].row, at[2].row, at[3].row},
              {k, k == 0 ? 0 : half - k},
              {w.real(), w.imag()},
              {t0.real(), t0.imag()},
              {t1.real(), t1.imag()},
              {at[0].factor, at[1].factor, at[2].factor, at[3].factor}};
    };
  }

  void second(Index n, LineMaps const& s) {
    if (is_short(n)) return multiply(n, s, 4 * n, second_cosine);
    if (has_sums(n)) {  // of v_j and v_(n-j)
      add_pairs(RowOp::pack, s.from, TrigArray::points, n / 2 + 1, [in = s.in](Index j) {
        return j == 0 ? RowPair<double>{{in(0).row, -1}, {0, 0}, {1, in(0).factor}, {0, 0}}
                      : sum_and_difference(in(2 * j), in(2 * j - 1), j);
      });
      sum(n, {});
    } else {
      pack_shuffled(n, s.from, s.in);
      transform(n % 2 ? n : n / 2, Direction::forward);
    }
    if (n % 2 == 0) return add_quads(RowOp::split, TrigArray::points, TrigArray::out, n, s.out);
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, (n + 1) / 2,
              [self = shared_from_this(), n, out = s.out](Index k) -> RowPair<double> {
                auto const t = self->root(k, 4 * n);
                auto const [u, a] = out(k);
                auto const [v, b] = out(k == 0 ? 0 : n - k);
                return {{k, k}, {u, v}, {t.real(), 2 * a}, {t.imag(), -2 * b}};
              });
  }

  void third(Index n, LineMaps const& s) {
    if (is_short(n)) return multiply(n, s, 4 * n, third_cosine);
    if (n % 2 == 0) {
      add_quads(RowOp::merge, s.from, TrigArray::points, n, s.in);
      transform(n / 2, Direction::inverse);
    } else {  // the real part of a transform of half the spectrum, doubled
      bool const sums = has_sums(n);
      add_pairs(RowOp::pack, s.from, TrigArray::points, sums ? n / 2 + 1 : n,
                [self = shared_from_this(), n, in = s.in](Index k) -> RowPair<double> {
                  auto const t = self->root(k, 4 * n);
                  auto const [x, a] = 2 * k < n ? in(k) : ScaledRow{-1, 0};
                  auto const [y, b] = k > 0 && 2 * k < n ? in(n - k) : ScaledRow{-1, 0};
                  double const f = k == 0 ? 1 : 2;
                  return {{x, y}, {k, k}, {t.real(), f * a}, {-t.imag(), -f * b}};
                });
      if (sums) return third_of_sums(n, s.out);
      transform(n, Direction::inverse);
    }
    unpack_shuffled(n, s.out);
  }
  /// Row j has the sums P and -V, v_j = P - V and v_(n-j) = P + V.
  void third_of_sums(Index n, ElementMap const& out) {
    sum(n, {});
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, n / 2 + 1, [out](Index j) -> RowPair<double> {
      auto const [u, a] = out(2 * j);
      auto const [v, b] = j > 0 ? out(2 * j - 1) : ScaledRow{u, 0};
      return {{j, j}, {u, v}, {1, a}, {-1, -b}};
    });
  }

  void fourth(LineMaps const& s) {
    if (is_short(n_)) return multiply(n_, s, 8 * n_, dct4_cosine);
    return n_ % 2 ? odd_dct4(s) : even_dct4(s);
  }

  void even_dct4(LineMaps const& s) {
    Index const n = n_, half = n / 2;
    add_pairs(RowOp::pack, s.from, TrigArray::points, half,
              [self = shared_from_this(), n, in = s.in](Index j) -> RowPair<double> {
                auto const w = self->root(8 * j + 1, 16 * n);
                auto const [x, a] = in(2 * j);
                auto const [y, b] = in(n - 1 - 2 * j);
                return {{x, y}, {j, j}, {w.real(), a}, {w.imag(), b}};
              });
    transform(half, Direction::forward);
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, half,
              [self = shared_from_this(), n, out = s.out](Index k) -> RowPair<double> {
                auto const w = self->root(8 * k + 1, 16 * n);
                auto const [u, a] = out(2 * k);
                auto const [v, b] = out(n - 1 - 2 * k);
                return {{k, k}, {u, v}, {w.real(), 2 * a}, {w.imag(), -2 * b}};
              });
  }

  /// X_k = 2 sum x_j cos(2 pi p q / 8n), p = 2j+1, q = 2k+1. As 8 and n have no common factor, the angle is
  /// 2 pi (n p q / 8 + (1/8 mod n) p q / n), and cosine and sine of the first part are characters of p q modulo 8: so
  /// signs on x, in the order of p modulo n, and signs on the parts of its transform.
  void odd_dct4(LineMaps const& s) {
    Index const n = n_;
    auto signed_row = [n, in = s.in](Index m) -> ScaledRow {
      auto odd = [n](Index i) { return i % 2 ? i : i + n; };  // the p below 2n that is i modulo n
      Index const p = odd(odd(m) % 4 == 1 ? m : (n - m) % n);
      auto const [row, f] = in((p - 1) / 2);
      return {row, cosine_sign(p) * f};
    };
    bool const sums = has_sums(n);
    add_pairs(RowOp::pack, s.from, TrigArray::points, sums ? n / 2 + 1 : n,
              [n, sums, signed_row](Index i) -> RowPair<double> {
                Index const m = by_classes(i, sums ? n / 2 + 1 : n, 8);
                if (sums && m > 0) return sum_and_difference(signed_row(m), signed_row(n - m), m);
                auto const [row, f] = signed_row(m);
                return {{row, -1}, {m, m}, {1, f}, {0, 0}};
              });
    if (sums)
      sum(n, {});
    else
      transform(n, Direction::forward);
    dct4_outputs(n, s.out);
  }
  /// Of points up to n/2, in their order; the others are their partners.
  void dct4_outputs(Index n, ElementMap const& map) {
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, (n + 1) / 2,
              [n, out = map](Index at) -> RowPair<double> {
                Index const k = dct4_output(at, n), partner = n - 1 - k;
                Index const r = (2 * k + 1) % 8 * (n % 8), r_partner = (2 * partner + 1) % 8 * (n % 8);
                auto const [u, a] = out(k);
                auto const [v, b] = out(partner);
                return {{at, at},
                        {u, v},
                        {cosine_sign(r), 2 * half_root * a},
                        {-sine_sign(r), -2 * half_root * b * cosine_sign(r_partner) * sine_sign(r)}};
              });
  }
  /// The k for which 2k+1 is 8 times `point` modulo n.
  static Index dct4_output(Index point, Index n) {
    Index const q = 8 * point % n;
    return q % 2 ? (q - 1) / 2 : (q + n - 1) / 2;
  }
  static double cosine_sign(Index r) { return r % 8 == 1 || r % 8 == 7 ? 1 : -1; }
  static double sine_sign(Index r) { return r % 8 == 1 || r % 8 == 3 ? 1 : -1; }

  static double cas(SmallRoots const& root, Index j, Index k, Index) {
    auto const w = root(j * k);
    return w.real() - w.imag();
  }
  void hartley(Index n, LineMaps const& s) {
    if (is_short(n)) return multiply(n, s, n, cas);
    if (n % 2) return odd_hartley(n, s);
    add_pairs(RowOp::pack, s.from, TrigArray::points, n / 2, [in = s.in](Index j) -> RowPair<double> {
      auto const [x, a] = in(2 * j);
      auto const [y, b] = in(2 * j + 1);
      return {{x, y}, {j, j}, {1, a}, {0, b}};
    });
    transform(n / 2, Direction::forward);
    TrigOp& op = act(RowOp::split, TrigArray::points, TrigArray::out);
    Index const half = n / 2;
    op.count = half / 2 + 1;
    // Rotated by an eighth, the parts of 2 V_k are H_n-k and H_k times sqrt(2).
    op.quad = [self = shared_from_this(), n, half, map = s.out](Index k) -> RowQuad<double> {
      auto const w = self->root(k, n);
      ScaledRow const at[4] = {map(k == 0 ? 0 : n - k), map(k), map(half + k), map(half - k)};
      double const rotation[2] = {half_root, -half_root}, f = 0.5 / half_root;
      return {{at[0].row, at[1].row, at[2].row, at[3].row},
              {k, k == 0 ? 0 : half - k},
              {w.real(), w.imag()},
              {rotation[0], rotation[1]},
              {rotation[0], rotation[1]},
              {f * at[0].factor, f * at[1].factor, f * at[2].factor, f * at[3].factor}};
    };
  }
  void odd_hartley(Index n, LineMaps const& s) {
    bool const sums = has_sums(n);
    add_pairs(RowOp::pack, s.from, TrigArray::points, sums ? n / 2 + 1 : n,
              [n, sums, in = s.in](Index j) -> RowPair<double> {
                if (sums && j > 0) return sum_and_difference(in(j), in(n - j), j);
                auto const [x, a] = in(j);
                return {{x, -1}, {j, j}, {1, a}, {0, 0}};
              });
    if (sums)
      sum(n, {});
    else
      transform(n, Direction::forward);
    add_pairs(RowOp::unpack, TrigArray::points, TrigArray::out, n / 2 + 1,
              [n, out = s.out](Index k) -> RowPair<double> {
                auto const [u, a] = out(k);
                auto const [v, b] = out(k == 0 ? 0 : n - k);
                return {{k, k}, {u, v}, {1, a}, {1, b}};
              });
  }

  // DCT-I and DST-I, with row j of TrigArray::reals for the sum at j and row N-j for the difference; for sines the
  // other way round, and rows counted from 1 on the user's side.
  void dct1() {
    Index N = core_length(kind_, n_), step = 1;
    TrigArray at = TrigArray::in;
    std::vector<std::pair<Index, Index>> odd;  // N and step of each pre-processing
    for (; N % 2 == 0 && !is_short(N + 1); N /= 2, step *= 2) {
      pre_process(N, at);
      made.reals = std::max(made.reals, N + 1);
      at = TrigArray::reals;
      odd.push_back({N, step});
    }
    if (is_short(N + 1))
      short_dct1(N, step, at);
    else
      odd_dct1(N, step, at);
    for (std::pair<Index, Index> const& done : odd) {  // named apart: clang captures no structured bindings
      Index const size = done.first, stride = done.second, half = size / 2;
      auto in = [half, size, sine = is_sine()](Index j) { return ScaledRow{sine ? half + j : size - j, 1}; };
      auto out = [self = shared_from_this(), stride](Index m) {
        return ScaledRow{self->user(stride * (2 * m + 1)),
                         self->scale_ * (self->is_sine() && m % 2 ? -1 : 1)};
      };
      third(half, {TrigArray::reals, in, out});
    }
  }
  bool is_sine() const { return facts(kind_).basis == Basis::sine; }
  Index user(Index j) const { return is_sine() ? j - 1 : j; }

  void pre_process(Index N, TrigArray at) {
    Index const from = is_sine() ? 1 : 0;
    add_pairs(RowOp::combine, at, TrigArray::reals, N / 2 + 1 - from,
              [self = shared_from_this(), N, from, begin = at == TrigArray::in](Index i) -> RowPair<double> {
                Index const j = from + i, low = begin ? self->user(j) : j,
                            high = begin ? self->user(N - j) : N - j;
                double const a = begin ? self->weight_in(low) : 1, b = begin ? self->weight_in(high) : 1;
                if (2 * j == N) return {{low, low}, {j, j}, {a, a}, {a, a}};
                bool const sine = self->is_sine();
                return {{low, high}, {j, N - j}, {a, a}, {sine ? -b : b, sine ? b : -b}};
              });
  }

  void short_dct1(Index N, Index step, TrigArray at) {
    Index const count = is_sine() ? N - 1 : N + 1;
    if (count == 0) return;
    auto in = [=, this](Index j) {
      bool const begin = at == TrigArray::in;
      Index const row = is_sine() ? j + 1 : j;
      return begin ? ScaledRow{user(row), weight_in(user(row))} : ScaledRow{row, 1};
    };
    auto out = [=, this](Index k) {
      Index const row = user(step * (is_sine() ? k + 1 : k));
      return ScaledRow{row, scale_ * weight_out(row)};
    };
    multiply(count, {at, in, out}, 2 * N, is_sine() ? first_sine : first_cosine);
  }

  /// N odd. The transform of 2N points of the extension e_j, e_-j = e_j (sines: -e_j), is one of N points of
  /// e_a + e_b for even k and of e_a - e_b for odd ones, a and b the even and the odd number that are m modulo N; both
  /// are symmetric, so one of (e_a + e_b) - i (e_a - e_b) has one in its real and the other in its imaginary part.
  void odd_dct1(Index N, Index step, TrigArray at) {
    bool const begin = at == TrigArray::in, sine = is_sine();
    auto const self = shared_from_this();
    auto extension = [self, N, begin, sine](Index j) {  // 0 <= j < 2N
      if (sine && j % N == 0) return ScaledRow{-1, 0};
      Index const reflected = j <= N ? j : 2 * N - j, row = begin ? self->user(reflected) : reflected;
      return ScaledRow{row, (begin ? self->weight_in(row) : 1) * (sine && j > N ? -1 : 1)};
    };
    bool const sums = has_sums(N);  // one a half of what is symmetric, which counts twice
    add_pairs(RowOp::pack, at, TrigArray::points, sums ? N / 2 + 1 : N,
              [extension, N, sums](Index i) -> RowPair<double> {
                Index const m = by_classes(i, sums ? N / 2 + 1 : N, 2);
                auto const [x, a] = extension(m % 2 ? m + N : m);
                auto const [y, b] = extension(m % 2 ? m : m + N);
                double const f = sums && m > 0 ? 2 : 1;
                return {{x, y}, {m, m}, {1, f * a}, {-1, f * b}};
              });
    if (sums)
      sum(N, sine ? PairSums{Sum::sine, Sum::sine} : PairSums{Sum::cosine, Sum::cosine});
    else
      transform(N, Direction::forward);
    Index const from = sine ? 1 : 0;
    add_pairs(
        RowOp::unpack, TrigArray::points, TrigArray::out, (N + 1) / 2 - from,
        [self, N, step, from, sine, sums](Index i) -> RowPair<double> {
          Index const r = from + i, even = self->user(step * 2 * r), odd = self->user(step * (N - 2 * r));
          double const a = self->scale_ * self->weight_out(even), b = self->scale_ * self->weight_out(odd);
          if (sine && sums) return {{r, r}, {odd, even}, {0, b}, {1, -a}};  // sums lack a factor of -i
          if (sine) return {{r, r}, {odd, even}, {1, b}, {0, -a}};
          return {{r, r}, {even, odd}, {1, a}, {0, -b}};
        });
  }

  TrigProgram made;
  AxisKind kind_;
  Index n_;
  double scale_;
  bool ortho_, one_line_, quick_;
  std::function<bool(Index)> by_sums_;
  Index order_ = 1;
  std::optional<RootSource> roots_;
};

}  // namespace

TrigProgram trig_program(AxisKind kind, Index n, double scale, bool ortho, bool one_line, TrigRoots roots,
                         std::function<bool(Index)> by_sums) {
  return std::make_shared<TrigMaker>(kind, n, scale, ortho, one_line, roots, std::move(by_sums))->make();
}

}  // namespace skipper::cpu
