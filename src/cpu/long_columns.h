// The columns of a long convolution (long_convolution.cpp): n1 points each, `width` of them side by side, from the line to the
// array [n1][n2] or back, with the twiddles between columns and rows: w^(k1 (j2 + q)) = w^(k1 j2) w^(k1 q), the first the
// same all over a row of the tile, the second for all tiles. A buffer holds them as [half][n1 / halves][width], one half for
// each k1 modulo `halves` (long_tables.h).
#pragma once

#include <algorithm>
#include <memory>

#include "cpu/long_tables.h"

namespace skipper::cpu {

template <class T>
class LongColumns {
 public:
  LongColumns(std::shared_ptr<LongTables<T> const> shared, TableMaker& tables)
      : t_(std::move(shared)), kernels_(tables.kernels) {
    constexpr Index near = 1 << 16;  // bytes of a tile
    Index const least = 2 * std::max<Index>(max_lanes(kernels_),
                                            64 / (2 * sizeof(T)));  // two cache lines, and whole vectors
    Index const wide = near / Index(2 * sizeof(T)) / t_->n1 / least * least;
    width_ = std::clamp<Index>(wide, least, std::min(4 * least, max_width));
    length_ = t_->n1 / t_->halves();
    forward_ = make_smooth<T>({length_, false, Direction::forward, 1}, tables);
    inverse_ = make_smooth<T>({length_, false, Direction::inverse, 1}, tables);
    auto const roots = tables.roots(t_->m);
    within_ = tables.make<T>(t_->n1, 2 * width_, [&](Index begin, Index end, T* at) {
      for (Index i = begin; i < end; ++i, at += 2 * width_)
        put_roots(*roots, t_->m, 0, i % length_ * t_->halves() + i / length_, width_, false, at);
    });
    fine_ = tables.make<T>(tiles(), 2 * block, [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * block)
        put_roots(*roots, t_->m, 0, tile * width_, block, false, at);
    });
    coarse_ = tables.make<T>(tiles(), 2 * blocks(), [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * blocks())
        put_roots(*roots, t_->m, 0, tile * width_ * block % t_->m, blocks(), false, at);
    });
  }

  static constexpr Index max_width = 128;
  Index width() const { return width_; }
  /// Scalars from a row of the even half to that of the odd one.
  Index other() const { return 2 * length_ * width_; }
  Index tiles() const { return (t_->n2 + width_ - 1) / width_; }
  Index buffer_size() const {
    return rounded<T>(2 * t_->n1 * width_) + rounded<T>(2 * block * blocks()) + rounded<T>(2 * width_) +
           std::max(forward_->buffer_size(1, width_), inverse_->buffer_size(1, width_));
  }
  std::string text() const { return forward_->text() + " columns " + std::to_string(width_); }

  /// From the line: get(j1, j2, count, row, row_buffer) writes `count` of its points from j1 n2 + j2 on, and zeros up to the width;
  /// `row_buffer` holds as many. The rows go to `out` and `rest`, see LongTables::row.
  template <class Get>
  void there(Index tile, T* out, T* rest, T* buffer, Get const& get) const {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2);
    T* const factors = buffer + rounded<T>(2 * t_->n1 * width_);
    T* const row_buffer = factors + rounded<T>(2 * block * blocks());
    for (Index j1 = 0; j1 < length_; ++j1) get(j1, j2, valid, buffer + 2 * j1 * width_, row_buffer);
    run_lines(*forward_, buffer, row_buffer);
    twiddle(tile, false, factors, out, rest, buffer);
  }

  /// To the line, the first `rows` rows of it: put(row, k1, k2, count, row_buffer) takes results k1 n2 + k2 and after.
  template <class Put>
  void back(Index tile, Index rows, T* out, T* rest, T* buffer, Put const& put) const {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2);
    T* const factors = buffer + rounded<T>(2 * t_->n1 * width_);
    T* const row_buffer = factors + rounded<T>(2 * block * blocks());
    if (valid < width_) std::fill_n(buffer, 2 * t_->n1 * width_, T(0));
    twiddle(tile, true, factors, out, rest, buffer);
    run_lines(*inverse_, buffer, row_buffer);
    for (Index j1 = 0; j1 < rows; ++j1) put(buffer + 2 * j1 * width_, j1, j2, valid, row_buffer);
  }

  /// Rows lie too far apart for the machine to see what comes next: they are asked for so many rows ahead.
  static constexpr Index ahead = 8;
  static void prefetch(T const* row, Index scalars) {
    for (Index i = 0; i < scalars; i += 64 / Index(sizeof(T))) __builtin_prefetch(row + i);
  }

 private:
  void run_lines(Line<T> const& line, T* buffer, T* row_buffer) const {
    Tile<T> inner;
    inner.in_step = inner.out_step = 2 * width_;
    inner.columns = width_;
    inner.buffer = row_buffer + rounded<T>(2 * width_);
    for (Index half = 0; half < t_->halves(); ++half) {
      inner.in = inner.out = buffer + half * other();
      line.run(inner);
    }
  }

  Index blocks() const { return (t_->n1 + block - 1) / block; }

  /// All rows between the array and the buffer, times the twiddles, or on the way back their conjugates.
  void twiddle(Index tile, bool back, T* factors, T* out, T* rest, T* buffer) const {
    // w^(k1 j2) of the tile's first column, for all k1
    kernels_.multiply({fine_.data() + 2 * tile * block, factors, coarse_.data() + 2 * tile * blocks(),
                       blocks(), block, 0, 2 * block});
    Index const halves = t_->halves(), j2 = tile * width_;
    for (Index half = 0; half < halves; ++half) {
      Index const held = std::max<Index>(0, t_->held - half + halves - 1) / halves;
      // Rows from `begin` on; `array` is where the first of all rows would stand.
      auto const rows = [&](Index begin, Index end, T* array, Index pitch) {
        Index const k1 = begin * halves + half;
        T* const outer = array + 2 * (k1 * pitch + j2);
        T* const inner = buffer + half * other() + 2 * begin * width_;
        TwiddleArgs a;
        a.in = back ? outer : inner, a.out = back ? inner : outer;
        a.rows = end - begin, a.columns = std::min(width_, t_->n2 - j2);
        a.in_row = 2 * (back ? halves * pitch : width_), a.out_row = 2 * (back ? width_ : halves * pitch);
        a.factors = factors + 2 * k1, a.factor_step = 2 * halves;
        a.within = within_.data() + 2 * (half * length_ + begin) * width_, a.within_row = 2 * width_;
        a.conjugate = back;
        if (a.rows > 0) kernels_.chirps.twiddle(a);
      };
      rows(0, held, out, t_->n2);
      rows(held, length_, rest - 2 * t_->held * t_->pitch, t_->pitch);
    }
  }

  static constexpr Index block = 32;  // of factors that are one row of the other table
  std::shared_ptr<LongTables<T> const> t_;
  Index width_ = 1, length_ = 1;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> forward_, inverse_;
  Table<T> within_;         // as the buffer
  Table<T> fine_, coarse_;  // [tile][block], [tile][blocks()]
};

/// Rows of n2 where they stand: there, times the response, and back.
template <class T>
std::unique_ptr<Step<T> const> make_convolution_rows(std::shared_ptr<LongTables<T> const> shared,
                                                     TableMaker& tables);

/// The sweeps of long_pairs.cpp for an odd line with real ends, with tables for half of it.
template <class T>
Index add_real_convolution(Group<T>& group, std::shared_ptr<LongTables<T> const> const& line,
                           StepSpec const& spec, Array from, Array to, TableMaker& tables);

}  // namespace skipper::cpu
