// See staging.h. The dense array is row-major, batch outermost, complex numbers interleaved. The halved axis of r2c and
// c2r is a row of n/2+1 complex numbers there, whose first n reals are the real side.
#include "staging.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace skipper::fftw3 {
namespace {

[[noreturn]] void refuse_size() {
  throw Error("size", "is beyond 63 bits; give dimensions that fit in memory");
}

/// The largest divisor of n that is at most `limit`.
Index divisor(Index n, Index limit) {
  for (Index d = std::min(n, limit); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

/// Reals of one transform in the dense array.
Index dense_reals(Call const& call) {
  Index reals = call.kind == Kind::r2r ? 1 : 2;
  for (std::size_t i = 0; i < call.axes.size(); ++i)
    reals = product(reals, std::min(stored_in(call, i), stored_out(call, i)));
  return reals;
}

}  // namespace

Index product(Index a, Index b) {
  Index result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse_size();
  return result;
}

Index sum(Index a, Index b) {
  Index result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse_size();
  return result;
}

Index rounded(Index reals) {
  constexpr Index line = 64 / sizeof(Real);
  return sum(reals, line - 1) / line * line;
}

Cut cut_fastest(std::vector<Dim> dims, Index limit) {
  if (dims.empty()) return {};
  auto const magnitude = [](Index stride) { return stride < 0 ? -stride : stride; };
  auto const found = std::min_element(dims.begin(), dims.end(), [&](Dim const& a, Dim const& b) {
    return magnitude(a.out_stride) < magnitude(b.out_stride);
  });
  Dim const dim = *found;
  dims.erase(found);
  Index const size = divisor(dim.size, std::max(limit, Index(1)));
  if (size < dim.size) dims.push_back({dim.size / size, dim.in_stride * size, dim.out_stride * size});
  return {{size, dim.in_stride, dim.out_stride}, std::move(dims)};
}

Staging stage(Call const& call, Index limit) {
  Staging result;
  Index const one = dense_reals(call);
  std::vector<Dim> inner_batch = call.batch;
  if (limit > 0) {
    Cut cut = cut_fastest(std::move(inner_batch), limit / one);
    result.loops = std::move(cut.loops);
    inner_batch.clear();
    if (cut.inner.size > 1) inner_batch.push_back(cut.inner);
  }

  Call& inner = result.inner;
  inner.kind = call.kind;
  inner.direction = call.direction;
  inner.kinds = call.kinds;
  inner.overlap = Overlap::same;
  bool const complex_in = !real_in(call.kind), complex_out = !real_out(call.kind);
  inner.in_pair = complex_in ? 1 : 0;
  inner.out_pair = complex_out ? 1 : 0;
  inner.axes.resize(call.axes.size());
  inner.batch.resize(inner_batch.size());
  if (complex_in) result.gather.push_back({2, call.in_pair, 1});
  if (complex_out) result.scatter.push_back({2, 1, call.out_pair});

  // The last axis first: its elements are one apart on the side where they are real.
  Index stride = call.kind == Kind::r2r ? 1 : 2;
  for (std::size_t i = call.axes.size(); i-- > 0;) {
    Dim const& axis = call.axes[i];
    bool const last = i + 1 == call.axes.size();
    Index const in = last && !complex_in ? 1 : stride, out = last && !complex_out ? 1 : stride;
    inner.axes[i] = {axis.size, in, out};
    result.gather.push_back({stored_in(call, i), axis.in_stride, in});
    result.scatter.push_back({stored_out(call, i), out, axis.out_stride});
    stride = product(stride, std::min(stored_in(call, i), stored_out(call, i)));
  }
  for (std::size_t i = inner_batch.size(); i-- > 0;) {
    Dim const& dim = inner_batch[i];
    inner.batch[i] = {dim.size, stride, stride};
    result.gather.push_back({dim.size, dim.in_stride, stride});
    result.scatter.push_back({dim.size, stride, dim.out_stride});
    stride = product(stride, dim.size);
  }
  result.reals = stride;
  return result;
}

}  // namespace skipper::fftw3
