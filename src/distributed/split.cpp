// See split.h.
#include "distributed/split.h"

#include <algorithm>
#include <numeric>

#include "base/numbers.h"

namespace skipper::distributed {
namespace {

/// The dimensions of the slower and the faster digit, and the size of the faster.
struct Places {
  std::size_t slow = 0, fast = 0;
  Index row = 1;
};

/// In natural order.
Places natural_places(SplitAxis const& digits, Problem const& of_digits, bool input) {
  std::size_t const first = of_digits.batch.size() + digits.axis, second = first + 1;
  return input ? Places{first, second, digits.second} : Places{second, first, digits.first};
}

}  // namespace

Problem problem_of_digits(Problem const& problem, SplitAxis const& digits) {
  Problem result = problem;
  auto const at = result.axes.begin() + std::ptrdiff_t(digits.axis);
  at->size = digits.first;
  Axis second = *at;
  second.size = digits.second;
  result.axes.insert(at + 1, second);
  return dense_layout(std::move(result));
}

Problem problem_of_axis(Problem const& of_digits, SplitAxis const& digits) {
  Problem result = of_digits;
  auto const at = result.axes.begin() + std::ptrdiff_t(digits.axis);
  at->size = digits.first * digits.second;
  result.axes.erase(at + 1);
  return dense_layout(std::move(result));
}

std::vector<std::size_t> array_order(std::optional<Split> const& split, Problem const& problem, bool input) {
  std::vector<std::size_t> order(problem.batch.size() + problem.axes.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (!split) return order;
  auto const at = order.begin() + std::ptrdiff_t(problem.batch.size() + split->digits.axis);
  bool const permuted = split->order(input) == AxisOrder::permuted;
  if (permuted == input) std::swap(at[0], at[1]);
  return order;
}

std::optional<Box> caller_box(std::optional<Split> const& split, Problem const& problem, bool input,
                              Box const& box) {
  if (!split) return box;
  Box seen = box;
  if (split->order(input) == AxisOrder::permuted) {
    std::vector<std::size_t> const order = array_order(split, problem, input);
    for (std::size_t d = 0; d < order.size(); ++d) {
      seen.first[d] = box.first[order[d]];
      seen.size[d] = box.size[order[d]];
    }
    return seen;
  }
  auto const [slow, fast, row] = natural_places(split->digits, problem, input);
  if (!is_empty(box) && box.size[fast] != row && box.size[slow] != 1) return std::nullopt;
  std::size_t const at = std::min(slow, fast), gone = std::max(slow, fast);
  seen.first[at] = box.first[slow] * row + box.first[fast];
  seen.size[at] = box.size[slow] * box.size[fast];
  seen.first.erase(seen.first.begin() + std::ptrdiff_t(gone));
  seen.size.erase(seen.size.begin() + std::ptrdiff_t(gone));
  return seen;
}

std::optional<Box> box_of_digits(SplitAxis const& digits, Problem const& of_digits, bool input,
                                 Box const& box) {
  auto const [slow, fast, row] = natural_places(digits, of_digits, input);
  std::size_t const at = std::min(slow, fast);
  Index const first = box.first[at], size = box.size[at];
  Box result = box;
  for (std::vector<Index>* list : {&result.first, &result.size})
    list->insert(list->begin() + std::ptrdiff_t(at), 0);
  if (is_empty(box)) {
    std::fill(result.first.begin(), result.first.end(), 0);
    std::fill(result.size.begin(), result.size.end(), 0);
    return result;
  }
  bool const rows = first % row == 0 && size % row == 0;
  if (!rows && first / row != (first + size - 1) / row) return std::nullopt;
  result.first[slow] = first / row;
  result.size[slow] = rows ? size / row : 1;
  result.first[fast] = first % row;
  result.size[fast] = rows ? row : size;
  return result;
}

Index global_index(std::optional<Split> const& split, Problem const& problem, bool input,
                   std::vector<Index> const& sizes, Box const& box, Index i) {
  std::vector<std::size_t> const order = array_order(split, problem, input);
  std::vector<Index> at(sizes.size());
  for (std::size_t d = order.size(); d-- > 0; i /= box.size[order[d]])
    at[order[d]] = box.first[order[d]] + i % box.size[order[d]];
  std::optional<Split> natural = split;
  if (natural) natural->in = natural->out = AxisOrder::natural;
  Index global = 0;
  for (std::size_t const d : array_order(natural, problem, input)) global = global * sizes[d] + at[d];
  return global;
}

std::vector<std::pair<Index, Index>> digit_pairs(Index length, Index ranks) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index const a : divisors(length))
    if (a > 1 && a < length) pairs.emplace_back(a, length / a);
  auto const busiest = [&](std::pair<Index, Index> const& p) {
    auto const share = [&](Index n) { return (n + ranks - 1) / ranks; };
    return std::max(share(p.first) * p.second, share(p.second) * p.first);
  };
  std::stable_sort(pairs.begin(), pairs.end(), [&](auto const& a, auto const& b) {
    Index const more = busiest(a), less = busiest(b);
    if (more != less) return more < less;
    if (a.first + a.second != b.first + b.second) return a.first + a.second < b.first + b.second;
    return a.first > b.first;
  });
  return pairs;
}

std::optional<std::size_t> axis_short_of_lines(Problem const& problem, Index ranks) {
  std::size_t longest = 0;
  for (std::size_t a = 1; a < problem.axes.size(); ++a)
    if (problem.axes[a].size > problem.axes[longest].size) longest = a;
  Index lines = 1;
  auto const count = [&](Index size) { lines = lines >= ranks ? ranks : lines * std::min(size, ranks); };
  for (Dim const& dim : problem.batch) count(dim.size);
  for (std::size_t a = 0; a < problem.axes.size(); ++a)
    if (a != longest) count(problem.axes[a].size);
  if (lines >= ranks) return std::nullopt;
  return longest;
}

char const* why_not_split(Problem const& problem, std::size_t axis) {
  if (problem.axes[axis].kind != AxisKind::fourier) return "is no Fourier axis";
  if (halved_axis(problem) == axis) return "is the halved one of reals";
  if (is_16_bit(problem.precision)) return "is of a transform in f16 or bf16";
  for (Axis const& other : problem.axes)
    if (other.kind != AxisKind::fourier) return "is beside cosine or sine axes";
  return nullptr;
}

}  // namespace skipper::distributed
