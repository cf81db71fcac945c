// SKIPPER_FFTW_DEVICE=cuda:0 lets large transforms run on a GPU, to which their arrays in host memory are copied and back.
#pragma once

#include <skipper/plan.h>

#include <optional>

namespace skipper::fftw3 {

/// The GPU that the environment names, where a model says that it is faster than so many threads of the CPU, copies included.
/// A device that cannot be used is said once on the standard error, and never asked for again.
std::optional<Device> device_for(Problem const& problem, int threads);

/// Says that the GPU could not do it after all.
void log_refusal(Problem const& problem, char const* why);

/// Seconds by the model: of the CPU by operations, of the GPU by the planner's estimate and what the link carries.
struct Estimates {
  double cpu = 0, gpu = 0;
};
Estimates estimates(Problem const& problem, int threads, std::string const& machine);

}  // namespace skipper::fftw3
