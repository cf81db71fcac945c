// See long_line.h: Bluestein's rule (bluestein.cpp) for a line longer than the cache, its m = n1 n2 >= 2n-1 points in one
// array [n1][n2] and nowhere else. Three sweeps: columns of n1, which take the line in and twiddle it; rows of n2, there,
// times the response, and back; columns of n1 again, which undo the twiddles and write the line. No transposition: the
// response stands in the order in which the first two sweeps leave the spectrum, k = k1 + n1 k2 at [k1][k2].
#include <algorithm>

#include "base/numbers.h"
#include "base/roots.h"
#include "cpu/convolution.h"
#include "cpu/long_line.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

/// What the three sweeps share.
template <class T>
struct Chirp {
  Index n = 1, m = 1, n1 = 1, n2 = 1;
  Ends ends = Ends::complex;
  std::vector<T> chirp;     // [n], interleaved as all tables here
  std::vector<T> response;  // [n1][n2], with the scale and 1/m

  Chirp(StepSpec const& spec, LongLine const& cut)
      : n(spec.n), m(cut.first * cut.second), n1(cut.first), n2(cut.second), ends(spec.ends) {
    bool const forward =
        ends == Ends::from_real || (ends == Ends::complex && spec.direction == Direction::forward);
    std::vector<std::complex<double>> c(n), b(m);
    for (Index j = 0; j < n; ++j) {
      auto const w = root64(mulmod(j, j, 2 * n), 2 * n);
      c[j] = forward ? w : std::conj(w);
      b[j] = std::conj(c[j]);
      if (j > 0) b[m - j] = b[j];
    }
    chirp = interleaved<T>(c);
    b = spectrum(b, spec.scale / static_cast<double>(m));
    response.resize(2 * m);
    for (Index k1 = 0; k1 < n1; ++k1)
      for (Index k2 = 0; k2 < n2; ++k2) {
        response[2 * (k1 * n2 + k2)] = static_cast<T>(b[k1 + n1 * k2].real());
        response[2 * (k1 * n2 + k2) + 1] = static_cast<T>(b[k1 + n1 * k2].imag());
      }
  }
};

/// Columns of n1, from the user's line to the array or back.
template <class T>
class Columns final : public Step<T> {
 public:
  Columns(std::shared_ptr<Chirp<T> const> chirp, StepSpec const& spec, bool back, Kernels const& kernels)
      : c_(std::move(chirp)), back_(back), step_(back ? spec.out_step : spec.in_step), kernels_(kernels) {
    width_ =
        2 * std::max<Index>(most_lanes(kernels), 64 / (2 * sizeof(T)));  // two cache lines, and whole vectors
    line_ = make_smooth<T>({c_->n1, false, back ? Direction::inverse : Direction::forward, 1}, kernels);
    auto append = [&](std::vector<T>& table, auto const& roots) {
      for (auto const& w : roots) table.push_back(w.real()), table.push_back(back ? -w.imag() : w.imag());
    };
    for (Index k1 = 0; k1 < c_->n1; ++k1) append(within_, roots<T>(c_->m, width_, k1));
    for (Index j2 = 0; j2 < c_->n2; j2 += width_) append(first_, roots<T>(c_->m, c_->n1, j2));
  }

  Index tiles() const override { return (c_->n2 + width_ - 1) / width_; }
  Index scratch() const override { return rounded<T>(2 * c_->n1 * width_) + line_->scratch(1, width_); }
  std::string text() const override {
    return (back_ ? "from " : "convolve " + std::to_string(c_->n) + " in ") + line_->text() + " columns " +
           std::to_string(width_);
  }

  void run(Index tile, T const* in, T* out, T* scratch) const override {
    Index const j2 = tile * width_, valid = std::min(width_, c_->n2 - j2), n1 = c_->n1;
    T* const buffer = scratch;  // [n1][width_]
    T const* const first = first_.data() + 2 * tile * n1;
    Tile<T> inner;
    inner.in = inner.out = buffer;
    inner.in_step = inner.out_step = 2 * width_;
    inner.columns = width_;
    inner.scratch = scratch + rounded<T>(2 * n1 * width_);
    // w^(k1 (j2 + q)) = w^(k1 j2) w^(k1 q): the first is the row's, the second the same for all tiles.
    if (back_) {
      if (valid < width_) std::fill_n(buffer, 2 * n1 * width_, T(0));
      kernels_.multiply({in + 2 * j2, buffer, first, n1, valid, 2 * c_->n2, 2 * width_});
      kernels_.multiply({buffer, buffer, within_.data(), n1 * width_, 1, 2, 2});
      line_->run(inner);
      for (Index j1 = 0; j1 < n1; ++j1) put(buffer + 2 * j1 * width_, j1 * c_->n2 + j2, valid, out);
    } else {
      for (Index j1 = 0; j1 < n1; ++j1) get(in, j1 * c_->n2 + j2, valid, buffer + 2 * j1 * width_);
      line_->run(inner);
      kernels_.multiply({buffer, buffer, within_.data(), n1 * width_, 1, 2, 2});
      kernels_.multiply({buffer, out + 2 * j2, first, n1, valid, 2 * width_, 2 * c_->n2});
    }
  }

 private:
  /// x_j c_j for `count` j, zeros beyond n and up to the width.
  void get(T const* in, Index j, Index count, T* row) const {
    count = std::clamp<Index>(c_->n - j, 0, count);
    T const* const c = c_->chirp.data() + 2 * j;
    std::fill(row + 2 * count, row + 2 * width_, T(0));
    if (c_->ends == Ends::complex) {
      kernels_.multiply({in + j * step_, row, c, count, 1, step_, 2});
    } else if (c_->ends == Ends::from_real) {
      for (Index i = 0; i < count; ++i) {
        T const x = in[(j + i) * step_];
        row[2 * i] = x * c[2 * i], row[2 * i + 1] = x * c[2 * i + 1];
      }
    } else {
      for (Index i = 0; i < count; ++i) {  // the second half is the first one's, conjugate
        bool const mirrored = 2 * (j + i) > c_->n;
        T const* const x = in + (mirrored ? c_->n - j - i : j + i) * step_;
        T const re = x[0], im = j + i == 0 ? T(0) : mirrored ? -x[1] : x[1];
        row[2 * i] = re * c[2 * i] - im * c[2 * i + 1], row[2 * i + 1] = re * c[2 * i + 1] + im * c[2 * i];
      }
    }
  }

  void put(T const* row, Index k, Index count, T* out) const {
    bool const half = c_->ends == Ends::from_real;
    count = std::clamp<Index>((half ? c_->n / 2 + 1 : c_->n) - k, 0, count);
    T const* const c = c_->chirp.data() + 2 * k;
    if (c_->ends == Ends::to_real) {
      for (Index i = 0; i < count; ++i)
        out[(k + i) * step_] = row[2 * i] * c[2 * i] - row[2 * i + 1] * c[2 * i + 1];
      return;
    }
    kernels_.multiply({row, out + k * step_, c, count, 1, 2, step_});
    if (half && k == 0) out[1] = 0;
  }

  std::shared_ptr<Chirp<T> const> c_;
  bool back_;
  Index step_, width_ = 1;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> line_;
  std::vector<T> first_, within_;  // [tile][n1], [n1][width_]
};

/// Rows of n2 where they stand: there, times the response, and back.
template <class T>
class Rows final : public Step<T> {
 public:
  Rows(std::shared_ptr<Chirp<T> const> chirp, Kernels const& kernels)
      : c_(std::move(chirp)),
        kernels_(kernels),
        forward_(make_smooth<T>({c_->n2, true, Direction::forward, 1}, kernels)),
        inverse_(make_smooth<T>({c_->n2, true, Direction::inverse, 1}, kernels)) {}

  Index tiles() const override { return c_->n1; }
  Index scratch() const override { return std::max(forward_->scratch(1, 1), inverse_->scratch(1, 1)); }
  std::string text() const override { return forward_->text() + " there and back"; }
  void run(Index k1, T const*, T* out, T* scratch) const override {
    T* const row = out + 2 * k1 * c_->n2;
    Tile<T> tile;
    tile.in = tile.out = row;
    tile.scratch = scratch;
    forward_->run(tile);
    kernels_.multiply({row, row, c_->response.data() + 2 * k1 * c_->n2, c_->n2, 1, 2, 2});
    inverse_->run(tile);
  }

 private:
  std::shared_ptr<Chirp<T> const> c_;
  Kernels const& kernels_;
  std::unique_ptr<Line<T> const> forward_, inverse_;
};

}  // namespace

template <class T>
LongLine cut_long_convolution(Index n, Kernels const& kernels) {
  auto const [first, second] = cut_long_line(convolution_length(2 * n - 1, least_lanes(kernels), sizeof(T)));
  if (second == 1 || !takes_single<T>(second, kernels)) return {};
  return {first, second};
}

template <class T>
Index add_long_convolution(Group<T>& group, StepSpec const& spec, Array from, Array to,
                           Kernels const& kernels) {
  auto const chirp = std::make_shared<Chirp<T> const>(spec, cut_long_convolution<T>(spec.n, kernels));
  group.stages.push_back({std::make_unique<Columns<T>>(chirp, spec, false, kernels), from, Array::line});
  group.stages.push_back({std::make_unique<Rows<T>>(chirp, kernels), Array::line, Array::line});
  group.stages.push_back({std::make_unique<Columns<T>>(chirp, spec, true, kernels), Array::line, to});
  return 2 * chirp->m;
}

template LongLine cut_long_convolution<float>(Index, Kernels const&);
template LongLine cut_long_convolution<double>(Index, Kernels const&);
template Index add_long_convolution(Group<float>&, StepSpec const&, Array, Array, Kernels const&);
template Index add_long_convolution(Group<double>&, StepSpec const&, Array, Array, Kernels const&);

}  // namespace skipper::cpu
