// See tables.h.
#include "cpu/tables.h"

#include "cpu/pool.h"

namespace skipper::cpu {

void TableMaker::over(Index rows, Index row, std::function<void(Index, Index)> const& body) const {
  constexpr Index enough = 1 << 14;  // values that are worth another thread
  if (team_.threads == 1 || rows < 2 || rows * row < enough) return body(0, rows);
  parallel_for(rows, team_, [&](int, Index begin, Index end) { body(begin, end); });
}

}  // namespace skipper::cpu
