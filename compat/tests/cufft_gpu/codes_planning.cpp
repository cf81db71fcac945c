// Cases of codes.cpp: calls that make plans, and those that ask for sizes.
#include "cases.h"

namespace {

void add_one_call(Cases& cases) {
  cases.add("Create null", Made::no, [](G g) { return g.f.Create(nullptr); });
  cases.add("Plan1d null handle", Made::no, [](G g) { return g.f.Plan1d(nullptr, 8, CUFFT_C2C, 1); });
  auto const plan1d = [&](char const* name, int n, cufftType type, int batch) {
    cases.add(std::string("Plan1d ") + name, [=](Api const& f) {
      cufftHandle h = -1;
      cufftResult const result = f.Plan1d(&h, n, type, batch);
      if (result == CUFFT_SUCCESS) f.Destroy(h);
      return code(result);
    });
  };
  plan1d("good", 8, CUFFT_C2C, 1);
  plan1d("n 0", 0, CUFFT_C2C, 1);
  plan1d("n -1", -1, CUFFT_C2C, 1);
  plan1d("n 1", 1, CUFFT_C2C, 1);
  plan1d("batch 0", 8, CUFFT_C2C, 0);
  plan1d("batch -1", 8, CUFFT_C2C, -1);
  plan1d("type 7", 8, no_type, 1);
  plan1d("type 7, n 0", 0, no_type, 1);
  cases.add("Plan2d n 0", Made::no, [](G g) {
    cufftHandle h = -1;
    return g.f.Plan2d(&h, 8, 0, CUFFT_C2C);
  });
  cases.add("Plan3d n -1", Made::no, [](G g) {
    cufftHandle h = -1;
    return g.f.Plan3d(&h, 8, 8, -1, CUFFT_C2C);
  });
}

struct Layout {
  int embed = 0, stride = 1, distance = 0;  // embed of the faster axis; 0: a null pointer
};

void add_many(Cases& cases) {
  auto const many = [&](char const* name, int rank, Layout in, Layout out, int batch,
                        cufftType type = CUFFT_C2C, bool shape = true) {
    cases.add(std::string("MakePlanMany ") + name, Made::no, [=](G g) {
      int n[] = {8, 8, 8, 8}, in_embed[] = {8, in.embed, 8}, out_embed[] = {8, out.embed, 8};
      return g.f.MakePlanMany(g.h, rank, shape ? n : nullptr, in.embed ? in_embed : nullptr, in.stride,
                              in.distance, out.embed ? out_embed : nullptr, out.stride, out.distance, type,
                              batch, &g.bytes);
    });
  };
  Layout const dense = {0, 1, 8}, plane = {8, 1, 64}, line = {8, 1, 8};
  many("rank 0", 0, dense, dense, 1);
  many("rank 4", 4, dense, dense, 1);
  many("rank -1", -1, dense, dense, 1);
  many("no shape", 1, dense, dense, 1, CUFFT_C2C, false);
  many("good, dense", 2, dense, dense, 2);
  many("good, embedded", 2, plane, plane, 2);
  many("only inembed", 2, plane, dense, 2);
  many("only onembed", 2, dense, plane, 2);
  many("stride 0", 1, {8, 0, 8}, {8, 0, 8}, 1);
  many("in stride 0", 1, {8, 0, 8}, line, 1);
  many("stride -1", 1, {8, -1, 8}, {8, -1, 8}, 1);
  many("distance 0", 1, {8, 1, 0}, {8, 1, 0}, 2);
  many("distance 0, batch 1", 1, {8, 1, 0}, {8, 1, 0}, 1);
  many("in distance 0", 1, {8, 1, 0}, line, 2);
  many("distance -8", 1, {8, 1, -8}, {8, 1, -8}, 2);
  many("embed smaller than n", 2, {4, 1, 64}, {4, 1, 64}, 1);
  many("embed negative", 2, {-8, 1, 64}, {-8, 1, 64}, 1);
  many("batch 0", 1, dense, dense, 0);
  many("type 7", 1, dense, dense, 1, no_type);
  cases.add("MakePlan1d without workSize", Made::no,
            [](G g) { return g.f.MakePlan1d(g.h, 8, CUFFT_C2C, 1, nullptr); });
  cases.add("MakePlan1d without workSize, type 7", Made::no,
            [](G g) { return g.f.MakePlan1d(g.h, 8, no_type, 1, nullptr); });
  cases.add("MakePlan1d twice", Made::c2c,
            [](G g) { return g.f.MakePlan1d(g.h, 8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("MakePlan1d after it failed", Made::no, [](G g) {
    g.f.MakePlan1d(g.h, 0, CUFFT_C2C, 1, &g.bytes);
    return g.f.MakePlan1d(g.h, 8, CUFFT_C2C, 1, &g.bytes);
  });
  cases.add("MakePlan2d good", Made::no, [](G g) { return g.f.MakePlan2d(g.h, 8, 8, CUFFT_R2C, &g.bytes); });
  cases.add("MakePlan3d good", Made::no,
            [](G g) { return g.f.MakePlan3d(g.h, 4, 4, 4, CUFFT_Z2D, &g.bytes); });
  cases.add("MakePlan1d handle 999", Made::no,
            [](G g) { return g.f.MakePlan1d(999, 8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("MakePlanMany64 n 0", Made::no, [](G g) {
    long long n[] = {0};
    return g.f.MakePlanMany64(g.h, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &g.bytes);
  });
}

void add_types(Cases& cases) {
  auto const xt = [&](char const* name, cudaDataType in, cudaDataType out, cudaDataType computed,
                      long long size) {
    for (bool const sized : {false, true})
      cases.add(std::string(sized ? "XtGetSizeMany " : "XtMakePlanMany ") + name, Made::no, [=](G g) {
        long long n[] = {size};
        auto const call = sized ? g.f.XtGetSizeMany : g.f.XtMakePlanMany;
        return call(g.h, 1, n, nullptr, 1, 0, in, nullptr, 1, 0, out, 1, &g.bytes, computed);
      });
  };
  xt("f32", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 8);
  xt("f16", CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 8);
  xt("f16, 12 points", CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 12);
  xt("bf16", CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, 8);
  xt("r2r", CUDA_R_32F, CUDA_R_32F, CUDA_C_32F, 8);
  xt("mixed", CUDA_C_32F, CUDA_C_64F, CUDA_C_32F, 8);
  xt("f32 computed in f64", CUDA_C_32F, CUDA_C_32F, CUDA_C_64F, 8);
  xt("f32 computed in real", CUDA_C_32F, CUDA_C_32F, CUDA_R_32F, 8);
  xt("integers", CUDA_C_8I, CUDA_C_8I, CUDA_C_32F, 8);
  xt("n 0", CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 0);
}

void add_sizes(Cases& cases) {
  cases.add("Estimate1d good", Made::no, [](G g) { return g.f.Estimate1d(8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("Estimate1d n 0", Made::no, [](G g) { return g.f.Estimate1d(0, CUFFT_C2C, 1, &g.bytes); });
  cases.add("Estimate1d type 7", Made::no, [](G g) { return g.f.Estimate1d(8, no_type, 1, &g.bytes); });
  cases.add("Estimate1d null", Made::no, [](G g) { return g.f.Estimate1d(8, CUFFT_C2C, 1, nullptr); });
  cases.add("Estimate2d n -1", Made::no, [](G g) { return g.f.Estimate2d(8, -1, CUFFT_C2C, &g.bytes); });
  cases.add("Estimate3d good", Made::no, [](G g) { return g.f.Estimate3d(4, 4, 4, CUFFT_C2C, &g.bytes); });
  cases.add("EstimateMany rank 4", Made::no, [](G g) {
    int n[] = {4, 4, 4, 4};
    return g.f.EstimateMany(4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &g.bytes);
  });
  cases.add("GetSize1d good", Made::no, [](G g) { return g.f.GetSize1d(g.h, 8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("GetSize1d made", Made::c2c, [](G g) { return g.f.GetSize1d(g.h, 8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("GetSize1d handle 999", Made::no,
            [](G g) { return g.f.GetSize1d(999, 8, CUFFT_C2C, 1, &g.bytes); });
  cases.add("GetSize2d n 0", Made::no, [](G g) { return g.f.GetSize2d(g.h, 0, 8, CUFFT_C2C, &g.bytes); });
  cases.add("GetSize3d type 7", Made::no, [](G g) { return g.f.GetSize3d(g.h, 8, 8, 8, no_type, &g.bytes); });
  cases.add("GetSizeMany good", Made::no, [](G g) {
    int n[] = {8};
    return g.f.GetSizeMany(g.h, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &g.bytes);
  });
  cases.add("GetSizeMany64 good", Made::no, [](G g) {
    long long n[] = {8};
    return g.f.GetSizeMany64(g.h, 1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &g.bytes);
  });
  cases.add("GetSize not made", Made::no, [](G g) { return g.f.GetSize(g.h, &g.bytes); });
  cases.add("GetSize made", Made::c2c, [](G g) { return g.f.GetSize(g.h, &g.bytes); });
  cases.add("GetSize null", Made::c2c, [](G g) { return g.f.GetSize(g.h, nullptr); });
}

}  // namespace

void add_planning(Cases& cases) {
  add_one_call(cases);
  add_many(cases);
  add_types(cases);
  add_sizes(cases);
}
