// What a planner call of cuFFT asks for, as a value: the same for its simple and its advanced layouts, 32-bit and 64-bit
// sizes, cufftType and cudaDataType. Direction and placement come with an execution, not with the plan.
#pragma once

#include <skipper/problem.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cufftXt.h"

namespace skipper::cufft {

using Index = std::int64_t;

/// Kind and precision of the arrays.
struct Elements {
  Kind kind = Kind::c2c;
  Precision precision = Precision::f32;

  bool operator==(Elements const&) const = default;
};

/// Nothing for what cuFFT, or Skipper, has not. What is computed in may be named by its real or its complex type.
std::optional<Elements> elements_of(cufftType type);
std::optional<Elements> elements_of(cudaDataType in, cudaDataType out, cudaDataType computed);

/// Strides of one side of an advanced layout, in elements of that side.
struct Side {
  std::vector<Index> strides;  // of each axis
  Index distance = 0;          // from one transform of the batch to the next
};

struct Call {
  Elements elements;
  std::vector<Index> shape;  // slowest axis first
  Index batch = 1;
  std::optional<Side> in, out;  // both or none; none: dense, and in place real rows are padded
};

/// A layout as a caller gives it.
template <class T>
struct Layout {
  T const* in_embed;
  T in_stride, in_distance;
  T const* out_embed;
  T out_stride, out_distance;
};

/// Fills in a call. Success, or cuFFT's code for what is wrong with it.
template <class T>
cufftResult fill(Call& call, int rank, T const* shape, Layout<T> const& layout, T batch);

/// How the arrays of an execution lie to each other, and what a Problem is made of it. together: in place. staged: as
/// together, but the input is in another array, to which it was copied.
enum class Arrays { apart, together, staged };

/// The bytes of a complex number: what addresses must be a multiple of.
Index complex_bytes(Precision precision);

/// Throws Error where Skipper has no such problem.
Problem problem_of(Call const& call, Direction direction, Arrays arrays);

/// One line, for logs.
std::string text(Call const& call);

}  // namespace skipper::cufft
