// A real axis in tiles, from reals to n/2+1 complex numbers or back. Even n by a complex transform of half the
// length (variant/hermitian_split.h); odd n by a complex one of the full length. Contiguous even lines that fill the lanes go
// directly between the arrays; all others through a buffer of columns. Short lines: short_step.cpp.
#include <algorithm>

#include "cpu/convolution.h"
#include "cpu/step.h"

namespace skipper::cpu {
namespace {

template <class T>
class RealStep final : public Step<T> {
 public:
  RealStep(StepSpec const& spec, TableMaker& tables)
      : forward_(spec.line_kind == LineKind::from_real),
        n_(spec.n),
        spectrum_(n_ / 2 + 1),
        in_step_(spec.in_step),
        out_step_(spec.out_step),
        outer_(spec.loops),
        kernels_(tables.kernels),
        out_of_cache_(spec.out_of_cache) {
    Kernels const& kernels = tables.kernels;
    bool const even = n_ % 2 == 0;
    size_ = even ? n_ / 2 : n_;
    Index const least = least_lanes(kernels), most = max_lanes(kernels);
    Index const points = std::max<Index>(1, spec.cache_bytes / static_cast<Index>(2 * sizeof(T)));
    inner_ = take_inner(outer_, forward_ ? 1 : 2, forward_ ? 2 : 1);
    bool const contiguous = in_step_ == (forward_ ? 1 : 2) && out_step_ == (forward_ ? 2 : 1);
    bool const single = one_line_applies<T>(size_, kernels);
    straight_ = single && even && contiguous;
    if (straight_) {
      lines_ = std::clamp<Index>(points / 32 / size_, 1, inner_.size);
    } else if (single && (inner_.size < least || n_ > 4096)) {
      lines_ = width_ = 1;
    } else {
      width_ = std::clamp<Index>(points / 2 / size_ / most * most, most, 32);
      width_ = std::min(width_, (inner_.size + least - 1) / least * least);
      if (width_ > most) width_ = width_ / most * most;
      lines_ = width_;
    }
    line_ = make_line<T>({size_, width_ == 1, forward_ ? Direction::forward : Direction::inverse, spec.scale},
                         tables);
    if (straight_)
      factors_ = split_factors<T>(n_, forward_, tables);
    else if (even)
      make_roots(tables);
    tiles_inner_ = (inner_.size + lines_ - 1) / lines_;
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }

  Index buffer_size() const override {
    Index const points = straight_ ? (forward_ ? 0 : 2 * size_ * lines_) : 2 * (size_ + 1) * width_;
    return cache_aligned<T>(points) + cache_aligned<T>(line_->buffer_size(straight_ ? lines_ : 1, width_));
  }

  std::string text() const override {
    return (n_ % 2 ? "real " : "real half ") + line_->text() +
           (width_ == 1 ? " lines " + std::to_string(lines_) : " columns " + std::to_string(width_));
  }

  void run(Index tile, T const* in, T* out, T*, T* buffer) const override {
    Index first = 0;
    Offsets at;
    if (tile > 0) first = tile % tiles_inner_ * lines_, at = offsets(outer_, tile / tiles_inner_);
    in += at.in + first * inner_.in;
    out += at.out + first * inner_.out;
    Index const valid = std::min(lines_, inner_.size - first);
    if (straight_) return run_straight(in, out, valid, buffer);
    if (forward_)
      read_reals(in, buffer, valid);
    else
      read_spectrum(in, buffer, valid);
    Tile<T> inner;
    inner.in = inner.out = buffer;
    inner.columns = width_;
    inner.in_step = inner.out_step = 2 * width_;
    inner.buffer = buffer + cache_aligned<T>(2 * (size_ + 1) * width_);
    line_->run(inner);
    if (forward_)
      write_spectrum(buffer, out, valid);
    else
      write_reals(buffer, out, valid);
  }

  bool bind(Index tile, bool in_place, std::vector<BoundPass>& all) const override {
    std::size_t const before = all.size();
    Index const first = tile % tiles_inner_ * lines_, valid = std::min(lines_, inner_.size - first);
    Offsets at = offsets(outer_, tile / tiles_inner_);
    if (!straight_ || !bind_straight(valid, in_place, all)) return false;
    at.in += first * inner_.in, at.out += first * inner_.out;
    at.move(all, before);
    return true;
  }

 private:
  void make_roots(TableMaker& tables) {
    auto const roots = tables.roots(n_);
    roots_ = tables.make<T>(size_ / 2 + 1, 2, [&](Index begin, Index end, T* at) {
      fill_roots(*roots, n_, begin, Index(1) % n_, end - begin, false, at);
    });
  }

  /// The Hermitian-split pass of a line; the caller fills in its arrays.
  BoundPass split_pass(Index lines) const {
    BoundPass b;
    b.pass = forward_ ? kernels_.to_real_spectrum : kernels_.from_real_spectrum;
    b.args.columns = size_;
    b.args.end = size_ / 2 + 1;
    b.args.lines = lines;
    b.args.twiddles = factors_.data();
    return b;
  }

  /// Forward the Hermitian split is done in place in the output; inverse it writes to the front of the buffer.
  bool bind_straight(Index lines, bool in_place, std::vector<BoundPass>& all) const {
    TileLayout shape;
    shape.lines = lines;
    shape.out_of_cache = out_of_cache_;
    BoundPass split = split_pass(lines);
    if (forward_) {
      shape.in_place = in_place;
      shape.in_line = inner_.in, shape.out_line = inner_.out;
      split.from = split.to = TileArray::out;
      split.args.in_line = split.args.out_line = inner_.out;
      if (!line_->bind(shape, all)) return false;
      all.push_back(split);
      return true;
    }
    shape.in_line = 2 * size_, shape.out_line = inner_.out;
    split.to = TileArray::buffer;
    split.args.in_line = inner_.in, split.args.out_line = 2 * size_;
    all.push_back(split);
    std::size_t const begin = all.size();
    if (!line_->bind(shape, all)) return false;
    for (std::size_t i = begin; i < all.size(); ++i) {
      BoundPass& b = all[i];
      if (b.from == TileArray::buffer) b.from_at += cache_aligned<T>(2 * size_ * lines_);
      if (b.to == TileArray::buffer) b.to_at += cache_aligned<T>(2 * size_ * lines_);
      if (b.from == TileArray::in) b.from = TileArray::buffer;
    }
    return true;
  }

  void run_straight(T const* in, T* out, Index lines, T* buffer) const {
    BoundPass split = split_pass(lines);
    Tile<T> tile;
    tile.lines = lines;
    tile.out_of_cache = out_of_cache_;
    if (forward_) {
      tile.in = in, tile.out = out;
      tile.in_line = inner_.in, tile.out_line = inner_.out;
      tile.buffer = buffer;
      line_->run(tile);
      split.args.in_line = split.args.out_line = inner_.out;
      split.pass(split.args, out, out);
    } else {
      split.args.in_line = inner_.in, split.args.out_line = 2 * size_;
      split.pass(split.args, in, buffer);
      tile.in = buffer, tile.out = out;
      tile.in_line = 2 * size_, tile.out_line = inner_.out;
      tile.buffer = buffer + cache_aligned<T>(2 * size_ * lines_);
      line_->run(tile);
    }
  }

  // The buffer is [size_][width_] complex numbers; columns beyond `valid` are zero.
  void read_reals(T const* in, T* buffer, Index valid) const {
    bool const even = n_ % 2 == 0;
    for (Index j = 0; j < size_; ++j)
      for (Index q = 0; q < width_; ++q) {
        T const* const x = in + q * inner_.in + (even ? 2 * j : j) * in_step_;
        T* const y = buffer + 2 * (j * width_ + q);
        y[0] = q < valid ? x[0] : T(0);
        y[1] = q < valid && even ? x[in_step_] : T(0);
      }
  }

  void write_reals(T const* buffer, T* out, Index valid) const {
    bool const even = n_ % 2 == 0;
    for (Index j = 0; j < size_; ++j)
      for (Index q = 0; q < valid; ++q) {
        T const* const x = buffer + 2 * (j * width_ + q);
        T* const y = out + q * inner_.out + (even ? 2 * j : j) * out_step_;
        y[0] = x[0];
        if (even) y[out_step_] = x[1];
      }
  }

  void write_spectrum(T const* buffer, T* out, Index valid) const {
    Index const h = size_;
    for (Index k = 0; k < spectrum_; ++k)
      for (Index q = 0; q < valid; ++q) {
        T* const y = out + q * inner_.out + k * out_step_;
        T const* const a = buffer + 2 * ((k == h ? 0 : k) * width_ + q);
        if (n_ % 2) {
          y[0] = a[0], y[1] = k == 0 ? T(0) : a[1];
          continue;
        }
        T const* const b = buffer + 2 * ((k == 0 ? 0 : h - k) * width_ + q);
        T const even_re = (a[0] + b[0]) / 2, even_im = (a[1] - b[1]) / 2;
        T const odd_re = (a[1] + b[1]) / 2, odd_im = (b[0] - a[0]) / 2;
        auto const [c, s] = root(k);
        y[0] = even_re + c * odd_re - s * odd_im;
        y[1] = k == 0 || k == h ? T(0) : even_im + c * odd_im + s * odd_re;
      }
  }

  void read_spectrum(T const* in, T* buffer, Index valid) const {
    Index const h = size_;
    for (Index k = 0; k < size_; ++k)
      for (Index q = 0; q < width_; ++q) {
        T* const y = buffer + 2 * (k * width_ + q);
        y[0] = y[1] = 0;
        if (q >= valid) continue;
        T const* const x = in + q * inner_.in;
        if (n_ % 2) {
          T const* const a = x + std::min(k, n_ - k) * in_step_;
          y[0] = a[0];
          y[1] = k == 0 ? T(0) : k < spectrum_ ? a[1] : -a[1];
          continue;
        }
        T const* const a = x + k * in_step_;
        T const* const b = x + (h - k) * in_step_;
        T const a_im = k == 0 ? T(0) : a[1], b_im = k == 0 ? T(0) : b[1];
        T const even_re = a[0] + b[0], even_im = a_im - b_im;
        T const diff_re = a[0] - b[0], diff_im = a_im + b_im;
        auto const [c, s] = root(k);  // 2 Z = even + i conj(w) difference
        T const odd_re = c * diff_re + s * diff_im, odd_im = c * diff_im - s * diff_re;
        y[0] = even_re - odd_im;
        y[1] = even_im + odd_re;
      }
  }

  struct Root {
    T re, im;
  };
  /// exp(-2 pi i k / n) for 0 <= k <= h, from the stored first half.
  Root root(Index k) const {
    if (2 * k <= size_) return {roots_[2 * k], roots_[2 * k + 1]};
    return {-roots_[2 * (size_ - k)], roots_[2 * (size_ - k) + 1]};
  }

  bool forward_;
  Index n_, size_ = 1, spectrum_;  // reals, points of the complex transform, complex numbers of the spectrum
  Index in_step_, out_step_;
  std::vector<Loop> outer_;
  Kernels const& kernels_;
  bool out_of_cache_;
  Loop inner_;
  bool straight_ = false;
  Index width_ = 1, lines_ = 1, tiles_inner_ = 1;
  std::unique_ptr<Line<T> const> line_;
  Table<T> factors_;  // of the Hermitian split of straight lines
  Table<T> roots_;    // of that by way of a buffer
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_real_step(StepSpec const& spec, TableMaker& tables) {
  return std::make_unique<RealStep<T>>(spec, tables);
}
template std::unique_ptr<Step<float> const> make_real_step(StepSpec const&, TableMaker&);
template std::unique_ptr<Step<double> const> make_real_step(StepSpec const&, TableMaker&);

}  // namespace skipper::cpu
