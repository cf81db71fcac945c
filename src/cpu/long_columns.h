// The columns of a long convolution (long_convolution.cpp), n1 points each: from the line to the array [n1][n2], or back. A
// tile is `width` neighbouring columns, which a buffer holds as [parity of k1][n1 / parities][width] (long_tables.h). The
// twiddles between columns and rows are products, w^(k1 (j2 + q)) = w^(k1 j2) w^(k1 q): the first factor is the same for a
// row of the tile, the second for all tiles.
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
    length_ = t_->n1 / t_->parities();
    forward_ = make_smooth<T>({length_, false, Direction::forward, 1}, tables);
    inverse_ = make_smooth<T>({length_, false, Direction::inverse, 1}, tables);
    auto const roots = tables.roots(t_->m);
    within_ = tables.make<T>(t_->n1, 2 * width_, [&](Index begin, Index end, T* at) {
      for (Index i = begin; i < end; ++i, at += 2 * width_)
        fill_roots(*roots, t_->m, 0, i % length_ * t_->parities() + i / length_, width_, false, at);
    });
    fine_ = tables.make<T>(tiles(), 2 * block, [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * block)
        fill_roots(*roots, t_->m, 0, tile * width_, block, false, at);
    });
    coarse_ = tables.make<T>(tiles(), 2 * blocks(), [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * blocks())
        fill_roots(*roots, t_->m, 0, tile * width_ * block % t_->m, blocks(), false, at);
    });
  }

  static constexpr Index max_width = 128;
  Index width() const { return width_; }
  /// Scalars from a row of the buffer for even k1 to that for odd k1.
  Index odd_offset() const { return 2 * length_ * width_; }
  Index tiles() const { return (t_->n2 + width_ - 1) / width_; }
  Index buffer_size() const {
    return cache_aligned<T>(2 * t_->n1 * width_) + cache_aligned<T>(2 * block * blocks()) +
           cache_aligned<T>(2 * width_) +
           std::max(forward_->buffer_size(1, width_), inverse_->buffer_size(1, width_));
  }
  std::string text() const { return forward_->text() + " columns " + std::to_string(width_); }

  /// From the line to the rows in `out` and `rest` (LongTables::row). read(j1, j2, count, row, row_buffer) fills `row` with `count`
  /// points from j1 n2 + j2 on, and zeros up to the width; `row_buffer` has the size of a row.
  template <class Read>
  void from_line(Index tile, T* out, T* rest, T* buffer, Read const& read) const {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2);
    T* const factors = buffer + cache_aligned<T>(2 * t_->n1 * width_);
    T* const row_buffer = factors + cache_aligned<T>(2 * block * blocks());
    for (Index j1 = 0; j1 < length_; ++j1) read(j1, j2, valid, buffer + 2 * j1 * width_, row_buffer);
    run_lines(*forward_, buffer, row_buffer);
    twiddle(tile, false, factors, out, rest, buffer);
  }

  /// The reverse, for the first `rows` rows of the line: write(row, k1, k2, count, row_buffer) takes `count` results
  /// from k1 n2 + k2 on.
  template <class Write>
  void to_line(Index tile, Index rows, T* out, T* rest, T* buffer, Write const& write) const {
    Index const j2 = tile * width_, valid = std::min(width_, t_->n2 - j2);
    T* const factors = buffer + cache_aligned<T>(2 * t_->n1 * width_);
    T* const row_buffer = factors + cache_aligned<T>(2 * block * blocks());
    if (valid < width_) std::fill_n(buffer, 2 * t_->n1 * width_, T(0));
    twiddle(tile, true, factors, out, rest, buffer);
    run_lines(*inverse_, buffer, row_buffer);
    for (Index j1 = 0; j1 < rows; ++j1) write(buffer + 2 * j1 * width_, j1, j2, valid, row_buffer);
  }

  /// How many rows ahead to prefetch: rows are too far apart for the hardware prefetcher.
  static constexpr Index prefetch_rows = 8;
  static void prefetch(T const* row, Index scalars) {
    for (Index i = 0; i < scalars; i += 64 / Index(sizeof(T))) __builtin_prefetch(row + i);
  }

 private:
  void run_lines(Line<T> const& line, T* buffer, T* row_buffer) const {
    Tile<T> inner;
    inner.in_step = inner.out_step = 2 * width_;
    inner.columns = width_;
    inner.buffer = row_buffer + cache_aligned<T>(2 * width_);
    for (Index parity = 0; parity < t_->parities(); ++parity) {
      inner.in = inner.out = buffer + parity * odd_offset();
      line.run(inner);
    }
  }

  Index blocks() const { return (t_->n1 + block - 1) / block; }

  /// All rows between the array and the buffer, times the twiddles, or on the way back their conjugates.
  void twiddle(Index tile, bool back, T* factors, T* out, T* rest, T* buffer) const {
    // w^(k1 j2) of the tile's first column, for all k1
    kernels_.multiply({fine_.data() + 2 * tile * block, factors, coarse_.data() + 2 * tile * blocks(),
                       blocks(), block, 0, 2 * block});
    Index const parities = t_->parities(), j2 = tile * width_;
    for (Index parity = 0; parity < parities; ++parity) {
      Index const rows_in_out = std::max<Index>(0, t_->rows_in_out - parity + parities - 1) / parities;
      // Rows from `begin` on; `array` is where the first of all rows would stand.
      auto const rows = [&](Index begin, Index end, T* array, Index pitch) {
        Index const k1 = begin * parities + parity;
        T* const outer = array + 2 * (k1 * pitch + j2);
        T* const inner = buffer + parity * odd_offset() + 2 * begin * width_;
        TwiddleArgs a;
        a.in = back ? outer : inner, a.out = back ? inner : outer;
        a.rows = end - begin, a.columns = std::min(width_, t_->n2 - j2);
        a.in_row = 2 * (back ? parities * pitch : width_), a.out_row = 2 * (back ? width_ : parities * pitch);
        a.factors = factors + 2 * k1, a.factor_step = 2 * parities;
        a.within = within_.data() + 2 * (parity * length_ + begin) * width_, a.within_row = 2 * width_;
        a.conjugate = back;
        if (a.rows > 0) kernels_.chirps.twiddle(a);
      };
      rows(0, rows_in_out, out, t_->n2);
      rows(rows_in_out, length_, rest - 2 * t_->rows_in_out * t_->pitch, t_->pitch);
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

/// Rows of n2 in place: forward transform, product with the response, inverse transform.
template <class T>
std::unique_ptr<Step<T> const> make_convolution_rows(std::shared_ptr<LongTables<T> const> shared,
                                                     TableMaker& tables);

/// The sweeps of long_sums.cpp for an odd line of reals, with tables for half of it.
template <class T>
Index add_real_convolution(Group<T>& group, std::shared_ptr<LongTables<T> const> const& line,
                           StepSpec const& spec, Array from, Array to, TableMaker& tables);

}  // namespace skipper::cpu
