// Random numbers by integers alone, so that they are the same with every standard library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>

#include "base/index.h"
#include "base/numbers.h"

namespace skipper::coverage {

class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t number)
      : random_((seed + 1) * 0x9e3779b97f4a7c15u ^ (number + 1) * 0xd1342543de82ef95u) {}

  Index below(Index n) { return Index(random_() % std::uint64_t(std::max<Index>(n, 1))); }
  Index between(Index least, Index most) { return least + below(most - least + 1); }
  bool one_in(Index n) { return below(n) == 0; }

  /// From least on up to most, each doubling as often as any other.
  Index by_doublings(Index least, Index most) {
    int doublings = 0;
    while (most >> (doublings + 1) >= least && doublings < 62) ++doublings;
    Index const from = least << below(doublings + 1);
    return between(from, std::min(most, 2 * from - 1));
  }

  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(Index(all.size()))];
  }

  /// A length of at most `most`: mostly smooth, else a power of two, anything, a prime, or a prime times something small.
  Index length(Index most) {
    Index const about = by_doublings(1, std::max<Index>(most, 1));
    Index const sort = below(20);
    if (sort < 10) return smooth(about);
    if (sort < 13) return power_of_two(about);
    if (sort < 15) return about;
    if (sort < 18) return prime(about);
    Index const few = between(2, 12);
    return std::max<Index>(1, few * prime(std::max<Index>(about / few, 1)));
  }
  Index smooth(Index most) {
    static constexpr Index primes[] = {2, 2, 2, 2, 2, 3, 3, 5, 7, 11, 13};
    Index const used = one_of<Index>({5, 7, 8, 9, 11});
    Index n = 1;
    for (Index p; n * (p = primes[below(used)]) <= most;) n *= p;
    return n;
  }
  /// The largest prime of at most so much; 1 below 2.
  Index prime(Index most) {
    while (most > 2 && !is_prime(most)) --most;
    return most;
  }

 private:
  static Index power_of_two(Index most) {
    Index n = 1;
    while (2 * n <= most) n *= 2;
    return n;
  }
  std::mt19937_64 random_;
};

}  // namespace skipper::coverage
