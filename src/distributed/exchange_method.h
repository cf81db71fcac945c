// Methods of exchange by their names (skipper/distributed.h).
#pragma once

#include <skipper/distributed.h>

namespace skipper {

/// Whether it is a method, which is to have a name (exchange_method.cpp).
bool is_method(ExchangeMethod method);

}  // namespace skipper
