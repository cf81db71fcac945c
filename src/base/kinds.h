// The kinds of transforms, one row each, and what follows from a row. Planner, CPU engine, references, parser and
// programs read them here. With N the logical size, as FFTW calls it, an axis computes
//   X[k] = sum over j of c[j] x[j] f(2 pi (j + a) (k + b) / N)
// where f is exp(-i t), cos, sin or cas = cos + sin. c is 1 for exp and cas. Cosines and sines are the transform of an
// even or odd extension to N points, in which every input stands twice: c is 2, but 1 at an end point, an input that
// is its own mirror image.
#pragma once

#include <skipper/problem.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/index.h"

namespace skipper {

enum class Basis { exponential, cosine, sine, cas };

/// The shift of input or output points: a or b of the formula above.
enum class Shift { none, half, one };

/// N is the number of core points or, for an extension, twice as many. The core has n points, or one less or more.
struct KindFacts {
  std::string_view name = "?";
  AxisKind inverse = AxisKind::fourier;  // up to the factor N
  Basis basis = Basis::exponential;
  Shift in = Shift::none, out = Shift::none;
  int core_beyond = 0;  // core points less n
  int fftw = -1;        // number of FFTW's r2r kind
};

/// The table. The compiler warns here of a kind without a row; a value that is no kind gets the name "?".
constexpr KindFacts facts(AxisKind kind) {
  using enum AxisKind;
  using enum Basis;
  using enum Shift;
  switch (kind) {
    case fourier:
      return {"fourier", fourier, exponential, none, none, 0, -1};
    case dct1:
      return {"dct1", dct1, cosine, none, none, -1, 3};
    case dct2:
      return {"dct2", dct3, cosine, half, none, 0, 5};
    case dct3:
      return {"dct3", dct2, cosine, none, half, 0, 4};
    case dct4:
      return {"dct4", dct4, cosine, half, half, 0, 6};
    case dst1:
      return {"dst1", dst1, sine, one, one, 1, 7};
    case dst2:
      return {"dst2", dst3, sine, half, one, 0, 9};
    case dst3:
      return {"dst3", dst2, sine, one, half, 0, 8};
    case dst4:
      return {"dst4", dst4, sine, half, half, 0, 10};
    case dht:
      return {"dht", dht, cas, none, none, 0, 2};
  }
  return {};
}

/// The facts of a problem's kind: the element types of both sides, and its direction where it has only one.
struct ProblemKindFacts {
  std::string_view name = "?";
  Kind inverse = Kind::c2c;
  bool real_in = false, real_out = false;
  std::optional<Direction> only;
};

constexpr ProblemKindFacts facts(Kind kind) {
  switch (kind) {
    case Kind::c2c:
      return {"c2c", Kind::c2c, false, false, {}};
    case Kind::r2c:
      return {"r2c", Kind::c2r, true, false, Direction::forward};
    case Kind::c2r:
      return {"c2r", Kind::r2c, false, true, Direction::inverse};
    case Kind::r2r:
      return {"r2r", Kind::r2r, true, true, Direction::forward};
  }
  return {};
}

/// The number of enumerators, which count from 0 and all have a row.
template <class Enum>
constexpr int count_of_kinds() {
  int n = 0;
  while (facts(static_cast<Enum>(n)).name != "?") ++n;
  return n;
}

template <class Enum>
constexpr auto list_of_kinds() {
  std::array<Enum, std::size_t(count_of_kinds<Enum>())> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<Enum>(i);
  return list;
}

inline constexpr auto all_kinds = list_of_kinds<Kind>();
inline constexpr auto all_axis_kinds = list_of_kinds<AxisKind>();

/// Kinds between real arrays: all but fourier.
inline constexpr auto real_axis_kinds = [] {
  std::array<AxisKind, all_axis_kinds.size() - 1> list{};
  std::copy(all_axis_kinds.begin() + 1, all_axis_kinds.end(), list.begin());
  return list;
}();

/// Whether the kind is the transform of an even or odd extension.
constexpr bool is_extension(AxisKind kind) {
  return facts(kind).basis == Basis::cosine || facts(kind).basis == Basis::sine;
}

/// The length of the core transform that the kind comes down to, which is of reals for all kinds but fourier.
constexpr Index core_length(AxisKind kind, Index n) { return n + facts(kind).core_beyond; }

/// N, by which a kind and its inverse together multiply.
constexpr Index logical_size(AxisKind kind, Index n) {
  return (is_extension(kind) ? 2 : 1) * core_length(kind, n);
}

/// The least n whose core is not empty.
constexpr Index smallest_size(AxisKind kind) { return std::max<Index>(1, 1 - facts(kind).core_beyond); }

/// Which points of a side are end points: their own mirror images in the extension. Norm::ortho multiplies inputs there by
/// sqrt(2) and divides outputs there by it.
struct EndPoints {
  bool first = false, last = false;
  constexpr bool operator()(Index i, Index n) const { return (first && i == 0) || (last && i == n - 1); }
};
constexpr EndPoints end_points(AxisKind kind, Shift shift) {
  // Point i stands at i + shift, and its mirror image at N - i - shift: the two are one at 0 and at N/2.
  bool const extends = is_extension(kind) && shift != Shift::half;
  int const beyond = facts(kind).core_beyond + (shift == Shift::one ? 0 : 1);  // of N/2 and the last point
  return {extends && shift == Shift::none, extends && beyond == 0};
}
constexpr EndPoints in_end_points(AxisKind kind) { return end_points(kind, facts(kind).in); }
constexpr EndPoints out_end_points(AxisKind kind) { return end_points(kind, facts(kind).out); }

}  // namespace skipper
