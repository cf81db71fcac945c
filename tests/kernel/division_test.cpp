// Fused inverses that divide by a symbol, under all checks of the emulator, held to the CPU's transforms with a division between.
#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <cmath>
#include <random>

#include "support/quick.h"
#include "support/run_program.h"
#include "support/uniform.h"

namespace skipper::testing {
namespace {

/// Zero at the first mode, and the same for k and n - k, so that what is real stays so.
std::vector<std::vector<double>> symbols_of(Problem const& problem) {
  std::vector<std::vector<double>> all;
  for (Axis const& axis : problem.axes) {
    all.emplace_back();
    for (Index k = 0; k < axis.size; ++k)
      all.back().push_back(-0.5 * double(k * (axis.kind == AxisKind::fourier ? axis.size - k : 3)));
  }
  return all;
}

Problem inverted(Problem back) {
  back.direction = Direction::inverse;
  if (back.kind == Kind::r2c) back.kind = Kind::c2r;
  for (Axis& axis : back.axes)
    if (axis.kind == AxisKind::dct2) axis.kind = AxisKind::dct3;
  return dense_layout(back);
}

struct Divided {
  std::vector<double> out;
  std::complex<double> constant;
};

Divided by_cpu(Problem there, Problem back, std::vector<double> const& in) {
  there.precision = back.precision = Precision::f64;
  PlanSettings cpu;
  cpu.device = Device("cpu");
  std::vector<std::complex<double>> spectrum(std::size_t(out_bytes(there)) / 16);
  Plan(there, cpu).execute(static_cast<void const*>(in.data()), static_cast<void*>(spectrum.data()));
  auto const symbols = symbols_of(there);
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    double symbol = 0;
    std::size_t rest = i;
    for (std::size_t a = there.axes.size(); a-- > 0; rest /= std::size_t(out_size(there, a)))
      symbol += symbols[a][rest % std::size_t(out_size(there, a))];
    if (i > 0) spectrum[i] /= symbol;
  }
  Divided result{std::vector<double>(std::size_t(out_bytes(back)) / 8), spectrum[0]};
  spectrum[0] = 0;
  Plan(back, cpu).execute(static_cast<void const*>(spectrum.data()), static_cast<void*>(result.out.data()));
  return result;
}

template <class T>
void expect_as_cpu(std::string const& text_of, std::size_t most) {
  SCOPED_TRACE(text_of);
  Problem const there = parse_problem(text_of), back = inverted(there);
  Machine const h200 = machine("h200");
  std::mt19937 random(5);
  Uniform<double> uniform;
  std::vector<double> in(std::size_t(in_bytes(there)) / sizeof(T));
  for (double& v : in) v = double(T(uniform(random) + 0.25));
  Divided const right = by_cpu(there, back, in);
  auto found = fused_inverses({there, back}, Factors::symbol, h200);
  if (found.size() > most) found.resize(most);
  for (FusedInverse const& fused_inverse : found) {
    SCOPED_TRACE(text(fused_inverse));
    Array<T> from((in.size() + 1) / 2), to = unset_array<T>(Index(right.out.size() + 1) / 2);
    for (std::size_t i = 0; i < in.size(); ++i) (i % 2 ? from[i / 2].im : from[i / 2].re) = T(in[i]);
    kernel::Complex<T> constant{T(77), T(77)};
    run_division<T>(fused_inverse, symbols_of(there), from, to, h200, constant);
    double error = 0, whole = 0;
    for (std::size_t i = 0; i < right.out.size(); ++i) {
      error += std::pow((i % 2 ? to[i / 2].im : to[i / 2].re) - right.out[i], 2);
      whole += right.out[i] * right.out[i];
    }
    double const close = sizeof(T) == 4 ? 2e-6 : 1e-14, scale = program_scale(fused_inverse.forward);
    EXPECT_LE(std::sqrt(error / whole), close);
    EXPECT_NEAR(constant.re * scale, right.constant.real(), close * double(in.size()));
    EXPECT_NEAR(constant.im * scale, right.constant.imag(), close * double(in.size()));
  }
}

TEST(Division, BySymbolsOfAllAxes) {
  for (char const* problem : {"c2c f32 forward 60", "r2c f32 forward 30", "r2c f32 forward 12x10x6",
                              "c2c f32 forward 96x200", "r2c f32 forward 90x128", "r2c f32 forward 20x24x30",
                              "r2c f32 forward 8x6x10 kinds dct2,fourier,fourier"})
    expect_as_cpu<float>(problem, quick() ? 1 : 3);
  expect_as_cpu<double>("r2c f64 forward 20x24x30", 2);
}

/// Cosines, or sines, of each column, divided and back, times n; by their definition.
std::vector<std::complex<double>> by_definition(std::vector<std::complex<double>> x, Index n, Index columns,
                                                std::vector<std::vector<double>> const& symbols, bool sines,
                                                std::complex<double>& constant) {
  auto const wave = [&](Index i, Index k) {
    double const turns = double((2 * i + 1) * (k + sines) % (4 * n)) / double(4 * n);
    return sines ? std::sin(2 * M_PI * turns) : std::cos(2 * M_PI * turns);
  };
  for (Index j = 0; j < columns; ++j) {
    std::vector<std::complex<double>> modes(std::size_t(n), 0);
    for (Index k = 0; k < n; ++k) {
      for (Index i = 0; i < n; ++i) modes[std::size_t(k)] += x[std::size_t(i * columns + j)] * wave(i, k);
      double const symbol = symbols[0][std::size_t(k)] + symbols[1][std::size_t(j)];
      if (symbol == 0) constant = std::exchange(modes[0], 0);
      if (symbol != 0) modes[std::size_t(k)] /= symbol;
    }
    for (Index i = 0; i < n; ++i) {
      std::complex<double> sum = 0;
      for (Index k = 0; k < n; ++k)
        sum += modes[std::size_t(k)] * wave(i, k) * (k == (sines ? n - 1 : 0) ? 1.0 : 2.0);
      x[std::size_t(i * columns + j)] = sum;
    }
  }
  return x;
}

template <class T>
void expect_by_definition(Index n, Index columns, Factors factors, std::size_t most) {
  SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(columns));
  bool const sines = factors == Factors::sines;
  Problem there;
  there.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  there.axes = {{n, columns, columns}};
  there.batch = {{columns, 1, 1}};
  Problem back = there;
  back.direction = Direction::inverse;
  std::vector<std::vector<double>> symbols(2);
  for (Index k = 0; k < n; ++k) symbols[0].push_back(-0.5 * double((k + sines) * (k + sines)));
  for (Index j = 0; j < columns; ++j) symbols[1].push_back(-0.75 * double(j % 11));
  std::mt19937 random(7);
  Uniform<double> uniform;
  Array<T> from(std::size_t(n * columns));
  std::vector<std::complex<double>> x;
  for (auto& v : from) {
    v = {T(0.25 + uniform(random)), T(uniform(random))};
    x.emplace_back(v.re, v.im);
  }
  std::complex<double> mean;
  symbols[1].back() = -3;  // only column 0 has a constant
  for (Index j = 1; j + 1 < columns; ++j) symbols[1][std::size_t(j)] -= 1;
  auto const right = by_definition(x, n, columns, symbols, sines, mean);
  auto found = fused_inverses({there, back}, factors, machine("h200"));
  if (found.size() > most) found.resize(most);
  for (FusedInverse const& fused_inverse : found) {
    SCOPED_TRACE(text(fused_inverse));
    Array<T> to = unset_array<T>(Index(from.size()));
    kernel::Complex<T> constant{};
    run_division<T>(fused_inverse, symbols, from, to, machine("h200"), constant);
    double error = 0, whole = 0;
    for (std::size_t i = 0; i < right.size(); ++i)
      error += std::norm(std::complex<double>(to[i].re, to[i].im) - right[i]), whole += std::norm(right[i]);
    double const close = sizeof(T) == 4 ? 2e-6 : 1e-14;
    EXPECT_LE(std::sqrt(error / whole), close);
    EXPECT_LE(std::abs(std::complex<double>(constant.re, constant.im) - mean), close * double(n) * 10);
  }
}

TEST(Division, AlongCosinesAndSines) {
  for (Factors factors : {Factors::cosines, Factors::sines}) {
    for (Index n : {2, 3, 8, 12, 15, 49, 64, 100, quick() ? 128 : 512})
      expect_by_definition<float>(n, n == 12 ? 37 : 32, factors, quick() ? 1 : 3);
    expect_by_definition<double>(96, 20, factors, 2);
  }
}

}  // namespace
}  // namespace skipper::testing
