// See device.h.
#include "device.h"

#include <skipper/planning.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/environment.h"
#include "precision.h"

namespace skipper::fftw3 {
namespace {

// What a thread computes in a second by the usual count of operations, in L2: doubles; floats are twice as many.
constexpr double operations_a_second = 7e9;
// Copies of pageable memory over the link, one way at a time, and what a call takes beside them.
constexpr double link_bytes_a_second = 1.5e10, call_seconds = 5e-5;
// Nothing smaller is worth asking the planner for.
constexpr double least_bytes = 1 << 17;

struct Named {
  std::string name, machine;
};

/// What the environment names, if it can be used.
std::optional<Named> named_device() {
  std::string const name = environment("SKIPPER_FFTW_DEVICE");
  if (name.empty() || name == "cpu") return std::nullopt;
  try {
    std::string const found = Device(name).name();
    if (found == "cpu") return std::nullopt;  // "best", where that is the CPU
    for (DeviceDescription const& device : devices())
      if (device.name == found) return Named{found, device.machine};
    throw Error("SKIPPER_FFTW_DEVICE", "names no device that can be used");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "libskipper_%s3: SKIPPER_FFTW_DEVICE=%s cannot be used, so the CPU is: %s\n", prefix,
                 visible(name, "").c_str(), e.what());
  }
  return std::nullopt;
}

double elements(Problem const& problem) {
  double count = 1;
  for (Axis const& axis : problem.axes) count *= static_cast<double>(axis.size);
  for (Dim const& dim : problem.batch) count *= static_cast<double>(dim.size);
  return count;
}

double bytes_of(Problem const& problem) {  // of one side
  return elements(problem) * static_cast<double>(sizeof(Real)) * (problem.kind == Kind::c2c ? 2 : 1);
}

}  // namespace

Estimates estimates(Problem const& problem, int threads, std::string const& machine) {
  double points = 1;
  for (Axis const& axis : problem.axes) points *= static_cast<double>(axis.size);
  double const operations =
      (problem.kind == Kind::c2c ? 5 : 2.5) * elements(problem) * std::log2(std::max(points, 2.0));
  double const rate = operations_a_second * 8 / static_cast<double>(sizeof(Real)) * std::max(threads, 1);
  return {operations / rate,
          planned(problem, machine)[0].seconds + 2 * bytes_of(problem) / link_bytes_a_second + call_seconds};
}

std::optional<Device> device_for(Problem const& problem, int threads) try {
  static std::optional<Named> const* const named = new std::optional<Named>(named_device());
  if (!*named || bytes_of(problem) < least_bytes) return std::nullopt;
  Estimates const seconds = estimates(problem, threads, (*named)->machine);
  if (seconds.gpu >= seconds.cpu) return std::nullopt;
  return Device((*named)->name);
} catch (std::exception const& e) {
  log_refusal(problem, e.what());
  return std::nullopt;
}

void log_refusal(Problem const& problem, char const* why) {
  if (!switched_on("SKIPPER_LOG")) return;
  std::fprintf(stderr, "skipper %s: %s: the GPU cannot do it, so the CPU does: %s\n", prefix,
               text(problem).c_str(), why);
}

}  // namespace skipper::fftw3
