// See gaps.h.
#include "reference/gaps.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace skipper::reference {
namespace {

struct Loop {
  std::int64_t size, stride;
};

void mark(std::vector<Loop> const& loops, std::size_t d, std::int64_t at, std::vector<bool>& written) {
  if (d == loops.size()) {
    written[std::size_t(at)] = true;
    return;
  }
  for (std::int64_t i = 0; i < loops[d].size; ++i) mark(loops, d + 1, at + i * loops[d].stride, written);
}

}  // namespace

bool gaps_are_untouched(Problem const& problem, void const* out) {
  auto const element = std::size_t(out_element_bytes(problem));
  auto const span = std::size_t(out_bytes(problem)) / element;
  std::vector<Loop> loops;
  std::size_t outputs = 1;
  for (Dim const& d : problem.batch) loops.push_back({d.size, d.out_stride});
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    loops.push_back({out_size(problem, a), problem.axes[a].out_stride});
  for (Loop const& l : loops) outputs *= std::size_t(l.size);
  if (outputs == span) return true;
  std::vector<bool> written(span);
  mark(loops, 0, 0, written);
  auto const* const bytes = static_cast<unsigned char const*>(out);
  for (std::size_t i = 0; i < span; ++i)
    if (!written[i] && std::any_of(bytes + i * element, bytes + (i + 1) * element,
                                   [](unsigned char b) { return b != 0xff; }))
      return false;
  return true;
}

}  // namespace skipper::reference
