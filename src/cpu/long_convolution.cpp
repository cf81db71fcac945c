// See long_line.h: a line longer than the cache as a convolution of m = n1 n2 points (long_tables.h), which are kept in one
// array [n1][n2]. It takes three sweeps:
//   1. columns of n1: read the line, transform, multiply by twiddles;
//   2. rows of n2, in place: transform, multiply by the response, transform back;
//   3. columns of n1: undo the twiddles, transform back, write the line.
// Nothing is transposed: the response is stored in the order in which sweep 2 finds the spectrum, k = k1 + n1 k2 at [k1][k2].
// With Bluestein the first rows may lie in the array that the line goes to. That is safe: a tile of columns reads the line at
// [j1][j2] and writes [k1][j2], so in both sweeps it reads and writes only its own elements.
#include <algorithm>

#include "base/complex_of.h"
#include "cpu/long_columns.h"

namespace skipper::cpu {
namespace {

template <class T>
using Shared = std::shared_ptr<LongTables<T> const>;

/// Columns of n1, from the line to the array or back.
template <class T>
class Columns final : public Step<T> {
 public:
  Columns(Shared<T> shared, std::shared_ptr<LongColumns<T> const> columns, StepSpec const& spec, bool back,
          TableMaker& tables)
      : t_(std::move(shared)),
        back_(back),
        step_(back ? spec.out_step : spec.in_step),
        kernels_(tables.kernels),
        columns_(std::move(columns)) {}

  Index tiles() const override { return columns_->tiles(); }
  Index buffer_size() const override { return columns_->buffer_size(); }
  std::string text() const override {
    std::string const rule = t_->by_rader ? "Rader " : "convolve ";
    return (back_ ? "from " : rule + std::to_string(t_->n) + " in ") + columns_->text();
  }

  void run(Index tile, T const* in, T* out, T* rest, T* buffer) const override {
    Permuted at_powers;
    if (!back_) {
      columns_->from_line(tile, out, rest, buffer,
                          [&](Index j1, Index j2, Index count, T* row, T* row_buffer) {
                            t_->by_rader ? read_permuted(in, j1, j2, count, row, at_powers)
                                         : read_points(in, j1, j2, count, row, row_buffer);
                          });
      if (tile == 0 && t_->by_rader) read_zeroth(in, t_->after_rows(rest));
      return;
    }
    columns_->to_line(tile, t_->n1 / t_->parities(), out, rest, buffer,
                      [&](T const* row, Index k1, Index k2, Index count, T* row_buffer) {
                        t_->by_rader ? write_permuted(row, k1, k2, count, out, at_powers)
                                     : write_results(row, k1, k2, count, out, row_buffer);
                      });
    if (tile == 0 && t_->by_rader) write_zeroth(t_->after_rows(rest) + 2, out);
  }

 private:
  /// Point j of a line of reals, or of a half spectrum, whose second half is the first one's, conjugate.
  ComplexOf<T> point(T const* in, Index j) const {
    if (t_->line_kind == LineKind::from_real) return {in[j * step_], T(0)};
    bool const reflected = t_->line_kind == LineKind::to_real && 2 * j > t_->n;
    T const* const x = in + (reflected ? t_->n - j : j) * step_;
    if (t_->line_kind == LineKind::to_real && j == 0) return {x[0], T(0)};
    return {x[0], reflected ? -x[1] : x[1]};
  }

  /// Points of the convolution times the chirp, for even and odd k1; zeros behind the last point and up to the width.
  void read_points(T const* in, Index j1, Index j2, Index count, T* row, T* row_buffer) const {
    Index const j = j1 * t_->n2 + j2, later = j + columns_->prefetch_rows * t_->n2;
    count = std::clamp<Index>(t_->points - j, 0, count);
    if (step_ == 2 && later + count <= t_->points) columns_->prefetch(in + later * step_, count * step_);
    for (T* half : {row, row + columns_->odd_offset()})
      std::fill(half + 2 * count, half + 2 * columns_->width(), T(0));
    if (count == 0) return;
    auto const c = t_->chirp(j1, j2, false);
    T const* x = in + j * step_;
    for (Index i = 0; step_ != 2 && i < count; ++i) std::copy_n(x + i * step_, 2, row_buffer + 2 * i);
    if (step_ != 2) x = row_buffer;
    kernels_.chirps.complex_points(
        {x, nullptr, 0, c.stored, c.step, c.rotations, row, row + columns_->odd_offset(), count});
  }
  void write_results(T const* row, Index k1, Index k2, Index count, T* out, T* row_buffer) const {
    Index const k = k1 * t_->n2 + k2, later = k + columns_->prefetch_rows * t_->n2;
    count = std::clamp<Index>(t_->results - k, 0, count);
    if (count == 0) return;
    if (step_ == 2 && later + count <= t_->results) columns_->prefetch(out + 2 * later, 2 * count);
    auto const c = t_->chirp(k1, k2, true);
    T* const y = out + k * step_;
    kernels_.chirps.result({row, row + columns_->odd_offset(), c.stored, c.step, c.rotations,
                            step_ == 2 ? y : row_buffer, count});
    for (Index i = 0; step_ != 2 && i < count; ++i) std::copy_n(row_buffer + 2 * i, 2, y + i * step_);
  }

  /// For Rader: where the points of a row are in the line, and those of the next row, which are prefetched.
  struct Permuted {
    Index at[2][LongColumns<T>::max_width];
  };
  Index const* permuted(Index j1, Index j2, Index count, T const* array, Permuted& at_powers) const {
    if (j1 == 0) t_->powers.fill(0, j2, count, back_, at_powers.at[0]);
    if (j1 + 1 < t_->n1) {
      Index* const next = at_powers.at[(j1 + 1) % 2];
      t_->powers.fill(j1 + 1, j2, count, back_, next);
      for (Index i = 0; i < count; ++i) __builtin_prefetch(array + next[i] * step_);
    }
    return at_powers.at[j1 % 2];
  }
  void read_permuted(T const* in, Index j1, Index j2, Index count, T* row, Permuted& at_powers) const {
    Index const* const at = permuted(j1, j2, count, in, at_powers);
    std::fill(row + 2 * count, row + 2 * columns_->width(), T(0));
    for (Index i = 0; i < count; ++i) {
      ComplexOf<T> const x = point(in, at[i]);
      row[2 * i] = x.re, row[2 * i + 1] = x.im;
    }
  }
  void write_permuted(T const* row, Index k1, Index k2, Index count, T* out, Permuted& at_powers) const {
    Index const* const at = permuted(k1, k2, count, out, at_powers);
    for (Index i = 0; i < count; ++i) {
      if (at[i] >= t_->results) continue;
      T* const y = out + at[i] * step_;
      y[0] = row[2 * i];
      if (t_->line_kind != LineKind::to_real) y[1] = row[2 * i + 1];
    }
  }

  void read_zeroth(T const* in, T* x0) const {
    ComplexOf<T> const x = point(in, 0);
    T const scale = static_cast<T>(t_->scale);
    x0[0] = scale * x.re, x0[1] = scale * x.im;
  }
  void write_zeroth(T const* x0, T* out) const {
    out[0] = x0[0];
    if (t_->line_kind != LineKind::to_real) out[1] = t_->line_kind == LineKind::from_real ? T(0) : x0[1];
  }

  Shared<T> t_;
  bool back_;
  Index step_;
  Kernels const& kernels_;
  std::shared_ptr<LongColumns<T> const> columns_;
};

/// Rows of n2 in place: forward transform, product with the response, inverse transform.
template <class T>
class ConvolutionRows final : public Step<T> {
 public:
  ConvolutionRows(Shared<T> shared, TableMaker& tables)
      : t_(std::move(shared)),
        kernels_(tables.kernels),
        forward_(make_smooth<T>({t_->n2, true, Direction::forward, 1}, tables)),
        inverse_(make_smooth<T>({t_->n2, true, Direction::inverse, 1}, tables)) {}

  Index tiles() const override { return t_->n1; }
  Index buffer_size() const override {
    return cache_aligned<T>(2 * t_->n2) + std::max(forward_->buffer_size(1, 1), inverse_->buffer_size(1, 1));
  }
  std::string text() const override { return forward_->text() + " forward and back"; }
  void run(Index k1, T const*, T* out, T* rest, T* buffer) const override {
    T* const row = t_->row(k1, out, rest);
    Tile<T> tile;
    tile.in = tile.out = row;
    tile.buffer = buffer + cache_aligned<T>(2 * t_->n2);
    forward_->run(tile);
    bool const zeroth = k1 == 0 && t_->by_rader;
    T* const x0 = t_->after_rows(rest);
    if (zeroth)
      for (int part : {0, 1}) x0[2 + part] = x0[part] + static_cast<T>(t_->scale) * row[part];
    t_->multiply(k1, row, buffer, kernels_);
    if (zeroth)
      for (int part : {0, 1}) row[part] += x0[part];  // x_0 is in every result
    inverse_->run(tile);
  }

 private:
  Shared<T> t_;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> forward_, inverse_;
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_convolution_rows(Shared<T> shared, TableMaker& tables) {
  return std::make_unique<ConvolutionRows<T>>(std::move(shared), tables);
}

template <class T>
Index add_long_convolution(Group<T>& group, StepSpec const& spec, Array from, Array to, bool out_of_place,
                           TableMaker& tables) {
  auto const shared = std::make_shared<LongTables<T> const>(spec, out_of_place, tables);
  if (spec.line_kind != LineKind::complex && !shared->by_rader)
    return add_real_convolution(group, shared, spec, from, to, tables);
  auto const columns = std::make_shared<LongColumns<T> const>(shared, tables);
  group.steps.push_back({std::make_unique<Columns<T>>(shared, columns, spec, false, tables), from, to});
  group.steps.push_back({make_convolution_rows<T>(shared, tables), to, to});
  group.steps.push_back({std::make_unique<Columns<T>>(shared, columns, spec, true, tables), to, to});
  return shared->line();
}

template std::unique_ptr<Step<float> const> make_convolution_rows(Shared<float>, TableMaker&);
template std::unique_ptr<Step<double> const> make_convolution_rows(Shared<double>, TableMaker&);
template Index add_long_convolution(Group<float>&, StepSpec const&, Array, Array, bool, TableMaker&);
template Index add_long_convolution(Group<double>&, StepSpec const&, Array, Array, bool, TableMaker&);

}  // namespace skipper::cpu
