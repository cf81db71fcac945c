// The table of folds. With w_m = exp(-2 pi i / m) and V the transform of a real sequence v of length n:
//   r2c      V from Z, the transform of v[2j] + i v[2j+1]: the mirror (kernel/ends.h), then halved
//            by columns: of v[j1 B + j2] as columns along j1, pairs of them told apart where the first digit of the
//            transform is known; V[n-k] = V*[k] leaves half of that digit to be kept
//            in opposites: v[j] and v[n-j] as one; with H[k] = sum v[j] (cos + sin)(2 pi jk / n) likewise of k and n-k,
//            V[k] = (H[k] + H[n-k]) / 2 - i (H[k] - H[n-k]) / 2. Back, v is the H of Re V[k] -+ Im V[k].
//   dct2     v = x[0] x[2] .. x[3] x[1];  X[k] = 2 Re(w_4n^k V[k]),  X[n-k] = -2 Im(w_4n^k V[k])
//   dct3     the way back: V*[k] = w_4n^k (X[k] + i X[n-k]), transformed forward and conjugated
//   dct4     X[2k] - i X[n-1-2k] = 2 w_8n^(4k+1) sum (x[2j] + i x[n-1-2j]) w_2n^j w_(n/2)^(jk)
//   dht      H[k] = sqrt(2) Re(w_8^7 V[k]),  H[n-k] = sqrt(2) Im(w_8^7 V[k]), V as in r2c; in opposites H as it is
//   dct1     r2c of the even extension to 2(n-1);  dst1: of the odd one to 2(n+1), which is imaginary
// Sine transforms 2 to 4 are the cosine ones of the reversed sequence with every other sign turned, on one side or the
// other (Govindaraju et al., section IV.G, leave these to Van Loan).
#include "plan/fold.h"

#include <numbers>

#include "base/kinds.h"

namespace skipper {
namespace {

using kernel::Tap;

Tap line(Index scale, Index shift) {
  Tap t;
  t.used = true;
  t.scale = scale;
  t.shift = shift;
  return t;
}
Tap bent_line(Index scale, Index shift, Index bend, Index scale_after, Index shift_after, bool flip) {
  Tap t = line(scale, shift);
  t.bend = bend;
  t.scale_after = scale_after;
  t.shift_after = shift_after;
  t.flip = flip;
  return t;
}
Tap negative(Tap t) {
  t.negate = true;
  return t;
}
/// Nothing from `bend` on.
Tap until(Tap t, Index bend) {
  t.bend = bend;
  t.scale_after = 0;
  t.shift_after = -1;
  return t;
}

FoldEnd taps(Index limit, Tap first, Tap second = {}) {
  FoldEnd end;
  end.tapped = true;
  end.tap[0] = first;
  end.tap[1] = second;
  end.limit = limit;
  return end;
}
FoldEnd mirrored(FoldEnd end) {
  end.mirror = true;
  return end;
}
FoldEnd rotated(FoldEnd end, Index order, Index scale, Index shift) {
  end.order = order;
  end.scale = scale;
  end.shift = shift;
  return end;
}

bool is_sine(AxisKind kind) { return facts(kind).basis == Basis::sine; }

/// Where x stands in v = x[0] x[2] .. x[3] x[1]: element i of v; and elements 2i and 2i + 1 as a pair (n even).
Tap zigzag(Index n, bool sine) { return bent_line(2, 0, (n + 1) / 2, -2, 2 * n - 1, sine); }
FoldEnd zigzag_pairs(Index n, bool sine) {
  Index const h = n / 2;
  FoldEnd end =
      taps(n, bent_line(4, 0, (h + 1) / 2, -4, 2 * n - 1, sine), bent_line(4, 2, h / 2, -4, 2 * n - 3, sine));
  end.zigzag = true;
  return end;
}

/// The even (odd) extension of x to length m, elements i, or 2i and 2i + 1.
Tap extension(Index n, bool sine) {
  Index const m = sine ? 2 * (n + 1) : 2 * (n - 1);
  return sine ? bent_line(1, -1, n + 2, -1, m - 1, true) : bent_line(1, 0, n, -1, m, false);
}
FoldEnd extension_pairs(Index n, bool sine) {
  Index const m = sine ? 2 * (n + 1) : 2 * (n - 1);
  if (sine)
    return taps(n, bent_line(2, -1, (n + 1) / 2 + 1, -2, m - 1, true),
                bent_line(2, 0, n / 2 + 1, -2, m - 2, true));
  return taps(n, bent_line(2, 0, (n - 1) / 2 + 1, -2, m, false), bent_line(2, 1, n / 2, -2, m - 1, false));
}

Fold packed_real(Kind problem, Index n) {
  Fold f{n / 2, {}, {}, n, 1};
  FoldEnd const pairs = taps(n, line(2, 0), line(2, 1));
  if (problem == Kind::r2c) {
    f.head = pairs;
    f.tail.mirror = true;
    f.factor = 0.5;
  } else {
    f.head.mirror = true;
    f.tail = pairs;
  }
  return f;
}

/// The halved spectrum as all n numbers.
FoldEnd both_halves(Index n) { return taps(n / 2 + 1, bent_line(1, 0, n / 2 + 1, -1, n, true)); }

Fold whole_real(Kind problem, Index n) {
  Fold f{n, {}, {}, 0, 1};
  if (problem == Kind::r2c) {
    f.head = taps(n, line(1, 0));
    f.tail = taps(n / 2 + 1, line(1, 0));
  } else {
    f.head = both_halves(n);
    f.tail = taps(n, line(1, 0));
  }
  return f;
}

/// The spectrum's side of dct2, dct3 and their sines: X[k] with X[n-k], read or written together.
FoldEnd spectrum(Index n, bool sine, bool written) {
  Tap const near = sine ? line(-1, n - 1) : line(1, 0);
  Tap far = sine ? line(1, -1) : line(-1, n);
  if (written) far = until(negative(far), n / 2);  // X[n/2] is its own partner
  return rotated(taps(n, near, far), 4 * n, 1, 0);
}

/// Real and imaginary part of w_8^7 V, which are H[k] and, where told, H[n-k] over sqrt(2).
FoldEnd hartley(FoldEnd end) { return rotated(end, 8, 0, 7); }

}  // namespace

std::optional<Fold> packed_fold(Kind problem, AxisKind kind, Index n) {
  bool const sine = is_sine(kind), pairs = n % 2 == 0 && n >= 4;
  switch (kind) {
    case AxisKind::fourier:
      if (!pairs) return {};
      return packed_real(problem, n);
    case AxisKind::dct2:
    case AxisKind::dst2:
      if (!pairs) return {};
      return Fold{n / 2, zigzag_pairs(n, sine), mirrored(spectrum(n, sine, true)), n, 1};
    case AxisKind::dct3:
    case AxisKind::dst3: {
      if (!pairs) return {};
      FoldEnd back = zigzag_pairs(n, sine);
      back.tap[1].negate = true;
      return Fold{n / 2, mirrored(spectrum(n, sine, false)), back, n, 1};
    }
    case AxisKind::dct4:
    case AxisKind::dst4: {
      if (!pairs) return {};
      Tap const even = line(2, 0), odd = line(-2, n - 1);
      return Fold{n / 2, rotated(sine ? taps(n, odd, even) : taps(n, even, odd), 2 * n, 1, 0),
                  rotated(taps(n, even, sine ? odd : negative(odd)), 8 * n, 4, 1), 0, 2};
    }
    case AxisKind::dct1:
      if (n < 3) return {};
      return Fold{n - 1, extension_pairs(n, false), mirrored(taps(n, line(1, 0))), 2 * (n - 1), 0.5};
    case AxisKind::dst1:
      return Fold{n + 1, extension_pairs(n, true), mirrored(taps(n, {}, negative(line(1, -1)))), 2 * (n + 1),
                  0.5};
    case AxisKind::dht:
      if (!pairs) return {};
      return Fold{n / 2, taps(n, line(2, 0), line(2, 1)),
                  mirrored(hartley(taps(n, line(1, 0), until(line(-1, n), n / 2)))), n,
                  std::numbers::sqrt2 / 2};
  }
  return {};
}

Fold whole_fold(Kind problem, AxisKind kind, Index n) {
  bool const sine = is_sine(kind);
  switch (kind) {
    case AxisKind::fourier:
      return whole_real(problem, n);
    case AxisKind::dct2:
    case AxisKind::dst2:
      return {n, taps(n, zigzag(n, sine)), rotated(taps(n, sine ? line(-1, n - 1) : line(1, 0)), 4 * n, 1, 0),
              0, 2};
    case AxisKind::dct3:
    case AxisKind::dst3:
      return {n, spectrum(n, sine, false), taps(n, zigzag(n, sine)), 0, 1};
    case AxisKind::dct4:
    case AxisKind::dst4: {
      // Twice the length, one half of it zeros: the one length at which odd n has no better.
      Tap const all = line(1, 0);
      FoldEnd const out = sine ? taps(n, {}, negative(all)) : taps(n, all);
      return {2 * n, rotated(taps(n, all), 4 * n, 1, 0), rotated(out, 8 * n, 2, 1), 0, 2};
    }
    case AxisKind::dct1:
      return {2 * (n - 1), taps(n, extension(n, false)), taps(n, line(1, 0)), 0, 1};
    case AxisKind::dst1:
      return {2 * (n + 1), taps(n, extension(n, true)), taps(n, {}, negative(line(1, -1))), 0, 1};
    case AxisKind::dht:
      if (n == 1) return {n, taps(n, line(1, 0)), taps(n, line(1, 0)), 0, 1};
      return {n, taps(n, line(1, 0)), hartley(taps(n, line(1, 0))), 0, std::numbers::sqrt2};
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

Fold column_fold(Kind problem, AxisKind kind, Index n) {
  FoldEnd const pair = taps(n, line(1, 0), line(1, 1));
  FoldEnd const both = hartley(taps(n, line(1, 0), line(-1, n)));
  Fold f = kind == AxisKind::dht  ? Fold{n, pair, both, 0, std::numbers::sqrt2 / 2}
           : problem == Kind::c2r ? Fold{n, both_halves(n), pair, 0, 1}
                                  : Fold{n, pair, both_halves(n), 0, 0.5};
  f.columns = true;
  return f;
}

Fold opposite_fold(Kind problem, AxisKind kind, Index n) {
  FoldEnd const pairs = taps(n, line(1, 0), line(-1, n));  // number n, of point 0, there is not
  Fold f = kind == AxisKind::dht  ? Fold{(n + 1) / 2, pairs, pairs, 0, 1}
           : problem == Kind::c2r ? Fold{(n + 1) / 2, {}, pairs, 0, 1}
                                  : Fold{(n + 1) / 2, pairs, {}, 0, 0.5};
  f.opposites = true;
  return f;
}

void weigh_edges(Fold& fold, AxisKind kind, Index n) {
  auto const weigh = [n](FoldEnd& end, EndPoints points) {
    end.edge[0] = points.first ? 0 : -1, end.edge[1] = points.last ? n - 1 : -1;
  };
  weigh(fold.head, in_end_points(kind));
  weigh(fold.tail, out_end_points(kind));
}

double weight_of_one(AxisKind kind) {
  double const in = in_end_points(kind)(0, 1) ? std::numbers::sqrt2 : 1,
               out = out_end_points(kind)(0, 1) ? std::numbers::sqrt2 : 1;
  return in / out;
}

std::optional<Fold> fold_with_core(Kind problem, AxisKind kind, Index n, Index core) {
  if (auto const packed = packed_fold(problem, kind, n); packed && packed->core == core) return packed;
  Fold const whole = whole_fold(problem, kind, n);
  if (whole.core == core) return whole;
  if (has_hermitian_spectrum(problem, kind) && n % 2 == 1 && (n + 1) / 2 == core)
    return opposite_fold(problem, kind, n);
  return {};
}

}  // namespace skipper
