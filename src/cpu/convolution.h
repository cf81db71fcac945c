// What Rader and Bluestein share: the fixed sequences that they convolve with; their spectra, computed in double for lines
// of either precision; and the powers of a generator.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "cpu/line.h"

namespace skipper::cpu {

/// Writes numbers first .. first + count - 1 of a sequence, interleaved. Called from several threads.
using Sequence = std::function<void(Index first, Index count, double* at)>;

/// The transform of a sequence of n1 n2 numbers, times `factor`: the first `rows` rows of [n1][n2], number k1 + n1 k2
/// standing at [k1][k2]. Between its two passes the data are kept in `at` as T: no other array is needed. n1 and n2 have passes,
/// n2 also as a single line.
template <class T>
void fill_spectrum_rows(Index n1, Index n2, Index rows, Sequence const& sequence, double factor, int threads,
                        T* at);

/// The same of m numbers in their natural order.
template <class T>
Table<T> spectrum_table(Index m, Sequence const& sequence, double factor, TableMaker& tables);

/// c_j = exp(-pi i j^2 / n), or its conjugate, for `count` j from `first` >= 0 on. `roots` are of order 2n. S: what is
/// written, good for a table of T.
template <class T, class S>
void fill_chirp(RootSource const& roots, Index n, Index first, Index count, bool conjugate, S* at);

/// What Bluestein's algorithm convolves with, over m numbers: conj c_j for j < results, conj c_(m-j) for m - j < points, else zeros.
struct ChirpSequence {
  Index n, m, points, results;
  bool forward;
};
template <class T>
Sequence chirp_sequence(RootSource const& roots, ChirpSequence const& c);

/// g^j modulo the prime p, 0 <= j < p - 1, for its least generator g.
class GeneratorPowers {
 public:
  GeneratorPowers() = default;
  GeneratorPowers(Index p, TableMaker& tables);
  Index operator[](Index j) const { return narrow_.empty() ? wide_[j] : Index(narrow_[j]); }
  /// g^-j
  Index inverse(Index j) const { return (*this)[j ? count_ - j : 0]; }

 private:
  Index count_ = 0;
  Table<std::uint32_t> narrow_;  // where p is below 2^32
  Table<Index> wide_;
};

/// What Rader's algorithm convolves with: w^(g^-q), q < p - 1, w = exp(-2 pi i / p) or its conjugate. `roots` are of order p.
template <class T>
Sequence rader_sequence(RootSource const& roots, GeneratorPowers const& powers, bool forward);

template <class T>
std::vector<T> interleaved(std::vector<std::complex<double>> const& values) {
  std::vector<T> flat;
  flat.reserve(2 * values.size());
  for (auto const& v : values) {
    flat.push_back(static_cast<T>(v.real()));
    flat.push_back(static_cast<T>(v.imag()));
  }
  return flat;
}

/// Rounds up to whole cache lines: buffers begin on one.
template <class T>
Index cache_aligned(Index scalars) {
  constexpr Index line = 64 / sizeof(T);
  return (scalars + line - 1) / line * line;
}

}  // namespace skipper::cpu
