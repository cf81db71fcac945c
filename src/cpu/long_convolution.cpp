// See long_line.h: a line longer than the cache as a convolution of m = n1 n2 points (long_tables.h), which stand in one
// array [n1][n2] and nowhere else. Three sweeps: columns of n1, which take the line in and twiddle it; rows of n2, there,
// times the response, and back; columns of n1 again, which undo the twiddles and write the line. No transposition: the
// response stands in the order in which the first two sweeps leave the spectrum, k = k1 + n1 k2 at [k1][k2].
// By Bluestein's rule the first rows stand where the line goes to. A tile of columns reads the line at [j1][j2], writes
// [k1][j2], and at the end reads and writes these places again: always its own.
#include <algorithm>

#include "cpu/long_tables.h"

namespace skipper::cpu {
namespace {

template <class T>
using Shared = std::shared_ptr<LongTables<T> const>;

/// Columns of n1, from the line to the array or back.
template <class T>
class Columns final : public Step<T> {
 public:
  Columns(Shared<T> shared, StepSpec const& spec, bool back, TableMaker& tables)
      : t_(std::move(shared)),
        back_(back),
        step_(back ? spec.out_step : spec.in_step),
        kernels_(tables.kernels) {
    width_ = 2 * std::max<Index>(most_lanes(kernels_),
                                 64 / (2 * sizeof(T)));  // two cache lines, and whole vectors
    line_ = make_smooth<T>({t_->n1, false, back ? Direction::inverse : Direction::forward, 1}, tables);
    auto const roots = tables.roots(t_->m);
    within_ = tables.make<T>(t_->n1, 2 * width_, [&](Index begin, Index end, T* at) {
      for (Index k1 = begin; k1 < end; ++k1, at += 2 * width_)
        put_roots(*roots, t_->m, 0, k1, width_, back, at);
    });
    fine_ = tables.make<T>(tiles(), 2 * block, [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * block)
        put_roots(*roots, t_->m, 0, tile * width_, block, back, at);
    });
    coarse_ = tables.make<T>(tiles(), 2 * blocks(), [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * blocks())
        put_roots(*roots, t_->m, 0, tile * width_ * block % t_->m, blocks(), back, at);
    });
  }

  Index tiles() const override { return (t_->n2 + width_ - 1) / width_; }
  Index scratch() const override {
    return rounded<T>(2 * t_->n1 * width_) + rounded<T>(2 * block * blocks()) + rounded<T>(2 * width_) +
           line_->scratch(1, width_);
  }
  std::string text() const override {
    std::string const rule = t_->by_powers ? "powers of " : "convolve ";
    return (back_ ? "from " : rule + std::to_string(t_->n) + " in ") + line_->text() + " columns " +
           std::to_string(width_);
  }

  void run(Index tile, T const* in, T* out, T* rest, T* scratch) const override {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2), n1 = t_->n1;
    T* const buffer = scratch;  // [n1][width_]
    T* const factors = scratch + rounded<T>(2 * n1 * width_);
    T* const room = factors + rounded<T>(2 * block * blocks());
    put_factors(tile, factors);
    Tile<T> inner;
    inner.in = inner.out = buffer;
    inner.in_step = inner.out_step = 2 * width_;
    inner.columns = width_;
    inner.scratch = room + rounded<T>(2 * width_);
    if (back_) {
      if (valid < width_) std::fill_n(buffer, 2 * n1 * width_, T(0));
      twiddle_rows(tile, 0, t_->held, factors, out, buffer);
      twiddle_rows(tile, t_->held, n1, factors, rest, buffer);
      kernels_.multiply({buffer, buffer, within_.data(), n1 * width_, 1, 2, 2});
      line_->run(inner);
      for (Index j1 = 0; j1 < n1; ++j1) put(buffer + 2 * j1 * width_, j1 * t_->n2 + j2, valid, out, room);
      if (tile == 0 && t_->by_powers) put_zeroth(t_->aside(rest) + 2, out);
    } else {
      for (Index j1 = 0; j1 < n1; ++j1) get(in, j1 * t_->n2 + j2, valid, buffer + 2 * j1 * width_, room);
      if (tile == 0 && t_->by_powers) get_zeroth(in, t_->aside(rest));
      line_->run(inner);
      kernels_.multiply({buffer, buffer, within_.data(), n1 * width_, 1, 2, 2});
      twiddle_rows(tile, 0, t_->held, factors, out, buffer);
      twiddle_rows(tile, t_->held, n1, factors, rest, buffer);
    }
  }

 private:
  /// w^(k1 j2) of a tile's first column, for all k1.
  void put_factors(Index tile, T* factors) const {
    kernels_.multiply({fine_.data() + 2 * tile * block, factors, coarse_.data() + 2 * tile * blocks(),
                       blocks(), block, 0, 2 * block});
  }
  Index blocks() const { return (t_->n1 + block - 1) / block; }

  /// Rows from `begin` to `end`, the first of which stands at `array`, times their part of the twiddles:
  /// w^(k1 (j2 + q)) = w^(k1 j2) w^(k1 q), the first is the row's, the second the same for all tiles.
  void twiddle_rows(Index tile, Index begin, Index end, T const* factors, T* array, T* buffer) const {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2), stride = 2 * t_->n2;
    factors += 2 * begin;
    T* outer = array + 2 * j2;
    T* inner = buffer + 2 * begin * width_;
    for (Index count; begin < end; begin += count) {
      count = std::min(ahead, end - begin);
      for (Index r = count; r < std::min(2 * count, end - begin); ++r)
        prefetch(outer + r * stride, 2 * valid);
      if (back_)
        kernels_.multiply({outer, inner, factors, count, valid, stride, 2 * width_});
      else
        kernels_.multiply({inner, outer, factors, count, valid, 2 * width_, stride});
      factors += 2 * count, outer += count * stride, inner += 2 * count * width_;
    }
  }

  /// Rows lie too far apart for the machine to see what comes next: they are asked for so many rows ahead.
  static constexpr Index ahead = 8;
  static void prefetch(T const* row, Index scalars) {
    for (Index i = 0; i < scalars; i += 64 / Index(sizeof(T))) __builtin_prefetch(row + i);
  }

  struct Number {
    T re, im;
  };
  /// Point j of a line of reals, or of a half spectrum, whose second half is the first one's, conjugate.
  Number point(T const* in, Index j) const {
    if (t_->ends == Ends::from_real) return {in[j * step_], T(0)};
    bool const mirrored = t_->ends == Ends::to_real && 2 * j > t_->n;
    T const* const x = in + (mirrored ? t_->n - j : j) * step_;
    if (t_->ends == Ends::to_real && j == 0) return {x[0], T(0)};
    return {x[0], mirrored ? -x[1] : x[1]};
  }

  /// Points j and after of the convolution, `count` of them; zeros where there are none and up to the width.
  void get(T const* in, Index j, Index count, T* row, T* room) const {
    Index const all = t_->by_powers ? t_->m : t_->points, later = j + ahead * t_->n2;
    count = std::clamp<Index>(all - j, 0, count);
    if (t_->by_powers)
      for (Index i = j + t_->n2; i < std::min(j + t_->n2 + count, all); ++i)
        __builtin_prefetch(in + t_->powers[i] * step_);
    else if (step_ <= 2 && later + count <= all)
      prefetch(in + later * step_, count * step_);
    std::fill(row + 2 * count, row + 2 * width_, T(0));
    if (t_->by_powers) {
      for (Index i = 0; i < count; ++i) {
        Number const x = point(in, t_->powers[j + i]);
        row[2 * i] = x.re, row[2 * i + 1] = x.im;
      }
      return;
    }
    if (count == 0) return;
    T const* const c = t_->chirp(j, count, room, kernels_);
    if (t_->ends == Ends::complex) return kernels_.multiply({in + j * step_, row, c, count, 1, step_, 2});
    bool const twice =
        t_->ends == Ends::to_real;  // each stands for its mirror too: the real part is taken at the end
    for (Index i = 0; i < count; ++i) {
      Number const x = point(in, j + i);
      T const weight = twice && j + i > 0 ? T(2) : T(1), re = weight * x.re, im = weight * x.im;
      row[2 * i] = re * c[2 * i] - im * c[2 * i + 1], row[2 * i + 1] = re * c[2 * i + 1] + im * c[2 * i];
    }
  }

  void put(T const* row, Index k, Index count, T* out, T* room) const {
    if (t_->by_powers) {
      count = std::clamp<Index>(t_->m - k, 0, count);
      for (Index i = k + t_->n2; i < std::min(k + t_->n2 + count, t_->m); ++i)
        __builtin_prefetch(out + t_->powers.inverse(i) * step_, 1);
      for (Index i = 0; i < count; ++i) {
        Index const place = t_->powers.inverse(k + i);
        if (place >= t_->results) continue;
        out[place * step_] = row[2 * i];
        if (t_->ends != Ends::to_real) out[place * step_ + 1] = row[2 * i + 1];
      }
      return;
    }
    count = std::clamp<Index>(t_->results - k, 0, count);
    if (count == 0) return;
    T const* const c = t_->chirp(k, count, room, kernels_);
    if (t_->ends == Ends::to_real) {
      for (Index i = 0; i < count; ++i)
        out[(k + i) * step_] = row[2 * i] * c[2 * i] - row[2 * i + 1] * c[2 * i + 1];
      return;
    }
    if (step_ == 2 && k + ahead * t_->n2 + count <= t_->results)
      prefetch(out + 2 * (k + ahead * t_->n2), 2 * count);
    kernels_.multiply({row, out + k * step_, c, count, 1, 2, step_});
    if (t_->ends == Ends::from_real && k == 0 && count > 0) out[1] = 0;
  }

  void get_zeroth(T const* in, T* aside) const {
    Number const x = point(in, 0);
    T const scale = static_cast<T>(t_->scale);
    aside[0] = scale * x.re, aside[1] = scale * x.im;
  }
  void put_zeroth(T const* aside, T* out) const {
    out[0] = aside[0];
    if (t_->ends != Ends::to_real) out[1] = t_->ends == Ends::from_real ? T(0) : aside[1];
  }

  static constexpr Index block = 32;  // of factors that are one row of the other table
  Shared<T> t_;
  bool back_;
  Index step_, width_ = 1;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> line_;
  Table<T> within_;         // [n1][width_]
  Table<T> fine_, coarse_;  // [tile][block], [tile][blocks()]
};

/// Rows of n2 where they stand: there, times the response, and back.
template <class T>
class Rows final : public Step<T> {
 public:
  Rows(Shared<T> shared, TableMaker& tables)
      : t_(std::move(shared)),
        kernels_(tables.kernels),
        forward_(make_smooth<T>({t_->n2, true, Direction::forward, 1}, tables)),
        inverse_(make_smooth<T>({t_->n2, true, Direction::inverse, 1}, tables)) {}

  Index tiles() const override { return t_->n1; }
  Index scratch() const override {
    return rounded<T>(2 * t_->n2) + std::max(forward_->scratch(1, 1), inverse_->scratch(1, 1));
  }
  std::string text() const override { return forward_->text() + " there and back"; }
  void run(Index k1, T const*, T* out, T* rest, T* scratch) const override {
    T* const row = t_->row(k1, out, rest);
    Tile<T> tile;
    tile.in = tile.out = row;
    tile.scratch = scratch + rounded<T>(2 * t_->n2);
    forward_->run(tile);
    bool const zeroth = k1 == 0 && t_->by_powers;
    T* const aside = t_->aside(rest);
    if (zeroth)
      for (int part : {0, 1}) aside[2 + part] = aside[part] + static_cast<T>(t_->scale) * row[part];
    kernels_.multiply({row, row, t_->response(k1, scratch), t_->n2, 1, 2, 2});
    if (zeroth)
      for (int part : {0, 1}) row[part] += aside[part];  // x_0 is in every result
    inverse_->run(tile);
  }

 private:
  Shared<T> t_;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> forward_, inverse_;
};

}  // namespace

template <class T>
Index add_long_convolution(Group<T>& group, StepSpec const& spec, Array from, Array to, bool apart,
                           TableMaker& tables) {
  auto const shared = std::make_shared<LongTables<T> const>(spec, apart, tables);
  group.stages.push_back({std::make_unique<Columns<T>>(shared, spec, false, tables), from, to});
  group.stages.push_back({std::make_unique<Rows<T>>(shared, tables), to, to});
  group.stages.push_back({std::make_unique<Columns<T>>(shared, spec, true, tables), to, to});
  return shared->line();
}

template Index add_long_convolution(Group<float>&, StepSpec const&, Array, Array, bool, TableMaker&);
template Index add_long_convolution(Group<double>&, StepSpec const&, Array, Array, bool, TableMaker&);

}  // namespace skipper::cpu
