// See step.h: the arithmetic of loops.
#include "cpu/step.h"

#include <algorithm>

#include "base/roots.h"

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

void Offsets::move(std::vector<Bound>& passes, std::size_t begin) const {
  for (std::size_t i = begin; i < passes.size(); ++i) {
    Bound& b = passes[i];
    if (b.from != Place::scratch) b.from_at += b.from == Place::in ? in : out;
    if (b.to != Place::scratch) b.to_at += b.to == Place::in ? in : out;
  }
}

Index iterations(std::vector<Loop> const& loops) {
  Index product = 1;
  for (Loop const& loop : loops) product *= loop.size;
  return product;
}

template <class T>
std::vector<T> mixing_factors(Index n, bool forward) {
  std::vector<T> table;
  for (auto const& w : roots<T>(n, n / 4 + 1)) {  // halving is exact
    table.push_back(forward ? w.imag() / 2 : w.imag());
    table.push_back(forward ? -w.real() / 2 : w.real());
  }
  return table;
}
template std::vector<float> mixing_factors(Index, bool);
template std::vector<double> mixing_factors(Index, bool);

template <class T>
std::unique_ptr<Step<T> const> make_step(StepSpec const& spec, Kernels const& kernels) {
  if (spec.ends == Ends::trig) return make_trig_step<T>(spec, kernels);
  if (auto step = make_short_step<T>(spec, kernels)) return step;
  return spec.ends == Ends::complex ? make_complex_step<T>(spec, kernels) : make_real_step<T>(spec, kernels);
}
template std::unique_ptr<Step<float> const> make_step(StepSpec const&, Kernels const&);
template std::unique_ptr<Step<double> const> make_step(StepSpec const&, Kernels const&);

}  // namespace skipper::cpu
