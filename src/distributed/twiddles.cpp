// See twiddles.h.
#include "distributed/twiddles.h"

namespace skipper::distributed {
namespace {

template <class T>
std::complex<T> root(RootSource const& roots, Index k, bool inverse) {
  std::complex<double> const w = roots.at<T>(k);
  return {T(w.real()), T(inverse ? -w.imag() : w.imag())};
}

/// A complex product without the checks for infinities of std::complex.
template <class T>
std::complex<T> product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
std::vector<std::complex<T>> table_of(RootSource const& roots, Index rows, Index columns, bool inverse) {
  std::vector<std::complex<T>> table;
  table.reserve(std::size_t(rows * columns));
  for (Index k = 0; k < rows; ++k)
    for (Index i = 0; i < columns; ++i) table.push_back(root<T>(roots, k * i, inverse));
  return table;
}

}  // namespace

Twiddles::Twiddles(Program const& program, std::shared_ptr<RootSource const> roots,
                   std::vector<Index> const& sizes)
    : roots_(std::move(roots)),
      inverse_(program.problem.direction == Direction::inverse),
      second_(program.problem.batch.size() + program.split->digits.axis + 1) {
  for (std::size_t d = 0; d < sizes.size(); ++d)
    (d + 1 < second_ ? outer_ : d < second_ ? rows_ : d == second_ ? columns_ : inner_) *= sizes[d];
  if (program.problem.precision == Precision::f64)
    table_ = table_of<double>(*roots_, rows_, columns_, inverse_);
  else
    table_ = table_of<float>(*roots_, rows_, columns_, inverse_);
}

Index Twiddles::memory_bytes() const {
  return rows_ * columns_ * Index(std::holds_alternative<std::vector<std::complex<float>>>(table_) ? 8 : 16);
}

void Twiddles::multiply(Box const& part, void* data) const {
  std::visit(
      [&]<class T>(std::vector<std::complex<T>> const& table) {
        multiply_by(table, part.first[second_], static_cast<std::complex<T>*>(data));
      },
      table_);
}

template <class T>
void Twiddles::multiply_by(std::vector<std::complex<T>> const& table, Index begin,
                           std::complex<T>* data) const {
  for (Index row = 0; row < outer_ * rows_; ++row) {
    Index const k = row % rows_;
    std::complex<T> const start = root<T>(*roots_, k * begin, inverse_);
    std::complex<T> const* const twiddles = table.data() + k * columns_;
    std::complex<T>* const at = data + row * columns_ * inner_;
    if (inner_ == 1)
      for (Index i = 0; i < columns_; ++i) at[i] = product(at[i], product(start, twiddles[i]));
    else
      for (Index i = 0; i < columns_; ++i) {
        std::complex<T> const w = product(start, twiddles[i]);
        for (Index j = 0; j < inner_; ++j) at[i * inner_ + j] = product(at[i * inner_ + j], w);
      }
  }
}

}  // namespace skipper::distributed
