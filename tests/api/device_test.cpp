// Names of devices, and the version.
#include <gtest/gtest.h>

#include <skipper/skipper.h>

namespace skipper {
namespace {

TEST(Device, BestIsOneOfTheDevices) {
  ASSERT_FALSE(devices().empty());
  EXPECT_EQ(Device().name(), devices()[0].name);
  EXPECT_EQ(Device("cpu").name(), "cpu");
  EXPECT_EQ(Device("best"), Device());
}

TEST(Device, DescriptionsReadBack) {
  for (DeviceDescription const& d : devices()) {
    EXPECT_EQ(Device(d.name).name(), d.name);
    EXPECT_EQ(machine_text(d.machine), d.machine);
    EXPECT_FALSE(d.title.empty());
  }
}

TEST(Device, OthersAreRefusedWithTheWayOut) {
  for (char const* name : {"cuda:99", "gpu", "", "cpu0", "cuda:x", "cuda:", "cuda:99999999999"}) {
    try {
      Device const device(name);
      ADD_FAILURE() << name;
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "device");
      EXPECT_NE(std::string(e.what()).find("cpu"), std::string::npos) << e.what();
    }
  }
}

TEST(Device, ThereIsAGpuOrAReason) {
  bool const gpu = Device().name().starts_with("cuda:");
  EXPECT_EQ(missing_for_gpu().empty(), gpu);
  if (gpu) {
    EXPECT_EQ(Device("cuda"), Device("cuda:0"));
    EXPECT_FALSE(Device("cuda:0").is_best());
    EXPECT_THROW(Device("cuda:99"), Error);
  }
}

TEST(Device, WhatAGpuLacksIsSaid) {
  bool gpu = false;
  for (DeviceDescription const& d : devices()) gpu = gpu || d.name.starts_with("cuda:");
  for (std::string const& line : missing_for_gpu()) {
    EXPECT_FALSE(gpu) << line;
    EXPECT_GT(line.size(), 20u) << line;
  }
}

TEST(Version, AgreesWithTheBuild) { EXPECT_EQ(version(), SKIPPER_CMAKE_VERSION); }

#if SKIPPER_VERSION < 100 || !defined SKIPPER_VERSION_MAJOR
#error "the version cannot be compared by the preprocessor"
#endif
TEST(Version, IsOneNumberForThePreprocessor) {
  EXPECT_EQ(SKIPPER_VERSION, version_major * 10000 + version_minor * 100 + version_patch);
}

}  // namespace
}  // namespace skipper
