// The calls that PyTorch and CuPy were seen to make, in their order, with their arguments.
#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {
namespace {

using skipper::testing::DeviceArray;

class CufftClients : public skipper::testing::FakeDriver {
 protected:
  CufftClients() { EXPECT_EQ(cuStreamCreate(&stream_, 1), 0); }
  ~CufftClients() override { cuStreamDestroy_v2(stream_); }

  /// A stream and a work area for every execution, both of the client.
  template <class Execute>
  void execute(cufftHandle plan, std::size_t bytes, Execute const& call) {
    DeviceArray<char> area(std::max<std::size_t>(bytes, 1));
    EXPECT_EQ(cufftSetStream(plan, static_cast<cudaStream_t>(stream_)), CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetWorkArea(plan, bytes ? area.data() : nullptr), CUFFT_SUCCESS);
    EXPECT_EQ(call(), CUFFT_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream_), 0);
  }
  static cufftHandle created() {
    cufftHandle plan = CUFFT_PLAN_NULL;
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftSetAutoAllocation(plan, 0), CUFFT_SUCCESS);
    return plan;
  }

  void* stream_ = nullptr;
};

/// Of plain layouts PyTorch gives neither embeddings nor sensible strides.
TEST_F(CufftClients, PyTorchOnDenseArrays) {
  Case const c{What::c2c, {64, 64}, 2};
  Expected const wanted = expected(c);
  Memory<float> in(c, false), out(c, true);
  in.put(wanted.in);
  cufftHandle const plan = created();
  std::vector<Index> sizes = c.shape;
  std::size_t bytes = 0;
  ASSERT_EQ(cufftXtMakePlanMany(plan, 2, sizes.data(), nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_32F,
                                c.batch, &bytes, CUDA_C_32F),
            CUFFT_SUCCESS);
  EXPECT_GT(bytes, 0u);
  DeviceArray<float> from(in.values), to(out.values.size());
  execute(plan, bytes, [&] { return cufftXtExec(plan, from.data(), to.data(), CUFFT_FORWARD); });
  out.values = to.values();
  EXPECT_LT(out.error(wanted.out), 1e-6);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

/// Of others it gives all; a C2R of a half spectrum out of a larger array.
TEST_F(CufftClients, PyTorchOnStridedArrays) {
  Case const c{What::c2r, {6, 10}, 3, CUFFT_INVERSE, false, {{{7, 8}, 1, 56}, {{6, 10}, 1, 60}}};
  Expected const wanted = expected(c);
  Memory<double> in(c, false), out(c, true);
  in.put(wanted.in);
  cufftHandle const plan = created();
  std::vector<Index> sizes = c.shape, in_embed = c.sides[0].embed, out_embed = c.sides[1].embed;
  std::size_t bytes = 0;
  ASSERT_EQ(cufftXtMakePlanMany(plan, 2, sizes.data(), in_embed.data(), 1, 56, CUDA_C_64F, out_embed.data(),
                                1, 60, CUDA_R_64F, c.batch, &bytes, CUDA_C_64F),
            CUFFT_SUCCESS);
  DeviceArray<double> from(in.values), to(out.values.size());
  execute(plan, bytes, [&] { return cufftXtExec(plan, from.data(), to.data(), CUFFT_INVERSE); });
  out.values = to.values();
  EXPECT_LT(out.error(wanted.out), 1e-14);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

/// CuPy has one plan for both directions, in its cache, and transforms in place where it may overwrite.
TEST_F(CufftClients, CuPyWithOneDimensionAndABatch) {
  cufftHandle const plan = created();
  std::size_t bytes = 0;
  ASSERT_EQ(cufftMakePlan1d(plan, 24, CUFFT_Z2Z, 5, &bytes), CUFFT_SUCCESS);
  for (int const sign : {CUFFT_FORWARD, CUFFT_INVERSE, CUFFT_FORWARD})
    for (bool const in_place : {false, true}) {
      Case const c{What::c2c, {24}, 5, sign, in_place};
      Expected const wanted = expected(c);
      Memory<double> in(c, false), out(c, true);
      in.put(wanted.in);
      DeviceArray<double> from(in.values), to(out.values.size());
      auto* const first = reinterpret_cast<cufftDoubleComplex*>(from.data());
      auto* const last = in_place ? first : reinterpret_cast<cufftDoubleComplex*>(to.data());
      execute(plan, bytes, [&] { return cufftExecZ2Z(plan, first, last, sign); });
      out.values = in_place ? from.values() : to.values();
      EXPECT_LT(out.error(wanted.out), 1e-14);
    }
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

TEST_F(CufftClients, CuPyWithSeveralDimensions) {
  Case const c{What::r2c, {4, 6, 5}, 2};
  Expected const wanted = expected(c);
  Memory<float> in(c, false), out(c, true);
  in.put(wanted.in);
  cufftHandle const plan = created();
  int sizes[] = {4, 6, 5}, in_embed[] = {4, 6, 5}, out_embed[] = {4, 6, 3};
  std::size_t bytes = 0;
  ASSERT_EQ(cufftMakePlanMany(plan, 3, sizes, in_embed, 1, 120, out_embed, 1, 72, CUFFT_R2C, 2, &bytes),
            CUFFT_SUCCESS);
  DeviceArray<float> from(in.values), to(out.values.size());
  execute(plan, bytes,
          [&] { return cufftExecR2C(plan, from.data(), reinterpret_cast<cufftComplex*>(to.data())); });
  out.values = to.values();
  EXPECT_LT(out.error(wanted.out), 1e-6);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
}

}  // namespace
}  // namespace skipper::cufft::testing
