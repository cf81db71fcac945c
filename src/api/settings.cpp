// See settings.h.
#include "api/settings.h"

#include <string>

#include "base/check_enum.h"
#include "cpu/pool.h"

namespace skipper {
namespace {

[[noreturn]] void refuse(char const* argument, Device const& device, char const* other) {
  throw Error(argument,
              "is given but the plan is for " + device.name() + "; leave it out, or ask for " + other);
}

/// The first field that is not its default; null where all are.
char const* first_given(CpuSettings const& settings) {
  if (settings.threads != 0) return "cpu.threads";
  if (settings.executor.run || settings.executor.threads != 0) return "cpu.executor";
  return settings.instruction_set.empty() ? nullptr : "cpu.instruction_set";
}

}  // namespace

void check_settings(CpuSettings const& settings) {
  cpu::resolved(settings.threads, settings.executor);  // throws where these make no sense
  if (settings.executor.threads != 0 && !settings.executor.run)
    throw Error("cpu.executor.threads", "is " + std::to_string(settings.executor.threads) +
                                            " but there is no cpu.executor.run; give it, or cpu.threads for "
                                            "threads of Skipper's own");
}

void check_settings(GpuSettings const& settings) {
  check_enum("gpu.host_arrays", settings.host_arrays, HostArrays::staged);
}

void check_settings(Callbacks const& callbacks) {
  if (callbacks.cuda_data && callbacks.cuda_load.empty() && callbacks.cuda_store.empty())
    throw Error("callbacks.cuda_data",
                "is given but there is no text that it could go to; give callbacks.cuda_load or "
                "callbacks.cuda_store, or leave it out");
}

void demand_cpu(CpuSettings const& settings, Device const& device) {
  if (device.is_best() || device.name() == "cpu") return;
  if (char const* const given = first_given(settings))
    refuse(given, device, "the device \"cpu\" or \"best\"");
}

void demand_for_rank(DistributedSettings const& settings, bool on_gpu) {
  char const* const given = on_gpu                      ? first_given(settings.cpu)
                            : settings.gpu.streams != 0 ? "gpu.streams"
                                                        : nullptr;
  if (given)
    throw Error(given, std::string("is given but the rank is on a ") + (on_gpu ? "GPU" : "CPU") +
                           "; leave it out, or give the rank another device");
}

void demand_no_device(DistributedSettings const& settings) {
  if (settings.device.is_best() || settings.device.name() != "cpu")
    throw Error("device", "is given beside devices, which name that of each rank; leave it out");
}

void demand_gpu(GpuSettings const& settings, Device const& device) {
  if (device.is_best() || device.name() != "cpu") return;
  char const* const other = "a GPU or the device \"best\"";
  if (settings.host_arrays != HostArrays::by_device) refuse("gpu.host_arrays", device, other);
  if (!settings.program.empty()) refuse("gpu.program", device, other);
  if (!settings.tuning.empty()) refuse("gpu.tuning", device, other);
}

void demand_no_program(GpuSettings const& settings, char const* what) {
  if (settings.program.empty() && settings.tuning.empty()) return;
  throw Error(settings.program.empty() ? "gpu.tuning" : "gpu.program",
              "is given but " + std::string(what) + " takes none; leave it out");
}

cpu::Options cpu_options(CpuSettings const& settings) {
  cpu::Options options;
  options.threads = settings.threads;
  options.instruction_set = settings.instruction_set;
  options.executor = settings.executor;
  return options;
}

}  // namespace skipper
