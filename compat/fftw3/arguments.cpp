// See arguments.h.
#include "arguments.h"

namespace skipper::fftw3 {
namespace {

/// Elements between neighbours of each axis, in an array with these sizes.
bool row_major(std::vector<Index> const& sizes, Index stride, std::vector<Index>& strides) {
  strides.resize(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    if (!scale(stride, sizes[i])) return false;
  }
  return true;
}

/// The sizes of the array that holds a side. FFTW pads the rows of reals in place to those of their complex numbers.
std::vector<Index> array_sizes(int rank, int const* n, int const* embed, bool real, bool halved,
                               bool in_place) {
  std::vector<Index> sizes(embed ? embed : n, (embed ? embed : n) + rank);
  if (embed || !halved || rank == 0) return sizes;
  Index const row = n[rank - 1] / 2 + 1;
  if (!real)
    sizes.back() = row;
  else if (in_place)
    sizes.back() = 2 * row;
  return sizes;
}

}  // namespace

bool add_kinds(Call& call, FftwKind const* kinds) {
  if (!call.axes.empty() && !kinds) return false;
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    int const number = static_cast<int>(kinds[i]);
    if (number < 0 || number >= real_kinds) return false;
    auto const kind = static_cast<RealKind>(number);
    if (kind == RealKind::redft00 && call.axes[i].size < 2) return false;
    call.kinds.push_back(kind);
  }
  return true;
}

std::optional<Call> many_call(Kind kind, bool in_place, int rank, int const* n, int howmany,
                              Embedding const& in, Embedding const& out) {
  if (rank < 0 || rank > static_cast<int>(max_rank) || (rank > 0 && !n) || howmany < 0) return std::nullopt;
  for (int i = 0; i < rank; ++i)
    if (n[i] <= 0) return std::nullopt;
  bool const halved = kind == Kind::r2c || kind == Kind::c2r;
  std::vector<Index> in_strides, out_strides;
  if (!row_major(array_sizes(rank, n, in.embed, real_in(kind), halved, in_place), in.stride, in_strides) ||
      !row_major(array_sizes(rank, n, out.embed, real_out(kind), halved, in_place), out.stride, out_strides))
    return std::nullopt;
  Call call;
  call.kind = kind;
  Index const in_reals = real_in(kind) ? 1 : 2, out_reals = real_out(kind) ? 1 : 2;
  auto const add = [&](std::vector<Dim>& to, Dim dim) {
    to.push_back(dim);
    return scale(to.back().in_stride, in_reals) && scale(to.back().out_stride, out_reals);
  };
  for (std::size_t i = 0; i < in_strides.size(); ++i)
    if (!add(call.axes, {n[i], in_strides[i], out_strides[i]})) return std::nullopt;
  if (!add(call.batch, {howmany, in.dist, out.dist})) return std::nullopt;
  return call;
}

}  // namespace skipper::fftw3
