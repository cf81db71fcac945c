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
  for (char const* name : {"cuda:0", "cuda:12", "cuda", "gpu", "", "cpu0", "cuda:x"}) {
    try {
      Device const device(name);
      ADD_FAILURE() << name;
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "device");
      EXPECT_NE(std::string(e.what()).find("cpu"), std::string::npos) << e.what();
    }
  }
  try {
    Device const device("cuda:0");
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("not in this build yet"), std::string::npos) << e.what();
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

}  // namespace
}  // namespace skipper
