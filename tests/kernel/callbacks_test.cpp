// Programs whose arrays are not plain under the emulator: 16-bit storage, padded inputs, cropped outputs;
// and convolutions. What the CPU engine makes of the same bytes is the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/kinds.h"
#include "cpu/engine.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/run_program.h"
#include "support/scalars.h"
#include "support/uniform.h"
#include "support/verify.h"

namespace skipper::testing {
namespace {

/// The numbers of an array of a problem's precision, and an array of noise that lasts for so many bytes.
template <class T>
std::vector<double> numbers(Precision precision, Array<T> const& memory, Index bytes) {
  std::vector<double> result;
  with_scalar(precision, [&]<class Number>(Number) {
    auto const* const at = reinterpret_cast<Number const*>(memory.data());
    for (Index i = 0; i < bytes / Index(sizeof(Number)); ++i) result.push_back(double(at[i]));
  });
  return result;
}

template <class T>
Array<T> noise(Precision precision, Index bytes, std::mt19937& random) {
  Uniform<T> uniform;
  Array<T> memory(std::size_t(bytes) / sizeof(kernel::Complex<T>) + 1);
  with_scalar(precision, [&]<class Number>(Number) {
    auto* const at = reinterpret_cast<Number*>(memory.data());
    for (std::size_t i = 0; i < memory.size() * sizeof memory[0] / sizeof(Number); ++i)
      at[i] = Number(float(uniform(random)));
  });
  return memory;
}

template <class T>
void expect_same_as_cpu(Program const& program, Machine const& machine) {
  Problem const& p = program.problem;
  SCOPED_TRACE(text(program));
  std::mt19937 random(7);
  bool const in_place = p.placement == Placement::in_place;
  Index const out_room = in_place ? std::max(in_bytes(p), out_bytes(p)) : out_bytes(p);
  Array<T> const input = noise<T>(p.precision, in_place ? out_room : in_bytes(p), random);
  Array<T> in = input, out = noise<T>(p.precision, out_room, random);
  Array<T> expected = in_place ? in : out;  // what lies in gaps is kept
  cpu::Transform const transform(p, cpu::host_machine(), {1, ""});
  transform.execute(in_place ? expected.data() : in.data(), expected.data());
  for (SweepRun const& run : run_program<T>(program, in, out, machine)) verify_counts(run, element_bytes(p));
  EXPECT_TRUE(in_place || !std::memcmp(in.data(), input.data(), in.size() * sizeof in[0]))
      << "the input was not preserved";
  auto const right = numbers(p.precision, expected, out_room),
             got = numbers(p.precision, in_place ? in : out, out_room);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    error += (got[i] - right[i]) * (got[i] - right[i]);
    norm += right[i] * right[i];
  }
  double const allowed = is_16_bit(p.precision)          ? allowed_once_rounded(p.precision)
                         : p.precision == Precision::f32 ? 6e-7
                                                         : 2e-15;
  EXPECT_LE(std::sqrt(error / norm), allowed);
}

void expect_same_as_cpu(std::string const& problem) {
  SCOPED_TRACE(problem);
  try {
    Problem const p = parse_problem(problem);
    Machine const facts = machine("h200");
    for (Candidate const& c : planner(p, facts, {.clusters = true, .l2_blocks = false, .max_candidates = 2}))
      if (p.precision == Precision::f64)
        expect_same_as_cpu<double>(c.program, facts);
      else
        expect_same_as_cpu<float>(c.program, facts);
  } catch (std::exception const& e) {
    ADD_FAILURE() << e.what();
  }
}

/// The text of an f16 problem or program, in another format.
std::string in_format(std::string text, std::string const& format) {
  return text.replace(text.find("f16"), 3, format);
}

/// In both formats, which differ in nothing but what a load and a store do with a number.
TEST(SixteenBitStorage, EveryKind) {
  std::size_t number = 0;
  for (char const* problem : {"c2c f16 forward 1",
                              "c2c f16 forward 16 batch 5",
                              "c2c f16 inverse 100 batch 3",
                              "c2c f16 forward 61",
                              "c2c f16 forward 127 batch 2",
                              "c2c f16 forward 1009",
                              "c2c f16 forward 24x24x24",
                              "c2c f16 inverse 8x12 batch 7 scale 0.25",
                              "c2c f16 forward 60x20 in-place",
                              "c2c f16 forward 65536",
                              "r2c f16 forward 64 batch 3",
                              "r2c f16 forward 63",
                              "r2c f16 forward 12x10x6",
                              "r2c f16 forward 12x10 in-place",
                              "c2r f16 inverse 64 batch 3",
                              "c2r f16 inverse 63",
                              "c2r f16 inverse 12x10x6",
                              "c2r f16 inverse 12x10 in-place",
                              "r2r f16 forward 32x9 kinds dct2,dst3",
                              "r2r f16 forward 15 kinds dct1 batch 2"})
    if (takes(number++, 3))
      for (std::string const format : {"f16", "bf16"}) expect_same_as_cpu(in_format(problem, format));
}

/// Where the halved axis comes last, or first, the other sweeps take pairs of reals for complex numbers.
TEST(SixteenBitStorage, InPairs) {
  for (std::string const program : {"r2c f16 forward 6x16 batch 2\n{Y(1,6,1,6,no-tw)} {X(1,8,1,8,no-tw)}",
                                    "r2c f16 forward 6x16 in-place\n{Y(1,6,1,6,no-tw)} {X(1,8,1,8,no-tw)}",
                                    "c2r f16 inverse 6x16 batch 2\n{X(1,8,1,8,no-tw)} {Y(1,6,1,6,no-tw)}"})
    for (std::string const format : {"f16", "bf16"})
      expect_same_as_cpu<float>(parse_program(in_format(program, format)), machine("h200"));
}

TEST(SixteenBitStorage, OfManyLengths) {
  char const* const kinds[] = {"c2c f16 forward ",  "r2c bf16 forward ", "c2r f16 inverse ",
                               "c2c bf16 inverse ", "r2c f16 forward ",  "c2r bf16 inverse "};
  for (Index n : lengths_to_2048(128, 61)) expect_same_as_cpu(kinds[n % 6] + std::to_string(n));
}

TEST(PaddedAndCropped, ComplexData) {
  std::size_t number = 0;
  for (char const* problem :
       {"c2c f32 forward 64 load 40", "c2c f32 forward 64 batch 5 load 1 keep 3+17",
        "c2c f64 inverse 60 keep 59+1", "c2c f32 forward 16x12 batch 3 load 10x12",
        "c2c f32 inverse 16x12 load 0x5 keep 2+9x0+12 scale 0.5",
        "c2c f32 forward 12x10x8 load 7x6x5 keep 1+6x2+7x3+4",
        "c2c f32 forward 65536 load 40000 keep 100+60000",
        "c2c f16 forward 256x256 load 100x200 keep 3+250x5+128",
        "c2c f32 forward 127 batch 3 load 90 keep 20+70", "c2c f32 forward 2039 load 1500 keep 1+2000",
        "c2c f32 forward 40009 load 39000 keep 7+40000",
        "c2c f32 forward 31x48 batch 2 load 0x41 keep 5+20x0+0"})
    if (takes(number++, 2) && (!quick() || points(parse_problem(problem)) < 65536))
      expect_same_as_cpu(problem);
}

TEST(PaddedAndCropped, RealData) {
  std::size_t number = 0;
  for (char const* problem :
       {"r2c f32 forward 64 load 40 batch 3",
        "r2c f32 forward 64 load 41",
        "r2c f32 forward 64 keep 0+20 batch 2",
        "r2c f32 forward 64 load 33 keep 7+26",
        "r2c f32 forward 63 load 40 keep 1+30",
        "r2c f32 forward 12x10 load 7x6",
        "r2c f32 forward 64x128 load 40x100 keep 0+0x0+20",
        "r2c f64 forward 9x8x6 load 4x5x3 keep 1+7x2+5x1+3",
        "c2r f32 inverse 64 load 20 batch 3",
        "c2r f32 inverse 64 keep 10+40 batch 3",
        "c2r f32 inverse 64 keep 9+41",
        "c2r f32 inverse 63 load 20 keep 3+57",
        "c2r f32 inverse 12x10 load 7x4 keep 2+9x4+6",
        "c2r f32 inverse 64x128 keep 2+60x10+100",
        "c2r f32 inverse 300x400 keep 7+290x3+395",
        "r2c f32 forward 300x400 load 280x377",
        "r2r f32 forward 24x15 kinds dct2,dst3 load 20x7 keep 3+18x5+4",
        "r2r f32 forward 17 kinds dct1 load 9 keep 2+11 batch 2",
        "c2c f32 forward 12x10 kinds dct2,fourier load 8x7 keep 3+8x2+5",
        "r2c f16 forward 32x64 load 20x50",
        "r2c f32 forward 6x10x8 kinds dct4,fourier,fourier load 5x9x7 keep 1+4x2+6x1+3"})
    if (takes(number++, 3)) expect_same_as_cpu(problem);
}

/// Any kind, rank, precision and part of the axes.
Problem random_partial(std::mt19937& random) {
  auto const upto = [&](std::int64_t n) { return std::int64_t(random() % std::uint64_t(n)); };
  Problem p;
  p.kind = std::vector{Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r}[std::size_t(upto(4))];
  p.direction =
      p.kind == Kind::c2r || (p.kind == Kind::c2c && upto(2)) ? Direction::inverse : Direction::forward;
  p.precision =
      std::vector{Precision::f32, Precision::f16, Precision::bf16, Precision::f64}[std::size_t(upto(4))];
  std::int64_t const cluster_rank = 1 + upto(3), largest = cluster_rank == 1   ? 300
                                                           : cluster_rank == 2 ? 40
                                                                               : 14;
  for (std::int64_t i = 0; i < cluster_rank; ++i) {
    Axis axis{2 + upto(largest)};
    if (p.kind == Kind::r2r) axis.kind = real_axis_kinds[std::size_t(upto(Index(real_axis_kinds.size())))];
    p.axes.push_back(axis);
  }
  Problem const whole = p;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    if (upto(3)) p.axes[i].in_count = 1 + upto(in_size(whole, i));
    if (upto(3) == 0) continue;
    p.axes[i].out_first = upto(out_size(whole, i));
    p.axes[i].out_count = 1 + upto(out_size(whole, i) - p.axes[i].out_first);
  }
  if (upto(2)) p.batch.push_back({1 + upto(6)});
  return dense_layout(p);
}

TEST(PaddedAndCropped, RandomProblems) {
  std::mt19937 random(20261115);
  for (int i = 0; i < (quick() ? 15 : 80); ++i) expect_same_as_cpu(text(random_partial(random)));
}

/// A fused inverse under all checks of the emulator, by the spectrum of a shift: what comes out is what went in, elsewhere.
template <class T>
void expect_shift(std::string const& problem, Index most, bool clusters = false) {
  SCOPED_TRACE(problem);
  Problem const there = parse_problem(problem);
  Problem back = there;
  back.direction = Direction::inverse;
  if (there.kind == Kind::r2c) back.kind = Kind::c2r;
  back = dense_layout(back);
  Machine facts = machine("h200");
  if (clusters) facts.sms = 16, facts.l2_bytes = 1 << 19;  // two tiles are many to it
  std::mt19937 random(3);
  Array<T> const input = noise<T>(there.precision, in_bytes(there), random);
  Index const lines = points(there) / there.axes.back().size, n = there.axes.back().size, by = n / 3;
  auto found = fused_inverses({there, back}, Factors::shared, facts);
  if (clusters)
    std::erase_if(found, [](FusedInverse const& j) { return j.forward.sweeps.back().cluster_ranks == 1; });
  ASSERT_FALSE(found.empty());
  if (Index(found.size()) > most) found.resize(std::size_t(most));
  for (FusedInverse const& fused_inverse : found) try {
      SCOPED_TRACE(text(fused_inverse));
      std::vector<std::complex<double>> spectrum;
      double all = 1;
      for (Axis const& a : there.axes) all *= double(a.size);
      Index const kept = takes_whole_spectrum(fused_inverse) ? n : n / 2 + 1;
      for (Index i = 0; i < Index(all) / n * kept; ++i)
        spectrum.push_back(std::polar(1 / all, -2 * M_PI * double(i % kept * by % n) / double(n)));
      Array<T> in = input, out = noise<T>(there.precision, out_bytes(back), random);
      for (SweepRun const& run : run_fused_inverse<T>(fused_inverse, spectrum, in, out, facts))
        verify_counts(run, element_bytes(there));
      auto const before = numbers(there.precision, input, in_bytes(there)),
                 after = numbers(there.precision, out, out_bytes(back));
      Index const parts = there.kind == Kind::c2c ? 2 : 1;
      double worst = 0;
      for (Index line = 0; line < lines; ++line)
        for (Index i = 0; i < n * parts; ++i)
          worst = std::max(worst, std::abs(before[line * n * parts + i] -
                                           after[line * n * parts + (i + by * parts) % (n * parts)]));
      EXPECT_LE(worst, there.precision == Precision::f64 ? 1e-14 : 4e-6);
    } catch (std::exception const& e) {
      ADD_FAILURE() << e.what();
    }
}

TEST(FusedInverses, ShiftUnderTheEmulator) {
  for (std::size_t number = 0;
       char const* problem :
       {"c2c f32 forward 60 batch 7", "c2c f32 forward 12x10x6 batch 2", "r2c f32 forward 30 batch 3",
        "c2c f32 forward 96x200", "r2c f32 forward 90x128", "r2c f32 forward 20x24x30"})
    if (takes(number++, 2)) expect_shift<float>(problem, quick() ? 1 : 5);
  for (char const* problem : {"c2c f32 forward 30000", "r2c f32 forward 4x40000"})
    if (!quick()) expect_shift<float>(problem, 2);
  expect_shift<double>("c2c f64 forward 64x80 batch 3", quick() ? 1 : 3);
  expect_shift<float>("c2c f32 forward 256x256 batch 2", 1, true);  // ranks change hands twice
}

}  // namespace
}  // namespace skipper::testing
