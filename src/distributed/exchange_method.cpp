// See exchange_method.h and skipper/distributed.h.
#include "distributed/exchange_method.h"

#include <skipper/error.h>

#include <array>

namespace skipper {
namespace {

// In the order of ExchangeMethod, all of it: what has no name is no method.
constexpr std::array method_names = {"automatic", "direct", "messages", "fused", "swap", "staged", "host"};

}  // namespace

bool is_method(ExchangeMethod method) { return static_cast<std::size_t>(method) < method_names.size(); }

char const* name(ExchangeMethod method) {
  return is_method(method) ? method_names[static_cast<std::size_t>(method)] : "no method";
}

ExchangeMethod parse_exchange(std::string const& given) {
  std::string known;
  for (std::size_t i = 0; i < method_names.size(); ++i) {
    if (given == method_names[i]) return static_cast<ExchangeMethod>(i);
    known += (known.empty() ? "" : ", ") + std::string(method_names[i]);
  }
  throw Error("exchange", "is '" + given.substr(0, 40) + "' but must be one of " + known);
}

}  // namespace skipper
