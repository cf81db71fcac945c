// The table of real transforms. With w_m = exp(-2 pi i / m) and V the transform of a real sequence v of length n:
//   r2c      V from Z, the transform of v[2j] + i v[2j+1]: the Hermitian split (kernel/real_processing.h), then halved
//            by columns: of v[j1 B + j2] as columns along j1, pairs of them told apart where the first digit of the
//            transform is known; V[n-k] = V*[k] leaves half of that digit to be kept
//            by real Rader: v[j] and v[n-j] as one; with H[k] = sum v[j] (cos + sin)(2 pi jk / n) likewise of k and n-k,
//            V[k] = (H[k] + H[n-k]) / 2 - i (H[k] - H[n-k]) / 2. Back, v is the H of Re V[k] -+ Im V[k].
//   dct2     v = x[0] x[2] .. x[3] x[1];  X[k] = 2 Re(w_4n^k V[k]),  X[n-k] = -2 Im(w_4n^k V[k])
//   dct3     the way back: V*[k] = w_4n^k (X[k] + i X[n-k]), transformed forward and conjugated
//   dct4     X[2k] - i X[n-1-2k] = 2 w_8n^(4k+1) sum (x[2j] + i x[n-1-2j]) w_2n^j w_(n/2)^(jk)
//   dht      H[k] = sqrt(2) Re(w_8^7 V[k]),  H[n-k] = sqrt(2) Im(w_8^7 V[k]), V as in r2c; by real Rader H as it is
//   dct1     r2c of the even extension to 2(n-1);  dst1: of the odd one to 2(n+1), which is imaginary
// Sine transforms 2 to 4 are the cosine ones of the reversed sequence with every other sign turned, on one side or the
// other (Govindaraju et al., section IV.G, leave these to Van Loan).
#include "plan/real_transform.h"

#include <numbers>

#include "base/kinds.h"

namespace skipper {
namespace {

using kernel::GatherIndex;

GatherIndex straight_line(Index scale, Index shift) {
  GatherIndex t;
  t.used = true;
  t.scale = scale;
  t.shift = shift;
  return t;
}
GatherIndex bent_line(Index scale, Index shift, Index bend, Index scale_after, Index shift_after, bool flip) {
  GatherIndex t = straight_line(scale, shift);
  t.bend = bend;
  t.scale_after = scale_after;
  t.shift_after = shift_after;
  t.flip = flip;
  return t;
}
GatherIndex negative(GatherIndex t) {
  t.negate = true;
  return t;
}
/// Nothing from `bend` on.
GatherIndex until(GatherIndex t, Index bend) {
  t.bend = bend;
  t.scale_after = 0;
  t.shift_after = -1;
  return t;
}

AxisProcessing gather_indices(Index limit, GatherIndex first, GatherIndex second = {}) {
  AxisProcessing side;
  side.by_gather_index = true;
  side.gather_index[0] = first;
  side.gather_index[1] = second;
  side.limit = limit;
  return side;
}
AxisProcessing with_hermitian_split(AxisProcessing side) {
  side.hermitian = true;
  return side;
}
AxisProcessing rotated(AxisProcessing side, Index order, Index scale, Index shift) {
  side.order = order;
  side.scale = scale;
  side.shift = shift;
  return side;
}

bool is_sine(AxisKind kind) { return facts(kind).basis == Basis::sine; }

/// Where x stands in v = x[0] x[2] .. x[3] x[1]: element i of v; and elements 2i and 2i + 1 as a pair (n even).
GatherIndex makhoul(Index n, bool sine) { return bent_line(2, 0, (n + 1) / 2, -2, 2 * n - 1, sine); }
AxisProcessing makhoul_pairs(Index n, bool sine) {
  Index const h = n / 2;
  AxisProcessing side = gather_indices(n, bent_line(4, 0, (h + 1) / 2, -4, 2 * n - 1, sine),
                                       bent_line(4, 2, h / 2, -4, 2 * n - 3, sine));
  side.makhoul = true;
  return side;
}

/// The even (odd) extension of x to length m, elements i, or 2i and 2i + 1.
GatherIndex extension(Index n, bool sine) {
  Index const m = sine ? 2 * (n + 1) : 2 * (n - 1);
  return sine ? bent_line(1, -1, n + 2, -1, m - 1, true) : bent_line(1, 0, n, -1, m, false);
}
AxisProcessing extension_pairs(Index n, bool sine) {
  Index const m = sine ? 2 * (n + 1) : 2 * (n - 1);
  if (sine)
    return gather_indices(n, bent_line(2, -1, (n + 1) / 2 + 1, -2, m - 1, true),
                          bent_line(2, 0, n / 2 + 1, -2, m - 2, true));
  return gather_indices(n, bent_line(2, 0, (n - 1) / 2 + 1, -2, m, false),
                        bent_line(2, 1, n / 2, -2, m - 1, false));
}

RealTransform packed_real(Kind problem, Index n) {
  RealTransform f{n / 2, {}, {}, n, 1};
  AxisProcessing const pairs = gather_indices(n, straight_line(2, 0), straight_line(2, 1));
  if (problem == Kind::r2c) {
    f.pre = pairs;
    f.post.hermitian = true;
    f.factor = 0.5;
  } else {
    f.pre.hermitian = true;
    f.post = pairs;
  }
  return f;
}

/// The halved spectrum as all n numbers.
AxisProcessing both_halves(Index n) {
  return gather_indices(n / 2 + 1, bent_line(1, 0, n / 2 + 1, -1, n, true));
}

RealTransform whole_real(Kind problem, Index n) {
  RealTransform f{n, {}, {}, 0, 1};
  if (problem == Kind::r2c) {
    f.pre = gather_indices(n, straight_line(1, 0));
    f.post = gather_indices(n / 2 + 1, straight_line(1, 0));
  } else {
    f.pre = both_halves(n);
    f.post = gather_indices(n, straight_line(1, 0));
  }
  return f;
}

/// The spectrum's side of dct2, dct3 and their sines: X[k] with X[n-k], read or written together.
AxisProcessing spectrum(Index n, bool sine, bool written) {
  GatherIndex const near = sine ? straight_line(-1, n - 1) : straight_line(1, 0);
  GatherIndex far = sine ? straight_line(1, -1) : straight_line(-1, n);
  if (written) far = until(negative(far), n / 2);  // X[n/2] is its own partner
  return rotated(gather_indices(n, near, far), 4 * n, 1, 0);
}

/// What a kind multiplies one point by; DCT-I has two at least.
double factor_of_one(AxisKind kind) {
  switch (kind) {
    case AxisKind::dct2:
    case AxisKind::dst2:
    case AxisKind::dst1:
      return 2;
    case AxisKind::dct4:
    case AxisKind::dst4:
      return std::numbers::sqrt2;
    case AxisKind::fourier:
    case AxisKind::dct1:
    case AxisKind::dct3:
    case AxisKind::dst3:
    case AxisKind::dht:
      return 1;
  }
  return 1;
}

/// Real and imaginary part of w_8^7 V, which are H[k] and, where told, H[n-k] over sqrt(2).
AxisProcessing hartley(AxisProcessing side) { return rotated(side, 8, 0, 7); }

}  // namespace

std::optional<RealTransform> packed_real(Kind problem, AxisKind kind, Index n) {
  bool const sine = is_sine(kind), pairs = n % 2 == 0 && n >= 4;
  switch (kind) {
    case AxisKind::fourier:
      if (!pairs) return {};
      return packed_real(problem, n);
    case AxisKind::dct2:
    case AxisKind::dst2:
      if (!pairs) return {};
      return RealTransform{n / 2, makhoul_pairs(n, sine), with_hermitian_split(spectrum(n, sine, true)), n,
                           1};
    case AxisKind::dct3:
    case AxisKind::dst3: {
      if (!pairs) return {};
      AxisProcessing back = makhoul_pairs(n, sine);
      back.gather_index[1].negate = true;
      return RealTransform{n / 2, with_hermitian_split(spectrum(n, sine, false)), back, n, 1};
    }
    case AxisKind::dct4:
    case AxisKind::dst4: {
      if (!pairs) return {};
      GatherIndex const even = straight_line(2, 0), odd = straight_line(-2, n - 1);
      return RealTransform{
          n / 2, rotated(sine ? gather_indices(n, odd, even) : gather_indices(n, even, odd), 2 * n, 1, 0),
          rotated(gather_indices(n, even, sine ? odd : negative(odd)), 8 * n, 4, 1), 0, 2};
    }
    case AxisKind::dct1:
      if (n < 3) return {};
      return RealTransform{n - 1, extension_pairs(n, false),
                           with_hermitian_split(gather_indices(n, straight_line(1, 0))), 2 * (n - 1), 0.5};
    case AxisKind::dst1:
      if (n < 2) return {};
      return RealTransform{n + 1, extension_pairs(n, true),
                           with_hermitian_split(gather_indices(n, {}, negative(straight_line(1, -1)))),
                           2 * (n + 1), 0.5};
    case AxisKind::dht:
      if (!pairs) return {};
      return RealTransform{n / 2, gather_indices(n, straight_line(2, 0), straight_line(2, 1)),
                           with_hermitian_split(hartley(
                               gather_indices(n, straight_line(1, 0), until(straight_line(-1, n), n / 2)))),
                           n, std::numbers::sqrt2 / 2};
  }
  return {};
}

RealTransform unpacked_real(Kind problem, AxisKind kind, Index n) {
  bool const sine = is_sine(kind);
  if (n == 1 && kind != AxisKind::fourier) {
    AxisProcessing const plain = gather_indices(n, straight_line(1, 0));
    return {n, plain, plain, 0, factor_of_one(kind)};
  }
  switch (kind) {
    case AxisKind::fourier:
      return whole_real(problem, n);
    case AxisKind::dct2:
    case AxisKind::dst2:
      return {n, gather_indices(n, makhoul(n, sine)),
              rotated(gather_indices(n, sine ? straight_line(-1, n - 1) : straight_line(1, 0)), 4 * n, 1, 0),
              0, 2};
    case AxisKind::dct3:
    case AxisKind::dst3:
      return {n, spectrum(n, sine, false), gather_indices(n, makhoul(n, sine)), 0, 1};
    case AxisKind::dct4:
    case AxisKind::dst4: {
      // Twice the length, one half of it zeros: the one length at which odd n has no better.
      GatherIndex const all = straight_line(1, 0);
      AxisProcessing const out = sine ? gather_indices(n, {}, negative(all)) : gather_indices(n, all);
      return {2 * n, rotated(gather_indices(n, all), 4 * n, 1, 0), rotated(out, 8 * n, 2, 1), 0, 2};
    }
    case AxisKind::dct1:
      return {2 * (n - 1), gather_indices(n, extension(n, false)), gather_indices(n, straight_line(1, 0)), 0,
              1};
    case AxisKind::dst1:
      return {2 * (n + 1), gather_indices(n, extension(n, true)),
              gather_indices(n, {}, negative(straight_line(1, -1))), 0, 1};
    case AxisKind::dht:
      return {n, gather_indices(n, straight_line(1, 0)), hartley(gather_indices(n, straight_line(1, 0))), 0,
              std::numbers::sqrt2};
  }
  return {};
}

bool has_hermitian_spectrum(Kind problem, AxisKind kind) {
  switch (kind) {
    case AxisKind::fourier:
      return problem == Kind::r2c || problem == Kind::c2r;
    case AxisKind::dct1:
    case AxisKind::dct2:
    case AxisKind::dct3:
    case AxisKind::dct4:
    case AxisKind::dst1:
    case AxisKind::dst2:
    case AxisKind::dst3:
    case AxisKind::dst4:
      return false;
    case AxisKind::dht:
      return problem == Kind::r2r;
  }
  return false;
}

RealTransform real_by_columns(Kind problem, AxisKind kind, Index n) {
  AxisProcessing const pair = gather_indices(n, straight_line(1, 0), straight_line(1, 1));
  AxisProcessing const both = hartley(gather_indices(n, straight_line(1, 0), straight_line(-1, n)));
  RealTransform f = kind == AxisKind::dht  ? RealTransform{n, pair, both, 0, std::numbers::sqrt2 / 2}
                    : problem == Kind::c2r ? RealTransform{n, both_halves(n), pair, 0, 1}
                                           : RealTransform{n, pair, both_halves(n), 0, 0.5};
  f.columns = true;
  return f;
}

RealTransform real_rader(Kind problem, AxisKind kind, Index n) {
  AxisProcessing const pairs =
      gather_indices(n, straight_line(1, 0), straight_line(-1, n));  // number n, of point 0, there is not
  RealTransform f = kind == AxisKind::dht  ? RealTransform{(n + 1) / 2, pairs, pairs, 0, 1}
                    : problem == Kind::c2r ? RealTransform{(n + 1) / 2, {}, pairs, 0, 1}
                                           : RealTransform{(n + 1) / 2, pairs, {}, 0, 0.5};
  f.real_rader = true;
  return f;
}

void weigh_edges(RealTransform& real, AxisKind kind, Index n) {
  auto const weigh = [n](AxisProcessing& side, EndPoints points) {
    side.edge[0] = points.first ? 0 : -1, side.edge[1] = points.last ? n - 1 : -1;
  };
  weigh(real.pre, in_end_points(kind));
  weigh(real.post, out_end_points(kind));
}

double weight_of_one(AxisKind kind) {
  double const in = in_end_points(kind)(0, 1) ? std::numbers::sqrt2 : 1,
               out = out_end_points(kind)(0, 1) ? std::numbers::sqrt2 : 1;
  return in / out;
}

std::optional<RealTransform> real_with_core(Kind problem, AxisKind kind, Index n, Index core) {
  if (auto const packed = packed_real(problem, kind, n); packed && packed->core == core) return packed;
  RealTransform const whole = unpacked_real(problem, kind, n);
  if (whole.core == core) return whole;
  if (has_hermitian_spectrum(problem, kind) && n % 2 == 1 && (n + 1) / 2 == core)
    return real_rader(problem, kind, n);
  return {};
}

}  // namespace skipper
