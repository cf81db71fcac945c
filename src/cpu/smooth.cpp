// Lengths with small primes only, as Stockham passes (variant/passes.h) between the user's arrays and two pairs of
// split planes. The first pass reads the input, the last one writes the output: one sweep over memory as long as
// the planes stay in cache. The scale is in the first twiddles, the direction in their sign and the read order.
#include <skipper/error.h>

#include <algorithm>
#include <complex>

#include "base/roots.h"
#include "cpu/line.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

template <class T>
class Smooth final : public Line<T> {
 public:
  Smooth(LineSpec const& spec, Kernels const& kernels) : spec_(spec), kernels_(kernels) {
    int const tables = kernels.tables;
    for (int i = 0; i < tables && radices_.empty() && spec.single; ++i) {
      first_ = &kernels.table[i];
      radices_ = line_radices(spec.n, first_->lanes, sizeof(T));
      if (i + 1 < tables && !radices_.empty() && radices_[0] % first_->lanes) {
        auto narrow = line_radices(spec.n, kernels.table[i + 1].lanes, sizeof(T));
        if (line_cost(narrow, sizeof(T)) < line_cost(radices_, sizeof(T))) radices_.clear();
      }
    }
    if (!spec.single) radices_ = line_radices(spec.n, 1, sizeof(T));
    if (radices_.empty()) throw Error("axes.size", "a line of " + std::to_string(spec.n) + " fills no vector");
    Index rows = spec.n;
    for (std::size_t i = 0; i + 1 < radices_.size(); ++i) {
      rows /= radices_[i];
      twiddles_.push_back(i == 0 && spec.single ? blocked_twiddles(radices_[i], rows, first_->lanes)
                                                : plain_twiddles(radices_[i], rows, i == 0 ? spec.scale : 1));
    }
  }

  Index scratch(Index lines, Index columns) const override {
    std::size_t const planes = std::min<std::size_t>(2, radices_.size() - 1);
    return static_cast<Index>(planes) * 2 * plane(lines, columns);
  }

  std::string text() const override {
    std::string all;
    for (int r : radices_) {
      if (!all.empty()) all += 'x';
      all += std::to_string(r);
    }
    return all;
  }

  void run(Tile<T> const& tile) const override {
    Index const c = tile.columns;
    int const passes = static_cast<int>(radices_.size());
    PassArgs a;
    a.lines = tile.lines;
    a.in = tile.in;
    a.in_line = tile.in_line;
    a.scale = spec_.scale;
    if (passes == 1) {
      int const r = radices_[0];
      a.out = tile.out;
      a.out_line = tile.out_line;
      a.columns = c;
      a.out_step = tile.out_step;
      read_order(a, r, tile.in_step);
      return dividing(c).only[r](a);
    }
    Index const distance = plane(tile.lines, c);
    Index span = c, rows = spec_.n;
    a.out_plane = distance;
    for (int i = 0; i + 1 < passes; ++i) {
      int const r = radices_[i];
      rows /= r;
      a.out = tile.scratch + (i % 2) * 2 * distance;
      a.out_line = spec_.n * c;
      a.twiddles = twiddles_[i].data();
      a.rows = rows;
      a.columns = span;
      a.in_row = i == 0 ? tile.in_step : span;
      read_order(a, r, rows * a.in_row);
      a.out_row = r * span;
      a.out_step = span;
      if (i == 0)
        (spec_.single ? first_->first_line[r] : widest(span).first[r])(a);
      else
        widest(span).inner[r](a);
      span *= r;
      a.in = a.out;
      a.in_line = a.out_line;
      a.in_plane = distance;
    }
    int const r = radices_.back();
    bool const dense = tile.out_step == 2 * c;
    a.out = tile.out;
    a.out_line = tile.out_line;
    a.rows = dense ? 1 : span / c;
    a.columns = dense ? span : c;
    a.in_row = c;
    a.out_row = tile.out_step;
    a.out_step = span / c * tile.out_step;
    read_order(a, r, span);
    widest(a.columns).last[r](a);
  }

 private:
  // The im plane of a power of two would fall on the same cache sets as the re plane.
  static Index plane(Index lines, Index columns, Index n) { return lines * n * columns + 64 / sizeof(T) * 3; }
  Index plane(Index lines, Index columns) const { return plane(lines, columns, spec_.n); }

  PassTable const& widest(Index columns) const {
    for (int i = 0; i + 1 < kernels_.tables; ++i)
      if (kernels_.table[i].lanes <= columns) return kernels_.table[i];
    return kernels_.table[kernels_.tables - 1];
  }
  PassTable const& dividing(Index columns) const {
    for (int i = 0; i + 1 < kernels_.tables; ++i)
      if (columns % kernels_.table[i].lanes == 0) return kernels_.table[i];
    return kernels_.table[kernels_.tables - 1];
  }

  void read_order(PassArgs& a, int r, Index step) const {
    bool const forward = spec_.direction == Direction::forward;
    a.in_step = forward ? step : -step;
    a.in_first = forward ? 0 : r * step;
  }

  std::complex<T> turn(std::complex<double> const& w, double scale) const {
    double const sign = spec_.direction == Direction::forward ? 1 : -1;
    return {static_cast<T>(w.real() * scale), static_cast<T>(sign * w.imag() * scale)};
  }

  std::vector<T> plain_twiddles(int r, Index rows, double scale) const {
    auto const w = roots<double>(r * rows, r * rows);
    std::vector<T> table;
    table.reserve(2 * rows * (r - 1));
    for (Index p = 0; p < rows; ++p)
      for (Index k = 1; k < r; ++k) {
        auto const value = turn(w[p * k], scale);
        table.push_back(value.real());
        table.push_back(value.imag());
      }
    return table;
  }

  std::vector<T> blocked_twiddles(int r, Index rows, Index lanes) const {
    auto const w = roots<double>(r * rows, r * rows);
    std::vector<T> table;
    for (Index next = 0; next < rows; next += lanes) {
      Index const p = std::min(next, rows - lanes);
      for (Index k = 1; k < r; ++k) {
        for (Index l = 0; l < lanes; ++l) table.push_back(turn(w[(p + l) * k], spec_.scale).real());
        for (Index l = 0; l < lanes; ++l) table.push_back(turn(w[(p + l) * k], spec_.scale).imag());
      }
    }
    return table;
  }

  LineSpec spec_;
  Kernels const& kernels_;
  PassTable const* first_ = nullptr;  // of a single line
  std::vector<int> radices_;
  std::vector<std::vector<T>> twiddles_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_smooth(LineSpec const& spec, Kernels const& kernels) {
  return std::make_unique<Smooth<T>>(spec, kernels);
}
template std::unique_ptr<Line<float> const> make_smooth(LineSpec const&, Kernels const&);
template std::unique_ptr<Line<double> const> make_smooth(LineSpec const&, Kernels const&);

}  // namespace skipper::cpu
