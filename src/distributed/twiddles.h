// The twiddles between the two digits of an axis that is split over ranks (split.h), for parts of a stage's output on a CPU: element
// (k1, j2) is multiplied by w(n)^(k1 j2). With j2 = first + i that is w^(k1 first) w^(k1 i): a factor of the row and an
// entry of a table that all parts of the same size share.
#pragma once

#include <complex>
#include <memory>
#include <variant>
#include <vector>

#include "base/roots.h"
#include "distributed/program.h"

namespace skipper::distributed {

class Twiddles {
 public:
  /// For parts of these sizes, by dimension, which have the first digit whole. `roots` are those of order n.
  Twiddles(Program const& program, std::shared_ptr<RootSource const> roots, std::vector<Index> const& sizes);

  /// `data` is dense and holds `part`.
  void multiply(Box const& part, void* data) const;

  Index memory_bytes() const;

 private:
  template <class T>
  void multiply_by(std::vector<std::complex<T>> const& table, Index begin, std::complex<T>* data) const;

  std::shared_ptr<RootSource const> roots_;
  bool inverse_ = false;
  std::size_t second_ = 0;                                // the dimension of the second digit
  Index outer_ = 1, rows_ = 1, columns_ = 1, inner_ = 1;  // a part is [outer][k1][j2][inner]
  std::variant<std::vector<std::complex<float>>, std::vector<std::complex<double>>> table_;  // [k1][i]
};

}  // namespace skipper::distributed
