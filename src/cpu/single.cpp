// See single.h. Passes cost what radices.h says of them, times the vectors they take over those that would do if all lanes
// of the widest were filled: 10 columns in vectors of 8 lanes, where there are some of 16, take two for 10/16 of one.
#include "cpu/single.h"

#include "cpu/line.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

/// Vectors of `lanes` over `count` numbers, the last one overlapping, in those that the widest would take.
double waste(Index count, Index lanes, Index widest) {
  Index const vectors = (count + lanes - 1) / lanes;
  return static_cast<double>(vectors * widest) / static_cast<double>(count);
}

Index widest_up_to(Index count, Kernels const& kernels) {
  for (int i = 0; i + 1 < kernels.tables; ++i)
    if (kernels.table[i].lanes <= count) return kernels.table[i].lanes;
  return least_lanes(kernels);
}

double cost_of(SingleCut const& cut, Index n, Kernels const& kernels, int scalar_bytes) {
  Index const widest = max_lanes(kernels), lanes = cut.first->lanes;
  auto const& radices = cut.radices;
  bool const blocked = radices[0] % lanes == 0;
  double cost = 0;
  Index before = 1;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    PassCost const pass = pass_cost(radices[i], scalar_bytes);
    Index const columns = i == 0 ? n / radices[0] : before;
    double const each = i == 0 ? pass.first_line : i + 1 < radices.size() ? pass.inner : pass.last;
    cost += each * waste(columns, i == 0 || blocked ? lanes : widest_up_to(columns, kernels), widest);
    before *= radices[i];
  }
  return cut.small ? 0.7 * cost : cost;  // no scratch between its passes
}

}  // namespace

template <class T>
SingleCut cut_single(Index n, Kernels const& kernels) {
  SingleCut cut;
  for (int i = 0; i < kernels.tables; ++i) {
    PassTable const& table = kernels.table[i];
    Index const r = n / table.lanes;
    if (n % table.lanes || r > max_radix || !table.whole->small_line[r]) continue;
    return {&table, table.whole->small_line[r], {static_cast<int>(r), table.lanes}};
  }
  // The widest vectors whose first radix can be a multiple of the lanes; failing that, the widest that fit at all.
  for (int i = 0; i < kernels.tables && cut.radices.empty(); ++i) {
    cut.first = &kernels.table[i];
    cut.radices = line_radices(n, cut.first->lanes, sizeof(T));
    if (i + 1 < kernels.tables && !cut.radices.empty() && cut.radices[0] % cut.first->lanes) {
      auto narrow = line_radices(n, kernels.table[i + 1].lanes, sizeof(T));
      if (line_cost(narrow, sizeof(T)) < line_cost(cut.radices, sizeof(T))) cut.radices.clear();
    }
  }
  return cut;
}

template <class T>
bool better_as_columns(Index n, Kernels const& kernels) {
  constexpr Index most = 2048;                       // points, so that a tile of lines is a part of L2
  constexpr double transposed = 90 * sizeof(T);      // there, and the same back: about a pass of radix 4
  if (n > most || !has_passes(n)) return false;
  SingleCut const single = cut_single<T>(n, kernels);
  if (single.radices.empty()) return true;
  auto const radices = line_radices(n, 1, sizeof(T));
  double columns = 2 * transposed;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    PassCost const pass = pass_cost(radices[i], sizeof(T));
    columns += i + 1 < radices.size() ? pass.inner : pass.last;
  }
  return columns < cost_of(single, n, kernels, sizeof(T));
}

template SingleCut cut_single<float>(Index, Kernels const&);
template SingleCut cut_single<double>(Index, Kernels const&);
template bool better_as_columns<float>(Index, Kernels const&);
template bool better_as_columns<double>(Index, Kernels const&);

}  // namespace skipper::cpu
