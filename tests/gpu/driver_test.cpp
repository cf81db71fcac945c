// What is said where CUDA is missing, old, broken or without a device: each in a process of its own, since a library is
// opened once.
#include "gpu/driver.h"

#include <skipper/device.h>

#include "gpu/device.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

/// What the work prints, in a child with these variables.
std::string child(std::vector<std::pair<std::string, std::string>> const& variables, std::string (*work)()) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  pid_t const id = ::fork();
  if (id == 0) {
    use_fake_driver();
    for (auto const& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    std::string const said = work();
    bool const written = ::write(ends[1], said.data(), said.size()) == ssize_t(said.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said(4096, '\0');
  ssize_t const size = ::read(ends[0], said.data(), said.size());
  ::close(ends[0]);
  said.resize(size > 0 ? std::size_t(size) : 0);
  return said;
}

std::string missing() {
  std::string all;
  for (std::string const& line : missing_for_gpu()) all += line + "\n";
  return all + "best is " + Device().name() + ", " + std::to_string(devices().size()) + " devices";
}

void expect(std::string const& said, std::vector<std::string> const& parts) {
  for (std::string const& part : parts)
    EXPECT_NE(said.find(part), std::string::npos) << part << " in: " << said;
}

TEST(CudaDriver, IsThereOrTheReasonIs) {
  expect(child({}, missing), {"best is cuda:0, 3 devices"});
  expect(child({{"SKIPPER_CUDA_DRIVER", "/no/such.so"}}, missing),
         {"the CUDA driver cannot be opened (tried /no/such.so)", "SKIPPER_CUDA_DRIVER",
          "best is cpu, 1 devices"});
  expect(child({{"SKIPPER_CUDA_DRIVER", "libm.so.6"}}, missing), {"lacks cu", "best is cpu"});
  expect(child({{"FAKE_DRIVER_VERSION", "11020"}}, missing), {"CUDA 11.2", "12.0 or newer", "best is cpu"});
  expect(child({{"FAKE_DRIVER_INIT", "100"}}, missing), {"no usable GPU", "(100)", "best is cpu"});
  expect(child({{"FAKE_DRIVER_DEVICES", "0"}}, missing), {"finds no GPU", "best is cpu"});
}

TEST(CudaDriver, NvrtcIsThereOrTheReasonIs) {
  expect(child({{"SKIPPER_NVRTC", "/no/such.so"}}, missing),
         {"NVRTC", "(tried /no/such.so)", "SKIPPER_NVRTC", "best is cpu, 1 devices"});
  expect(child({{"SKIPPER_NVRTC", "libm.so.6"}}, missing), {"lacks nvrtc", "best is cpu"});
}

TEST(CudaDriver, NamedDevicesAreRefusedWithTheReason) {
  auto const asked = []() -> std::string {
    try {
      return Device("cuda:0").name();
    } catch (Error const& e) {
      return e.what();
    }
  };
  expect(child({}, asked), {"cuda:0"});
  expect(child({{"FAKE_DRIVER_DEVICES", "0"}}, asked), {"device: 'cuda:0' cannot be used", "use best, cpu"});
}

TEST(CudaDevices, FactsAreTheirs) {
  use_fake_driver();
  ASSERT_EQ(gpu::device_count(), 2);
  EXPECT_EQ(gpu::device_machine(0).name, "h200");
  EXPECT_EQ(gpu::device_machine(0).architecture, "sm_90");
  EXPECT_EQ(gpu::device_machine(0).sms, 132);
  EXPECT_GT(gpu::device_machine(0).cluster, 1);
  EXPECT_EQ(gpu::device_machine(1).name, "a100");
  EXPECT_EQ(gpu::device_machine(1).cluster, 1);
  fake_driver::reset();
  gpu::device_machine(0);
  EXPECT_EQ(fake_driver::calls("cuDeviceGetAttribute"), 0) << "read once";
}

}  // namespace
}  // namespace skipper::testing
