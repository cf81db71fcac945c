// The number theory of sizes: factors and divisors for handing radices to sweeps, smooth numbers for padded
// lengths, and arithmetic modulo n for Rader (primitive roots) and Bluestein (exact chirps). Exact for every
// n of an Index.
#pragma once

#include <optional>
#include <vector>

#include "base/index.h"

namespace skipper {

struct Factor {
  Index prime = 2;
  int power = 1;

  bool operator==(Factor const&) const = default;
};

bool is_prime(Index n);

// n = product of prime^power, primes ascending; empty for 1. n >= 1.
std::vector<Factor> factorise(Index n);

// All divisors of n, ascending, 1 and n among them. n >= 1.
std::vector<Index> divisors(Index n);

// Whether no prime above `largest` divides n. n >= 1.
bool is_smooth(Index n, Index largest);

// The least m >= n with no prime above `largest`, 2 <= largest <= 1000.
Index next_smooth(Index n, Index largest);

// Of the magnitudes; gcd(0, 0) = 0.
Index gcd(Index a, Index b);

// Of the magnitudes, or nothing where it does not fit.
std::optional<Index> lcm(Index a, Index b);

// a * b and a^exponent modulo m >= 1, in 0..m-1 also for negative a and b; exponent >= 0.
Index mulmod(Index a, Index b, Index m);
Index powmod(Index a, Index exponent, Index m);

// The b in 0..m-1 with a * b = 1 modulo m; gcd(a, m) must be 1.
Index inverse(Index a, Index m);

// The least primitive root of the prime p: its powers run through 1..p-1.
Index generator(Index p);

}  // namespace skipper
