#pragma once
// The twiddles of one butterfly as powers of one factor w, from the few that are read from a table: w, w^2, w^4, ..
#include "kernel/complex.h"
#include "kernel/known.h"

namespace skipper::kernel {

/// Multiplies output k of butterfly b by start x w^k (a plain chain has no start), given power_at(t) = w^(2^t). Factors
/// below w^8 are kept, the others are a product of one of them and a multiple of eight: so few are held at a time.
template <bool plain, class T, class R, class Joined, class V, class PowerAt>
void twiddle_chain(R r, Joined const& joined, int b, Complex<T> start, V& v, PowerAt power_at) {
  Complex<T> near[8] = {start}, far[8] = {}, step{};
  repeat(r, [&](int k) {
    int const q = joined[b * r + k], i = k % 8, j = k / 8;
    if (j == 0 && i > 0) {
      int const top = 1 << log2_of(i);
      if (i == top) step = power_at(log2_of(i));
      near[i] = plain && i == top ? step : near[i - top] * step;
    }
    if (j > 0 && i == 0) {
      int const top = 1 << log2_of(j);
      far[j] = j == top ? power_at(3 + log2_of(j)) : far[top] * far[j - top];
    }
    if (!plain || k > 0) v[q] = v[q] * (j == 0 ? near[i] : plain && i == 0 ? far[j] : near[i] * far[j]);
  });
}

}  // namespace skipper::kernel
