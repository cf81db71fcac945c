// A real axis in tiles, from reals to n/2+1 complex numbers or back. Even n by a complex transform of half the
// length (variant/halves.h); odd n by a complex one of the full length. Contiguous even lines that fill the lanes
// go straight through; everything else by way of a buffer of columns.
#include <algorithm>

#include "base/roots.h"
#include "cpu/convolution.h"
#include "cpu/step.h"

namespace skipper::cpu {
namespace {

template <class T>
class RealStep final : public Step<T> {
 public:
  RealStep(StepSpec const& spec, Kernels const& kernels)
      : forward_(spec.ends == Ends::from_real),
        n_(spec.n),
        spectrum_(n_ / 2 + 1),
        in_step_(spec.in_step),
        out_step_(spec.out_step),
        outer_(spec.loops),
        kernels_(kernels),
        far_(spec.far) {
    bool const even = n_ % 2 == 0;
    size_ = even ? n_ / 2 : n_;
    Index const least = least_lanes(kernels), most = most_lanes(kernels);
    Index const points = std::max<Index>(1, spec.cache_bytes / static_cast<Index>(2 * sizeof(T)));
    inner_ = take_inner(outer_, forward_ ? 1 : 2, forward_ ? 2 : 1);
    bool const contiguous = in_step_ == (forward_ ? 1 : 2) && out_step_ == (forward_ ? 2 : 1);
    bool const single = takes_single<T>(size_, kernels);
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
                         kernels);
    if (even)
      for (auto const& w : roots<T>(n_, size_ / 2 + 1)) {
        roots_.push_back(w.real());
        roots_.push_back(w.imag());
      }
    tiles_inner_ = (inner_.size + lines_ - 1) / lines_;
  }

  Index tiles() const override { return tiles_inner_ * iterations(outer_); }

  Index scratch() const override {
    Index const buffer = straight_ ? (forward_ ? 0 : 2 * size_ * lines_) : 2 * (size_ + 1) * width_;
    return rounded<T>(buffer) + rounded<T>(line_->scratch(straight_ ? lines_ : 1, width_));
  }

  std::string text() const override {
    return (n_ % 2 ? "real " : "real half ") + line_->text() +
           (width_ == 1 ? " lines " + std::to_string(lines_) : " columns " + std::to_string(width_));
  }

  void run(Index tile, T const* in, T* out, T* scratch) const override {
    Index first = 0;
    Offsets at;
    if (tile > 0) first = tile % tiles_inner_ * lines_, at = offsets(outer_, tile / tiles_inner_);
    in += at.in + first * inner_.in;
    out += at.out + first * inner_.out;
    Index const valid = std::min(lines_, inner_.size - first);
    if (straight_) return run_straight(in, out, valid, scratch);
    T* const buffer = scratch;
    if (forward_)
      read_reals(in, buffer, valid);
    else
      read_spectrum(in, buffer, valid);
    Tile<T> inner;
    inner.in = inner.out = buffer;
    inner.columns = width_;
    inner.in_step = inner.out_step = 2 * width_;
    inner.scratch = scratch + rounded<T>(2 * (size_ + 1) * width_);
    line_->run(inner);
    if (forward_)
      write_spectrum(buffer, out, valid);
    else
      write_reals(buffer, out, valid);
  }

 private:
  void run_straight(T const* in, T* out, Index lines, T* scratch) const {
    HalvesArgs halves;
    halves.half = size_;
    halves.end = size_ / 2 + 1;
    halves.lines = lines;
    halves.roots = roots_.data();
    Tile<T> tile;
    tile.lines = lines;
    tile.far = far_;
    if (forward_) {
      tile.in = in, tile.out = out;
      tile.in_line = inner_.in, tile.out_line = inner_.out;
      tile.scratch = scratch;
      line_->run(tile);
      halves.in = halves.out = out;
      halves.in_line = halves.out_line = inner_.out;
      kernels_.to_real_spectrum(halves);
    } else {
      halves.in = in, halves.out = scratch;
      halves.in_line = inner_.in, halves.out_line = 2 * size_;
      kernels_.from_real_spectrum(halves);
      tile.in = scratch, tile.out = out;
      tile.in_line = 2 * size_, tile.out_line = inner_.out;
      tile.scratch = scratch + rounded<T>(2 * size_ * lines_);
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
  /// exp(-2 pi i k / n), 0 <= k <= h, from the first half of them.
  Root root(Index k) const {
    if (2 * k <= size_) return {roots_[2 * k], roots_[2 * k + 1]};
    return {-roots_[2 * (size_ - k)], roots_[2 * (size_ - k) + 1]};
  }

  bool forward_;
  Index n_, size_ = 1, spectrum_;  // reals, points of the complex transform, complex numbers of the spectrum
  Index in_step_, out_step_;
  std::vector<Loop> outer_;
  Kernels const& kernels_;
  bool far_;
  Loop inner_;
  bool straight_ = false;
  Index width_ = 1, lines_ = 1, tiles_inner_ = 1;
  std::unique_ptr<Line<T> const> line_;
  std::vector<T> roots_;
};

}  // namespace

template <class T>
std::unique_ptr<Step<T> const> make_real_step(StepSpec const& spec, Kernels const& kernels) {
  return std::make_unique<RealStep<T>>(spec, kernels);
}
template std::unique_ptr<Step<float> const> make_real_step(StepSpec const&, Kernels const&);
template std::unique_ptr<Step<double> const> make_real_step(StepSpec const&, Kernels const&);

}  // namespace skipper::cpu
