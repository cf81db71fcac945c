// Devices by what they report: made-up ones on the fake driver, whose names say what their facts do not.
#include "gpu/facts.h"

#include <skipper/error.h>

#include "gpu/bandwidth.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

using fake_driver::Pretended;

// Of CUdevice_attribute.
enum {
  sms = 16,
  clock_khz = 36,
  width = 37,
  l2 = 38,
  threads_sm = 39,
  major = 75,
  minor = 76,
  shared_sm = 81,
  shared_block = 97,
  blocks_sm = 106,
  clusters = 120
};
constexpr int KiB = 1024, MiB = 1024 * KiB;
constexpr std::size_t GiB = std::size_t(1) << 30;

class Facts : public FakeDriver {
 protected:
  /// Device 0, an H200, with other facts.
  static Machine machine_of(Pretended const& pretended) {
    fake_driver::pretend(0, pretended);
    return gpu::machine_from(gpu::read_facts(0), [] { return 0.0; });
  }
};

void expect_near(double found, double expected) { EXPECT_NEAR(found / expected, 1, 0.01); }

TEST_F(Facts, KnownMachinesAreKnownUnderAnyName) {
  Machine const h200 = machine_of({"Any Name", 140 * GiB, {}});
  EXPECT_EQ(h200.name, "h200");
  EXPECT_EQ(h200.copy_bandwidth, machine("h200").copy_bandwidth);
  EXPECT_EQ(h200.cluster, 16);
  EXPECT_EQ(
      machine_of({"NVIDIA H100 80GB HBM3", 80 * GiB, {{l2, 50 * MiB}, {clock_khz, 2619000}, {width, 5120}}})
          .name,
      "h100");
}

TEST_F(Facts, AnH200IsPlannedForAsBefore) {
  Machine found = machine_of({"NVIDIA H200", 150109880320, {}}), known = machine("h200");
  known.memory_bytes = found.memory_bytes;
  EXPECT_EQ(text(found), text(known));
}

TEST_F(Facts, AnH100WithSlowerMemoryIsNoH100) {
  Machine const m = machine_of(
      {"NVIDIA H100 PCIe", 80 * GiB, {{sms, 114}, {l2, 50 * MiB}, {clock_khz, 1593000}, {width, 5120}}});
  EXPECT_EQ(m.name, "nvidia-h100-pcie");
  EXPECT_EQ(m.sms, 114);
  EXPECT_EQ(m.cluster, 16);
  expect_near(m.copy_bandwidth, 0.88 * 2.039e12);
}

TEST_F(Facts, AnA100With40GBHasItsOwnBandwidth) {
  std::map<int, int> facts{{sms, 108}, {l2, 40 * MiB},         {clock_khz, 1215000},      {width, 5120},
                           {major, 8}, {shared_sm, 164 * KiB}, {shared_block, 163 * KiB}, {clusters, 0}};
  Machine const small = machine_of({"NVIDIA A100-SXM4-40GB", 40 * GiB, facts});
  EXPECT_EQ(small.name, "nvidia-a100-sxm4-40gb");
  EXPECT_EQ(small.cluster, 1);
  EXPECT_EQ(small.l1_bytes, 192 * KiB);
  expect_near(small.copy_bandwidth, 0.88 * 1.555e12);
  facts[clock_khz] = 1593000;
  EXPECT_EQ(machine_of({"NVIDIA A100-SXM4-80GB", 80 * GiB, facts}).name, "a100");
}

TEST_F(Facts, AGh200HasItsOwnBandwidth) {
  Machine const m = machine_of({"NVIDIA GH200 480GB", 96 * GiB, {{clock_khz, 2619000}, {width, 6144}}});
  EXPECT_EQ(m.name, "nvidia-gh200-480gb");
  expect_near(m.copy_bandwidth, 0.88 * 4.023e12);
}

TEST_F(Facts, A4090OfALaptopIsAnotherMachine) {
  std::map<int, int> facts{{sms, 76},
                           {l2, 64 * MiB},
                           {clock_khz, 9001000},
                           {width, 256},
                           {major, 8},
                           {minor, 9},
                           {threads_sm, 1536},
                           {blocks_sm, 24},
                           {shared_sm, 100 * KiB},
                           {shared_block, 99 * KiB},
                           {clusters, 0}};
  Machine const laptop = machine_of({"NVIDIA GeForce RTX 4090 Laptop GPU", 16 * GiB, facts});
  EXPECT_EQ(laptop.name, "nvidia-geforce-rtx-4090-laptop-gpu");
  EXPECT_EQ(laptop.architecture, "sm_89");
  expect_near(laptop.copy_bandwidth, 0.88 * 5.76e11);
  facts[sms] = 128, facts[l2] = 72 * MiB, facts[clock_khz] = 10501000, facts[width] = 384;
  EXPECT_EQ(machine_of({"NVIDIA GeForce RTX 4090", 24 * GiB, facts}).name, "rtx4090");
}

TEST_F(Facts, Sm120HasClustersOfEightAndTheSharedMemoryThatItSays) {
  Machine const m = machine_of({"NVIDIA GeForce RTX 5090",
                                32 * GiB,
                                {{sms, 170},
                                 {l2, 96 * MiB},
                                 {clock_khz, 14001000},
                                 {width, 512},
                                 {major, 12},
                                 {threads_sm, 1536},
                                 {blocks_sm, 24},
                                 {shared_sm, 100 * KiB},
                                 {shared_block, 99 * KiB},
                                 {clusters, 1}}});
  EXPECT_EQ(m.architecture, "sm_120");
  EXPECT_EQ(m.cluster, 8);
  EXPECT_EQ(m.shared_block, 99 * KiB);
  EXPECT_EQ(m.shared_sm, 100 * KiB);
  expect_near(m.copy_bandwidth, 0.88 * 1.792e12);
}

TEST_F(Facts, ASliceHasItsOwnSizes) {
  Machine const m =
      machine_of({"NVIDIA H200 MIG 1g.18gb", 18 * GiB, {{sms, 16}, {l2, 8 * MiB}, {width, 768}}});
  EXPECT_EQ(m.name, "nvidia-h200-mig-1g-18gb");
  EXPECT_EQ(m.sms, 16);
  EXPECT_EQ(m.memory_bytes, Index(18 * GiB));
  EXPECT_FALSE(m.l2_block) << "L2 blocks take more than its L2";
}

TEST_F(Facts, AnUnknownDeviceThatReportsNonsenseIsRefusedByTheField) {
  try {
    machine_of({"Odd", GiB, {{shared_block, 300 * KiB}}});
    ADD_FAILURE() << "was accepted";
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("shared_block"), std::string::npos) << e.what();
  }
}

// ---- Where the driver does not tell the memory's clock.

TEST_F(Facts, BandwidthIsMeasuredOnceWhereTheDriverDoesNotTellIt) {
  fake_driver::pretend(0, {"Quiet", 8 * GiB, {{sms, 20}, {clock_khz, 0}, {l2, 1 * MiB}}});
  fake_driver::limit_memory(64 * MiB);  // of which a quarter is copied, again and again
  gpu::DeviceFacts const facts = gpu::read_facts(0);
  EXPECT_EQ(gpu::promised_bandwidth(facts), 0);
  double const first = gpu::measured_bandwidth(0, facts);
  EXPECT_GT(first, 0);
  int const copies = fake_driver::calls("cuMemcpyDtoDAsync_v2");
  EXPECT_GT(copies, 0);
  EXPECT_EQ(gpu::measured_bandwidth(0, facts), first);
  EXPECT_EQ(fake_driver::calls("cuMemcpyDtoDAsync_v2"), copies) << "kept";
  EXPECT_EQ(gpu::machine_from(facts, [&] { return first; }).copy_bandwidth, first);
}

TEST_F(Facts, AKeptBandwidthThatIsDamagedIsMeasuredAnew) {
  fake_driver::pretend(0, {"Quiet", 8 * GiB, {{sms, 20}, {clock_khz, 0}, {l2, 1 * MiB}}});
  fake_driver::limit_memory(64 * MiB);  // of which a quarter is copied, again and again
  gpu::DeviceFacts const facts = gpu::read_facts(0);
  gpu::measured_bandwidth(0, facts);
  for (auto const& entry : std::filesystem::directory_iterator(folder_))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 3);
  int const copies = fake_driver::calls("cuMemcpyDtoDAsync_v2");
  EXPECT_GT(gpu::measured_bandwidth(0, facts), 0);
  EXPECT_GT(fake_driver::calls("cuMemcpyDtoDAsync_v2"), copies);
}

TEST_F(Facts, WithoutRoomToMeasureThereIsAGuess) {
  fake_driver::pretend(0, {"Quiet", 8 * GiB, {{sms, 20}, {clock_khz, 0}, {l2, 1 * MiB}}});
  fake_driver::limit_memory(1 * MiB);
  gpu::DeviceFacts const facts = gpu::read_facts(0);
  EXPECT_EQ(gpu::measured_bandwidth(0, facts), 0);
  EXPECT_GT(gpu::machine_from(facts, [] { return 0.0; }).copy_bandwidth, 1e10);
}

}  // namespace
}  // namespace skipper::testing
