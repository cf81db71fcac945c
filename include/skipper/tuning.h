// Tuning: programs that were measured to be the fastest on a GPU, in a text file that later plans read. `skipper tune`
// measures the planner's candidates and writes it.
#pragma once

#include <skipper/device.h>

#include <string>
#include <vector>

namespace skipper {

// The file that plans for the device read unless GpuSettings::tuning names another: the one in the variable
// SKIPPER_TUNING, else tuning-h200.txt or the like in the folder of compiled kernels, which SKIPPER_CACHE names; empty where
// nothing is kept.
std::string tuning_file(Device const& device);

// Writes programs, as planning.h gives them, into the file, in place of those that it has for the same problems. Those
// of another version are dropped, since they could not be used. Throws Error where the file is for another machine, is
// something else, or cannot be written.
void keep_tuned(std::string const& file, Device const& device, std::vector<std::string> const& programs);

}  // namespace skipper
