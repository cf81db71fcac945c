// See columns.h.
#include "gpu/columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gpu/device.h"
#include "kernel/columns.h"

namespace skipper::gpu {
namespace {

constexpr std::size_t before_kept = 256;  // bytes of the buffer for the mean

/// The elimination from the first row down, then that from the last row up: the same of the reversed matrix.
std::vector<double> table_of(std::vector<ColumnRow> const& rows) {
  double const by = 1 / ColumnSystems::scale(rows);
  std::size_t const count = rows.size(),
                    padding = std::size_t(kernel::column_runs(int(count))) * kernel::column_run - count;
  auto const coupling = [&](std::size_t i) {  // between rows i - 1 and i
    return i > 0 && i < count ? by * rows[i].lower * by * rows[i - 1].upper : 0;
  };
  std::vector<double> all;
  auto const pad = [&] {
    for (std::size_t i = 0; i < padding; ++i)
      all.insert(all.end(), std::begin(kernel::column_padding), std::end(kernel::column_padding));
  };
  for (std::size_t i = 0; i < count; ++i)
    all.insert(all.end(), {by * rows[i].lower, by * rows[i].diagonal, by * rows[i].upper, coupling(i)});
  pad();
  pad();
  for (std::size_t i = count; i-- > 0;)
    all.insert(all.end(), {by * rows[i].upper, by * rows[i].diagonal, by * rows[i].lower, coupling(i + 1)});
  return all;
}

std::vector<double> widths_of(std::vector<ColumnRow> const& rows) {
  std::vector<double> all;
  for (ColumnRow const& r : rows) all.push_back(r.width);
  return all;
}

std::vector<double> divided(std::vector<double> numbers, double by) {
  for (double& n : numbers) n /= by;
  return numbers;
}

}  // namespace

ColumnSystems::ColumnSystems(std::vector<ColumnRow> const& rows, std::vector<double> const& across,
                             bool singular, bool complex, bool wide, int device, ColumnOccupancy occupancy)
    : rows_(int(rows.size())),
      columns_(Index(across.size())),
      singular_(singular),
      complex_(complex),
      wide_(wide),
      occupancy_(occupancy),
      sms_(device_machine(device).sms),
      matrix_(uploaded(table_of(rows))),
      widths_(uploaded(widths_of(rows))),
      across_(uploaded(divided(across, scale(rows)))) {
  for (ColumnRow const& r : rows) length_ += r.width;
  // Blocks an SM (docs/decisions/0014). Fitted: bench/results/h200-choices.md.
  // Prefetch distance in runs: a choice, not measured.
  if (occupancy_.blocks == 0) occupancy_ = {wide && complex ? 4 : 5, 2};
}

double ColumnSystems::scale(std::vector<ColumnRow> const& rows) {
  double largest = 0;
  for (ColumnRow const& r : rows) largest = std::max(largest, std::abs(r.diagonal));
  return largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
}

std::size_t ColumnSystems::buffer_bytes(Index columns) const {
  Index const blocks = kernel::column_grid(columns, singular_, max_blocks());
  return before_kept +
         std::size_t(blocks) * std::size_t(kernel::column_kept(rows_, complex_ ? 2 : 1)) * sizeof(double);
}

template <class V>
kernel::ColumnArgs<V> ColumnSystems::args(Index first, Index count, DevicePointer in, DevicePointer out,
                                          DevicePointer buffer, DevicePointer mean) const {
  auto const at = [](DevicePointer p) { return reinterpret_cast<double*>(p); };
  return {reinterpret_cast<V const*>(in),
          reinterpret_cast<V*>(out),
          at(matrix_.at()),
          at(widths_.at()),
          at(across_.at()) + first,
          at(buffer + before_kept),
          singular_ && first == 0 ? at(mean) : nullptr,
          length_,
          count,
          rows_,
          occupancy_.prefetch_distance};
}

template <class Args>
void ColumnSystems::launch(PlainKernel const& kernel, Index count, bool singular, Args const& args,
                           Stream stream) const {
  kernel.launch(kernel::column_grid(count, singular, max_blocks()), kernel::column_threads,
                kernel::column_shared(complex_ ? 2 : 1), args, stream);
}

template <class Go>
void ColumnSystems::by_type(Go go) const {
  if (complex_)
    wide_ ? go(kernel::Complex<double>()) : go(kernel::Complex<float>());
  else
    wide_ ? go(double()) : go(float());
}

Columns::Columns(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular,
                 bool complex, bool wide, int device, ColumnOccupancy occupancy)
    : ColumnSystems(rows, across, singular, complex, wide, device, occupancy),
      kernel_(trace::PlainKernel::columns, complex, wide, device) {}

void Columns::solve(DevicePointer in, DevicePointer out, DevicePointer buffer, Stream stream) const {
  solve(0, columns_, in, out, buffer, buffer, stream);
}

void Columns::solve(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer buffer,
                    DevicePointer mean, Stream stream) const {
  by_type([&]<class V>(V) {
    auto const all = args<V>(first, count, in, out, buffer, mean);
    launch(kernel_, count, all.constant != nullptr, all, stream);
  });
}

StridedColumns::StridedColumns(std::vector<ColumnRow> const& rows, std::vector<double> const& across,
                               bool singular, bool complex, bool wide, int device)
    : ColumnSystems(rows, across, singular, complex, wide, device, {}),
      scale_(scale(rows)),
      kernel_(trace::PlainKernel::strided_columns, complex, wide, device) {}

void StridedColumns::solve(ColumnArray const& in, ColumnArray const& out, DevicePointer buffer,
                           DevicePointer mean, Stream stream) const {
  auto const places = [](ColumnPlaces const& p) {
    return kernel::ColumnPlaces{p.row, p.inner, p.near, p.far};
  };
  bool const table = out.unit > 0;
  auto const* const bases = reinterpret_cast<unsigned long long const*>(table ? out.data : 0);
  by_type([&]<class V>(V) {
    kernel::StridedColumnArgs<V> const all{args<V>(0, columns_, in.data, table ? 0 : out.data, buffer, mean),
                                           places(in.places),
                                           places(out.places),
                                           bases,
                                           out.unit,
                                           1 / scale_};
    launch(kernel_, columns_, singular_, all, stream);
  });
}

}  // namespace skipper::gpu
