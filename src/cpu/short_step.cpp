// Contiguous lines that fit in registers, complex or real (variant/short_lines.h): several at once, and the remaining ones one
// by one.
#include <algorithm>

#include "cpu/step.h"

namespace skipper::cpu {
namespace {

struct Chosen {
  Pass several = nullptr, one = nullptr;
  Index at_once = 1;  // lines of `several`
};

template <class T>
class ShortStep final : public Step<T> {
 public:
  ShortStep(StepSpec const& spec, Loop const& inner, std::vector<Loop> const& outer, Chosen const& passes)
      : n_(spec.n), inner_(inner), outer_(outer) {
    lines_ = std::min(inner_.size, std::clamp<Index>(8192 / n_, 64, 1024));
    tiles_inner_ = (inner_.size + lines_ - 1) / lines_;
    bind_lines(spec, passes, lines_, full_);
    bind_lines(spec, passes, inner_.size - (tiles_inner_ - 1) * lines_, last_);
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }
  Index buffer_size() const override { return 0; }
  std::string text() const override { return std::to_string(n_) + " short lines " + std::to_string(lines_); }

  void run(Index tile, T const* in, T* out, T*, T*) const override {
    Offsets const at = place(tile);
    for (BoundPass const& b : passes(tile)) b.pass(b.args, in + at.in + b.from_at, out + at.out + b.to_at);
  }

  bool bind(Index tile, bool, std::vector<BoundPass>& all) const override {
    std::size_t const before = all.size();
    all.insert(all.end(), passes(tile).begin(), passes(tile).end());
    place(tile).move(all, before);
    return true;
  }

 private:
  std::vector<BoundPass> const& passes(Index tile) const {
    return tile % tiles_inner_ == tiles_inner_ - 1 ? last_ : full_;
  }
  Offsets place(Index tile) const {
    Index const first = tile % tiles_inner_ * lines_;
    Offsets at = offsets(outer_, tile / tiles_inner_);
    at.in += first * inner_.in, at.out += first * inner_.out;
    return at;
  }

  void bind_lines(StepSpec const& spec, Chosen const& passes, Index lines,
                  std::vector<BoundPass>& all) const {
    Index const together = passes.several ? lines / passes.at_once * passes.at_once : 0;
    BoundPass b;
    b.args.scale = spec.scale;
    b.args.in_step = spec.direction == Direction::forward ? 1 : -1;
    b.args.in_line = inner_.in, b.args.out_line = inner_.out;
    b.args.lines = together;
    b.pass = passes.several;
    if (together > 0) all.push_back(b);
    b.args.lines = lines - together;
    b.pass = passes.one;
    b.from_at = together * inner_.in, b.to_at = together * inner_.out;
    if (together < lines) all.push_back(b);
  }

  Index n_;
  Loop inner_;
  std::vector<Loop> outer_;
  Index lines_ = 1, tiles_inner_ = 1;   // of a tile
  std::vector<BoundPass> full_, last_;  // a tile, and the last one of a row
};

/// Whether one line is faster with its own points filling vectors.
template <class T>
bool fills_vectors(StepSpec const& spec, Kernels const& kernels) {
  if (spec.line_kind != LineKind::complex)
    return sizeof(T) == 4 && spec.n / 2 > 8 && one_line_applies<T>(spec.n / 2, kernels);
  if (spec.n <= (sizeof(T) == 4 ? 8 : 16)) return false;
  for (int i = 0; i < kernels.tables; ++i) {
    Index const lanes = kernels.table[i].lanes, r = spec.n / lanes;
    if (spec.n % lanes == 0 && r <= max_radix && kernels.table[i].unbuffered->small_line[r]) return true;
  }
  return false;
}

Chosen passes_of(StepSpec const& spec, Kernels const& kernels, Index lines) {
  Chosen found;
  bool const complex = spec.line_kind == LineKind::complex;
  Index const r = complex ? spec.n : spec.n / 2;
  if (r > (complex ? max_short_line : max_radix) || (!complex && spec.n % 2)) return found;
  auto const of = [&](ShortPasses const& whole, RealShortPasses const& real) {
    return complex ? whole.of[r] : (spec.line_kind == LineKind::from_real ? real.from_real : real.to_real)[r];
  };
  found.one = of(*kernels.narrowest_lines, *kernels.narrowest_real_lines);
  for (int i = 0; i < kernels.tables && r <= max_radix && !found.several; ++i) {
    PassTable const& table = kernels.table[i];
    if (lines < table.lines_at_once()) continue;
    found.several = of(*table.lines, *table.real_lines);
    found.at_once = table.lines_at_once();
  }
  return found;
}

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_short_step(StepSpec const& spec, TableMaker& tables) {
  Kernels const& kernels = tables.kernels;
  Index const unit_in = spec.line_kind == LineKind::from_real ? 1 : 2,
              unit_out = spec.line_kind == LineKind::to_real ? 1 : 2;
  if (spec.in_step != unit_in || spec.out_step != unit_out || spec.twiddles || spec.n > 2 * max_short_line)
    return nullptr;
  std::vector<Loop> outer = spec.loops;
  Loop const inner = take_inner(outer, unit_in, unit_out);
  Chosen const passes = passes_of(spec, kernels, inner.size);
  if (!passes.one || (!passes.several && fills_vectors<T>(spec, kernels))) return nullptr;
  return std::make_unique<ShortStep<T>>(spec, inner, outer, passes);
}
template std::unique_ptr<Step<float> const> make_short_step(StepSpec const&, TableMaker&);
template std::unique_ptr<Step<double> const> make_short_step(StepSpec const&, TableMaker&);

}  // namespace skipper::cpu
