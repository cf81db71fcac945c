// Joints that divide by a symbol, under all checks of the emulator, held to the CPU's transforms with a division between.
#include <gtest/gtest.h>
#include <skipper/plan.h>

#include <cmath>
#include <random>

#include "support/quick.h"
#include "support/run_program.h"

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

Problem turned(Problem back) {
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
  Plan(there, cpu).execute(static_cast<void const*>(in.data()), static_cast<void*>(spectrum.data()), nullptr);
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
  Plan(back, cpu).execute(static_cast<void const*>(spectrum.data()), static_cast<void*>(result.out.data()),
                          nullptr);
  return result;
}

template <class T>
void expect_as_cpu(std::string const& text_of, std::size_t most) {
  SCOPED_TRACE(text_of);
  Problem const there = parse_problem(text_of), back = turned(there);
  Machine const h200 = machine("h200");
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> in(std::size_t(in_bytes(there)) / sizeof(T));
  for (double& v : in) v = double(T(uniform(random) + 0.25));
  Divided const right = by_cpu(there, back, in);
  auto found = joints({there, back}, Factors::symbol, h200);
  if (found.size() > most) found.resize(most);
  for (Joint const& joint : found) {
    SCOPED_TRACE(text(joint));
    Array<T> from((in.size() + 1) / 2), to((right.out.size() + 1) / 2);
    for (std::size_t i = 0; i < in.size(); ++i) (i % 2 ? from[i / 2].im : from[i / 2].re) = T(in[i]);
    kernel::Complex<T> constant{T(77), T(77)};
    run_division<T>(joint, symbols_of(there), from, to, h200, constant);
    double error = 0, whole = 0;
    for (std::size_t i = 0; i < right.out.size(); ++i) {
      error += std::pow((i % 2 ? to[i / 2].im : to[i / 2].re) - right.out[i], 2);
      whole += right.out[i] * right.out[i];
    }
    double const close = sizeof(T) == 4 ? 2e-6 : 1e-14, scale = program_scale(joint.there);
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

}  // namespace
}  // namespace skipper::testing
