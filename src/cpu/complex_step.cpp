// A complex axis in tiles, for lines that do not fit in registers (short_step.cpp has those). There are two forms. Either the
// points of one line fill the lanes: contiguous lines, or a strided line that is copied to a buffer. Or neighbouring lines do,
// as columns.
#include <algorithm>
#include <cstdint>

#include "cpu/convolution.h"
#include "cpu/one_line.h"
#include "cpu/step.h"

namespace skipper::cpu {
namespace {

template <class T>
class ComplexStep final : public Step<T> {
 public:
  ComplexStep(StepSpec const& spec, TableMaker& tables)
      : n_(spec.n),
        in_step_(spec.in_step),
        out_step_(spec.out_step),
        outer_(spec.loops),
        kernels_(tables.kernels),
        out_of_cache_(spec.out_of_cache),
        twiddles_input_(spec.twiddles && spec.twiddles->when == Twiddles::When::reading),
        twiddles_output_(spec.twiddles && spec.twiddles->when == Twiddles::When::writing) {
    Kernels const& kernels = tables.kernels;
    Index const least = least_lanes(kernels), most = max_lanes(kernels);
    Index const points = std::max<Index>(1, spec.cache_bytes / static_cast<Index>(2 * sizeof(T)));
    bool const contiguous = in_step_ == 2 && out_step_ == 2;
    bool const can_single = !spec.twiddles && one_line_applies<T>(n_, kernels);
    inner_ = take_inner(outer_, 2, 2);
    bool const columns = (inner_.in == 2 && inner_.out == 2) || spec.twiddles.has_value();
    bool const transposed = contiguous && inner_.size >= most && better_as_columns<T>(n_, kernels);
    one_line_ = can_single && !transposed && (contiguous || inner_.size < least || (!columns && n_ > 4096));
    if (one_line_) {
      width_ = 1;
      lines_ = contiguous ? std::clamp<Index>(points / 32 / n_, 1, inner_.size) : 1;
      tiles_inner_ = (inner_.size + lines_ - 1) / lines_;
      planes_ = {};
      tiles_planes_ = 1;
    } else {
      Index const wide = transposed ? most : max_row_bytes(spec) / static_cast<Index>(2 * sizeof(T));
      width_ = std::clamp<Index>(max_tile_bytes(spec) / static_cast<Index>(2 * sizeof(T)) / n_ / most * most,
                                 std::max<Index>(most, 64 / (2 * sizeof(T))), wide);
      width_ = std::min(width_, (inner_.size + least - 1) / least * least);
      if (width_ > most) width_ = width_ / most * most;
      line_ = make_line<T>({n_, one_line_, spec.direction, spec.scale}, tables);
      // A few columns that are left over are better off in the tile before them.
      Index const left = inner_.size % width_;
      bool const absorbs = inner_.in == 2 && inner_.out == 2 && !spec.twiddles && left > 0 && left < most &&
                           inner_.size > width_ && line_->any_columns();
      tiles_inner_ = absorbs ? inner_.size / width_ : (inner_.size + width_ - 1) / width_;
      widest_ = absorbs ? width_ + left : width_;
      planes_ = take_largest(outer_);
      shifts_ = can_shift(inner_.size - (tiles_inner_ - 1) * width_);
      if (shifts_) widest_ = std::max(widest_, width_ + line_columns - 1);
      bool const direct =
          inner_.in == 2 && inner_.out == 2 && !spec.twiddles && tiles_inner_ == inner_.size / width_;
      lines_ = direct ? std::clamp<Index>(points / 8 / (n_ * width_), 1, planes_.size) : 1;
      tiles_planes_ = (planes_.size + lines_ - 1) / lines_;
    }
    if (one_line_) line_ = make_line<T>({n_, one_line_, spec.direction, spec.scale}, tables);
    if (spec.twiddles) make_twiddles(spec, tables);
    if (!one_line_) bind_whole();
  }

  Index tiles() const override { return tiles_inner_ * tiles_planes_ * iterations(outer_); }

  Index buffer_size() const override {
    return gather_size() + cache_aligned<T>(line_->buffer_size(lines_, widest_));
  }

  std::string text() const override {
    return line_->text() +
           (one_line_ ? " lines " + std::to_string(lines_) : " columns " + std::to_string(width_));
  }

  void run(Index tile, T const* in, T* out, T*, T* buffer) const override {
    Index i = 0, j = 0;
    Offsets at;
    if (tile > 0) {
      i = tile % tiles_inner_, j = tile / tiles_inner_ % tiles_planes_;
      at = offsets(outer_, tile / tiles_inner_ / tiles_planes_);
    }
    if (one_line_) return run_lines(i * lines_, in + at.in, out + at.out, buffer);
    run_columns(columns_of(i, shift_to_line(out + at.out)), j * lines_, in + at.in, out + at.out, buffer);
  }

  bool bind(Index tile, bool in_place, std::vector<BoundPass>& all) const override {
    std::size_t const before = all.size();
    Index const i = tile % tiles_inner_, j = tile / tiles_inner_ % tiles_planes_;
    Offsets at = offsets(outer_, tile / tiles_inner_ / tiles_planes_);
    TileLayout shape;
    shape.in_place = in_place;
    shape.out_of_cache = out_of_cache_;
    shape.in_step = in_step_, shape.out_step = out_step_;
    if (one_line_) {
      shape.lines = std::min(lines_, inner_.size - i * lines_);
      shape.in_line = inner_.in, shape.out_line = inner_.out;
      if (in_step_ != 2 || out_step_ != 2 || !line_->bind(shape, all)) return false;
      at.in += i * lines_ * inner_.in, at.out += i * lines_ * inner_.out;
    } else {
      shape.columns = columns_of(i, 0).count;
      shape.lines = std::min(lines_, planes_.size - j * lines_);
      shape.in_line = planes_.in, shape.out_line = planes_.out;
      bool const direct = inner_.in == 2 && inner_.out == 2 && shape.columns == filled(shape.columns);
      if (!direct || twiddles_input_ || twiddles_output_ || !line_->bind(shape, all)) return false;
      at.in += i * width_ * 2 + j * lines_ * planes_.in;
      at.out += i * width_ * 2 + j * lines_ * planes_.out;
    }
    at.move(all, before);
    return true;
  }

 private:
  // Output that is transposed makes wide rows of the input worthwhile: fewer pages of memory are open at once. But several
  // tiles must fit in cache, and threads that share a line need many tiles.
  Index max_row_bytes(StepSpec const& spec) const { return twiddles_output_ && !spec.shared ? 1024 : 256; }
  Index max_tile_bytes(StepSpec const& spec) const { return spec.cache_bytes / (twiddles_output_ ? 4 : 2); }

  struct Columns {
    Index first, count;
  };
  /// The columns of a tile. The first tile has `shift` more than the others, the last one fewer.
  Columns columns_of(Index tile, Index shift) const {
    Index const first = tile == 0 ? 0 : tile * width_ + shift;
    Index const end = tile + 1 == tiles_inner_ ? inner_.size : (tile + 1) * width_ + shift;
    return {first, end - first};
  }
  /// Whether tiles may begin some columns later; `last` is the columns of the last one. Tiles with twiddles may not: at the edges of
  /// a tile these are multiplied one by one, which may round differently.
  bool can_shift(Index last) const {
    auto const on_line = [](Index scalars) { return scalars % (2 * line_columns) == 0; };
    return tiles_inner_ > 1 && inner_.out == 2 && !twiddles_input_ && on_line(out_step_) &&
           on_line(planes_.out) && line_->any_columns() && last >= least_lanes(kernels_) + line_columns - 1;
  }
  /// The shift by which all tiles but the first begin on a cache line of the output. A vector that straddles two lines costs two
  /// stores.
  Index shift_to_line(T const* out) const {
    auto const address = reinterpret_cast<std::uintptr_t>(out);
    if (!shifts_ || address % (2 * sizeof(T)) != 0) return 0;
    return (line_columns - static_cast<Index>(address / (2 * sizeof(T)) % line_columns)) % line_columns;
  }
  /// The columns that a tile is filled up to: a multiple of the least lanes, unless the line takes any number.
  Index filled(Index columns) const {
    Index const least = least_lanes(kernels_);
    if (columns >= least && line_->any_columns()) return columns;
    return (columns + least - 1) / least * least;
  }

  /// Scalars at the front of the buffer for points that are not contiguous in the arrays.
  Index gather_size() const {
    bool const none = one_line_ && in_step_ == 2 && out_step_ == 2;
    return none ? 0 : cache_aligned<T>(2 * n_ * widest_);
  }

  void run_lines(Index first, T const* in, T* out, T* buffer) const {
    Tile<T> tile;
    tile.out_of_cache = out_of_cache_;
    tile.buffer = buffer + gather_size();
    tile.lines = std::min(lines_, inner_.size - first);
    tile.in = in + first * inner_.in;
    tile.out = out + first * inner_.out;
    tile.in_line = inner_.in;
    tile.out_line = inner_.out;
    if (in_step_ != 2) {  // then a tile is one line
      for (Index j = 0; j < n_; ++j) {
        buffer[2 * j] = tile.in[j * in_step_];
        buffer[2 * j + 1] = tile.in[j * in_step_ + 1];
      }
      tile.in = buffer;
    }
    T* const target = tile.out;
    if (out_step_ != 2) tile.out = buffer;
    line_->run(tile);
    if (out_step_ != 2)
      for (Index k = 0; k < n_; ++k) {
        target[k * out_step_] = buffer[2 * k];
        target[k * out_step_ + 1] = buffer[2 * k + 1];
      }
  }

  void run_columns(Columns tile_columns, Index plane, T const* in, T* out, T* buffer) const {
    auto const [first, valid] = tile_columns;
    Index const columns = filled(valid);
    Index const planes = std::min(lines_, planes_.size - plane);
    Tile<T> tile;
    tile.buffer = buffer + gather_size();
    tile.columns = columns;
    bool const direct_in = inner_.in == 2 && valid == columns && !twiddles_input_;
    bool const direct_out = inner_.out == 2 && valid == columns && !twiddles_output_;
    tile.in_step = direct_in ? in_step_ : 2 * columns;
    tile.out_step = direct_out ? out_step_ : 2 * columns;
    if (direct_in && direct_out) {
      tile.out_of_cache = out_of_cache_;
      tile.in = in + first * 2 + plane * planes_.in;
      tile.out = out + first * 2 + plane * planes_.out;
      tile.lines = planes;
      tile.in_line = planes_.in;
      tile.out_line = planes_.out;
      return run_tile(tile);
    }
    tile.out_of_cache = out_of_cache_ && direct_in;
    for (Index p = plane; p < plane + planes; ++p) {
      T const* const from = in + first * inner_.in + p * planes_.in;
      T* const to = out + first * inner_.out + p * planes_.out;
      tile.in = direct_in ? from : buffer;
      tile.out = direct_out ? to : buffer;
      if (!direct_in) gather(from, buffer, first, valid, columns);
      run_tile(tile);
      if (!direct_out) scatter(buffer, to, first, valid, columns);
    }
  }

  /// Prepares the passes of a full tile: neither the last of its row nor one with fewer lines.
  void bind_whole() {
    whole_.columns = width_;
    bool const reads = inner_.in == 2 && !twiddles_input_, writes = inner_.out == 2 && !twiddles_output_;
    whole_.in_step = reads ? in_step_ : 2 * width_, whole_.out_step = writes ? out_step_ : 2 * width_;
    whole_.out_of_cache = out_of_cache_ && reads;
    if (reads && writes) {
      whole_.lines = lines_;
      whole_.in_line = planes_.in, whole_.out_line = planes_.out;
    }
    if (filled(width_) != width_ || !line_->bind(whole_, calls_[0])) return calls_[0].clear();
    whole_.in_place = true;
    line_->bind(whole_, calls_[1]);
  }

  void run_tile(Tile<T> const& tile) const {
    auto const& calls = calls_[tile.in == tile.out];
    bool const is_whole = tile.columns == whole_.columns && tile.lines == whole_.lines &&
                          tile.in_step == whole_.in_step && tile.out_step == whole_.out_step;
    if (calls.empty() || !is_whole) return line_->run(tile);
    T* const place[] = {const_cast<T*>(tile.in), tile.out, tile.buffer};  // the input is only read
    for (BoundPass const& b : calls)
      b.pass(b.args, place[int(b.from)] + b.from_at, place[int(b.to)] + b.to_at);
  }

  /// How far ahead to prefetch lines that are transposed: the same place of the next tile, or, of a large tile, further along the line.
  Index ahead(Index line) const {
    Index const bytes = 2 * n_ * width_ * static_cast<Index>(sizeof(T));
    if (!out_of_cache_) return 0;
    return bytes > 32 * 1024 ? 1024 / static_cast<Index>(sizeof(T)) : width_ * line;
  }

  void gather(T const* in, T* buffer, Index first, Index valid, Index columns) const {
    if (valid < columns)
      for (Index j = 0; j < n_; ++j)
        std::fill(buffer + 2 * (j * columns + valid), buffer + 2 * (j + 1) * columns, T(0));
    if (in_step_ == 2) {
      TransposeArgs a;
      a.in = in;
      a.out = buffer;
      a.rows = n_;
      a.columns = valid;
      a.in_column = inner_.in;
      a.out_row = 2 * columns;
      a.prefetch_in = ahead(inner_.in);
      if (twiddles_input_) {
        a.shift = shift_;
        a.fine_column = Index(2) << shift_;
        a.coarse_column = coarse_column_;
        a.fine = fine_.data() + first * a.fine_column;
        a.coarse = coarse_.data() + first * a.coarse_column;
      }
      return kernels_.transpose(a);
    }
    for (Index j = 0; j < n_; ++j)
      for (Index q = 0; q < valid; ++q) {
        buffer[2 * (j * columns + q)] = in[j * in_step_ + q * inner_.in];
        buffer[2 * (j * columns + q) + 1] = in[j * in_step_ + q * inner_.in + 1];
      }
  }

  void scatter(T const* buffer, T* out, Index first, Index valid, Index columns) const {
    if (out_step_ == 2) {
      TransposeArgs a;
      a.in = buffer;
      a.out = out;
      a.rows = valid;
      a.columns = n_;
      a.in_column = 2 * columns;
      a.out_row = inner_.out;
      a.prefetch_out = ahead(inner_.out);
      if (twiddles_output_) {
        a.first = first;
        a.shift = shift_;
        a.fine_column = Index(2) << shift_;
        a.coarse_column = coarse_column_;
        a.fine = fine_.data();
        a.coarse = coarse_.data();
      }
      return kernels_.transpose(a);
    }
    for (Index k = 0; k < n_; ++k)
      for (Index q = 0; q < valid; ++q) {
        out[k * out_step_ + q * inner_.out] = buffer[2 * (k * columns + q)];
        out[k * out_step_ + q * inner_.out + 1] = buffer[2 * (k * columns + q) + 1];
      }
  }

  void make_twiddles(StepSpec const& spec, TableMaker& tables) {
    shift_ = 4;
    // The factor is w^(q j), q over `rows` of the tables and j along them.
    Index const rows = twiddles_output_ ? n_ : inner_.size, points = twiddles_output_ ? inner_.size : n_;
    while ((Index(1) << (2 * shift_)) < points) ++shift_;
    Index const fine = Index(1) << shift_, coarse = (points + fine - 1) >> shift_;
    coarse_column_ = 2 * coarse;
    Index const n = spec.twiddles->order;
    bool const inverse = spec.direction == Direction::inverse;
    auto const roots = tables.roots(n);
    fine_ = tables.make<T>(rows, 2 * fine, [&](Index begin, Index end, T* at) {
      for (Index q = begin; q < end; ++q, at += 2 * fine) fill_roots(*roots, n, 0, q % n, fine, inverse, at);
    });
    coarse_ = tables.make<T>(rows, 2 * coarse, [&](Index begin, Index end, T* at) {
      for (Index q = begin; q < end; ++q, at += 2 * coarse)
        fill_roots(*roots, n, 0, (q << shift_) % n, coarse, inverse, at);
    });
  }

  static constexpr Index line_columns = 64 / (2 * sizeof(T));  // complex numbers of a cache line

  Index n_, in_step_, out_step_;
  std::vector<Loop> outer_;
  Kernels const& kernels_;
  bool out_of_cache_, twiddles_input_, twiddles_output_;
  Loop inner_, planes_;
  bool one_line_ = false;
  Index width_ = 1, lines_ = 1;  // of a tile
  Index widest_ = 1;             // of the last tile, which may take some more columns, or the first
  bool shifts_ = false;          // tiles may begin where a cache line of the output does
  Index tiles_inner_ = 1, tiles_planes_ = 1;
  std::unique_ptr<Line<T> const> line_;
  TileLayout whole_;  // of a whole tile of columns
  std::vector<BoundPass>
      calls_[2];   // that do it out of place and in place; empty where it takes more than passes
  int shift_ = 0;  // w^(q j) = fine[q][j % 2^shift] coarse[q][j >> shift]
  Index coarse_column_ = 0;
  Table<T> fine_, coarse_;
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_complex_step(StepSpec const& spec, TableMaker& tables) {
  return std::make_unique<ComplexStep<T>>(spec, tables);
}
template std::unique_ptr<Step<float> const> make_complex_step(StepSpec const&, TableMaker&);
template std::unique_ptr<Step<double> const> make_complex_step(StepSpec const&, TableMaker&);

}  // namespace skipper::cpu
