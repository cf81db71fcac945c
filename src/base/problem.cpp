// Builders and measures of a Problem: dense and padded layouts, stored sizes, bytes spanned.
#include <skipper/problem.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/kinds.h"

namespace skipper {
namespace {

// a * b, or the largest value where that does not fit. Sizes may be negative: check() rejects them later.
std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? largest_index : product;
}

std::int64_t element_bytes(Precision precision, bool real) {
  std::int64_t const scalar = is_16_bit(precision) ? 2 : precision == Precision::f32 ? 4 : 8;
  return real ? scalar : 2 * scalar;
}

// Sizes of one side, batch before axes: the order of a dense row-major array.
std::vector<std::int64_t> stored_sizes(Problem const& problem,
                                       std::int64_t (*stored)(Problem const&, std::size_t)) {
  std::vector<std::int64_t> sizes;
  for (Dim const& dim : problem.batch) sizes.push_back(dim.size);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) sizes.push_back(stored(problem, i));
  return sizes;
}

void set_dense(Problem& problem) {
  std::vector<std::int64_t> const in = dense_strides(stored_sizes(problem, in_size));
  std::vector<std::int64_t> const out = dense_strides(stored_sizes(problem, out_size));
  std::size_t at = 0;
  auto const place = [&](auto& dim) {
    dim.in_stride = in[at];
    dim.out_stride = out[at];
    ++at;
  };
  for (Dim& dim : problem.batch) place(dim);
  for (Axis& axis : problem.axes) place(axis);
}

// One buffer of complex rows along the halved axis. Both views agree on where a row begins, so a
// row can be transformed where it stands; a dense real array would let rows run into each other.
void set_padded(Problem& problem, std::size_t halved) {
  bool const real_in = facts(problem.kind).real_in;
  std::int64_t stride = problem.axes[halved].size / 2 + 1;
  auto const place = [&](auto& dim) {
    dim.in_stride = real_in ? saturating_product(2, stride) : stride;
    dim.out_stride = real_in ? stride : saturating_product(2, stride);
    if (dim.size > 1) stride = saturating_product(stride, dim.size);
  };
  problem.axes[halved].in_stride = 1;
  problem.axes[halved].out_stride = 1;
  for (std::size_t i = problem.axes.size(); i-- > 0;)
    if (i != halved) place(problem.axes[i]);
  for (std::size_t i = problem.batch.size(); i-- > 0;) place(problem.batch[i]);
}

Problem build(Kind kind, std::vector<std::int64_t> const& shape, std::int64_t batch, Precision precision,
              Direction direction, std::vector<AxisKind> const& kinds) {
  Problem problem;
  problem.kind = kind;
  problem.precision = precision;
  problem.direction = direction;
  for (std::size_t i = 0; i < shape.size(); ++i)
    problem.axes.push_back({shape[i], 0, 0, kinds.empty() ? AxisKind::fourier : kinds[i]});
  if (batch != 1) problem.batch.push_back({batch, 0, 0});
  problem = dense_layout(std::move(problem));
  check(problem);
  return problem;
}

// From the first element to the end of the last one.
std::int64_t spanned(Problem const& problem, std::int64_t (*stored)(Problem const&, std::size_t),
                     std::int64_t Axis::*axis_stride, std::int64_t Dim::*batch_stride) {
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    elements += (stored(problem, i) - 1) * (problem.axes[i].*axis_stride);
  for (Dim const& dim : problem.batch) elements += (dim.size - 1) * (dim.*batch_stride);
  return elements;
}

std::int64_t in_side_bytes(Problem const& problem) {
  return in_element_bytes(problem) * spanned(problem, in_size, &Axis::in_stride, &Dim::in_stride);
}

std::int64_t out_side_bytes(Problem const& problem) {
  return out_element_bytes(problem) * spanned(problem, out_size, &Axis::out_stride, &Dim::out_stride);
}

// In place: of the array, which a padded row of reals does not fill.
std::int64_t array_bytes(Problem const& problem) {
  return std::max(in_side_bytes(problem), out_side_bytes(problem));
}

}  // namespace

Problem c2c(std::vector<std::int64_t> const& shape, std::int64_t batch, Precision precision,
            Direction direction) {
  return build(Kind::c2c, shape, batch, precision, direction, {});
}

Problem r2c(std::vector<std::int64_t> const& shape, std::int64_t batch, Precision precision) {
  return build(Kind::r2c, shape, batch, precision, Direction::forward, {});
}

Problem c2r(std::vector<std::int64_t> const& shape, std::int64_t batch, Precision precision) {
  return build(Kind::c2r, shape, batch, precision, Direction::inverse, {});
}

Problem r2r(std::vector<std::int64_t> const& shape, std::vector<AxisKind> const& kinds, std::int64_t batch,
            Precision precision) {
  if (kinds.size() != shape.size())
    throw Error("kinds", "has " + std::to_string(kinds.size()) + " entries for a shape of " +
                             std::to_string(shape.size()) + " axes; give one kind per axis");
  return build(Kind::r2r, shape, batch, precision, Direction::forward, kinds);
}

Problem dense_layout(Problem problem) {
  std::optional<std::size_t> const halved = halved_axis(problem);
  if (halved && problem.placement == Placement::in_place)
    set_padded(problem, *halved);
  else
    set_dense(problem);
  return problem;
}

Problem in_place(Problem problem) {
  problem.placement = Placement::in_place;
  return dense_layout(std::move(problem));
}

std::vector<std::int64_t> dense_strides(std::vector<std::int64_t> const& sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    // A size that check() will reject must not spoil the other strides.
    if (sizes[i] > 1) stride = saturating_product(stride, sizes[i]);
  }
  return strides;
}

std::optional<std::size_t> halved_axis(Problem const& problem) {
  if (problem.kind != Kind::r2c && problem.kind != Kind::c2r) return std::nullopt;
  for (std::size_t i = problem.axes.size(); i-- > 0;)
    if (problem.axes[i].kind == AxisKind::fourier) return i;
  return std::nullopt;
}

double round_trip_factor(Axis const& axis) {
  double const core = static_cast<double>(axis.size) + facts(axis.kind).core_beyond;  // no size overflows so
  return is_extension(axis.kind) ? 2 * core : core;
}

AxisKind inverse_kind(AxisKind kind) { return facts(kind).inverse; }

double whole_scale(Problem const& problem) {
  if (problem.norm == Norm::none) return problem.scale;
  double factor = 1;
  for (Axis const& axis : problem.axes) factor *= round_trip_factor(axis);
  return problem.scale / std::sqrt(factor);
}

bool is_partial(Problem const& problem) {
  for (Axis const& axis : problem.axes)
    if (axis.in_count != 0 || axis.out_first != 0 || axis.out_count != 0) return true;
  return false;
}

std::int64_t in_size(Problem const& problem, std::size_t axis) {
  std::int64_t const n = problem.axes[axis].size;
  if (problem.axes[axis].in_count != 0) return problem.axes[axis].in_count;
  return problem.kind == Kind::c2r && halved_axis(problem) == axis ? n / 2 + 1 : n;
}

std::int64_t out_size(Problem const& problem, std::size_t axis) {
  std::int64_t const n = problem.axes[axis].size;
  if (problem.axes[axis].out_count != 0) return problem.axes[axis].out_count;
  return problem.kind == Kind::r2c && halved_axis(problem) == axis ? n / 2 + 1 : n;
}

std::int64_t in_element_bytes(Problem const& problem) {
  return element_bytes(problem.precision, facts(problem.kind).real_in);
}

std::int64_t out_element_bytes(Problem const& problem) {
  return element_bytes(problem.precision, facts(problem.kind).real_out);
}

std::int64_t in_bytes(Problem const& problem) {
  return problem.placement == Placement::in_place ? array_bytes(problem) : in_side_bytes(problem);
}

std::int64_t out_bytes(Problem const& problem) {
  return problem.placement == Placement::in_place ? array_bytes(problem) : out_side_bytes(problem);
}

}  // namespace skipper
