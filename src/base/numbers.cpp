// Factors by trial division up to 1000, then Pollard's rho (Brent's form) with Miller-Rabin as the proof of
// primality; products modulo n through 128 bits.
#include "base/numbers.h"

#include <skipper/error.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/lazy.h"
#include "base/of_thread.h"

namespace skipper {
namespace {

using Unsigned = std::uint64_t;
__extension__ typedef unsigned __int128 UnsignedWide;  // holds any product of two Unsigned

constexpr Index trial_limit = 1000;

std::vector<Index> const& small_primes() {
  static constinit Lazy<std::vector<Index>> primes;
  return primes.get([] {
    std::vector<Index> found;
    for (Index n = 2; n <= trial_limit; ++n) {
      auto const root = std::find_if(found.begin(), found.end(), [n](Index p) { return p * p > n; });
      if (std::none_of(found.begin(), root, [n](Index p) { return n % p == 0; })) found.push_back(n);
    }
    return found;
  });
}

void require_positive(char const* argument, Index n) {
  if (n < 1) throw Error(argument, "is " + std::to_string(n) + " but must be at least 1");
}

Unsigned product(Unsigned a, Unsigned b, Unsigned m) {
  return static_cast<Unsigned>(UnsignedWide(a) * b % m);
}

Unsigned power(Unsigned a, Unsigned exponent, Unsigned m) {
  Unsigned result = 1 % m;
  for (a %= m; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = product(result, a, m);
    a = product(a, a, m);
  }
  return result;
}

Unsigned unsigned_residue(Index a, Index m) {
  Index const r = a % m;
  return static_cast<Unsigned>(r < 0 ? r + m : r);
}

Unsigned magnitude(Index a) { return a < 0 ? 0 - static_cast<Unsigned>(a) : static_cast<Unsigned>(a); }

// Miller-Rabin for odd n > 37: n - 1 = odd * 2^twos, and a prime n allows no other square roots of 1.
bool passes(Unsigned base, Unsigned n) {
  Unsigned odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  Unsigned x = power(base, odd, n);
  if (x == 1 || x == n - 1) return true;
  while (--twos > 0) {
    x = product(x, x, n);
    if (x == n - 1) return true;
  }
  return false;
}

// A divisor of the odd composite n other than 1 and n: a sequence x -> x^2 + c modulo n meets itself modulo a
// prime factor after about the square root of that factor; differences are gathered 128 to a gcd.
Unsigned proper_divisor(Unsigned n) {
  for (Unsigned c = 1;; ++c) {
    auto const next = [n, c](Unsigned x) { return static_cast<Unsigned>((UnsignedWide(x) * x + c) % n); };
    auto const distance = [](Unsigned a, Unsigned b) { return a < b ? b - a : a - b; };
    Unsigned tortoise = 2, hare = 2, checkpoint = 2, gathered = 1, found = 1;
    for (Unsigned lap = 1; found == 1; lap *= 2) {
      tortoise = hare;
      for (Unsigned i = 0; i < lap; ++i) hare = next(hare);
      for (Unsigned done = 0; done < lap && found == 1; done += 128) {
        checkpoint = hare;
        for (Unsigned i = done; i < std::min(lap, done + 128); ++i) {
          hare = next(hare);
          gathered = product(gathered, distance(tortoise, hare), n);
        }
        found = std::gcd(gathered, n);
      }
    }
    if (found == n) {  // several factors fell into one gcd: take these steps again, one by one
      do {
        checkpoint = next(checkpoint);
        found = std::gcd(distance(tortoise, checkpoint), n);
      } while (found == 1);
    }
    if (found != n) return found;
  }
}

// Appends the primes of n, which has none up to the trial limit.
void append_large_primes(Index n, std::vector<Index>& primes) {
  if (n == 1) return;
  if (is_prime(n)) {
    primes.push_back(n);
    return;
  }
  auto const divisor = static_cast<Index>(proper_divisor(static_cast<Unsigned>(n)));
  append_large_primes(divisor, primes);
  append_large_primes(n / divisor, primes);
}

// Whether n is a product of the first `count` primes.
bool is_product_of(Index n, std::size_t count) {
  for (std::size_t i = 0; i < count && n > 1; ++i) {
    while (n % small_primes()[i] == 0) n /= small_primes()[i];
  }
  return n == 1;
}

// The least product of the first `count` primes in low..high, or nothing. Each power of the largest prime
// leaves an interval for the cofactor; what is found there bounds what is still worth looking for, so that
// most intervals soon hold no integer at all.
std::optional<Index> least_product(Index low, Index high, std::size_t count) {
  if (low > high) return std::nullopt;
  if (low == 1) return 1;
  if (high - low < 32) {
    for (Index i = 0; i <= high - low; ++i) {  // low + i, since high may be the largest of all
      if (is_product_of(low + i, count)) return low + i;
    }
    return std::nullopt;
  }
  if (count == 0) return std::nullopt;
  Index const prime = small_primes()[count - 1];
  std::optional<Index> best;
  for (Index scale = 1;; scale *= prime) {
    std::optional<Index> const cofactor = least_product((low - 1) / scale + 1, high / scale, count - 1);
    if (cofactor) {
      best = *cofactor * scale;
      high = *best - 1;
    }
    if (scale >= low || scale > high / prime) return best;
  }
}

}  // namespace

bool is_prime(Index n) {
  if (n < 2) return false;
  // The first twelve primes as bases decide every n below 3.3e24 (Sorenson and Webster 2015).
  constexpr std::array<Index, 12> bases = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (Index const p : bases) {
    if (n % p == 0) return n == p;
  }
  return std::all_of(bases.begin(), bases.end(), [n](Index base) {
    return passes(static_cast<Unsigned>(base), static_cast<Unsigned>(n));
  });
}

namespace {

/// What a function makes of a number, kept: a planner asks ten thousand times for a few dozen numbers.
template <class Result>
Result remembered(Index n, Result (*made)(Index)) {
  struct Known {
    Index n = 0;
    Result result;
  };
  auto* const known = of_thread<std::array<Known, 256>, Known>();
  if (!known) return made(n);  // in a destructor, when the thread ends
  Known& slot = (*known)[static_cast<std::size_t>(Unsigned(n) * 0x9e3779b97f4a7c15u >> 56)];
  if (slot.n != n) {
    slot.result = made(n);
    slot.n = n;
  }
  return slot.result;
}

std::vector<Factor> made_factors(Index n) {
  std::vector<Index> primes;
  for (Index const p : small_primes()) {
    if (p * p > n) break;
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  append_large_primes(n, primes);
  std::sort(primes.begin(), primes.end());
  std::vector<Factor> factors;
  for (Index const p : primes) {
    if (!factors.empty() && factors.back().prime == p) {
      ++factors.back().power;
    } else {
      factors.push_back({p, 1});
    }
  }
  return factors;
}

std::vector<Index> made_divisors(Index n) {
  std::vector<Index> found = {1};
  for (Factor const& factor : factorise(n)) {
    std::size_t const before = found.size();
    for (std::size_t i = 0; i < before * static_cast<std::size_t>(factor.power); ++i) {
      found.push_back(found[found.size() - before] * factor.prime);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<Factor> factorise(Index n) {
  require_positive("n", n);
  return remembered(n, made_factors);
}

std::vector<Index> divisors(Index n) {
  require_positive("n", n);
  return remembered(n, made_divisors);
}

bool is_smooth(Index n, Index largest) {
  require_positive("n", n);
  if (largest > trial_limit) {
    std::vector<Factor> const factors = factorise(n);
    return factors.empty() || factors.back().prime <= largest;
  }
  auto const& primes = small_primes();
  auto const end = std::upper_bound(primes.begin(), primes.end(), largest);
  return is_product_of(n, static_cast<std::size_t>(end - primes.begin()));
}

Index next_smooth(Index n, Index largest) {
  require_positive("n", n);
  if (largest < 2 || largest > trial_limit) {
    throw Error("largest",
                "is " + std::to_string(largest) + " but must be within 2.." + std::to_string(trial_limit));
  }
  auto const& primes = small_primes();
  auto const end = std::upper_bound(primes.begin(), primes.end(), largest);
  auto const found = least_product(n, largest_index, static_cast<std::size_t>(end - primes.begin()));
  if (!found) {
    throw Error("n", "is " + std::to_string(n) + ": no number of 63 bits above it has all its primes up to " +
                         std::to_string(largest) + "; take a smaller n or allow larger primes");
  }
  return *found;
}

Index gcd(Index a, Index b) {
  Unsigned const divisor = std::gcd(magnitude(a), magnitude(b));
  if (divisor > magnitude(largest_index))
    throw Error("a", "has magnitude 2^63, which is too large for a gcd");
  return static_cast<Index>(divisor);
}

std::optional<Index> lcm(Index a, Index b) {
  if (a == 0 || b == 0) return 0;
  UnsignedWide const multiple =
      UnsignedWide(magnitude(a) / std::gcd(magnitude(a), magnitude(b))) * magnitude(b);
  if (multiple > magnitude(largest_index)) return std::nullopt;
  return static_cast<Index>(multiple);
}

Index mulmod(Index a, Index b, Index m) {
  require_positive("m", m);
  return static_cast<Index>(
      product(unsigned_residue(a, m), unsigned_residue(b, m), static_cast<Unsigned>(m)));
}

Index powmod(Index a, Index exponent, Index m) {
  require_positive("m", m);
  if (exponent < 0) throw Error("exponent", "is negative; raise the inverse(a, m) instead");
  return static_cast<Index>(
      power(unsigned_residue(a, m), static_cast<Unsigned>(exponent), static_cast<Unsigned>(m)));
}

Index inverse(Index a, Index m) {
  require_positive("m", m);
  // Euclid on (m, a), keeping remainder = coefficient * a modulo m. Coefficients stay below m.
  Index remainder = m, next = static_cast<Index>(unsigned_residue(a, m));
  Index coefficient = 0, next_coefficient = 1;
  while (next != 0) {
    Index const quotient = remainder / next;
    remainder = std::exchange(next, remainder - quotient * next);
    coefficient = std::exchange(next_coefficient, coefficient - quotient * next_coefficient);
  }
  if (remainder != 1) {
    throw Error("a", std::to_string(a) + " has no inverse modulo " + std::to_string(m) +
                         ": they share the factor " + std::to_string(remainder));
  }
  return static_cast<Index>(unsigned_residue(coefficient, m));
}

Index generator(Index p) {
  if (!is_prime(p)) throw Error("p", "is " + std::to_string(p) + " but must be a prime");
  std::vector<Factor> const factors = factorise(p - 1);
  for (Index g = 1;; ++g) {
    // g generates unless its order divides (p - 1) / q for some prime q of p - 1.
    bool const generates = std::all_of(factors.begin(), factors.end(), [g, p](Factor const& factor) {
      return powmod(g, (p - 1) / factor.prime, p) != 1;
    });
    if (generates) return g;
  }
}

}  // namespace skipper
