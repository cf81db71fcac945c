// Chooses the algorithm of a line.
#include "cpu/line.h"

#include "base/numbers.h"
#include "cpu/radices.h"

namespace skipper::cpu {

template <class T>
bool rader_applies(LineSpec const& spec, Kernels const& kernels) {
  if (!is_prime(spec.n) || !has_passes(spec.n - 1)) return false;
  Index const lanes = spec.one_line ? least_lanes(kernels) : 1;
  auto const radices = line_radices(spec.n - 1, lanes, sizeof(T));
  if (radices.empty() || is_smooth(spec.n - 1, max_radix_prime)) return !radices.empty();
  Index const other = convolution_length(2 * spec.n - 1, lanes, sizeof(T));
  return line_cost(radices, sizeof(T)) < line_cost(line_radices(other, lanes, sizeof(T)), sizeof(T));
}

template <class T>
bool one_line_applies(Index n, Kernels const& kernels) {
  if (!is_smooth(n, max_radix_prime)) return true;  // by way of another line that does, or of its own outputs
  return !line_radices(n, least_lanes(kernels), sizeof(T)).empty();
}

template <class T>
bool one_line_has_passes(Index n, Kernels const& kernels) {
  return has_passes(n) && !line_radices(n, least_lanes(kernels), sizeof(T)).empty();
}

template <class T>
std::unique_ptr<Line<T> const> make_line(LineSpec const& spec, TableMaker& tables) {
  Kernels const& kernels = tables.kernels;
  bool const passes = spec.one_line ? one_line_has_passes<T>(spec.n, kernels) : has_passes(spec.n);
  if (passes) return make_smooth<T>(spec, tables);
  if (spec.one_line && spec.n <= max_symmetric_line && is_prime(spec.n))
    return make_symmetric_prime_line<T>(spec, tables);
  if (rader_applies<T>(spec, kernels)) return make_rader<T>(spec, tables);
  if (spec.one_line && dit_radix(spec.n) > 1) return make_dit_line<T>(spec, tables);
  return make_bluestein<T>(spec, tables);
}

template bool rader_applies<float>(LineSpec const&, Kernels const&);
template bool rader_applies<double>(LineSpec const&, Kernels const&);
template bool one_line_applies<float>(Index, Kernels const&);
template bool one_line_applies<double>(Index, Kernels const&);
template bool one_line_has_passes<float>(Index, Kernels const&);
template bool one_line_has_passes<double>(Index, Kernels const&);
template std::unique_ptr<Line<float> const> make_line(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_line(LineSpec const&, TableMaker&);

}  // namespace skipper::cpu
