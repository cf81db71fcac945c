// Convolutions against their sums, for every mode, real and complex, batches, one kernel and many.
#include <skipper/convolution.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace skipper {
namespace {

using Value = std::complex<double>;
using Shape = std::vector<std::int64_t>;

std::int64_t points(Shape const& shape) {
  std::int64_t n = 1;
  for (std::int64_t s : shape) n *= s;
  return n;
}

Shape index_of(std::int64_t i, Shape const& shape) {
  Shape index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) index[d] = i % shape[d], i /= shape[d];
  return index;
}

/// Output k of one array by the definition: k counts in the outputs that the mode keeps.
Value by_definition(ConvolutionProblem const& p, Value const* x, Value const* kernel, Shape const& k) {
  Value sum = 0;
  for (std::int64_t t = 0; t < points(p.kernel); ++t) {
    Shape const gather_index = index_of(t, p.kernel);
    std::int64_t at = 0;
    bool inside = true;
    for (std::size_t d = 0; d < k.size(); ++d) {
      std::int64_t const n = p.shape[d], gather_indices = p.kernel[d];
      std::int64_t j = k[d];
      if (p.mode == ConvolutionMode::same) j += (gather_indices - 1) / 2;
      if (p.mode == ConvolutionMode::valid) j += gather_indices - 1;
      bool const circular = p.mode == ConvolutionMode::circular;
      j = p.correlate ? j + gather_index[d] - (circular ? 0 : gather_indices - 1) : j - gather_index[d];
      if (circular) j = (j % n + n) % n;
      inside = inside && 0 <= j && j < n;
      at = at * n + j;
    }
    if (inside) sum += x[at] * (p.correlate ? std::conj(kernel[t]) : kernel[t]);
  }
  return sum * p.scale;
}

template <class T>
T random_value(std::uint64_t& state) {
  auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(std::int64_t(state) >> 11) * 0x1p-52;
  };
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    double const re = next();
    return T(typename T::value_type(re), typename T::value_type(next()));
  } else {
    return T(float(next()));
  }
}
Value widened(Half x) { return float(x); }
Value widened(BFloat16 x) { return float(x); }
template <class T>
Value widened(T x) {
  return Value(x);
}

template <class T>
void expect_right(ConvolutionProblem const& p, double near, int threads = 1) {
  std::uint64_t state = 5;
  std::vector<T> x(static_cast<std::size_t>(p.batch * points(p.shape)));
  std::vector<T> kernel(static_cast<std::size_t>(p.kernels * points(p.kernel)));
  for (T& v : x) v = random_value<T>(state);
  for (T& v : kernel) v = random_value<T>(state);
  Shape const shape = out_shape(p);
  std::vector<T> y(static_cast<std::size_t>(p.batch * points(shape)));
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = threads;
  std::vector<T> const kept_x = x, kept_kernel = kernel;
  Convolution(p, kernel.data(), settings).execute(x.data(), y.data());
  auto const same = [](std::vector<T> const& a, std::vector<T> const& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  };
  EXPECT_TRUE(same(x, kept_x) && same(kernel, kept_kernel)) << "input changed";
  std::vector<Value> wide_x, wide_kernel;
  for (T v : x) wide_x.push_back(widened(v));
  for (T v : kernel) wide_kernel.push_back(widened(v));
  for (std::int64_t b = 0; b < p.batch; ++b)
    for (std::int64_t k = 0; k < points(shape); ++k) {
      Value const* const own = wide_kernel.data() + (p.kernels > 1 ? b * points(p.kernel) : 0);
      Value const exact = by_definition(p, wide_x.data() + b * points(p.shape), own, index_of(k, shape));
      ASSERT_LT(std::abs(exact - widened(y[static_cast<std::size_t>(b * points(shape) + k)])), near)
          << "mode " << int(p.mode) << " correlate " << p.correlate << " output " << k << " of " << b;
    }
}

ConvolutionMode const modes[] = {ConvolutionMode::circular, ConvolutionMode::full, ConvolutionMode::same,
                                 ConvolutionMode::valid};

TEST(Convolution, IsTheSum) {
  std::pair<Shape, Shape> const shapes[] = {{{1}, {1}},        {{20}, {7}},       {{17}, {8}},
                                            {{64}, {64}},      {{9, 12}, {3, 4}}, {{5, 6, 7}, {2, 3, 3}},
                                            {{31, 1}, {2, 1}}, {{100}, {1}}};
  for (auto const& [shape, kernel] : shapes)
    for (ConvolutionMode mode : modes)
      for (bool correlate : {false, true})
        for (std::int64_t batch : {1, 5}) {
          ConvolutionProblem p;
          p.shape = shape, p.kernel = kernel, p.mode = mode, p.correlate = correlate, p.batch = batch;
          p.kernels = correlate ? batch : 1;
          p.scale = batch == 5 ? -0.5 : 1;
          expect_right<float>(p, 3e-5, 2);
          p.precision = Precision::f64;
          expect_right<double>(p, 1e-13);
          p.complex = true;
          expect_right<std::complex<double>>(p, 1e-13, 2);
          p.precision = Precision::f32;
          expect_right<std::complex<float>>(p, 3e-5);
        }
}

TEST(Convolution, KernelsLongerThanTheData) {
  ConvolutionProblem p;
  p.shape = {6}, p.kernel = {25};
  for (ConvolutionMode mode : {ConvolutionMode::full, ConvolutionMode::same}) {
    p.mode = mode;
    expect_right<float>(p, 3e-5);
  }
  p.mode = ConvolutionMode::valid;
  EXPECT_THROW(out_shape(p), Error);
}

TEST(Convolution, InSixteenBitStorage) {
  ConvolutionProblem p;
  p.shape = {40}, p.kernel = {9}, p.batch = 6, p.precision = Precision::f16;
  expect_right<Half>(p, 4e-3);
  p.precision = Precision::bf16;
  expect_right<BFloat16>(p, 32e-3);
}

TEST(Convolution, LargerThanCaches) {
  ConvolutionProblem p;
  p.shape = {700, 900}, p.kernel = {1, 2}, p.mode = ConvolutionMode::same;
  expect_right<float>(p, 1e-4, 3);
}

TEST(Convolution, RefusesWhatMakesNoSense) {
  float const kernel[4] = {};
  auto const refused = [&](ConvolutionProblem p, char const* argument) {
    try {
      Convolution const c(p, kernel);
      ADD_FAILURE() << "expected a refusal of " << argument;
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), argument) << e.what();
    }
  };
  ConvolutionProblem p;
  refused(p, "shape");
  p.shape = {4, 4}, p.kernel = {2};
  refused(p, "kernel");
  p.kernel = {2, 5}, p.mode = ConvolutionMode::circular;
  refused(p, "kernel[1]");
  p.kernel = {2, 2}, p.batch = 3, p.kernels = 2;
  refused(p, "kernels");
  p.kernels = 1, p.batch = 0;
  refused(p, "batch");
  p.batch = 1;
  EXPECT_THROW(Convolution(p, static_cast<float const*>(nullptr)), Error);
  double x[16] = {}, y[16] = {};
  EXPECT_THROW(Convolution(p, x), Error);
  EXPECT_NO_THROW(Convolution(p, static_cast<void const*>(kernel)));
  EXPECT_THROW(Convolution(p, kernel).execute(x, y), Error);
  p.scale = INFINITY;
  refused(p, "scale");
}

TEST(Convolution, IsOutOfPlace) {
  ConvolutionProblem p;
  p.shape = {4, 4}, p.kernel = {2, 2}, p.mode = ConvolutionMode::circular;
  float const kernel[4] = {1, 2, 3, 4};
  float x[16] = {1, 2, 3};
  Convolution const convolution(p, kernel);
  EXPECT_THROW(convolution.execute(x, x), Error);
  EXPECT_THROW(convolution.execute(static_cast<void*>(x), static_cast<void*>(x)), Error);
  EXPECT_EQ(x[1], 2);
}

}  // namespace
}  // namespace skipper
