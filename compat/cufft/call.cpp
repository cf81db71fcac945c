// See call.h.
#include "call.h"

#include <limits>

namespace skipper::cufft {
namespace {

/// Strides of an array with these sizes, whose fastest axis has the given one. The size of the slowest is of no account.
template <class T>
std::optional<Side> side_of(int rank, T const* embed, Index stride, Index distance) {
  Side side{std::vector<Index>(std::size_t(rank)), distance};
  for (std::size_t i = std::size_t(rank); i-- > 0;) {
    side.strides[i] = stride;
    if (i > 0 && __builtin_mul_overflow(stride, Index(embed[i]), &stride)) return std::nullopt;
  }
  return side;
}

template <class T>
bool all_positive(int rank, T const* sizes) {
  for (int i = 0; i < rank; ++i)
    if (sizes[i] < 1) return false;
  return true;
}

/// cuFFT has no strides and distances of 0, also where they would not matter.
template <class T>
cufftResult check(int rank, Layout<T> const& layout) {
  if (!layout.in_embed || !layout.out_embed) return CUFFT_INVALID_VALUE;
  if (layout.in_stride < 1 || layout.out_stride < 1 || layout.in_distance < 1 || layout.out_distance < 1)
    return CUFFT_INVALID_VALUE;
  bool const sized =
      all_positive(rank - 1, layout.in_embed + 1) && all_positive(rank - 1, layout.out_embed + 1);
  return sized ? CUFFT_SUCCESS : CUFFT_INVALID_SIZE;
}

struct Pair {
  cudaDataType real, complex;
  Precision precision;
};
constexpr Pair pairs[] = {{CUDA_R_32F, CUDA_C_32F, Precision::f32},
                          {CUDA_R_64F, CUDA_C_64F, Precision::f64},
                          {CUDA_R_16F, CUDA_C_16F, Precision::f16},
                          {CUDA_R_16BF, CUDA_C_16BF, Precision::bf16}};

void append(std::string& line, Side const& side, char const* name) {
  line += std::string(" ") + name + " strides";
  for (Index const stride : side.strides) line += " " + std::to_string(stride);
  line += " distance " + std::to_string(side.distance);
}

}  // namespace

std::optional<Elements> elements_of(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
      return Elements{Kind::c2c, Precision::f32};
    case CUFFT_R2C:
      return Elements{Kind::r2c, Precision::f32};
    case CUFFT_C2R:
      return Elements{Kind::c2r, Precision::f32};
    case CUFFT_Z2Z:
      return Elements{Kind::c2c, Precision::f64};
    case CUFFT_D2Z:
      return Elements{Kind::r2c, Precision::f64};
    case CUFFT_Z2D:
      return Elements{Kind::c2r, Precision::f64};
  }
  return std::nullopt;
}

std::optional<Elements> elements_of(cudaDataType in, cudaDataType out, cudaDataType computed) {
  for (Pair const& pair : pairs) {
    if (computed != pair.complex && computed != pair.real) continue;
    if (in == pair.complex && out == pair.complex) return Elements{Kind::c2c, pair.precision};
    if (in == pair.real && out == pair.complex) return Elements{Kind::r2c, pair.precision};
    if (in == pair.complex && out == pair.real) return Elements{Kind::c2r, pair.precision};
  }
  return std::nullopt;
}

template <class T>
cufftResult fill(Call& call, int rank, T const* shape, Layout<T> const& layout, T batch) {
  if (!all_positive(rank, shape) || batch < 1) return CUFFT_INVALID_SIZE;
  call.shape.assign(shape, shape + rank);
  call.batch = batch;
  if (!layout.in_embed && !layout.out_embed) return CUFFT_SUCCESS;  // strides are then not looked at
  if (cufftResult const result = check(rank, layout)) return result;
  call.in = side_of(rank, layout.in_embed, layout.in_stride, layout.in_distance);
  call.out = side_of(rank, layout.out_embed, layout.out_stride, layout.out_distance);
  return call.in && call.out ? CUFFT_SUCCESS : CUFFT_INVALID_SIZE;
}

template cufftResult fill(Call&, int, int const*, Layout<int> const&, int);
template cufftResult fill(Call&, int, long long const*, Layout<long long> const&, long long);

Index complex_bytes(Precision precision) {
  return is_16_bit(precision) ? 4 : precision == Precision::f64 ? 16 : 8;
}

Problem problem_of(Call const& call, Direction direction, Arrays arrays) {
  Problem problem;
  problem.kind = call.elements.kind;
  problem.precision = call.elements.precision;
  problem.direction = problem.kind == Kind::r2c   ? Direction::forward
                      : problem.kind == Kind::c2r ? Direction::inverse
                                                  : direction;
  for (std::size_t i = 0; i < call.shape.size(); ++i) {
    Axis axis;
    axis.size = call.shape[i];
    if (call.in) axis.in_stride = call.in->strides[i];
    if (call.out) axis.out_stride = call.out->strides[i];
    problem.axes.push_back(axis);
  }
  if (call.batch > 1)
    problem.batch = {{call.batch, call.in ? call.in->distance : 0, call.out ? call.out->distance : 0}};
  if (arrays != Arrays::apart) problem.placement = Placement::in_place;
  if (!call.in) problem = dense_layout(problem);
  if (arrays == Arrays::staged) problem.placement = Placement::out_of_place;
  try {
    check(problem);
  } catch (Error const& e) {
    if (call.in) throw;
    throw Error("problem", e.what());  // the caller gave sizes alone
  }
  return problem;
}

std::string text(Call const& call) {
  std::string line = std::string(name(call.elements.kind)) + " " + std::string(name(call.elements.precision));
  for (std::size_t i = 0; i < call.shape.size(); ++i) line += (i ? "x" : " ") + std::to_string(call.shape[i]);
  line += " batch " + std::to_string(call.batch);
  if (call.in) append(line, *call.in, "in");
  if (call.out) append(line, *call.out, "out");
  return line;
}

}  // namespace skipper::cufft
