// Which algorithm a line takes.
#include "cpu/line.h"

#include "base/numbers.h"
#include "cpu/radices.h"

namespace skipper::cpu {

template <class T>
bool takes_single(Index n, Kernels const& kernels) {
  if (!is_smooth(n, largest_radix_prime))  // by way of another line that does
    return n >= 32 ||
           (is_prime(n) && is_smooth(n - 1, largest_radix_prime) && takes_single<T>(n - 1, kernels));
  return !line_radices(n, least_lanes(kernels), sizeof(T)).empty();
}

template <class T>
std::unique_ptr<Line<T> const> make_line(LineSpec const& spec, Kernels const& kernels) {
  if (is_smooth(spec.n, largest_radix_prime)) return make_smooth<T>(spec, kernels);
  if (is_prime(spec.n) && is_smooth(spec.n - 1, largest_radix_prime) &&
      (!spec.single || takes_single<T>(spec.n - 1, kernels)))
    return make_rader<T>(spec, kernels);
  return make_bluestein<T>(spec, kernels);
}

template bool takes_single<float>(Index, Kernels const&);
template bool takes_single<double>(Index, Kernels const&);
template std::unique_ptr<Line<float> const> make_line(LineSpec const&, Kernels const&);
template std::unique_ptr<Line<double> const> make_line(LineSpec const&, Kernels const&);

}  // namespace skipper::cpu
