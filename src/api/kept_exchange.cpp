// Which exchange was measured to be best on a topology.
#include <skipper/distributed.h>

#include "api/agreement.h"
#include "api/engine.h"
#include "gpu/cache.h"
#include "gpu/device.h"

namespace skipper {
namespace {

/// The GPUs of the ranks: their titles, and which ranks share one.
std::string topology(std::vector<Device> const& devices) {
  std::string text = "exchange\n";
  for (Device const& device : devices) {
    auto const number = cuda_number(device.name());
    if (!number) throw Error("devices", "names " + device.name() + ", which is no GPU");
    std::size_t first = 0;
    while (!(devices[first] == device)) ++first;
    text += gpu::device_title(*number) + " of rank " + std::to_string(first) + "\n";
  }
  return text;
}

}  // namespace

ExchangeMethod kept_exchange(std::vector<Device> const& devices) {
  auto const kept = gpu::fetch(topology(devices));
  if (kept)
    for (int i = 1; is_method(ExchangeMethod(i)); ++i)
      if (*kept == name(ExchangeMethod(i))) return ExchangeMethod(i);
  return ExchangeMethod::fused;
}

void keep_exchange(std::vector<Device> const& devices, ExchangeMethod method) {
  gpu::save(topology(devices), name(method));
}

}  // namespace skipper
