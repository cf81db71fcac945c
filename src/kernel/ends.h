#pragma once
// The ends of a sweep over a folded axis. A real kind (r2c, c2r, a cosine or sine transform) is a complex transform of
// a length of its own between two ends: a load map that builds complex element i from numbers along the axis, and a
// store map that makes numbers of element k. Each end has up to two taps; the real kinds differ in nothing but their
// numbers (plan/fold.cpp). The mirror joins element k with element -k on chip, where the two are one real pair.
#include "kernel/twins.h"

namespace skipper::kernel {

/// Where element i stands along the axis: linear up to a bend, and linear again, perhaps with the sign turned, from
/// there on. Outside 0..limit-1 there is nothing: zero when read, left out when written.
struct Tap {
  bool used = false;
  bool negate = false;  // the sign of all; of complex numbers from the bend on
  bool flip = false;    // the sign from the bend on; of complex numbers only the imaginary part's
  Wide scale = 1, shift = 0;
  Wide bend = -1;  // none
  Wide scale_after = 0, shift_after = 0;
  constexpr bool operator==(Tap const&) const = default;
};
constexpr bool bent(Tap const& tap, Wide i) { return tap.bend >= 0 && i >= tap.bend; }
constexpr Wide index_of(Tap const& tap, Wide i) {
  return bent(tap, i) ? tap.scale_after * i + tap.shift_after : tap.scale * i + tap.shift;
}

/// Number of an element along the axis, and between which two it is known to be: where these leave no doubt whether it is
/// past the bend, or within the limit, no code is left that asks.
struct Along {
  Wide i = 0, least = 0, most = 0;
};
constexpr Along exactly(Wide i) { return {i, i, i}; }
constexpr bool bent(Tap const& tap, Along at) {
  if (bent(tap, at.least) == bent(tap, at.most)) return bent(tap, at.least);
  return bent(tap, at.i);
}
constexpr Wide index_of(Tap const& tap, Along at) {
  return bent(tap, at) ? tap.scale_after * at.i + tap.shift_after : tap.scale * at.i + tap.shift;
}
constexpr bool within(Tap const& tap, Along at, Wide limit) {
  Wide const a = index_of(tap, at.least), b = index_of(tap, at.most), index = index_of(tap, at);
  bool const straight = bent(tap, at.least) == bent(tap, at.most);
  bool const above = straight && a >= 0 && b >= 0, below = straight && a < limit && b < limit;
  return (above || index >= 0) && (below || index < limit);
}

/// The factor w^(scale i + shift): entry i of a table, or where that would be long a product of two entries.
struct Rotation {
  bool used = false;
  bool split = false;  // the exponent is cut in two: high[e / base] x low[e % base]
  Wide scale = 1, shift = 0;
  int bits = 0;  // base = 2^bits
  int table = 0;
  int table_low = 0;
  Wide order = 0;  // of w, where a thread looks one factor up and turns it by constants; 0: it looks all up
  constexpr bool operator==(Rotation const&) const = default;
};

/// How the numbers of a side stand in memory: in the type that is computed in, or in 16 bits (storage.h).
enum class Storage { full, f16, bf16 };

/// Elements are found by the sweep's linear form alone; or, folded, by that of the other digits and by `tap` along the
/// axis. In real memory tap 0 is the real part and tap 1 the imaginary part.
struct End {
  bool real = false;
  Storage storage = Storage::full;
  bool user = false;    // a user's function sees what is read, or written
  bool pairs = false;   // where it does: what moves as a complex number is two reals to the user
  bool zigzag = false;  // pairs as they stand in memory, ordered on chip (zigzag.h)
  bool folded = false;
  bool widened = false;  // reals in complex memory: taps read real parts, and write them beside zeros
  bool extra = false;    // a mirrored axis has one element more than digits: number `extent`
  Form index;            // number of an element along the axis
  Wide extent = 0;       // of the complex transform
  Wide stride = 0;       // along the axis, in memory
  Wide limit = 0;
  Wide extra_offset = 0;  // not folded: from element 0 to element `extent`
  Wide edge[2] = {
      -1, -1};  // along the axis: numbers that an orthonormal kind reads times sqrt(2), or writes over it
  // By columns: multiples of it past the bend stand before it too, and are not written twice; to reals they have no tap 1.
  Wide twin = 0;
  int gathered =
      0;  // of a tail: pairs that the tile writes, one run of memory, through shared memory; 0: not so
  int gathered_unit = 0;  // of these, how many for each index of guard 0
  Wide peer_unit = 0;  // of a tail: elements behind each base address of the table; 0: all are in one array
  Tap tap[2];
  Rotation rotation;
  constexpr bool operator==(End const&) const = default;
};

/// A second cosine axis in the sweep of a mirrored one. To it pairs of reals are complex numbers: its rows are read in
/// zigzag, and before element k of the mirrored axis meets its partner, each is made a cosine along this one,
///   C[r] = w^r V[r] + w^-r V[-r]
/// which holds for complex numbers too. Back from cosines, where the mirror is before the first butterfly, it comes after it,
///   U[r] = w^r (C[r] + i C[n-r])
/// and rows are written in zigzag.
struct Crossing {
  bool used = false;
  Form row;         // number of a row on the side of the zigzag
  Tap tap;          // where that stands
  Wide stride = 0;  // from one to the next in memory
  Form index;       // number of a row where it meets its negated one
  int extent = 0;
  int weight = 0;  // in shared memory
  Rotation rotation;
  constexpr bool operator==(Crossing const&) const = default;
};

/// After the exchange into `step` each element meets the one at the negated index of every transformed digit:
///   x[k] = (z[k] + z*[-k]) - i w^k (z[k] - z*[-k])
/// Digit 0 is that of the folded axis. By columns it joins in the same way, without w, two columns of reals: of these
/// the digit has half its indices, those of rows 0 .. extent/2, and its highest part, the parity, says which column it
/// is; row extent/2 is extra. Amid a joint along a cosine axis, whose rows are read and written in zigzag as complex
/// numbers v, the transform back starts from v[k] (r[k] + r[-k]) / 2 + w*^k v[-k] (r[k] - r[-k]) / 2, where r is one
/// over the symbol: from cosines to their quotients without a sum of cosines ever being formed.
struct Mirror {
  bool used = false;
  bool amid = false;
  bool columns = false;
  bool head = false;    // before the first butterfly: -0 is the extra element; else after the last: -0 is 0
  bool negate = false;  // the parts are exchanged (an inverse transform): conjugates change their sign
  int step = 0;
  int digits = 0;
  Form index[max_mirrored];
  int extent[max_mirrored] = {};
  int weight[max_mirrored] = {};  // in shared memory
  int parity[max_digits] = {};
  Twins twins;  // what counts them, `extent` and `index` lack
  Crossing crossing;
  Rotation rotation;
  constexpr bool operator==(Mirror const&) const = default;
};

}  // namespace skipper::kernel
