// See long_line.h: with j = j1 n2 + j2 and k = k1 + n1 k2,
//   X_k = sum_j2 w_n2^(j2 k2) w_n^(j2 k1) sum_j1 w_n1^(j1 k1) x_j,
// first over j1 as columns, then over j2 as lines that are transposed and twiddled as they are read and leave as
// columns again. A real line is a complex one of half the length and a mixing sweep.
#include "cpu/long_line.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "base/roots.h"

namespace skipper::cpu {
namespace {

/// The mixing of variant/halves.h as a sweep of its own.
template <class T>
class Halves final : public Step<T> {
 public:
  Halves(Index n, bool forward, Kernels const& kernels)
      : half_(n / 2), forward_(forward), kernels_(kernels), factors_(mixing_factors<T>(n, forward)) {}
  Index tiles() const override { return half_ / 2 / piece + 1; }
  Index scratch() const override { return 0; }
  std::string text() const override { return "halves " + std::to_string(half_); }
  void run(Index tile, T const* in, T* out, T*) const override {
    PassArgs a;
    a.begin = tile * piece;
    a.end = std::min(a.begin + piece, half_ / 2 + 1);
    a.columns = half_;
    a.twiddles = factors_.data();
    (forward_ ? kernels_.to_real_spectrum : kernels_.from_real_spectrum)(a, in, out);
  }

 private:
  static constexpr Index piece = 8192;
  Index half_;
  bool forward_;
  Kernels const& kernels_;
  std::vector<T> factors_;
};

}  // namespace

LongLine cut_long_line(Index n) {
  LongLine best = {n, 1};
  for (Index d : divisors(n))
    if (d * d <= n && d * d * d >= n) best = {d, n / d};
  return best;
}

template <class T>
void add_long_line(Group<T>& group, StepSpec const& spec, Array from, Array to, Kernels const& kernels) {
  bool const from_real = spec.ends == Ends::from_real, to_real = spec.ends == Ends::to_real;
  Index const n = from_real || to_real ? spec.n / 2 : spec.n;
  auto const [n1, n2] = cut_long_line(n);
  Index in_step = from_real ? 2 : spec.in_step, out_step = to_real ? 2 : spec.out_step;
  if (to_real) {
    group.stages.push_back({std::make_unique<Halves<T>>(spec.n, false, kernels), from, to});
    from = to;
    in_step = out_step;
  }
  StepSpec columns = spec;
  columns.ends = Ends::complex;
  columns.n = n1;
  columns.in_step = n2 * in_step;
  columns.out_step = n2 * 2;
  columns.loops = {{n2, in_step, 2}};
  group.stages.push_back({make_step<T>(columns, kernels), from, Array::line});
  StepSpec lines = columns;
  lines.n = n2;
  lines.scale = 1;
  lines.in_step = 2;
  lines.out_step = n1 * out_step;
  lines.loops = {{n1, n2 * 2, out_step}};
  lines.twiddled = n;
  group.stages.push_back({make_step<T>(lines, kernels), Array::line, to});
  if (from_real) group.stages.push_back({std::make_unique<Halves<T>>(spec.n, true, kernels), to, to});
}
template void add_long_line(Group<float>&, StepSpec const&, Array, Array, Kernels const&);
template void add_long_line(Group<double>&, StepSpec const&, Array, Array, Kernels const&);

}  // namespace skipper::cpu
