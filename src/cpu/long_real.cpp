// See long_line.h: an odd number of reals, n = n1 n2, by the two sweeps of long_line.cpp. The spectra of columns of n1 reals are
// Hermitian, so only the rows k1 <= n1/2 are kept, [n1/2+1][n2] complex numbers: as much as the line itself. Row k1 becomes
// X_k at k = k1 + n1 k2; for k > n/2 its conjugate is X_(n-k). Two columns of reals are one complex column (the two-for-one
// trick). The inverse does the same in reverse.
#include <algorithm>

#include "base/complex_of.h"
#include "cpu/convolution.h"
#include "cpu/long_line.h"

namespace skipper::cpu {
namespace {

struct RealFactors {
  Index n, n1, n2;
  Index rows() const { return n1 / 2 + 1; }
};

/// Columns of n1, from the reals to the rows or back, with the twiddles.
template <class T>
class RealColumns final : public Step<T> {
 public:
  RealColumns(RealFactors const& factors, StepSpec const& spec, TableMaker& tables)
      : factors_(factors),
        forward_(spec.line_kind == LineKind::from_real),
        step_(forward_ ? spec.in_step : spec.out_step) {
    width_ = std::max<Index>(max_lanes(tables.kernels), 64 / (2 * sizeof(T)));
    line_ = make_smooth<T>(
        {factors.n1, false, forward_ ? Direction::forward : Direction::inverse, spec.scale}, tables);
    auto const roots = tables.roots(factors.n);
    within_ = tables.make<T>(factors.rows(), 4 * width_, [&](Index begin, Index end, T* at) {
      for (Index k1 = begin; k1 < end; ++k1, at += 4 * width_)
        fill_roots(*roots, factors.n, 0, k1, 2 * width_, !forward_, at);
    });
    first_ = tables.make<T>(tiles(), 2 * factors.rows(), [&](Index begin, Index end, T* at) {
      for (Index tile = begin; tile < end; ++tile, at += 2 * factors.rows())
        fill_roots(*roots, factors.n, 0, 2 * width_ * tile, factors.rows(), !forward_, at);
    });
  }

  Index tiles() const override { return (factors_.n2 + 2 * width_ - 1) / (2 * width_); }
  Index buffer_size() const override {
    return cache_aligned<T>(2 * factors_.n1 * width_) + line_->buffer_size(1, width_);
  }
  std::string text() const override {
    return "real " + line_->text() + " columns " + std::to_string(2 * width_);
  }

  void run(Index tile, T const* in, T* out, T*, T* buffer) const override {
    Tile<T> inner;
    inner.in = inner.out = buffer;
    inner.in_step = inner.out_step = 2 * width_;
    inner.columns = width_;
    inner.buffer = buffer + cache_aligned<T>(2 * factors_.n1 * width_);
    if (forward_) {
      read_reals(tile, in, buffer);
      line_->run(inner);
      for (Index k1 = 0; k1 < factors_.rows(); ++k1) separate(tile, k1, buffer, out);
    } else {
      for (Index k1 = 0; k1 < factors_.rows(); ++k1) unite(tile, k1, in, buffer);
      line_->run(inner);
      write_reals(tile, buffer, out);
    }
  }

 private:
  /// The number of columns of reals in the real (part 0) or the imaginary parts (part 1) of the buffer.
  Index valid(Index tile, int part) const {
    return std::clamp<Index>(factors_.n2 - (2 * tile + part) * width_, 0, width_);
  }

  // The buffer is [n1][width_] complex numbers.
  void read_reals(Index tile, T const* in, T* buffer) const {
    std::fill_n(buffer, 2 * factors_.n1 * width_, T(0));
    for (Index j1 = 0; j1 < factors_.n1; ++j1)
      for (int part : {0, 1}) {
        T const* const from = in + (j1 * factors_.n2 + (2 * tile + part) * width_) * step_;
        T* const to = buffer + 2 * j1 * width_ + part;
        for (Index q = 0; q < valid(tile, part); ++q) to[2 * q] = from[q * step_];
      }
  }
  void write_reals(Index tile, T const* buffer, T* out) const {
    for (Index j1 = 0; j1 < factors_.n1; ++j1)
      for (int part : {0, 1}) {
        T const* const from = buffer + 2 * j1 * width_ + part;
        T* const to = out + (j1 * factors_.n2 + (2 * tile + part) * width_) * step_;
        for (Index q = 0; q < valid(tile, part); ++q) to[q * step_] = from[2 * q];
      }
  }

  static ComplexOf<T> number(Table<T> const& table, Index i) { return {table[2 * i], table[2 * i + 1]}; }
  ComplexOf<T> twiddle(Index tile, Index k1, int part, Index q) const {
    return number(first_, tile * factors_.rows() + k1) * number(within_, (2 * k1 + part) * width_ + q);
  }
  T* place(Index tile, Index k1, int part, T* rows) const {
    return rows + 2 * (k1 * factors_.n2 + (2 * tile + part) * width_);
  }

  /// Z = A + iB of two spectra of reals, hence A = (Z_k + conj Z_-k) / 2 and B = (Z_k - conj Z_-k) / 2i.
  void separate(Index tile, Index k1, T const* buffer, T* rows) const {
    T const* const z = buffer + 2 * k1 * width_;
    T const* const partner = buffer + 2 * (k1 ? factors_.n1 - k1 : 0) * width_;
    for (int part : {0, 1}) {
      T* const row = place(tile, k1, part, rows);
      for (Index q = 0; q < valid(tile, part); ++q) {
        T const re = z[2 * q], im = z[2 * q + 1], partner_re = partner[2 * q],
                partner_im = partner[2 * q + 1];
        ComplexOf<T> const x = part == 0 ? ComplexOf<T>{(re + partner_re) / 2, (im - partner_im) / 2}
                                         : ComplexOf<T>{(im + partner_im) / 2, (partner_re - re) / 2};
        ComplexOf<T> const y = x * twiddle(tile, k1, part, q);
        row[2 * q] = y.re, row[2 * q + 1] = y.im;
      }
    }
  }

  /// Z_k = A_k + i B_k, Z_-k = conj A_k + i conj B_k.
  void unite(Index tile, Index k1, T const* rows, T* buffer) const {
    T* const z = buffer + 2 * k1 * width_;
    T* const partner = buffer + 2 * (k1 ? factors_.n1 - k1 : 0) * width_;
    for (Index q = 0; q < width_; ++q) {
      ComplexOf<T> x[2] = {{0, 0}, {0, 0}};
      for (int part : {0, 1}) {
        if (q >= valid(tile, part)) continue;
        T const* const y = place(tile, k1, part, const_cast<T*>(rows)) + 2 * q;
        x[part] = ComplexOf<T>{y[0], y[1]} * twiddle(tile, k1, part, q);
      }
      if (k1 == 0) x[0].im = x[1].im = 0;
      partner[2 * q] = x[0].re + x[1].im, partner[2 * q + 1] = x[1].re - x[0].im;
      z[2 * q] = x[0].re - x[1].im, z[2 * q + 1] = x[0].im + x[1].re;
    }
  }

  RealFactors factors_;
  bool forward_;
  Index step_, width_ = 1;
  std::unique_ptr<Line<T> const> line_;
  Table<T> first_, within_;  // [tile][rows], [rows][2 width_]: as in long_convolution.cpp
};

/// Rows of n2, to the half spectrum or back, several neighbours at a time.
template <class T>
class RealRows final : public Step<T> {
 public:
  RealRows(RealFactors const& factors, StepSpec const& spec, TableMaker& tables)
      : factors_(factors),
        forward_(spec.line_kind == LineKind::from_real),
        step_(forward_ ? spec.out_step : spec.in_step),
        line_(make_smooth<T>({factors.n2, true, forward_ ? Direction::forward : Direction::inverse, 1},
                             tables)) {}

  Index tiles() const override { return (factors_.rows() + together - 1) / together; }
  Index buffer_size() const override { return line_->buffer_size(1, 1); }
  std::string text() const override { return line_->text() + " rows " + std::to_string(together); }

  void run(Index tile, T const* in, T* out, T* line, T* buffer) const override {
    Index const begin = tile * together, end = std::min(begin + together, factors_.rows());
    if (!forward_) read(begin, end, in, line);
    for (Index k1 = begin; k1 < end; ++k1) {
      Tile<T> row;
      row.in = row.out = line + 2 * k1 * factors_.n2;
      row.buffer = buffer;
      line_->run(row);
    }
    if (forward_) write(begin, end, line, out);
  }

 private:
  static constexpr Index together = 8;

  void write(Index begin, Index end, T const* rows, T* out) const {
    for (Index k2 = 0; k2 < factors_.n2; ++k2)
      for (Index k1 = begin; k1 < end; ++k1) {
        Index const k = k1 + factors_.n1 * k2;
        bool const reflected = 2 * k > factors_.n;
        T const* const x = rows + 2 * (k1 * factors_.n2 + k2);
        T* const y = out + (reflected ? factors_.n - k : k) * step_;
        y[0] = x[0], y[1] = k == 0 ? T(0) : reflected ? -x[1] : x[1];
      }
  }
  void read(Index begin, Index end, T const* in, T* rows) const {
    for (Index k2 = 0; k2 < factors_.n2; ++k2)
      for (Index k1 = begin; k1 < end; ++k1) {
        Index const k = k1 + factors_.n1 * k2;
        bool const reflected = 2 * k > factors_.n;
        T const* const x = in + (reflected ? factors_.n - k : k) * step_;
        T* const y = rows + 2 * (k1 * factors_.n2 + k2);
        y[0] = x[0], y[1] = k == 0 ? T(0) : reflected ? -x[1] : x[1];
      }
  }

  RealFactors factors_;
  bool forward_;
  Index step_;
  std::unique_ptr<Line<T> const> line_;
};

}  // namespace

template <class T>
Index add_long_reals(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables) {
  TwoFactors const lengths = factor_long_line(spec.n);
  RealFactors const factors = {spec.n, lengths.first, lengths.second};
  auto columns = std::make_unique<RealColumns<T>>(factors, spec, tables);
  auto rows = std::make_unique<RealRows<T>>(factors, spec, tables);
  if (spec.line_kind == LineKind::from_real) {
    group.steps.push_back({std::move(columns), from, Array::line});
    group.steps.push_back({std::move(rows), Array::line, to});
  } else {
    group.steps.push_back({std::move(rows), from, Array::line});
    group.steps.push_back({std::move(columns), Array::line, to});
  }
  return 2 * factors.rows() * factors.n2;
}
template Index add_long_reals(Group<float>&, StepSpec const&, Array, Array, TableMaker&);
template Index add_long_reals(Group<double>&, StepSpec const&, Array, Array, TableMaker&);

}  // namespace skipper::cpu
