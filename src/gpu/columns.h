// Tridiagonal systems along the slow dimension of an array [rows][columns] on a device (kernel/columns.h).
#pragma once

#include <vector>

#include "base/machine.h"
#include "gpu/plain.h"

namespace skipper::gpu {

/// Row i: lower u[i-1] + diagonal u[i] + upper u[i+1], standing for a width.
struct ColumnRow {
  double lower = 0, diagonal = 0, upper = 0, width = 0;
};

/// How many blocks an SM has at once, and how many runs of rows they ask for ahead.
struct ColumnPace {
  int blocks = 0, ahead = 0;
};

class Columns {
 public:
  /// across: what each column adds to the diagonal. singular: column 0 has no unique solution, and gets the one with mean
  /// zero, weighed by the widths, after its right side lost its mean. In the context that is current.
  Columns(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular, bool complex,
          bool wide, int device, ColumnPace pace = {});

  /// A power of two: what is solved is the matrix divided by it, so solutions are larger by it. Known from the rows alone.
  static double scale(std::vector<ColumnRow> const& rows);

  std::size_t scratch_bytes() const { return scratch_bytes(columns_); }
  std::size_t scratch_bytes(Index columns) const;

  /// In stream order, scale() times the solution. `in` and `out` may be one. The mean that column 0 lost is a double at the
  /// beginning of the scratch.
  void solve(DevicePointer in, DevicePointer out, DevicePointer scratch, Stream stream) const;

  /// The same for some of the columns, which are all that the arrays have; the mean is a double at `mean`.
  void solve(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer scratch,
             DevicePointer mean, Stream stream) const;

 private:
  template <class V>
  void launch(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer scratch,
              DevicePointer mean, Stream stream) const;

  Index most_blocks() const { return sms_ * pace_.blocks; }

  int rows_;
  Index columns_;
  bool singular_, complex_, wide_;
  ColumnPace pace_;
  Index sms_;
  double length_ = 0;
  PlainKernel kernel_;
  Memory matrix_, widths_, across_;
};

}  // namespace skipper::gpu
