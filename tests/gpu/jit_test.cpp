// Compiling: several kernels at once, in the order of the call, and failures with NVRTC's own words.
#include "gpu/jit.h"

#include "gpu/fake_driver/fixture.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "plan/spec_text.h"

namespace skipper::testing {
namespace {

class Jit : public FakeDriver {
 protected:
  std::vector<kernel::SweepSpec> specs() const {
    std::vector<kernel::SweepSpec> all;
    for (char const* problem : {"c2c f32 forward 16", "c2c f32 forward 30", "c2c f32 forward 64 batch 3"})
      all.push_back(
          lower(planner(parse_problem(problem), machine("h200"), {.max_candidates = 1}).front().program, 0,
                machine("h200"))
              .spec);
    return all;
  }
};

TEST_F(Jit, CompilesAllAndKeepsTheirOrder) {
  auto const all = specs();
  auto const kernels = gpu::compile(all, false, "sm_90");
  ASSERT_EQ(kernels.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NE(kernels[i].cubin.find(text(all[i])), std::string::npos) << i;
    EXPECT_EQ(kernels[i].name, "sweep_f32");
  }
  EXPECT_EQ(fake_driver::calls("nvrtcCompileProgram"), 3);
  EXPECT_EQ(fake_driver::calls("nvrtcDestroyProgram"), 3);
  auto const again = gpu::compile({all[2], all[0]}, false, "sm_90");
  EXPECT_EQ(again[0].cubin, kernels[2].cubin);
  EXPECT_EQ(again[1].cubin, kernels[0].cubin);
  EXPECT_EQ(fake_driver::calls("nvrtcCompileProgram"), 3);
  EXPECT_NE(gpu::compile({all[0]}, true, "sm_90")[0].cubin, kernels[0].cubin) << "another precision";
  EXPECT_NE(gpu::compile({all[0]}, false, "sm_80")[0].cubin, kernels[0].cubin) << "another architecture";
  EXPECT_EQ(fake_driver::calls("nvrtcCompileProgram"), 5);
}

TEST_F(Jit, TellsWhatNvrtcSays) {
  for (char const* entry : {"nvrtcCreateProgram", "nvrtcAddNameExpression", "nvrtcCompileProgram",
                            "nvrtcGetLoweredName", "nvrtcGetCUBINSize", "nvrtcGetCUBIN"}) {
    fake_driver::reset();
    fake_driver::fail(entry, 3);
    EXPECT_THROW(gpu::compile({specs()[0]}, false, "sm_90"), Error) << entry;
    EXPECT_EQ(fake_driver::calls("nvrtcDestroyProgram"), entry == std::string("nvrtcCreateProgram") ? 0 : 1);
  }
  fake_driver::fail("nvrtcCompileProgram", 6, 1);
  try {
    gpu::compile(specs(), false, "sm_90");
    ADD_FAILURE() << "one of three fails";
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("a planned failure"), std::string::npos) << e.what();
  }
}

TEST_F(Jit, RelentsWhereResidencySpills) {
  kernel::SweepSpec spec = specs()[0];
  spec.resident = 3;
  auto const compiled_for = [&](int bytes) {
    fake_driver::reset();
    std::filesystem::remove_all(folder_);
    fake_driver::spill(bytes);
    std::string const cubin = gpu::compile({spec}, false, "sm_90")[0].cubin;
    fake_driver::spill(0);
    std::size_t const at = cubin.find(".resident=");
    return cubin.substr(at + 10, 1) + " in " + std::to_string(fake_driver::calls("nvrtcCompileProgram"));
  };
  EXPECT_EQ(compiled_for(0), "3 in 1");
  EXPECT_EQ(compiled_for(gpu::harmless_spill), "3 in 1");
  EXPECT_EQ(compiled_for(gpu::harmless_spill + 1), "1 in 3");
}

TEST_F(Jit, ThoseWhoLoadAKernelAreBelievedBeforeTheLog) {
  kernel::SweepSpec spec = specs()[0];
  spec.resident = 3;
  int asked = 0;
  auto const compiled_for = [&](int by_log, std::optional<int> by_loader) {
    fake_driver::reset();
    std::filesystem::remove_all(folder_);
    fake_driver::spill(by_log);
    asked = 0;
    gpu::Residency residency;
    residency.local_bytes = [&](std::size_t, gpu::Kernel const&) { return ++asked, by_loader; };
    std::string const cubin = gpu::compile({spec}, false, "sm_90", {}, residency)[0].cubin;
    return cubin.substr(cubin.find(".resident=") + 10, 1) + " asked " + std::to_string(asked);
  };
  EXPECT_EQ(compiled_for(1000, 0), "3 asked 1");
  EXPECT_EQ(compiled_for(0, 1000), "1 asked 3");
  EXPECT_EQ(compiled_for(1000, std::nullopt), "1 asked 3");
}

TEST_F(Jit, KeepsKernelsApartByTheRuleOfResidency) {
  kernel::SweepSpec spec = specs()[0];
  spec.resident = 3;
  auto const compiled_by = [&](gpu::Residency const& residency) {
    std::string const cubin = gpu::compile({spec}, false, "sm_90", {}, residency)[0].cubin;
    return cubin.substr(cubin.find(".resident=") + 10, 1);
  };
  fake_driver::spill(400);
  EXPECT_EQ(compiled_by({.harmless = 1000, .local_bytes = {}}), "3");
  EXPECT_EQ(compiled_by({}), "1");
  EXPECT_EQ(compiled_by({.harmless = 16, .local_bytes = {}}), "1");
  EXPECT_EQ(compiled_by({.harmless = 1000, .local_bytes = {}}), "3");
}

TEST_F(Jit, TheHashOfTheTextIsOfAllHeaders) {
  EXPECT_EQ(gpu::kernel_text_hash().size(), 16u);
  EXPECT_GT(gpu::kernel_header_count, 5);
  EXPECT_EQ(std::string(gpu::planner_hash).size(), 16u);
}

}  // namespace
}  // namespace skipper::testing
