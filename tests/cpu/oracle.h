#pragma once
// What the CPU engine's tests compare with: the definition of the transform, axis by axis in double-double (double
// for f32), on arrays with any strides. Knows nothing of passes, tiles or schedules.
#include <gtest/gtest.h>
#include <skipper/problem.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/double_double.h"
#include "base/numbers.h"
#include "base/roots.h"
#include "cpu/engine.h"

namespace skipper::cpu::testing {

template <class T>
struct WideOf {
  using type = DoubleDouble;
};
template <>
struct WideOf<float> {
  using type = double;
};
/// Under sanitizers long tests take fewer cases.
inline bool quick() { return std::getenv("SKIPPER_QUICK") != nullptr; }

inline double narrow(double a) { return a; }
inline double narrow(DoubleDouble a) { return a.high; }

template <class W>
struct Pair {
  W re = 0.0, im = 0.0;
};

/// Visits every point of a logical array, slowest dimension first: f(index, offset).
template <class F>
void each_point(std::vector<Index> const& sizes, std::vector<Index> const& strides, F f) {
  Index total = 1;
  for (Index s : sizes) total *= s;
  for (Index i = 0; i < total; ++i) {
    Index rest = i, at = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) at += rest % sizes[d] * strides[d], rest /= sizes[d];
    f(i, at);
  }
}

/// The sizes and strides of a side: batch dimensions, then axes.
struct Layout {
  std::vector<Index> sizes, strides;
};
inline Layout layout(Problem const& p, bool output) {
  Layout all;
  for (Dim const& d : p.batch) {
    all.sizes.push_back(d.size);
    all.strides.push_back(output ? d.out_stride : d.in_stride);
  }
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    all.sizes.push_back(output ? out_size(p, i) : in_size(p, i));
    all.strides.push_back(output ? p.axes[i].out_stride : p.axes[i].in_stride);
  }
  return all;
}

/// Transforms dimension d of a dense array; `sizes` holds the stored sizes and is updated where n changes them.
template <class W>
std::vector<Pair<W>> transform_axis(std::vector<Pair<W>> const& in, std::vector<Index>& sizes, std::size_t d,
                                    Index n, Direction direction, Kind kind) {
  std::vector<Pair<W>> w(n);
  for (Index k = 0; k < n; ++k) {
    auto const root = wide_root(k, n);
    if constexpr (std::is_same_v<W, double>)
      w[k] = {root.re.high, root.im.high};
    else
      w[k] = {root.re, root.im};
    if (direction == Direction::inverse) w[k].im = -w[k].im;
  }
  Index inner = 1, outer = 1, stored = sizes[d];
  for (std::size_t i = d + 1; i < sizes.size(); ++i) inner *= sizes[i];
  for (std::size_t i = 0; i < d; ++i) outer *= sizes[i];
  Index const kept = kind == Kind::r2c ? n / 2 + 1 : n;
  std::vector<Pair<W>> out(outer * kept * inner), line(n);
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < inner; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (kind == Kind::c2r && j >= stored) {
          auto const mirror = line[n - j];
          line[j] = {mirror.re, -mirror.im};
        } else {
          line[j] = in[(o * stored + j) * inner + i];
          if (kind == Kind::c2r && (2 * j == n || j == 0)) line[j].im = W(0.0);
        }
      }
      for (Index k = 0; k < kept; ++k) {
        Pair<W> sum;
        Index e = 0;
        for (Index j = 0; j < n; ++j) {
          sum.re = sum.re + (line[j].re * w[e].re - line[j].im * w[e].im);
          sum.im = sum.im + (line[j].re * w[e].im + line[j].im * w[e].re);
          if ((e += k) >= n) e -= n;
        }
        out[(o * kept + k) * inner + i] = sum;
      }
    }
  sizes[d] = kept;
  return out;
}

/// cos and sin of 2 pi k / n, as exact as W is, for every k at once.
template <class W>
class Circle {
 public:
  explicit Circle(Index n) : n_(n) {
    for (Index k = 0; k < n; ++k) {
      auto const root = wide_root(k, n);
      if constexpr (std::is_same_v<W, double>)
        points_.push_back({root.re.high, -root.im.high});
      else
        points_.push_back({root.re, W(0.0) - root.im});
    }
  }
  W cosine(Index k) const { return points_[k % n_].re; }
  W sine(Index k) const { return points_[k % n_].im; }

 private:
  Index n_;
  std::vector<Pair<W>> points_;
};

/// The matrix of a cosine or sine axis, by its definition in problem.h; with the weights of Norm::ortho, the factor
/// of it left to the scale.
template <class W>
std::vector<W> trig_matrix(AxisKind kind, Index n, bool ortho) {
  bool const dct1 = kind == AxisKind::dct1;
  Index const turn = dct1                                               ? 2 * (n - 1)
                     : kind == AxisKind::dst1                           ? 2 * (n + 1)
                     : kind == AxisKind::dct4 || kind == AxisKind::dst4 ? 8 * n
                                                                        : 4 * n;
  Circle<W> const circle(turn);
  auto cosine = [&](Index k) { return circle.cosine(k); };
  auto sine = [&](Index k) { return circle.sine(k); };
  W const two = W(2.0), one = W(1.0), root = Circle<W>(8).cosine(1) * two;  // sqrt 2
  std::vector<W> m(n * n);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j) {
      W value = one;
      bool const first = j == 0, last = j == n - 1, odd = k % 2;
      switch (kind) {
        case AxisKind::dct1:
          value = first ? one : last ? (odd ? W(-1.0) : one) : two * cosine(j * k);
          break;
        case AxisKind::dct2:
          value = two * cosine((2 * j + 1) * k);
          break;
        case AxisKind::dct3:
          value = first ? one : two * cosine(j * (2 * k + 1));
          break;
        case AxisKind::dct4:
          value = two * cosine((2 * j + 1) * (2 * k + 1));
          break;
        case AxisKind::dst1:
          value = two * sine((j + 1) * (k + 1));
          break;
        case AxisKind::dst2:
          value = two * sine((2 * j + 1) * (k + 1));
          break;
        case AxisKind::dst3:
          value = last ? (odd ? W(-1.0) : one) : two * sine((j + 1) * (2 * k + 1));
          break;
        default:
          value = two * sine((2 * j + 1) * (2 * k + 1));
      }
      if (ortho) {
        if ((first && (dct1 || kind == AxisKind::dct3)) || (last && (dct1 || kind == AxisKind::dst3)))
          value = value * root;
        if ((k == 0 && (dct1 || kind == AxisKind::dct2)) || (k == n - 1 && (dct1 || kind == AxisKind::dst2)))
          value = value * root * W(0.5);
      }
      m[k * n + j] = value;
    }
  return m;
}

template <class W>
std::vector<Pair<W>> transform_trig_axis(std::vector<Pair<W>> const& in, std::vector<Index> const& sizes,
                                         std::size_t d, AxisKind kind, bool ortho) {
  Index const n = sizes[d];
  std::vector<W> const matrix = trig_matrix<W>(kind, n, ortho);
  Index inner = 1;
  for (std::size_t i = d + 1; i < sizes.size(); ++i) inner *= sizes[i];
  std::vector<Pair<W>> out(in.size());
  for (std::size_t at = 0; at < in.size(); ++at) {
    Index const i = Index(at) % inner, k = Index(at) / inner % n, o = Index(at) / inner / n;
    for (Index j = 0; j < n; ++j) {
      Pair<W> const& x = in[(o * n + j) * inner + i];
      out[at].re = out[at].re + x.re * matrix[k * n + j];
      out[at].im = out[at].im + x.im * matrix[k * n + j];
    }
  }
  return out;
}

template <class T>
std::vector<T> random_scalars(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> x(count);
  for (T& v : x) v = uniform(random);
  return x;
}

/// The length that a cosine or sine transform of the first kind is a transform of.
inline Index inner_length(Axis const& a) {
  return a.kind == AxisKind::dct1 ? a.size - 1 : a.kind == AxisKind::dst1 ? a.size + 1 : a.size;
}

/// What the issue allows; three times that where a prime above 13 needs a convolution.
inline double allowed(Problem const& p) {
  double points = 1;
  bool smooth = true;
  for (Axis const& a : p.axes)
    points *= static_cast<double>(a.size), smooth = smooth && is_smooth(inner_length(a), 13);
  double const root = std::sqrt(std::log2(std::max(2.0, points)));
  double const limit =
      p.precision == Precision::f32 ? std::max(2e-7, 1.5e-7 * root) : std::max(4e-16, 3e-16 * root);
  return smooth ? limit : 3 * limit;
}

/// Runs the problem by run(in, out) on random data and returns the relative L2 error. Checks that the input is
/// preserved out of place and that nothing between or after the outputs is touched.
template <class T, class Run>
double error_by(Problem const& p, Run run, unsigned seed = 1) {
  using W = typename WideOf<T>::type;
  constexpr Index guard = 16;
  bool const all_real = p.kind == Kind::r2r;
  bool const real_in = all_real || p.kind == Kind::r2c, real_out = all_real || p.kind == Kind::c2r,
             inside = p.placement == Placement::in_place;
  Index const in_count = in_bytes(p) / static_cast<Index>(sizeof(T));
  Index const out_count = out_bytes(p) / static_cast<Index>(sizeof(T));
  std::vector<T> const data = random_scalars<T>(in_count, seed);
  std::vector<T> in = data, out(std::max(in_count, out_count) + guard, T(12345));
  if (inside) std::copy(in.begin(), in.end(), out.begin());
  std::vector<T> const before = out;

  run(inside ? out.data() : in.data(), out.data());
  if (!inside) {
    EXPECT_EQ(std::memcmp(in.data(), data.data(), sizeof(T) * in_count), 0) << "input changed: " << text(p);
  }

  Layout const from = layout(p, false), to = layout(p, true);
  std::vector<Pair<W>> x;
  each_point(from.sizes, from.strides, [&](Index, Index at) {
    if (real_in)
      x.push_back({W(double(data[at])), W(0.0)});
    else
      x.push_back({W(double(data[2 * at])), W(double(data[2 * at + 1]))});
  });
  std::vector<Index> sizes = from.sizes;
  auto const halved = halved_axis(p);
  std::size_t const first = p.batch.size();
  if (halved && real_in)
    x = transform_axis(x, sizes, first + *halved, p.axes[*halved].size, p.direction, p.kind);
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (p.axes[a].kind != AxisKind::fourier)
      x = transform_trig_axis(x, sizes, first + a, p.axes[a].kind, p.norm == Norm::ortho);
    else if (halved != a)
      x = transform_axis(x, sizes, first + a, p.axes[a].size, p.direction, Kind::c2c);
  if (halved && real_out)
    x = transform_axis(x, sizes, first + *halved, p.axes[*halved].size, p.direction, p.kind);

  double wrong = 0, norm = 0;
  std::vector<char> written(out.size(), 0);
  each_point(to.sizes, to.strides, [&](Index i, Index at) {
    for (int part = 0; part < (real_out ? 1 : 2); ++part) {
      Index const place = real_out ? at : 2 * at + part;
      W const expected = (part ? x[i].im : x[i].re) * W(whole_scale(p));
      double const difference = narrow(expected - W(double(out[place])));
      wrong += difference * difference;
      norm += narrow(expected) * narrow(expected);
      written[place] = 1;
    }
  });
  Index touched = 0;
  bool const padded = inside && halved;  // rows of reals end in padding that is free to use
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!written[i] && !(padded && i < std::size_t(std::max(in_count, out_count))))
      touched += std::memcmp(&out[i], &before[i], sizeof(T)) != 0;
  EXPECT_EQ(touched, 0) << "touched beyond the output: " << text(p);
  return norm > 0 ? std::sqrt(wrong / norm) : std::sqrt(wrong);
}

template <class T>
double error_of(Problem const& p, Options const& options = {}, unsigned seed = 1) {
  Transform const transform(p, host_machine(), options);
  return error_by<T>(
      p, [&](T const* in, T* out) { transform.execute(in, out); }, seed);
}

inline double error_of(Problem const& p, Options const& options = {}, unsigned seed = 1) {
  return p.precision == Precision::f32 ? error_of<float>(p, options, seed)
                                       : error_of<double>(p, options, seed);
}

inline void expect_right(Problem const& p, Options const& options = {}, unsigned seed = 1) {
  double const error = error_of(p, options, seed);
  EXPECT_LE(error, allowed(p)) << text(p) << "\n" << Transform(p, host_machine(), options).describe();
}

/// Random strides on either side: dimensions in a random order with gaps.
inline void lay_out_at_random(Problem& p, std::mt19937& random) {
  for (bool output : {false, true}) {
    std::vector<std::pair<Index, Index*>> dims;
    for (Dim& d : p.batch) dims.push_back({d.size, output ? &d.out_stride : &d.in_stride});
    for (std::size_t i = 0; i < p.axes.size(); ++i)
      dims.push_back(
          {output ? out_size(p, i) : in_size(p, i), output ? &p.axes[i].out_stride : &p.axes[i].in_stride});
    std::shuffle(dims.begin(), dims.end(), random);
    Index stride = 1 + static_cast<Index>(random() % 3 == 0) * 2;
    for (auto& [size, place] : dims) {
      *place = stride;
      stride = stride * size + static_cast<Index>(random() % 3);
    }
  }
}

}  // namespace skipper::cpu::testing
