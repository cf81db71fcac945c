// Checks of settings that plans, convolutions and solvers share, and what the engines are told of them.
#pragma once

#include <skipper/device.h>
#include <skipper/distributed.h>
#include <skipper/plan.h>
#include <skipper/settings.h>

#include "cpu/engine.h"

namespace skipper {

/// Throws Error where a field makes no sense.
void check_settings(CpuSettings const& settings);
void check_settings(GpuSettings const& settings);
void check_settings(Callbacks const& callbacks);

/// Throws Error where the device is named and is a GPU, and a field is not its default.
void demand_cpu(CpuSettings const& settings, Device const& device);

/// The same where it is the CPU.
void demand_gpu(GpuSettings const& settings, Device const& device);

/// Throws Error for a program or a tuning file, which are for plans. `what`: "a convolution".
void demand_no_program(GpuSettings const& settings, char const* what);

/// Throws Error for settings of GPUs on a rank that is on a CPU, and the reverse.
void demand_for_rank(DistributedSettings const& settings, bool on_gpu);

/// Throws Error for a device beside a list of devices, which would not be looked at.
void demand_no_device(DistributedSettings const& settings);

cpu::Options cpu_options(CpuSettings const& settings);

}  // namespace skipper
