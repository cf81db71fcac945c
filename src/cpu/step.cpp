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

void Offsets::move(std::vector<BoundPass>& passes, std::size_t begin) const {
  for (std::size_t i = begin; i < passes.size(); ++i) {
    BoundPass& b = passes[i];
    if (b.from != TileArray::buffer) b.from_at += b.from == TileArray::in ? in : out;
    if (b.to != TileArray::buffer) b.to_at += b.to == TileArray::in ? in : out;
  }
}

Index iterations(std::vector<Loop> const& loops) {
  Index product = 1;
  for (Loop const& loop : loops) product *= loop.size;
  return product;
}

template <class T>
void fill_split_factor(RootSource const& roots, Index k, bool forward, T* at) {
  auto const w = roots.at<T>(k);
  at[0] = static_cast<T>(forward ? w.imag() / 2 : w.imag());
  at[1] = static_cast<T>(forward ? -w.real() / 2 : w.real());
}
template void fill_split_factor(RootSource const&, Index, bool, float*);
template void fill_split_factor(RootSource const&, Index, bool, double*);

template <class T>
Table<T> split_factors(Index n, bool forward, TableMaker& tables) {
  auto const roots = tables.roots(n);
  auto const fill = [&](Index begin, Index end, T* at) {
    for (Index k = begin; k < end; ++k, at += 2) fill_split_factor(*roots, k % n, forward, at);
  };
  return tables.make<T>(n / 4 + 1, 2, fill);
}
template Table<float> split_factors(Index, bool, TableMaker&);
template Table<double> split_factors(Index, bool, TableMaker&);

template <class T>
std::unique_ptr<Step<T> const> make_step(StepSpec const& spec, TableMaker& tables) {
  if (spec.line_kind == LineKind::trig) return make_trig_step<T>(spec, tables);
  if (auto step = make_short_step<T>(spec, tables)) return step;
  return spec.line_kind == LineKind::complex ? make_complex_step<T>(spec, tables)
                                             : make_real_step<T>(spec, tables);
}
template std::unique_ptr<Step<float> const> make_step(StepSpec const&, TableMaker&);
template std::unique_ptr<Step<double> const> make_step(StepSpec const&, TableMaker&);

}  // namespace skipper::cpu
