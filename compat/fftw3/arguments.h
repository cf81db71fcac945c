// From the arguments of FFTW's planner calls to a Call. Nothing where an argument makes no sense, as FFTW then makes no
// plan: negative ranks, sizes below one (of batches: below zero), missing arrays of sizes, unknown kinds.
#pragma once

#include <climits>
#include <optional>
#include <vector>

#include "call.h"

namespace skipper::fftw3 {

/// The kinds of r2r with their sizes; sizes of one that has no transform are refused too (REDFT00 of one point).
bool add_kinds(Call& call, FftwKind const* kinds);

/// Strides as FFTW counts them, elements of either side, become Reals.
inline bool scale(Index& stride, Index reals) { return !__builtin_mul_overflow(stride, reals, &stride); }

/// Dimensions of the guru interfaces, of 32 and of 64 bits. `in` and `out` are the Reals that a stride counts.
template <class IoDim>
bool read_dims(int rank, IoDim const* dims, Index least, Index in, Index out, std::vector<Dim>& to) {
  if (rank < 0 || rank > static_cast<int>(max_rank) || (rank > 0 && !dims)) return false;
  for (int i = 0; i < rank; ++i) {
    Dim dim{dims[i].n, dims[i].is, dims[i].os};
    if (dim.size < least || !scale(dim.in_stride, in) || !scale(dim.out_stride, out)) return false;
    to.push_back(dim);
  }
  return true;
}

/// A rank of minus infinity, as FFTW writes it: a batch of none.
inline constexpr int no_transforms = INT_MAX;

/// `split`: complex sides are given as two arrays of Reals.
template <class IoDim>
std::optional<Call> guru_call(Kind kind, bool split, int rank, IoDim const* dims, int howmany_rank,
                              IoDim const* howmany_dims) {
  Call call;
  call.kind = kind;
  Index const in = split || real_in(kind) ? 1 : 2, out = split || real_out(kind) ? 1 : 2;
  if (!read_dims(rank, dims, 1, in, out, call.axes)) return std::nullopt;
  if (howmany_rank == no_transforms)
    call.batch = {{0, 0, 0}};
  else if (!read_dims(howmany_rank, howmany_dims, 0, in, out, call.batch))
    return std::nullopt;
  return call;
}

/// One side of the advanced interface.
struct Embedding {
  int const* embed;  // null: as dense as it can be
  int stride, dist;
};

/// The advanced interface; the basic one is a part of it. `in_place` is where both arrays are one.
std::optional<Call> many_call(Kind kind, bool in_place, int rank, int const* n, int howmany,
                              Embedding const& in, Embedding const& out);

}  // namespace skipper::fftw3
