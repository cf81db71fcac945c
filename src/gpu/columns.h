// Tridiagonal systems along the columns of an array on a device (kernel/columns.h).
#pragma once

#include <vector>

#include "base/machine.h"
#include "gpu/plain.h"
#include "kernel/columns.h"

namespace skipper::gpu {

/// Row i of a matrix: lower u[i-1] + diagonal u[i] + upper u[i+1]. `width` is its weight in a mean.
struct ColumnRow {
  double lower = 0, diagonal = 0, upper = 0, width = 0;
};

/// Blocks that an SM holds at once (0: the default), and runs of rows between the one that is loaded and the one that is
/// prefetched into L2.
struct ColumnOccupancy {
  int blocks = 0, prefetch_distance = 0;
};

/// The systems of all columns, on the device.
class ColumnSystems {
 public:
  /// across: what each column adds to the diagonal. singular: column 0 has no unique solution. Its right side loses its
  /// mean, and it gets the solution of mean zero; means are weighted by the widths. In the current context.
  ColumnSystems(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular,
                bool complex, bool wide, int device, ColumnOccupancy occupancy);

  /// A power of two that the matrix is divided by, so solutions are larger by it. It depends on the rows alone.
  static double scale(std::vector<ColumnRow> const& rows);

  std::size_t buffer_bytes() const { return buffer_bytes(columns_); }
  std::size_t buffer_bytes(Index columns) const;

 protected:
  template <class V>
  kernel::ColumnArgs<V> args(Index first, Index count, DevicePointer in, DevicePointer out,
                             DevicePointer buffer, DevicePointer mean) const;
  template <class Args>
  void launch(PlainKernel const& kernel, Index count, bool singular, Args const& args, Stream stream) const;
  /// go(V()) with the type of a number.
  template <class Go>
  void by_type(Go go) const;

  int rows_;
  Index columns_;
  bool singular_, complex_, wide_;

 private:
  Index max_blocks() const { return sms_ * occupancy_.blocks; }

  ColumnOccupancy occupancy_;
  Index sms_;
  double length_ = 0;
  Memory matrix_, widths_, across_;
};

/// The systems of the columns of arrays [rows][columns].
class Columns : public ColumnSystems {
 public:
  Columns(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular, bool complex,
          bool wide, int device, ColumnOccupancy occupancy = {});

  /// In stream order, scale() times the solution. `in` and `out` may be one. The mean that column 0 lost is a double at the
  /// beginning of the buffer.
  void solve(DevicePointer in, DevicePointer out, DevicePointer buffer, Stream stream) const;

  /// The same for some of the columns, which are all that the arrays have; the mean is a double at `mean`.
  void solve(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer buffer,
             DevicePointer mean, Stream stream) const;

 private:
  PlainKernel kernel_;
};

/// Where row r of column c stands in an array: r * row + c % inner * near + c / inner * far numbers from its first one.
struct ColumnPlaces {
  Index row = 0, inner = 1, near = 1, far = 0;
};

/// An array, or with a unit > 0 several: `data` is then a table of base addresses, and the number at a place is stored
/// `place` numbers after base address [place / unit].
struct ColumnArray {
  DevicePointer data = 0;
  ColumnPlaces places = {};
  Index unit = 0;
};

/// The systems of columns of any strides.
class StridedColumns : public ColumnSystems {
 public:
  StridedColumns(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular,
                 bool complex, bool wide, int device);

  /// In stream order. Only `out` may be a table. `in` and `out` may be one, with the same places.
  void solve(ColumnArray const& in, ColumnArray const& out, DevicePointer buffer, DevicePointer mean,
             Stream stream) const;

 private:
  double scale_;  // of the matrix as it is solved
  PlainKernel kernel_;
};

}  // namespace skipper::gpu
