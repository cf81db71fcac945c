// Prints a Problem as its canonical text; docs/problem-text.md has the grammar. A layout that
// dense_layout() would give prints nothing, so that the text of a usual problem is short.
#include <skipper/problem.h>

#include <charconv>

#include "base/kinds.h"

namespace skipper {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// The shortest digits that read back to the same double.
std::string number(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

template <class List, class Print>
std::string join(List const& list, char const* separator, Print print) {
  std::string result;
  for (auto const& item : list) {
    if (&item != list.data()) result += separator;
    result += print(item);
  }
  return result;
}

// "axes[/batch]" of one side.
template <class Stride>
std::string strides_text(Problem const& problem, Stride stride) {
  auto const print = [&](auto const& dim) { return number(stride(dim)); };
  std::string result = join(problem.axes, ",", print);
  if (!problem.batch.empty()) result.append("/").append(join(problem.batch, ",", print));
  return result;
}

}  // namespace

std::string_view name(Kind kind) { return facts(kind).name; }

std::string_view name(AxisKind kind) { return facts(kind).name; }

std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::f32:
      return "f32";
    case Precision::f64:
      return "f64";
    case Precision::f16:
      return "f16";
    case Precision::bf16:
      return "bf16";
  }
  return "?";
}

std::string_view name(Direction direction) {
  switch (direction) {
    case Direction::forward:
      return "forward";
    case Direction::inverse:
      return "inverse";
  }
  return "?";
}

std::string_view name(Norm norm) {
  switch (norm) {
    case Norm::none:
      return "none";
    case Norm::ortho:
      return "ortho";
  }
  return "?";
}

std::string text(Problem const& problem) {
  auto const size = [](auto const& dim) { return number(dim.size); };
  auto const kind = [](Axis const& axis) { return name(axis.kind); };
  auto const in = [](auto const& dim) { return dim.in_stride; };
  auto const out = [](auto const& dim) { return dim.out_stride; };
  std::string result{name(problem.kind)};
  result.append(" ").append(name(problem.precision));
  result.append(" ").append(name(problem.direction));
  result.append(" ").append(join(problem.axes, "x", size));

  bool all_fourier = true;
  for (Axis const& axis : problem.axes) all_fourier = all_fourier && axis.kind == AxisKind::fourier;
  if (!all_fourier) result.append(" kinds ").append(join(problem.axes, ",", kind));
  if (!problem.batch.empty()) result.append(" batch ").append(join(problem.batch, "x", size));

  bool padded = false, cropped = false;
  for (Axis const& axis : problem.axes) {
    padded = padded || axis.in_count != 0;
    cropped = cropped || axis.out_first != 0 || axis.out_count != 0;
  }
  if (padded)
    result.append(" load ").append(join(problem.axes, "x", [](Axis const& a) { return number(a.in_count); }));
  if (cropped)
    result.append(" keep ").append(join(
        problem.axes, "x", [](Axis const& a) { return number(a.out_first) + "+" + number(a.out_count); }));

  Problem const usual = dense_layout(problem);
  std::string const in_strides = strides_text(problem, in);
  std::string const out_strides = strides_text(problem, out);
  if (in_strides != strides_text(usual, in)) result.append(" in ").append(in_strides);
  if (out_strides != strides_text(usual, out)) result.append(" out ").append(out_strides);
  if (problem.scale != 1) result.append(" scale ").append(number(problem.scale));
  if (problem.norm != Norm::none) result.append(" norm ").append(name(problem.norm));
  if (problem.placement == Placement::in_place) result += " in-place";
  if (problem.order == Order::reversed) result += " reversed";
  if (problem.order == Order::from_reversed) result += " from-reversed";
  return result;
}

}  // namespace skipper
