// The middle of a solve: along one axis of the spectrum, tile by tile, forward, divide by the symbol, back; or a
// tridiagonal elimination. A tile is some columns along that axis, held in cache as [rows][columns].
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/machine.h"
#include "cpu/engine.h"
#include "poisson/tridiagonal.h"

namespace skipper::poisson {

/// The spectrum as [outer][n][inner] numbers, real or complex, n being the middle axis.
struct Spectrum {
  Index outer = 1, n = 1, inner = 1;
  bool complex = false;
};

/// How the columns are held on chip.
struct MiddleTile {
  int parts = 1;      // scalars of a number: 2 also where only this axis is periodic
  Index rows = 1;     // modes, or points of the grid
  Index columns = 1;  // of a full tile
  Index scalars = 0;
  int threads = 1;  // tiles at once
};

template <class T>
class Middle {
 public:
  /// What one takes, counted without computing or allocating anything.
  static cpu::Needs needs(PoissonAxis const& axis, Spectrum const& spectrum, Machine const& machine,
                          cpu::Options const& options);

  /// across: what the other axes and the shift contribute to the symbol of each column, [outer][inner]. singular: the
  /// first column has a constant mode with symbol zero.
  Middle(PoissonAxis const& axis, Symbols symbols, Spectrum const& spectrum, std::vector<double> across,
         double shift, bool singular, Machine const& machine, cpu::Options const& options);

  /// From spectrum to spectrum, which may be one. `memory` is workspace() scalars of T. Returns the mean of the constant
  /// mode that was taken off, as a coefficient of the spectrum; 0 where nothing was.
  double run(T const* from, T* to, T* memory) const;

  Index workspace() const { return tile_.threads * tile_.scalars; }
  std::string text() const;

 private:
  struct Pair {
    cpu::Transform forward, back;
  };
  Pair pair_for(Index columns) const;
  double transform_tile(Index first, Index columns, T const* from, T* to, T* tile) const;
  double sweep_tile(Index first, Index columns, T const* from, T* to, T* tile) const;

  PoissonAxis axis_;
  Spectrum spectrum_;
  std::vector<double> across_;
  bool singular_;
  Machine machine_;
  cpu::Options options_;
  int parts_ = 1;  // scalars of a number of the spectrum
  MiddleTile tile_;
  std::vector<double> symbol_;         // of the modes; empty where the axis is swept
  std::optional<Tridiagonal> matrix_;  // where it is
  std::optional<Pair> full_, rest_;    // for full tiles, and for the last one
};

}  // namespace skipper::poisson
