#pragma once
// Pre- and post-processing of a sweep over a real axis. A real kind (r2c, c2r, a cosine or sine transform) is a complex
// transform of a length of its own between pre-processing, which builds complex element i from numbers along the axis on
// load, and post-processing, which makes numbers of element k on store. Each has up to two gather indices; the real kinds
// differ in nothing but their numbers (plan/real_transform.cpp). The Hermitian split joins element k with element -k on chip,
// where the two are one real pair.
#include "kernel/conjugate_rows.h"

namespace skipper::kernel {

/// Where element i stands along the axis: linear up to a bend, and linear again, perhaps with the opposite sign, from
/// there on. Outside 0..limit-1 there is nothing: zero when read, left out when written.
struct GatherIndex {
  bool used = false;
  bool negate = false;  // the sign of all; of complex numbers from the bend on
  bool flip = false;    // the sign from the bend on; of complex numbers only the imaginary part's
  Wide scale = 1, shift = 0;
  Wide bend = -1;  // none
  Wide scale_after = 0, shift_after = 0;
  constexpr bool operator==(GatherIndex const&) const = default;
};
template <class Number>
constexpr auto bent(GatherIndex const& gather_index, Number i) -> decltype(i >= 0) {
  return gather_index.bend >= 0 && i >= gather_index.bend;
}
constexpr Wide index_of(GatherIndex const& gather_index, Wide i) {
  return bent(gather_index, i) ? gather_index.scale_after * i + gather_index.shift_after
                               : gather_index.scale * i + gather_index.shift;
}

/// Number of an element along the axis, and between which two it is known to be: where these leave no doubt whether it is
/// past the bend, or within the limit, no test is compiled.
template <class Number>
struct Along {
  Number i = 0;
  Wide least = 0, most = 0;
};
constexpr Along<Wide> exactly(Wide i) { return {i, i, i}; }
template <class Number>
constexpr auto bent(GatherIndex const& gather_index, Along<Number> at) -> decltype(at.i >= 0) {
  if (bent(gather_index, at.least) == bent(gather_index, at.most)) return bent(gather_index, at.least);
  return bent(gather_index, at.i);
}
template <class Number>
constexpr Number index_of(GatherIndex const& gather_index, Along<Number> at) {
  return select(bent(gather_index, at), Number(gather_index.scale_after * at.i + gather_index.shift_after),
                Number(gather_index.scale * at.i + gather_index.shift));
}
template <class Number>
constexpr auto within(GatherIndex const& gather_index, Along<Number> at, Wide limit) {
  Wide const a = index_of(gather_index, at.least), b = index_of(gather_index, at.most);
  Number const index = index_of(gather_index, at);
  bool const straight = bent(gather_index, at.least) == bent(gather_index, at.most);
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
  Wide order = 0;  // of w, where a thread reads one factor and rotates it by constants; 0: it reads all
  constexpr bool operator==(Rotation const&) const = default;
};

/// How the numbers of a side, load or store, stand in memory: in the type that is computed in, or in 16 bits (storage.h).
enum class Storage { full, f16, bf16 };

/// Elements are found by the sweep's affine map alone; or, real, by that of the other digits and by `gather_index` along the
/// axis. In real memory gather index 0 is the real part and gather index 1 the imaginary part.
struct PrePostProcessing {
  bool real = false;
  Storage storage = Storage::full;
  bool callback = false;  // a user's function sees what is read, or written
  bool pairs = false;     // where it does: what moves as a complex number is two reals to the user
  bool makhoul = false;   // pairs as they stand in memory, ordered on chip (makhoul.h)
  bool real_axis = false;
  bool widened =
      false;           // reals in complex memory: gather indices read real parts, and write them beside zeros
  bool extra = false;  // a Hermitian axis has one element more than digits: number `extent`
  AffineMap index;     // number of an element along the axis
  Wide extent = 0;     // of the complex transform
  Wide stride = 0;     // along the axis, in memory
  Wide limit = 0;
  Wide extra_offset = 0;  // not real: from element 0 to element `extent`
  Wide edge[2] = {
      -1, -1};  // along the axis: numbers that an orthonormal kind reads times sqrt(2), or writes over it
  // By columns: multiples of it past the bend stand before it too, and are not written twice; to reals they have no gather
  // index 1.
  Wide conjugate = 0;
  int coalesced_pairs =
      0;  // of a store: pairs that the tile writes, one run of memory, through shared memory; 0: directly
  int coalesced_unit = 0;  // of these, how many for each index of guard 0
  Wide peer_unit = 0;  // of a store: elements behind each base address of the table; 0: all are in one array
  GatherIndex gather_index[2];
  Rotation rotation;
  constexpr bool operator==(PrePostProcessing const&) const = default;
};

/// A second cosine axis in the sweep of a Hermitian one. To it pairs of reals are complex numbers: its rows are read in
/// Makhoul's order, and before element k of the Hermitian axis meets its partner, each is made a cosine along this one,
///   C[r] = w^r V[r] + w^-r V[-r]
/// which holds for complex numbers too. Back from cosines, where the Hermitian split is before the first butterfly, it comes
/// after it,
///   U[r] = w^r (C[r] + i C[n-r])
/// and rows are written in Makhoul's order.
struct CrossedAxis {
  bool used = false;
  AffineMap row;             // number of a row on the side of the Makhoul permutation
  GatherIndex gather_index;  // where that stands
  Wide stride = 0;           // from one to the next in memory
  AffineMap index;           // number of a row where it meets its negated one
  int extent = 0;
  int weight = 0;  // in shared memory
  Rotation rotation;
  constexpr bool operator==(CrossedAxis const&) const = default;
};

/// After the exchange into `step` each element meets the one at the negated index of every transformed digit:
///   x[k] = (z[k] + z*[-k]) - i w^k (z[k] - z*[-k])
/// Digit 0 is that of the real axis.
///
/// `columns`: two columns of reals as one complex column are told apart, or joined, in the same way without w. Of these the digit
/// has half its indices, those of rows 0 .. extent/2, and its highest part, the parity, says which column it is; row extent/2 is
/// extra.
///
/// `in_middle`: of a fused inverse along a cosine axis, whose rows are read and written in Makhoul's order as complex numbers v.
/// The transform back starts from
///   v[k] (r[k] + r[-k]) / 2 + w*^k v[-k] (r[k] - r[-k]) / 2
/// where r is one over the symbol: from cosines to their quotients without a sum of cosines ever being formed.
struct HermitianSplit {
  bool used = false;
  bool in_middle = false;
  bool columns = false;
  bool before_butterflies =
      false;  // of the sweep, where -0 is the extra element; else it comes after the last ones, where -0 is 0
  bool negate = false;  // the parts are exchanged (an inverse transform): conjugates change their sign
  int step = 0;
  int digits = 0;
  AffineMap index[max_split_digits];
  int extent[max_split_digits] = {};
  int weight[max_split_digits] = {};  // in shared memory
  int parity[max_digits] = {};
  ConjugateRows conjugate_rows;  // what counts them, `extent` and `index` lack
  CrossedAxis crossed_axis;
  Rotation rotation;
  constexpr bool operator==(HermitianSplit const&) const = default;
};

}  // namespace skipper::kernel
