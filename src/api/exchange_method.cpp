// Names of exchanges, and which of them was measured to be best on a topology.
#include <skipper/distributed.h>

#include <array>

#include "api/agreement.h"
#include "api/engine.h"
#include "gpu/cache.h"
#include "gpu/device.h"

namespace skipper {
namespace {

// In the order of ExchangeMethod, all of it: what has no name is no method.
constexpr std::array names = {"automatic", "direct", "messages", "fused", "swap", "staged", "host"};

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

bool is_method(ExchangeMethod method) { return static_cast<std::size_t>(method) < names.size(); }

char const* name(ExchangeMethod method) {
  auto const i = static_cast<std::size_t>(method);
  return i < names.size() ? names[i] : "no method";
}

ExchangeMethod parse_exchange(std::string const& given) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (given == names[i]) return static_cast<ExchangeMethod>(i);
    known += (known.empty() ? "" : ", ") + std::string(names[i]);
  }
  throw Error("exchange", "is '" + given.substr(0, 40) + "' but must be one of " + known);
}

ExchangeMethod kept_exchange(std::vector<Device> const& devices) {
  auto const kept = gpu::fetch(topology(devices));
  if (kept)
    for (std::size_t i = 1; i < names.size(); ++i)
      if (*kept == names[i]) return static_cast<ExchangeMethod>(i);
  return ExchangeMethod::fused;
}

void keep_exchange(std::vector<Device> const& devices, ExchangeMethod method) {
  gpu::keep(topology(devices), name(method));
}

}  // namespace skipper
