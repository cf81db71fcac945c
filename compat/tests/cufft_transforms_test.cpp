// Transforms through cuFFT's interface, on the fake driver, against the definition: kinds, precisions, layouts, placement,
// alignment.
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {
namespace {

using skipper::testing::DeviceArray;

class CufftTransforms : public skipper::testing::FakeDriver {};

template <class Real>
struct Types;
template <>
struct Types<float> {
  static constexpr cudaDataType real = CUDA_R_32F, complex = CUDA_C_32F;
  static constexpr double tolerance = 1e-6;
};
template <>
struct Types<double> {
  static constexpr cudaDataType real = CUDA_R_64F, complex = CUDA_C_64F;
  static constexpr double tolerance = 1e-14;
};
template <>
struct Types<Half> {
  static constexpr cudaDataType real = CUDA_R_16F, complex = CUDA_C_16F;
  static constexpr double tolerance = 2e-3;
};
template <>
struct Types<BFloat16> {
  static constexpr cudaDataType real = CUDA_R_16BF, complex = CUDA_C_16BF;
  static constexpr double tolerance = 1e-2;
};

/// The plan of a case, by the call that takes everything.
template <class Real>
cufftHandle planned(Case const& c) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  std::size_t bytes = 0;
  std::vector<Index> shape = c.shape;
  Side in, out;
  if (!c.sides.empty()) in = c.sides[0], out = c.sides[1];
  auto const embed = [](Side& side) { return side.embed.empty() ? nullptr : side.embed.data(); };
  EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
  EXPECT_EQ(
      cufftXtMakePlanMany(plan, int(shape.size()), shape.data(), embed(in), in.stride, in.distance,
                          c.real_in() ? Types<Real>::real : Types<Real>::complex, embed(out), out.stride,
                          out.distance, c.real_out() ? Types<Real>::real : Types<Real>::complex, c.batch,
                          &bytes, Types<Real>::complex),
      CUFFT_SUCCESS);
  return plan;
}

/// Places of memory are `shift` reals further than the allocator gives them.
template <class Real>
void expect_transform(Case const& c, std::size_t shift = 0) {
  Expected const wanted = expected(c);
  Memory<Real> in(c, false), out(c, true);
  std::vector<Real> const empty = out.values;
  in.put(wanted.in);
  cufftHandle const plan = planned<Real>(c);
  std::size_t const room = std::max(in.values.size(), out.values.size()) + shift;
  std::vector<Real> there = in.values;
  there.insert(there.begin(), shift, Real(1.0f));
  there.resize(room, Real(Memory<Real>::mark));
  DeviceArray<Real> first(there), second(std::vector<Real>(room, Real(Memory<Real>::mark)));
  Real* const from = first.data() + shift;
  Real* const to = c.in_place ? from : second.data() + shift;
  EXPECT_EQ(cufftXtExec(plan, from, to, c.direction()), CUFFT_SUCCESS);
  std::vector<Real> const got = c.in_place ? first.values() : second.values();
  out.values.assign(got.begin() + std::ptrdiff_t(shift),
                    got.begin() + std::ptrdiff_t(shift + out.values.size()));
  EXPECT_LT(out.error(wanted.out), Types<Real>::tolerance);
  if (!c.in_place) {
    EXPECT_TRUE(out.gaps_are_kept());
    std::vector<Real> kept = first.values();
    for (std::size_t i = 0; i < there.size(); ++i)
      ASSERT_EQ(float(kept[i]), float(there[i])) << "the input was changed at " << i;
  }
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

std::vector<Case> dense_cases() {
  std::vector<Case> all;
  for (std::vector<Index> const& shape :
       std::vector<std::vector<Index>>{{1}, {2}, {8}, {15}, {17}, {64}, {6, 8}, {5, 7}, {3, 4, 6}, {2, 3, 5}})
    for (Index const batch : {1, 3})
      for (What const what : {What::c2c, What::r2c, What::c2r})
        for (bool const in_place : {false, true}) {
          all.push_back({what, shape, batch, CUFFT_FORWARD, in_place});
          if (what == What::c2c) all.push_back({what, shape, batch, CUFFT_INVERSE, in_place});
        }
  return all;
}

template <class Real>
void expect_transforms(std::vector<Case> const& cases) {
  for (Case const& c : cases) {
    std::string shape;
    for (Index const n : c.shape) shape += std::to_string(n) + " ";
    SCOPED_TRACE("kind " + std::to_string(int(c.what)) + " shape " + shape + "batch " +
                 std::to_string(c.batch) + " sign " + std::to_string(c.sign) +
                 (c.in_place ? " in place" : "") + (c.sides.empty() ? "" : " strided"));
    expect_transform<Real>(c);
  }
}

TEST_F(CufftTransforms, OfDenseSingles) { expect_transforms<float>(dense_cases()); }
TEST_F(CufftTransforms, OfDenseDoubles) { expect_transforms<double>(dense_cases()); }

TEST_F(CufftTransforms, OfHalves) {
  for (What const what : {What::c2c, What::r2c, What::c2r})
    for (bool const in_place : {false, true})
      expect_transforms<Half>(
          {{what, {64}, 2, CUFFT_FORWARD, in_place}, {what, {4, 8}, 1, CUFFT_FORWARD, in_place}});
}

TEST_F(CufftTransforms, OfBrainHalves) {
  for (What const what : {What::c2c, What::r2c, What::c2r})
    expect_transforms<BFloat16>({{what, {64}, 2}, {what, {12}, 1, CUFFT_FORWARD, true}});
}

TEST_F(CufftTransforms, OfAdvancedLayouts) {
  std::vector<Case> cases;
  for (What const what : {What::c2c, What::r2c, What::c2r}) {
    // Interleaved batches; rows of larger arrays; padded planes; distances that overlap nothing but leave gaps.
    cases.push_back({what, {8}, 3, CUFFT_FORWARD, false, {{{8}, 3, 1}, {{8}, 3, 1}}});
    cases.push_back({what, {15}, 2, CUFFT_FORWARD, false, {{{20}, 2, 41}, {{16}, 1, 19}}});
    cases.push_back({what, {4, 6}, 2, CUFFT_FORWARD, false, {{{5, 9}, 1, 50}, {{4, 7}, 2, 80}}});
    cases.push_back({what, {3, 4, 6}, 2, CUFFT_FORWARD, false, {{{3, 5, 7}, 1, 120}, {{3, 4, 8}, 3, 300}}});
    cases.push_back({what, {9}, 4, CUFFT_FORWARD, false, {{{9}, 1, 9}, {{9}, 4, 1}}});
  }
  expect_transforms<float>(cases);
  expect_transforms<double>(cases);
}

TEST_F(CufftTransforms, OfAdvancedLayoutsInPlace) {
  std::vector<Case> const cases = {
      {What::c2c, {8}, 3, CUFFT_FORWARD, true, {{{8}, 3, 1}, {{8}, 3, 1}}},
      {What::c2c, {4, 6}, 2, CUFFT_INVERSE, true, {{{5, 9}, 1, 50}, {{5, 9}, 1, 50}}},
      // Padded as cuFFT's manual has it.
      {What::r2c, {4, 6}, 2, CUFFT_FORWARD, true, {{{4, 8}, 1, 32}, {{4, 4}, 1, 16}}},
      {What::c2r, {4, 6}, 2, CUFFT_FORWARD, true, {{{4, 4}, 1, 16}, {{4, 8}, 1, 32}}},
      // Other strides on either side: no sweep can do that in place, so the input is copied.
      {What::c2c, {8}, 3, CUFFT_FORWARD, true, {{{8}, 3, 1}, {{8}, 1, 8}}},
      {What::r2c, {6}, 3, CUFFT_FORWARD, true, {{{6}, 1, 6}, {{4}, 1, 4}}},
      {What::c2r, {6}, 3, CUFFT_FORWARD, true, {{{4}, 1, 4}, {{6}, 1, 6}}},
      {What::r2c, {7}, 2, CUFFT_FORWARD, true, {{{7}, 2, 14}, {{4}, 1, 4}}},
  };
  expect_transforms<float>(cases);
  expect_transforms<double>(cases);
}

TEST_F(CufftTransforms, OfArraysAlignedAsRealsOnly) {
  for (What const what : {What::c2c, What::r2c, What::c2r})
    for (bool const in_place : {false, true}) {
      expect_transform<float>({what, {12}, 3, CUFFT_FORWARD, in_place}, 1);
      expect_transform<double>({what, {6, 4}, 1, CUFFT_FORWARD, in_place}, 1);
    }
  expect_transform<float>({What::c2r, {6}, 2, CUFFT_FORWARD, false, {{{4}, 1, 5}, {{8}, 2, 17}}}, 1);
}

TEST_F(CufftTransforms, OfInputsThatOverlap) {  // windows that slide by 2
  Case const c{What::c2c, {8}, 3, CUFFT_FORWARD, false, {{{8}, 1, 2}, {{8}, 1, 8}}};
  auto const x = skipper::testing::noise<float>(12);
  cufftHandle const plan = planned<float>(c);
  DeviceArray<std::complex<float>> in(x), out(24);
  EXPECT_EQ(cufftXtExec(plan, in.data(), out.data(), CUFFT_FORWARD), CUFFT_SUCCESS);
  auto const y = out.values();
  for (std::size_t b = 0; b < 3; ++b) {
    auto const wanted = transformed({x.begin() + 2 * b, x.begin() + 2 * b + 8}, {8}, CUFFT_FORWARD);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_LT(std::abs(Complex(y[8 * b + i]) - wanted[i]), 1e-5);
  }
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

/// Both ways through one plan multiply by the number of points.
TEST_F(CufftTransforms, ThereAndBackAreNotNormalised) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  ASSERT_EQ(cufftPlan1d(&plan, 32, CUFFT_C2C, 1), CUFFT_SUCCESS);
  auto const x = skipper::testing::noise<float>(32);
  DeviceArray<std::complex<float>> data(x);
  auto* const at = reinterpret_cast<cufftComplex*>(data.data());
  EXPECT_EQ(cufftExecC2C(plan, at, at, CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(plan, at, at, CUFFT_INVERSE), CUFFT_SUCCESS);
  auto const y = data.values();
  for (std::size_t i = 0; i < 32; ++i) EXPECT_LT(std::abs(y[i] - 32.0f * x[i]), 1e-4);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST_F(CufftTransforms, OfPinnedAndPlainArraysOfTheHost) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  ASSERT_EQ(cufftPlan1d(&plan, 16, CUFFT_Z2Z, 1), CUFFT_SUCCESS);
  auto x = skipper::testing::noise<double>(16);
  auto const wanted = transformed(x, {16}, CUFFT_FORWARD);
  auto* const at = reinterpret_cast<cufftDoubleComplex*>(x.data());
  EXPECT_EQ(cufftExecZ2Z(plan, at, at, CUFFT_FORWARD), CUFFT_SUCCESS);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_LT(std::abs(x[i] - wanted[i]), 1e-13);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

}  // namespace
}  // namespace skipper::cufft::testing
