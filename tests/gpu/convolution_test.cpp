// Convolutions on the fake driver, held to those of the CPU: all modes and precisions, one sweep and several.
#include <skipper/convolution.h>

#include "gpu/fake_driver/fixture.h"
#include "support/as_cpu.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

class ConvolutionOnGpu : public FakeDriver {};

using Shape = std::vector<std::int64_t>;

ConvolutionProblem problem(Shape const& shape, Shape const& kernel, ConvolutionMode mode) {
  ConvolutionProblem p;
  p.shape = shape, p.kernel = kernel, p.mode = mode;
  return p;
}

ConvolutionMode const modes[] = {ConvolutionMode::circular, ConvolutionMode::full, ConvolutionMode::same,
                                 ConvolutionMode::valid};

TEST_F(ConvolutionOnGpu, InOneSweep) {
  std::pair<Shape, Shape> const shapes[] = {
      {{1}, {1}}, {{20}, {7}}, {{64}, {64}}, {{9, 12}, {3, 4}}, {{5, 6, 7}, {2, 3, 3}}};
  for (auto const& [shape, kernel] : shapes)
    for (ConvolutionMode mode : modes)
      for (bool complex : {false, true}) {
        ConvolutionProblem p = problem(shape, kernel, mode);
        p.complex = complex;
        p.correlate = mode == ConvolutionMode::same || mode == ConvolutionMode::circular;
        p.batch = complex ? 3 : 1;
        p.kernels = mode == ConvolutionMode::full ? p.batch : 1;
        p.scale = complex ? -0.5 : 1;
        expect_as_cpu(p);
      }
}

TEST_F(ConvolutionOnGpu, InSeveralSweeps) {
  std::size_t number = 0;
  for (bool complex : {false, true}) {
    if (quick() && complex) break;
    ConvolutionProblem p = problem({256, 256}, {5, 9}, ConvolutionMode::circular);
    p.complex = complex;
    if (!quick()) expect_as_cpu(p);
    p = problem({190, 250}, {31, 9}, ConvolutionMode::same);
    p.complex = complex, p.batch = 2;
    if (!quick()) expect_as_cpu(p);
    p.kernels = 2;
    if (takes(number++, 3)) expect_as_cpu(p);
    p = problem({60, 40, 50}, {5, 5, 5}, ConvolutionMode::full);
    p.complex = complex;
    if (takes(number++, 3)) expect_as_cpu(p);
    p = problem({32, 64, 3}, {5, 5, 2},
                ConvolutionMode::circular);  // an odd axis, last in r2c and first in c2r
    p.complex = complex;
    if (!complex || takes(number++, 3)) expect_as_cpu(p);
    p = problem({100000}, {300}, ConvolutionMode::valid);
    p.complex = complex;
    if (takes(number++, 3)) expect_as_cpu(p);
  }
}

/// Lengths whose own transforms are convolutions: unrolled along these axes, round the others.
TEST_F(ConvolutionOnGpu, RoundAxesWithLongPrimes) {
  std::size_t number = 0;
  std::pair<Shape, Shape> const shapes[] = {
      {{67}, {67}}, {{1009}, {5}}, {{2, 71}, {2, 71}}, {{67, 6}, {7, 6}}};
  for (auto const& [shape, kernel] : shapes)
    for (bool complex : {false, true})
      for (bool correlate : {false, true}) {
        bool const other =
            (complex == correlate) == (shape.size() == 1);  // each pair of the two along one axis or two
        if (!other || !takes(number++, 8)) continue;
        ConvolutionProblem p = problem(shape, kernel, ConvolutionMode::circular);
        p.complex = complex, p.correlate = correlate;
        p.precision = shape.size() > 1 && correlate ? Precision::f64 : Precision::f32;
        p.batch = correlate ? 2 : 1;
        expect_as_cpu(p);
      }
}

TEST_F(ConvolutionOnGpu, InEveryPrecision) {
  std::size_t number = 0;
  for (Precision precision : {Precision::f16, Precision::bf16, Precision::f64})
    for (bool complex : {false, true}) {
      ++number;  // with SKIPPER_QUICK=1 of one shape, then the other
      for (Shape const& shape : {Shape{100}, quick() ? Shape{30, 45} : Shape{200, 200}}) {
        if (!takes(number++, 2)) continue;
        ConvolutionProblem p = problem(shape, Shape(shape.size(), 4), ConvolutionMode::full);
        p.precision = precision, p.complex = complex;
        expect_as_cpu(p);
      }
    }
}

}  // namespace
}  // namespace skipper::testing
