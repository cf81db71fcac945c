// The values of a lowered sweep's twiddle tables.
#include "base/roots.h"
#include "plan/lower/lower.h"

namespace skipper {
namespace {

template <class T, class Root>
std::vector<std::complex<T>> values(Lowered const& lowered, Root root) {
  std::vector<std::complex<T>> out;
  for (RootTable const& t : lowered.tables)
    for (Index row = 0; row < t.rows; ++row)
      for (Index column = 0; column < t.columns; ++column)
        out.push_back(root((t.doubling ? Index(1) << row : row + 1) * column * t.step, t.order));
  return out;
}

}  // namespace

std::vector<std::complex<float>> roots32(Lowered const& lowered) {
  return values<float>(lowered, [](Index k, Index n) { return root32(k, n); });
}
std::vector<std::complex<double>> roots64(Lowered const& lowered) {
  return values<double>(lowered, [](Index k, Index n) { return root64(k, n); });
}
}  // namespace skipper
