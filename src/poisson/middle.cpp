// See middle.h.
#include "poisson/middle.h"

#include <algorithm>
#include <cmath>

#include "cpu/pool.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

constexpr Index cache_bytes = 256 * 1024;  // a tile with its pivots: half of a small L2

}  // namespace

template <class T>
Middle<T>::Middle(PoissonAxis const& axis, Symbols symbols, Spectrum const& spectrum,
                  std::vector<double> across, double shift, bool singular, Machine const& machine,
                  cpu::Options const& options)
    : axis_(axis),
      spectrum_(spectrum),
      across_(std::move(across)),
      singular_(singular),
      machine_(machine),
      options_(options) {
  parts_ = tile_parts_ = spectrum.complex ? 2 : 1;
  rows_ = spectrum.n;
  bool const sweep = is_tridiagonal(axis);
  if (sweep) {
    matrix_ = tridiagonal(axis);
  } else {
    symbol_ = eigenvalues(axis, symbols);
    if (axis.low == Boundary::periodic && !spectrum.complex) {
      tile_parts_ = 2;
      rows_ = spectrum.n / 2 + 1;
      symbol_.resize(static_cast<std::size_t>(rows_));
    }
    if (!singular) check_resonance(symbol_, across_, shift);
  }
  Index const columns = spectrum.outer * spectrum.inner;
  // A swept tile is in double, with a pivot for each number.
  Index const column_scalars =
      sweep ? rows_ * (parts_ + 1) * static_cast<Index>(sizeof(double) / sizeof(T)) : rows_ * tile_parts_;
  columns_ =
      std::clamp<Index>(cache_bytes / (column_scalars * static_cast<Index>(sizeof(T))) / 8 * 8, 16, 256);
  columns_ = std::min(columns_, columns);
  tile_scalars_ = (column_scalars * columns_ + 15) / 16 * 16;
  threads_ = static_cast<int>(std::min<Index>(options.threads, (columns + columns_ - 1) / columns_));
  if (threads_ > 1) options_.threads = 1;  // the tiles are what runs side by side
  if (sweep) return;
  full_ = pair_for(columns_);
  if (columns % columns_) rest_ = pair_for(columns % columns_);
}

template <class T>
typename Middle<T>::Pair Middle<T>::pair_for(Index columns) const {
  Transforms const kinds = transforms(axis_);
  bool const halved = tile_parts_ != parts_;
  Problem forward;
  forward.kind = halved ? Kind::r2c : spectrum_.complex ? Kind::c2c : Kind::r2r;
  forward.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  forward.axes = {{spectrum_.n, spectrum_.inner, columns, kinds.forward}};
  forward.batch = {{columns, 1, 1}};
  Problem back = forward;
  back.kind = halved ? Kind::c2r : forward.kind;
  back.direction = back.kind == Kind::r2r ? Direction::forward : Direction::inverse;
  back.axes = {{spectrum_.n, columns, spectrum_.inner, kinds.back}};
  back.scale = 1 / kinds.gain;
  return {cpu::Transform(forward, machine_, options_), cpu::Transform(back, machine_, options_)};
}

template <class T>
double Middle<T>::transform_tile(Index first, Index columns, T const* from, T* to, T* tile) const {
  Pair const& pair = columns == columns_ ? *full_ : *rest_;
  pair.forward.execute(from + first * parts_, tile);
  double mean = 0;
  bool const constant = singular_ && first == 0;
  if (constant) mean = double(tile[0]) / transforms(axis_).gain;
  double const* const across = across_.data() + first;
  for (Index k = 0; k < rows_; ++k) {
    double const symbol = symbol_[static_cast<std::size_t>(k)];
    T* const row = tile + k * columns * tile_parts_;
    if (tile_parts_ == 1)
      for (Index j = 0; j < columns; ++j) row[j] *= T(1) / T(symbol + across[j]);
    else
      for (Index j = 0; j < columns; ++j) {
        T const factor = T(1) / T(symbol + across[j]);
        row[2 * j] *= factor;
        row[2 * j + 1] *= factor;
      }
  }
  if (constant)
    for (int part = 0; part < tile_parts_; ++part) tile[part] = 0;
  pair.back.execute(tile, to + first * parts_);
  return mean;
}

template <class T>
double Middle<T>::sweep_tile(Index first, Index columns, T const* from, T* to, T* memory) const {
  Index const inner = spectrum_.inner, n = spectrum_.n, row = columns * parts_;
  double* const tile = reinterpret_cast<double*>(memory);
  double* const reciprocals = tile + n * row;
  auto const base = [&](Index column) { return column / inner * n * inner + column % inner; };
  // Columns are neighbours in runs, which end where the outer index changes.
  auto const each_run = [&](auto&& body) {
    for (Index j = 0; j < columns;) {
      Index const run = std::min(columns - j, inner - (first + j) % inner);
      body(j * parts_, base(first + j) * parts_, run * parts_);
      j += run;
    }
  };
  each_run([&](Index j, Index at, Index run) {
    for (Index i = 0; i < n; ++i)
      for (Index s = 0; s < run; ++s) tile[i * row + j + s] = double(from[at + i * inner * parts_ + s]);
  });
  bool const constant = singular_ && first == 0;
  std::vector<double> column(static_cast<std::size_t>(constant ? n : 0));
  double mean = 0;
  if (constant) {
    for (Index i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = tile[i * row];
    mean = solve_singular(*matrix_, column.data(), 1);
  }
  sweep_columns(*matrix_, across_.data() + first, columns, parts_, tile, reciprocals);
  if (constant)
    for (Index i = 0; i < n; ++i) {
      tile[i * row] = column[static_cast<std::size_t>(i)];
      if (parts_ == 2) tile[i * row + 1] = 0;
    }
  each_run([&](Index j, Index at, Index run) {
    for (Index i = 0; i < n; ++i)
      for (Index s = 0; s < run; ++s) to[at + i * inner * parts_ + s] = T(tile[i * row + j + s]);
  });
  return mean;
}

template <class T>
double Middle<T>::run(T const* from, T* to, T* memory) const {
  Index const columns = spectrum_.outer * spectrum_.inner, tiles = (columns + columns_ - 1) / columns_;
  double mean = 0;
  cpu::parallel_for(tiles, cpu::Team(threads_, &options_.executor), [&](int slot, Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      Index const first = t * columns_, count = std::min(columns_, columns - first);
      T* const tile = memory + slot * tile_scalars_;
      double const got =
          matrix_ ? sweep_tile(first, count, from, to, tile) : transform_tile(first, count, from, to, tile);
      if (t == 0) mean = got;
    }
  });
  return mean;
}

template <class T>
std::string Middle<T>::text() const {
  std::string const shape = std::to_string(rows_) + " x " + std::to_string(columns_);
  if (matrix_) return "tridiagonal sweep in tiles of " + shape + ", in f64";
  Transforms const kinds = transforms(axis_);
  return std::string(name(kinds.forward)) + ", divide, " + std::string(name(kinds.back)) + " in tiles of " +
         shape;
}

template class Middle<float>;
template class Middle<double>;

}  // namespace skipper::poisson
