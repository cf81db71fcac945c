// See step.h: the arithmetic of loops.
#include "cpu/step.h"

#include <algorithm>

namespace skipper::cpu {

Loop take_inner(std::vector<Loop>& loops, Index unit_in, Index unit_out) {
  if (loops.empty()) return {};
  auto rank = [&](Loop const& l) { return (l.in == unit_in) + (l.out == unit_out); };
  auto const best = std::min_element(loops.begin(), loops.end(), [&](Loop const& a, Loop const& b) {
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    return std::max(a.in, a.out) < std::max(b.in, b.out);
  });
  Loop const inner = *best;
  loops.erase(best);
  return inner;
}

Loop take_largest(std::vector<Loop>& loops) {
  if (loops.empty()) return {};
  auto const best = std::max_element(loops.begin(), loops.end(),
                                     [](Loop const& a, Loop const& b) { return a.size < b.size; });
  Loop const taken = *best;
  loops.erase(best);
  return taken;
}

Offsets offsets(std::vector<Loop> const& loops, Index index) {
  Offsets at;
  for (Loop const& loop : loops) {
    Index const i = index % loop.size;
    index /= loop.size;
    at.in += i * loop.in;
    at.out += i * loop.out;
  }
  return at;
}

Index iterations(std::vector<Loop> const& loops) {
  Index product = 1;
  for (Loop const& loop : loops) product *= loop.size;
  return product;
}

template <class T>
std::unique_ptr<Step<T> const> make_step(StepSpec const& spec, Kernels const& kernels) {
  return spec.ends == Ends::complex ? make_complex_step<T>(spec, kernels) : make_real_step<T>(spec, kernels);
}
template std::unique_ptr<Step<float> const> make_step(StepSpec const&, Kernels const&);
template std::unique_ptr<Step<double> const> make_step(StepSpec const&, Kernels const&);

}  // namespace skipper::cpu
