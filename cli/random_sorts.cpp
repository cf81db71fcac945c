// See random_sorts.h.
#include "random_sorts.h"

namespace skipper::cli {

std::vector<RandomSort> const& random_sorts() {
  static std::vector<RandomSort> const all{random_convolutions(), random_exchanges(), random_poisson(),
                                           random_streams()};
  return all;
}

}  // namespace skipper::cli
