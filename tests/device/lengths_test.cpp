// Lengths and kinds on a real device, held to what the CPU makes of them, which other tests hold to the definition: a
// sample of the lengths to 2048 by SKIPPER_SEED, all of them with SKIPPER_LONG=1 (bench/gpu.sh lengths).
#include "base/kinds.h"
#include "base/numbers.h"
#include "device/device.h"
#include "reference/fine_transform.h"
#include "support/as_cpu.h"
#include "support/random_mixed.h"

namespace skipper::testing {
namespace {

using reference::Fine;
using reference::fine_transform;

class DeviceLengths : public Share {
 protected:
  void expect_all(std::vector<Problem> const& problems) const {
    each(problems, [](Problem const& p) { expect_as_cpu(p); });
  }
};

Precision precision_for(std::int64_t n) { return n % 2 ? Precision::f32 : Precision::f64; }

TEST_P(DeviceLengths, ComplexAndReal) {
  std::vector<Problem> problems;
  for (std::int64_t n : lengths_to_2048(16, 41)) {
    problems.push_back(
        c2c({n}, 1 + n % 7, precision_for(n), n % 4 < 2 ? Direction::forward : Direction::inverse));
    problems.push_back(r2c({n}, 1 + n % 5, precision_for(n + 1)));
    problems.push_back(c2r({n}, 1 + n % 3, precision_for(n + n / 2)));
  }
  expect_all(problems);
}

TEST_P(DeviceLengths, SixteenBitStorage) {
  std::vector<Problem> problems;
  for (std::int64_t n : lengths_to_2048(4, 101)) {
    Precision const format = n % 4 < 2 ? Precision::f16 : Precision::bf16;
    problems.push_back(n % 2 ? c2c({n}, 3, format) : r2c({n}, 3, format));
    problems.push_back(n % 2 ? c2r({n}, 3, format) : r2r({n}, {AxisKind(2 + n % 3)}, 3, format));
  }
  expect_all(problems);
}

TEST_P(DeviceLengths, CosinesAndSines) {
  std::vector<Problem> problems;
  std::int64_t const step = thorough() ? 1 : quick() ? 61 : 17, offset = std::int64_t(seed_of_run() % 17);
  for (AxisKind kind : real_axis_kinds) {
    std::int64_t const least = smallest_size(kind);
    for (std::int64_t n = least + (offset + int(kind)) % step; n <= 128; n += step)
      problems.push_back(r2r({n}, {kind}, 1 + n % 3, precision_for(n)));
    if (!quick()) problems.push_back(r2r({129 + (37 * int(kind) + offset * 61) % 4000}, {kind}, 2));
  }
  expect_all(problems);
}

TEST_P(DeviceLengths, MixedKinds) {
  std::mt19937_64 random(seed_of_run());
  std::vector<Problem> problems;
  for (int i = 0; i < (thorough() ? 400 : quick() ? 3 : 40); ++i) {
    Problem const p = quick() ? random_mixed(random, 1000, {8, 8, 8, 8})
                              : random_mixed(random, 300'000, {5000, 300, 60, 20});
    bool const padded = p.kind == Kind::c2r && p.placement == Placement::in_place;
    if (!padded) problems.push_back(p);  // its rows have room whose contents are nobody's
  }
  expect_all(problems);
}

/// The root mean square over eight lines, against twice the digits.
template <class T>
double error_of(std::int64_t n) {
  std::int64_t const lines = 8;
  PlanSettings settings = on("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  auto const in = noise<T>(std::size_t(lines * n));
  std::vector<std::complex<T>> out(in.size());
  Plan(c2c({n}, lines, sizeof(T) == 4 ? Precision::f32 : Precision::f64), settings)
      .execute(in.data(), out.data());
  double wrong = 0, whole = 0;
  for (std::int64_t line = 0; line < lines; ++line) {
    std::vector<Fine> z;
    for (std::int64_t j = 0; j < n; ++j)
      z.push_back(
          {double(in[std::size_t(line * n + j)].real()), double(in[std::size_t(line * n + j)].imag())});
    auto const right = fine_transform(z);
    for (std::int64_t k = 0; k < n; ++k) {
      auto const& x = out[std::size_t(line * n + k)];
      Fine const difference = right[std::size_t(k)] - Fine{double(x.real()), double(x.imag())};
      wrong += difference.re.high * difference.re.high + difference.im.high * difference.im.high;
      whole += std::norm(std::complex<double>(x));
    }
  }
  return std::sqrt(wrong / whole);
}

TEST_P(DeviceLengths, PrimesAreNoWorseThanThreeTimesTheNextPowerOfTwo) {
  std::vector<std::int64_t> primes;
  for (std::int64_t n = 17; n <= 4099; ++n)
    if (is_prime(n)) primes.push_back(n);
  std::size_t const step = thorough() ? 1 : quick() ? 199 : 23;
  std::vector<std::int64_t> some;
  for (std::size_t i = seed_of_run() % step; i < primes.size(); i += step) some.push_back(primes[i]);
  each(some, [](std::int64_t n) {
    std::int64_t power = 32;
    while (power < n) power *= 2;
    EXPECT_LE(error_of<float>(n), 3 * error_of<float>(power)) << n;
    EXPECT_LE(error_of<double>(n), 3 * error_of<double>(power)) << n;
  });
}

INSTANTIATE_TEST_SUITE_P(Share, DeviceLengths, Share::all());

}  // namespace
}  // namespace skipper::testing
