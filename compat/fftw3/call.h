// What a call of FFTW's planner asks for, as a value: the same for its basic, advanced and guru interfaces, with
// interleaved and with split complex numbers. All strides count Reals. A complex side is a pair of arrays, real and
// imaginary parts, that have the same strides; interleaved ones are 1 apart.
#pragma once

#include <skipper/problem.h>

#include <cstdint>
#include <string>
#include <vector>

#include "precision.h"

namespace skipper::fftw3 {

using Index = std::int64_t;

/// The numbers are those of FFTW.
enum class RealKind {
  r2hc,
  hc2r,
  dht,
  redft00,
  redft01,
  redft10,
  redft11,
  rodft00,
  rodft01,
  rodft10,
  rodft11
};
inline constexpr int real_kinds = 11;

/// Real Fourier transforms, whose output or input is in FFTW's halfcomplex order.
inline bool is_halfcomplex(RealKind kind) { return kind < RealKind::dht; }
/// Kinds that leave a single point as it is.
inline bool keeps_one_point(RealKind kind) { return kind <= RealKind::dht; }

/// How the memory of input and output meet. same: they begin at the same places. partly: otherwise, or perhaps.
enum class Overlap { none, same, partly };

struct Call {
  Kind kind = Kind::c2c;
  Direction direction = Direction::forward;  // of c2c
  std::vector<Dim> axes;                     // r2c, c2r: the last one is the halved one
  std::vector<RealKind> kinds;               // r2r: one for each axis
  std::vector<Dim> batch;
  Index in_pair = 0, out_pair = 0;  // from a real part to its imaginary part; 0 where a side is real
  Overlap overlap = Overlap::none;

  bool operator==(Call const&) const = default;
};

/// The arrays of a call. The imaginary ones of a real side are null.
struct Arrays {
  Real* in = nullptr;
  Real* in_imag = nullptr;
  Real* out = nullptr;
  Real* out_imag = nullptr;
};

inline bool real_in(Kind kind) { return kind == Kind::r2c || kind == Kind::r2r; }
inline bool real_out(Kind kind) { return kind == Kind::c2r || kind == Kind::r2r; }

/// Elements that are stored along an axis on either side.
Index stored_in(Call const& call, std::size_t axis);
Index stored_out(Call const& call, std::size_t axis);

/// Fills in the pairs and the overlap from the arrays.
void relate(Call& call, Arrays const& arrays);

/// The same call without what changes nothing: axes and batches of one element. Strides of what is left alone are 0.
Call normalised(Call call);

/// Whether nothing is to be computed, because a batch is empty.
bool is_empty(Call const& call);

/// One word a dimension, as in "c2c forward 8:2:2 batch 3:16:16 pairs 1:1": what wisdom knows it by.
std::string text(Call const& call);

}  // namespace skipper::fftw3
