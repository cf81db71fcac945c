// What a call of FFTW's MPI planner asks for, as a value, and how FFTW spreads arrays over processes: dimension 0, or, where a
// side is transposed, dimension 1, in blocks of one size, of which each process has one or none.
#pragma once

#include <mpi.h>
#include <skipper/distributed.h>

#include <vector>

#include "call.h"

namespace skipper::fftw3 {

/// How one side is spread and laid out. All strides count Reals.
struct Spread {
  std::size_t cut = 0;      // the dimension
  Index block = 1;          // of its elements
  bool transposed = false;  // locally the second dimension comes first
};

struct Job {
  Kind kind = Kind::c2c;
  Direction direction = Direction::forward;  // of c2c
  std::vector<Index> n;                      // logical
  std::vector<RealKind> kinds;  // r2r: one for each dimension, or none where elements are only moved
  Index howmany = 1;            // fastest in both arrays
  Spread in, out;
};

/// A part of a dimension.
struct Share {
  Index first = 0, size = 0;
};

inline Index default_block(Index n, int ranks) { return (n + ranks - 1) / ranks; }
inline Index blocks(Index n, Index block) { return (n + block - 1) / block; }
/// That of a rank; a rank without a block has nothing.
Share share_of(Index n, Index block, int rank);

/// The sizes of a side's global array: the halved dimension of a spectrum counts n/2+1.
std::vector<Index> side_sizes(Job const& job, bool out);

/// Elements only change their places.
inline bool only_moves(Job const& job) { return job.kind == Kind::r2r && job.kinds.empty(); }

/// The Problem of a job, whose halfcomplex kinds are none but DHT. Its dimensions are howmany and n; of one that only moves
/// elements n, howmany and an axis of one.
Problem problem_of(Job const& job);
/// The box of a rank in that Problem.
Box box_of(Job const& job, bool out, int rank);

/// How FFTW has a rank's box against how Skipper has it, dense: for every dimension size, FFTW's stride and Skipper's.
/// `padded`: Skipper's rows of reals are padded as well, as they are in place.
std::vector<Dim> layout(Job const& job, bool out, Box const& box, bool padded);
/// Whether the two are the same.
bool is_dense(std::vector<Dim> const& layout);

/// Reals of a rank's array, in FFTW's layout.
Index reals_of(Job const& job, bool out, Box const& box);

}  // namespace skipper::fftw3
