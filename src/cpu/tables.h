// The tables of a plan. A maker in counting mode adds up their bytes and computes nothing, so that a plan that does not fit in
// memory is refused at once. Tables are filled in their own precision, in parallel, a block of entries at a time, without a
// copy in double behind them.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <optional>

#include "base/roots.h"
#include "cpu/kernels.h"
#include "cpu/pool.h"

namespace skipper::cpu {

/// An array that is written once.
template <class T>
class Table {
 public:
  Table() = default;
  explicit Table(Index size) : values_(new T[static_cast<std::size_t>(size)]), size_(size) {}
  T const* data() const { return values_.get(); }
  T* data() { return values_.get(); }
  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T const& operator[](Index i) const { return values_[i]; }

 private:
  std::unique_ptr<T[]> values_;
  Index size_ = 0;
};

class TableMaker {
 public:
  enum class Mode { count, make };
  TableMaker(Kernels const& set, Team const& team, Mode mode)
      : kernels(set), team_(team), counting_(mode == Mode::count) {}

  Kernels const& kernels;

  bool counting() const { return counting_; }
  int threads() const { return team_.threads; }
  /// Of all tables so far.
  double bytes() const { return bytes_; }

  /// Makes a table of `rows` times `row` values and `more` zeros. `fill(begin, end, at)` writes rows [begin, end), the first of
  /// them at `at`; it is called from several threads, for parts that do not depend on how many there are.
  template <class T, class Fill>
  Table<T> make(Index rows, Index row, Fill const& fill, Index more = 0) {
    if (!claim(rows, row, more, sizeof(T))) return {};
    Table<T> table(rows * row + more);
    T* const at = table.data();
    over(rows, row, [&](Index begin, Index end) { fill(begin, end, at + begin * row); });
    for (Index i = 0; i < more; ++i) at[rows * row + i] = T{};
    return table;
  }

  /// The same, where fill(at) writes all values.
  template <class T, class Fill>
  Table<T> make_whole(Index size, Fill const& fill) {
    if (!claim(size, 1, 0, sizeof(T))) return {};
    Table<T> table(size);
    fill(table.data());
    return table;
  }

  /// Roots to fill tables with; nothing in counting mode.
  std::optional<RootSource> roots(Index n) const {
    return counting_ ? std::nullopt : std::optional<RootSource>(RootSource(n));
  }
  /// The same where about all of them are needed, for tables of T.
  template <class T>
  std::optional<RootSource> all_roots(Index n) const {
    return counting_ ? std::nullopt : std::optional<RootSource>(RootSource::tabled<T>(n));
  }

 private:
  /// Counts a table. Returns whether it is to be filled.
  bool claim(Index rows, Index row, Index more, std::size_t scalar) {
    bytes_ += (static_cast<double>(rows) * static_cast<double>(row) + static_cast<double>(more)) *
              static_cast<double>(scalar);
    return !counting_;
  }
  /// body over blocks of rows, in parallel where these are many.
  void over(Index rows, Index row, std::function<void(Index, Index)> const& body) const;

  Team team_;  // that fills them
  bool counting_;
  double bytes_ = 0;
};

/// Writes root^k, interleaved, rounded to T: `count` of them, with exponents from `first` on, `step` apart modulo n
/// (0 <= step, first < n).
template <class T>
void fill_roots(RootSource const& roots, Index n, Index first, Index step, Index count, bool conjugate,
                T* at) {
  Index k = first;
  for (Index i = 0; i < count; ++i) {
    std::complex<double> const w = roots.at<T>(k);
    at[2 * i] = static_cast<T>(w.real());
    at[2 * i + 1] = static_cast<T>(conjugate ? 0.0 - w.imag() : w.imag());
    k = k < n - step ? k + step : k - (n - step);
  }
}

}  // namespace skipper::cpu
