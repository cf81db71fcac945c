// The same times of Skipper's own interface: `overhead_own exec` or `overhead_own plan`.
#include <skipper/plan.h>

#include <complex>
#include <string>

#include "measure.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  Device::get();
  skipper::PlanSettings settings;
  settings.device = skipper::Device("cuda:0");
  bool const planning = std::string(argv[1]) == "plan";
  double const begin = seconds();
  skipper::Plan const plan(skipper::c2c({planning ? 1 << 20 : points}), settings);
  if (planning) {
    std::printf("%.1f\n", (seconds() - begin) * 1e3);
    return 0;
  }
  DeviceArray const in(points * sizeof(std::complex<float>)), out(points * sizeof(std::complex<float>));
  auto const* const from = static_cast<std::complex<float> const*>(in.at);
  auto* const to = static_cast<std::complex<float>*>(out.at);
  std::printf("%.0f\n", nanoseconds([&] { plan.execute(from, to); }));
}
