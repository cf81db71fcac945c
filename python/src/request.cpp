// From a request to the output's layout, the key and the problem.
#include "request.h"

#include <algorithm>
#include <cmath>

namespace skipper::python {

bool is_complex(Scalar scalar) { return scalar >= Scalar::complex32; }

Scalar complex_of(Scalar scalar) {
  return is_complex(scalar) ? scalar : static_cast<Scalar>(static_cast<int>(scalar) + 4);
}

Scalar real_of(Scalar scalar) {
  return is_complex(scalar) ? static_cast<Scalar>(static_cast<int>(scalar) - 4) : scalar;
}

int bytes_of(Scalar scalar) {
  int const bytes[] = {2, 2, 4, 8, 4, 4, 8, 16};
  return bytes[static_cast<int>(scalar)];
}

std::int64_t elements(Layout const& layout) {
  std::int64_t count = 1;
  for (int d = 0; d < layout.rank; ++d) count *= layout.shape[d];
  return count;
}

bool is_empty(Layout const& layout) {
  return std::any_of(layout.shape.begin(), layout.shape.begin() + layout.rank,
                     [](std::int64_t n) { return n == 0; });
}

void set_dense(Layout& layout) {
  std::int64_t stride = 1;
  for (int d = layout.rank - 1; d >= 0; --d) {
    layout.strides[d] = stride;
    stride *= std::max<std::int64_t>(layout.shape[d], 1);
  }
}

bool is_dense(Layout const& layout) {
  std::int64_t stride = 1;
  for (int d = layout.rank - 1; d >= 0; --d) {
    if (layout.shape[d] != 1 && layout.strides[d] != stride) return false;
    stride *= layout.shape[d];
  }
  return true;
}

void set_output(Request& request) {
  Layout const& in = request.in;
  Layout& out = request.out;
  Axes const& axes = request.axes;
  Kind const kind = request.operation.kind;
  out.rank = in.rank;
  out.scalar = kind == Kind::r2c ? complex_of(in.scalar) : kind == Kind::c2r ? real_of(in.scalar) : in.scalar;
  std::copy_n(in.shape.begin(), in.rank, out.shape.begin());
  for (int a = 0; a < axes.count; ++a) out.shape[axes.index[a]] = axes.sizes[a];
  if (kind == Kind::r2c) {
    std::int64_t& halved = out.shape[axes.index[axes.count - 1]];
    halved = halved / 2 + 1;
  }
  if (request.place == OutputPlace::dense) set_dense(out);
  if (request.place == OutputPlace::in_place) std::copy_n(in.strides.begin(), in.rank, out.strides.begin());
}

namespace {

Precision precision_of(Scalar scalar) {
  switch (real_of(scalar)) {
    case Scalar::float16:
      return Precision::f16;
    case Scalar::bfloat16:
      return Precision::bf16;
    case Scalar::float32:
      return Precision::f32;
    default:
      return Precision::f64;
  }
}

// Scale and norm of the problem for what SciPy calls norm and orthogonalize. Skipper's ortho includes 1/sqrt of the round
// trip's factor, so that it is taken out again where only the end points are to be orthogonal.
void set_scale(Problem& problem, Operation const& operation) {
  double factor = 1;
  for (Axis const& axis : problem.axes) factor *= round_trip_factor(axis);
  bool const scaled = (operation.scaling == Scaling::forward) != operation.inverse;
  double const scale = operation.scaling == Scaling::ortho ? 1 / std::sqrt(factor) : scaled ? 1 / factor : 1;
  problem.norm = operation.orthogonalize ? Norm::ortho : Norm::none;
  if (!operation.orthogonalize)
    problem.scale = scale;
  else
    problem.scale = operation.scaling == Scaling::ortho ? 1 : scale * std::sqrt(factor);
}

std::vector<Dim> batch_of(Request const& request) {
  std::vector<Dim> batch;
  Axes const& axes = request.axes;
  for (int d = 0; d < request.in.rank; ++d) {
    auto const end = axes.index.begin() + axes.count;
    if (std::find(axes.index.begin(), end, d) == end)
      batch.push_back({request.in.shape[d], request.in.strides[d], request.out.strides[d]});
  }
  return batch;
}

}  // namespace

void join_batch(Problem& problem) {
  std::vector<Dim> joined;
  for (Dim const& dim : problem.batch) {
    if (dim.size == 1) continue;
    if (!joined.empty() && joined.back().in_stride == dim.size * dim.in_stride &&
        joined.back().out_stride == dim.size * dim.out_stride)
      joined.back() = {joined.back().size * dim.size, dim.in_stride, dim.out_stride};
    else
      joined.push_back(dim);
  }
  problem.batch = std::move(joined);
}

Problem problem_of(Request const& request) {
  Operation const& operation = request.operation;
  Axes const& axes = request.axes;
  Problem problem;
  problem.kind = operation.kind == Kind::r2r && is_complex(request.in.scalar) ? Kind::c2c : operation.kind;
  problem.precision = precision_of(request.in.scalar);
  bool const sign = operation.kind == Kind::c2r || (operation.kind == Kind::c2c && operation.inverse);
  problem.direction = sign ? Direction::inverse : Direction::forward;
  problem.placement = request.place == OutputPlace::in_place ? Placement::in_place : Placement::out_of_place;
  std::vector<int> order(axes.count);
  for (int a = 0; a < axes.count; ++a) order[a] = a;
  bool const halves = operation.kind == Kind::r2c || operation.kind == Kind::c2r;
  std::sort(order.begin(), order.end() - (halves ? 1 : 0),
            [&axes](int a, int b) { return axes.index[a] < axes.index[b]; });
  for (int const a : order) {
    int const d = axes.index[a];
    Axis axis;
    axis.size = axes.sizes[a];
    axis.in_stride = request.in.strides[d];
    axis.out_stride = request.out.strides[d];
    axis.kind = operation.axis_kind;
    bool const halved = operation.kind == Kind::c2r && a == axes.count - 1;
    std::int64_t const needed = halved ? axis.size / 2 + 1 : axis.size;
    if (request.in.shape[d] < needed) axis.in_count = request.in.shape[d];
    problem.axes.push_back(axis);
  }
  problem.batch = batch_of(request);
  join_batch(problem);
  set_scale(problem, operation);
  return problem;
}

void set_key(Key& key, Request const& request) {
  Operation const& operation = request.operation;
  int n = 0;
  auto& words = key.words;
  auto const pack = [](auto value, int shift) { return static_cast<std::int64_t>(value) << shift; };
  words[n++] = pack(operation.kind, 0) | pack(operation.inverse, 4) | pack(operation.axis_kind, 8) |
               pack(operation.scaling, 12) | pack(operation.orthogonalize, 16) | pack(request.in.scalar, 20) |
               pack(request.place, 24) | pack(request.in.rank, 32) | pack(request.axes.count, 48);
  words[n++] = pack(request.threads, 0) | pack(request.device + 1, 32);
  for (int d = 0; d < request.in.rank; ++d) {
    words[n++] = request.in.shape[d];
    words[n++] = request.in.strides[d];
  }
  for (int a = 0; a < request.axes.count; ++a) {
    words[n++] = request.axes.index[a];
    words[n++] = request.axes.sizes[a];
  }
  if (request.place == OutputPlace::strided)
    for (int d = 0; d < request.out.rank; ++d) words[n++] = request.out.strides[d];
  key.count = n;
}

}  // namespace skipper::python
