// What one call of a function of skipper.fft asks for, as values: the operation, the array's layout, the axes with their
// logical sizes. From these follow the output's layout, the problem, and the key under which its plan is kept.
#pragma once

#include <skipper/problem.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skipper::python {

// Element types of arrays. complex32 and its like in bfloat16 are pairs of 16-bit numbers.
enum class Scalar { float16, bfloat16, float32, float64, complex32, complex_bfloat16, complex64, complex128 };

bool is_complex(Scalar scalar);
Scalar complex_of(Scalar scalar);
Scalar real_of(Scalar scalar);
int bytes_of(Scalar scalar);

inline constexpr int max_dims = 64;
using Sizes = std::array<std::int64_t, max_dims>;

// Where an array's elements lie. Strides count elements.
struct Layout {
  Scalar scalar = Scalar::float64;
  int rank = 0;
  Sizes shape;
  Sizes strides;
};

// What is computed. `inverse` decides the sign of c2c and which way a norm scales. `kind` is for r2r alone.
enum class Scaling { backward, ortho, forward };
struct Operation {
  Kind kind = Kind::c2c;
  bool inverse = false;
  AxisKind axis_kind = AxisKind::fourier;
  Scaling scaling = Scaling::backward;
  bool orthogonalize = false;
};

// The transformed axes in the caller's order, and their logical sizes. The last one is halved by r2c and c2r.
struct Axes {
  int count = 0;
  std::array<int, max_dims> index;
  Sizes sizes;
};

enum class OutputPlace { dense, in_place, strided };

struct Request {
  Operation operation;
  Layout in;
  Axes axes;
  OutputPlace place = OutputPlace::dense;
  Layout out;       // set by set_output(); strides are the caller's where it is `strided`
  int threads = 1;  // 0: one a core
  int device = -1;  // number of the GPU, -1: the CPU
};

// Shape, element type and (unless they are the caller's) strides of the output.
void set_output(Request& request);

// The dense strides of a layout, last axis fastest.
void set_dense(Layout& layout);
bool is_dense(Layout const& layout);
std::int64_t elements(Layout const& layout);

// Whether nothing is to be computed, because a dimension of either side has no elements.
bool is_empty(Layout const& layout);

Problem problem_of(Request const& request);

// Joins neighbouring batch dimensions where both sides allow it, and drops those of size 1.
void join_batch(Problem& problem);

// Equal for equal requests, and only for those.
struct Key {
  std::array<std::int64_t, 5 * max_dims + 8> words;
  int count = 0;
  std::span<std::int64_t const> view() const { return {words.data(), static_cast<std::size_t>(count)}; }
};
void set_key(Key& key, Request const& request);

}  // namespace skipper::python
