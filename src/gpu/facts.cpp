// See facts.h.
#include "gpu/facts.h"

#include <cctype>
#include <cmath>
#include <optional>

#include "gpu/device.h"

namespace skipper::gpu {
namespace {

/// Bandwidth of a copy over what the memory's clock and width promise. Fitted: bench/results/h200-choices.md.
constexpr double copied_share = 0.88;
/// Relative difference of the memory's bandwidth up to which a known machine is the same: vendors print rounded figures.
/// A choice, not measured.
constexpr double alike = 0.08;

std::string architecture_of(DeviceFacts const& f) {
  return "sm_" + std::to_string(f.major) + std::to_string(f.minor);
}

/// "NVIDIA GeForce RTX 3080" as "nvidia-geforce-rtx-3080".
std::string one_word(std::string const& title) {
  std::string word;
  for (unsigned char c : title) {
    if (std::isalnum(c))
      word += char(std::tolower(c));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word.empty() ? "gpu" : word;
}

bool is_near(double a, double b) { return std::abs(a - b) <= alike * b; }

/// The same chip with as fast a memory, or with as much where its speed is not told.
bool is_same(Machine const& known, DeviceFacts const& f) {
  bool const chip = known.kind == MachineKind::gpu && known.architecture == architecture_of(f) &&
                    known.sms == f.sms && known.threads_sm == f.threads_sm &&
                    known.registers_sm == f.registers_sm && known.shared_block == f.shared_block &&
                    known.shared_sm == f.shared_sm && known.l2_bytes == f.l2_bytes &&
                    (known.cluster > 1) == f.clusters;
  double const promised = promised_bandwidth(f);
  return chip && (promised > 0 ? is_near(promised, known.copy_bandwidth)
                               : is_near(double(f.memory_bytes), double(known.memory_bytes)));
}

std::optional<Machine> known_machine(DeviceFacts const& f) {
  for (std::string const& name : machine_names())
    if (Machine const known = machine(name); is_same(known, f)) return known;
  return std::nullopt;
}

/// Eight blocks are what every device with clusters promises; capabilities 9 and 10 can hold sixteen where a kernel
/// allows it. Whether one fits beside its registers and shared memory the driver says when a kernel is loaded.
Index largest_cluster(DeviceFacts const& f) {
  return !f.clusters ? 1 : f.major == 9 || f.major == 10 ? 16 : 8;
}

/// What drivers do not report is the same on all devices so far, but for L1: it has this much beside what can be shared.
Machine derived(DeviceFacts const& f, std::function<double()> const& measure) {
  constexpr Index KiB = 1024, MiB = 1024 * KiB;
  Machine m;
  m.name = one_word(f.title);
  m.kind = MachineKind::gpu;
  m.warp = f.warp;
  m.registers_thread = 255;
  m.banks = 32;
  m.sector_bytes = 32;
  m.line_bytes = 128;
  m.vector_bytes = 16;
  m.cluster = largest_cluster(f);
  m.l1_bytes = f.shared_sm + 28 * KiB;
  m.l2_block = f.l2_bytes >= 32 * MiB;  // so much of it L2 blocks take (docs/decisions/0038)
  double const promised = promised_bandwidth(f), measured = promised > 0 ? 0 : measure();
  constexpr double an_sm =
      1.5e10;  // where nothing is known: between what cards for games and for data centres have
  m.copy_bandwidth = promised > 0 ? promised : measured > 0 ? measured : an_sm * double(f.sms);
  return m;
}

}  // namespace

double promised_bandwidth(DeviceFacts const& f) {
  return copied_share * 2e3 * double(f.memory_clock) * double(f.memory_width) / 8;
}

Machine machine_from(DeviceFacts const& f, std::function<double()> const& measure) {
  auto const known = known_machine(f);
  Machine m = known ? *known : derived(f, measure);
  m.architecture = architecture_of(f);
  m.sms = f.sms;
  m.threads_block = f.threads_block;
  m.threads_sm = f.threads_sm;
  m.blocks_sm = f.blocks_sm;
  m.registers_sm = f.registers_sm;
  m.shared_block = f.shared_block;
  m.shared_sm = f.shared_sm;
  m.shared_reserved = f.shared_reserved;
  m.l2_bytes = f.l2_bytes;
  m.memory_bytes = f.memory_bytes;
  check(m);
  return m;
}

DeviceFacts read_facts(int device) {
  Driver const& d = demand_driver();
  DeviceHandle handle = 0;
  demand(d.device(&handle, device), "finding the device");
  auto const fact = [&](DeviceFact which) {
    int value = 0;
    demand(d.device_fact(&value, int(which), handle), "reading a device attribute");
    return Index(value);
  };
  /// Those that newer drivers may stop reporting.
  auto const if_told = [&](DeviceFact which) {
    int value = 0;
    return d.device_fact(&value, int(which), handle) == 0 && value > 0 ? Index(value) : 0;
  };
  DeviceFacts f;
  f.title = device_title(device);
  f.major = int(fact(DeviceFact::major));
  f.minor = int(fact(DeviceFact::minor));
  f.sms = fact(DeviceFact::sms);
  f.threads_block = fact(DeviceFact::threads_block);
  f.threads_sm = fact(DeviceFact::threads_sm);
  f.blocks_sm = fact(DeviceFact::blocks_sm);
  f.warp = fact(DeviceFact::warp);
  f.registers_sm = fact(DeviceFact::registers_sm);
  f.shared_block = fact(DeviceFact::shared_block);
  f.shared_sm = fact(DeviceFact::shared_sm);
  f.shared_reserved = fact(DeviceFact::shared_reserved);
  f.l2_bytes = fact(DeviceFact::l2_bytes);
  f.memory_clock = if_told(DeviceFact::memory_clock);
  f.memory_width = if_told(DeviceFact::memory_width);
  f.clusters = fact(DeviceFact::cluster_launch) != 0;
  std::size_t bytes = 0;
  demand(d.device_memory(&bytes, handle), "reading the device's memory size");
  f.memory_bytes = Index(bytes);
  return f;
}

}  // namespace skipper::gpu
