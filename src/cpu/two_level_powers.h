// Powers of a generator modulo a prime from a two-level table: g^(j1 n2 + j2) = g^(j1 n2) g^j2. A full table would be as long
// as the line that Rader's algorithm transforms.
#pragma once

#include <cstdint>

#include "base/numbers.h"
#include "cpu/tables.h"

namespace skipper::cpu {

/// Products modulo p. Below 2^32 Barrett reduction estimates the quotient, at most one too small.
class Modulus {
 public:
  Modulus() = default;
  explicit Modulus(Index p)
      : p_(static_cast<std::uint64_t>(p)), narrow_(p < Index(1) << 32), inverse_(~std::uint64_t(0) / p_) {}
  Index product(Index a, Index b) const {
    if (!narrow_) return mulmod(a, b, static_cast<Index>(p_));
    __extension__ using Wide = unsigned __int128;
    std::uint64_t const x = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    std::uint64_t const r = x - static_cast<std::uint64_t>(Wide(x) * inverse_ >> 64) * p_;
    return static_cast<Index>(r < p_ ? r : r - p_);
  }

 private:
  std::uint64_t p_ = 1;
  bool narrow_ = true;
  std::uint64_t inverse_ = 1;  // of p, times 2^64
};

class TwoLevelPowers {
 public:
  TwoLevelPowers() = default;
  /// For p - 1 = n1 n2, with the least generator g.
  TwoLevelPowers(Index p, Index n1, Index n2, TableMaker& tables) : modulus_(p), n2_(n2) {
    Index const g = tables.counting() ? 1 : generator(p);
    for (int const inverse : {0, 1}) {
      Index const base = inverse ? powmod(g, p - 2, p) : g;
      rows_[inverse] = powers(base, n2, p, n1, tables);
      columns_[inverse] = powers(base, 1, p, n2, tables);
    }
  }

  /// g^j, or g^-j, for j = j1 n2 + j2.
  Index power(Index j1, Index j2, bool inverse) const {
    return modulus_.product(rows_[inverse][j1], columns_[inverse][j2]);
  }
  /// Writes the powers for `count` consecutive j within the row, from j1 n2 + j2 on.
  void fill(Index j1, Index j2, Index count, bool inverse, Index* at) const {
    Index const row = rows_[inverse][j1];
    Index const* const columns = columns_[inverse].data() + j2;
    for (Index i = 0; i < count; ++i) at[i] = modulus_.product(row, columns[i]);
  }
  Index row_length() const { return n2_; }

 private:
  static Table<Index> powers(Index base, Index step, Index p, Index count, TableMaker& tables) {
    return tables.make<Index>(count, 1, [&](Index begin, Index end, Index* at) {
      Index const factor = powmod(base, step, p);
      Index power = powmod(factor, begin, p);
      for (Index j = begin; j < end; ++j, power = mulmod(power, factor, p)) *at++ = power;
    });
  }

  Modulus modulus_;
  Index n2_ = 1;
  Table<Index> rows_[2], columns_[2];  // [n1], [n2]; of g, and of its inverse
};

}  // namespace skipper::cpu
