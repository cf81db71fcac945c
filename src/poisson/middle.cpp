// See middle.h.
#include "poisson/middle.h"

#include <algorithm>
#include <cmath>

#include "cpu/pool.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

constexpr Index cache_bytes = 256 * 1024;  // a tile with its pivots: half of a small L2

template <class T>
MiddleTile tile_of(PoissonAxis const& axis, Spectrum const& spectrum, int threads) {
  int const parts = spectrum.complex ? 2 : 1;
  bool const sweep = is_tridiagonal(axis);
  MiddleTile tile;
  tile.parts = parts;
  tile.rows = spectrum.n;
  if (!sweep && axis.low == Boundary::periodic && !spectrum.complex) {
    tile.parts = 2;
    tile.rows = spectrum.n / 2 + 1;
  }
  Index const columns = spectrum.outer * spectrum.inner;
  // A swept tile is in double, with a pivot for each number.
  Index const column_scalars = sweep
                                   ? tile.rows * (parts + 1) * static_cast<Index>(sizeof(double) / sizeof(T))
                                   : tile.rows * tile.parts;
  tile.columns =
      std::clamp<Index>(cache_bytes / (column_scalars * static_cast<Index>(sizeof(T))) / 8 * 8, 16, 256);
  tile.columns = std::min(tile.columns, columns);
  tile.scalars = (column_scalars * tile.columns + 15) / 16 * 16;
  tile.threads = static_cast<int>(std::min<Index>(threads, (columns + tile.columns - 1) / tile.columns));
  return tile;
}

struct TileProblems {
  Problem forward, back;
};
template <class T>
TileProblems tile_problems(PoissonAxis const& axis, Spectrum const& spectrum, MiddleTile const& tile,
                           Index columns) {
  Transforms const kinds = transforms(axis);
  bool const halved = tile.parts == 2 && !spectrum.complex;
  Problem forward;
  forward.kind = halved ? Kind::r2c : spectrum.complex ? Kind::c2c : Kind::r2r;
  forward.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  forward.axes = {{spectrum.n, spectrum.inner, columns, kinds.forward}};
  forward.batch = {{columns, 1, 1}};
  Problem back = forward;
  back.kind = halved ? Kind::c2r : forward.kind;
  back.direction = back.kind == Kind::r2r ? Direction::forward : Direction::inverse;
  back.axes = {{spectrum.n, columns, spectrum.inner, kinds.back}};
  back.scale = 1 / kinds.gain;
  return {forward, back};
}

}  // namespace

template <class T>
cpu::Needs Middle<T>::needs(PoissonAxis const& axis, Spectrum const& spectrum, Machine const& machine,
                            cpu::Options const& options) {
  MiddleTile const tile = tile_of<T>(axis, spectrum, options.threads);
  double const doubles = double(spectrum.n) * (is_tridiagonal(axis) ? 4 : 1) +
                         double(spectrum.outer) * double(spectrum.inner);  // the matrix or symbol, and across
  cpu::Needs all{8 * doubles, double(tile.threads) * double(tile.scalars) * sizeof(T)};
  if (is_tridiagonal(axis)) return all;
  TileProblems const problems = tile_problems<T>(axis, spectrum, tile, tile.columns);
  cpu::Needs const forward = cpu::needs(problems.forward, machine, options),
                   back = cpu::needs(problems.back, machine, options);
  all.table_bytes += forward.table_bytes + back.table_bytes;
  all.workspace_bytes += tile.threads * std::max(forward.workspace_bytes, back.workspace_bytes);
  return all;
}

template <class T>
Middle<T>::Middle(PoissonAxis const& axis, Symbols symbols, Spectrum const& spectrum,
                  std::vector<double> across, double shift, bool singular, Machine const& machine,
                  cpu::Options const& options)
    : axis_(axis),
      spectrum_(spectrum),
      across_(std::move(across)),
      singular_(singular),
      machine_(machine),
      options_(options),
      parts_(spectrum.complex ? 2 : 1),
      tile_(tile_of<T>(axis, spectrum, options.threads)) {
  if (tile_.threads > 1) options_.threads = 1;  // the tiles are what runs side by side
  if (is_tridiagonal(axis)) {
    matrix_ = tridiagonal(axis);
    return;
  }
  symbol_ = eigenvalues(axis, symbols);
  symbol_.resize(static_cast<std::size_t>(tile_.rows));
  if (!singular) check_resonance(symbol_, across_, shift);
  Index const columns = spectrum.outer * spectrum.inner;
  full_ = pair_for(tile_.columns);
  if (columns % tile_.columns) rest_ = pair_for(columns % tile_.columns);
}

template <class T>
typename Middle<T>::Pair Middle<T>::pair_for(Index columns) const {
  TileProblems const problems = tile_problems<T>(axis_, spectrum_, tile_, columns);
  return {cpu::Transform(problems.forward, machine_, options_),
          cpu::Transform(problems.back, machine_, options_)};
}

template <class T>
double Middle<T>::transform_tile(Index first, Index columns, T const* from, T* to, T* tile) const {
  Pair const& pair = columns == tile_.columns ? *full_ : *rest_;
  pair.forward.execute(from + first * parts_, tile);
  double mean = 0;
  bool const constant = singular_ && first == 0;
  if (constant) mean = double(tile[0]) / transforms(axis_).gain;
  double const* const across = across_.data() + first;
  for (Index k = 0; k < tile_.rows; ++k) {
    double const symbol = symbol_[static_cast<std::size_t>(k)];
    T* const row = tile + k * columns * tile_.parts;
    if (tile_.parts == 1)
      for (Index j = 0; j < columns; ++j) row[j] *= T(1) / T(symbol + across[j]);
    else
      for (Index j = 0; j < columns; ++j) {
        T const factor = T(1) / T(symbol + across[j]);
        row[2 * j] *= factor;
        row[2 * j + 1] *= factor;
      }
  }
  if (constant)
    for (int part = 0; part < tile_.parts; ++part) tile[part] = 0;
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
  Index const columns = spectrum_.outer * spectrum_.inner,
              tiles = (columns + tile_.columns - 1) / tile_.columns;
  double mean = 0;
  cpu::parallel_for(
      tiles, cpu::Team(tile_.threads, &options_.executor), [&](int slot, Index begin, Index end) {
        for (Index t = begin; t < end; ++t) {
          Index const first = t * tile_.columns, count = std::min(tile_.columns, columns - first);
          T* const tile = memory + slot * tile_.scalars;
          double const got = matrix_ ? sweep_tile(first, count, from, to, tile)
                                     : transform_tile(first, count, from, to, tile);
          if (t == 0) mean = got;
        }
      });
  return mean;
}

template <class T>
std::string Middle<T>::text() const {
  std::string const shape = std::to_string(tile_.rows) + " x " + std::to_string(tile_.columns);
  if (matrix_) return "tridiagonal sweep in tiles of " + shape + ", in f64";
  Transforms const kinds = transforms(axis_);
  return std::string(name(kinds.forward)) + ", divide, " + std::string(name(kinds.back)) + " in tiles of " +
         shape;
}

template class Middle<float>;
template class Middle<double>;

}  // namespace skipper::poisson
