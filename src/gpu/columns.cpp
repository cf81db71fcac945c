#include "gpu/columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernel/columns.h"

namespace skipper::gpu {
namespace {

constexpr std::size_t before_kept = 256;  // bytes of the scratch for the mean

std::vector<double> table_of(std::vector<ColumnRow> const& rows) {
  double const by = 1 / Columns::scale(rows);
  std::vector<double> all;
  for (std::size_t i = 0; i < rows.size(); ++i)
    all.insert(all.end(), {by * rows[i].lower, by * rows[i].diagonal, by * rows[i].upper,
                           i ? by * rows[i].lower * by * rows[i - 1].upper : 0});
  while (all.size() % (kernel::column_run * kernel::column_numbers) != 0)
    all.insert(all.end(), std::begin(kernel::column_padding), std::end(kernel::column_padding));
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

Columns::Columns(std::vector<ColumnRow> const& rows, std::vector<double> const& across, bool singular,
                 bool complex, bool wide, int device)
    : rows_(int(rows.size())),
      columns_(Index(across.size())),
      singular_(singular),
      complex_(complex),
      wide_(wide),
      kernel_("columns_kernel", complex, wide, device),
      matrix_(uploaded(table_of(rows))),
      widths_(uploaded(widths_of(rows))),
      across_(uploaded(divided(across, scale(rows)))) {
  for (ColumnRow const& r : rows) length_ += r.width;
}

double Columns::scale(std::vector<ColumnRow> const& rows) {
  double largest = 0;
  for (ColumnRow const& r : rows) largest = std::max(largest, std::abs(r.diagonal));
  return largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
}

std::size_t Columns::scratch_bytes(Index columns) const {
  return before_kept + std::size_t(kernel::column_runs(rows_) - 1) * (complex_ ? 3 : 2) *
                           std::size_t(columns) * sizeof(double);
}

template <class V>
void Columns::launch(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer scratch,
                     DevicePointer mean, Stream stream) const {
  auto const at = [](DevicePointer p) { return reinterpret_cast<double*>(p); };
  kernel::ColumnArgs<V> const args{reinterpret_cast<V const*>(in),
                                   reinterpret_cast<V*>(out),
                                   at(matrix_.at()),
                                   at(widths_.at()),
                                   at(across_.at()) + first,
                                   at(scratch + before_kept),
                                   singular_ && first == 0 ? at(mean) : nullptr,
                                   length_,
                                   count,
                                   rows_};
  kernel_.launch(kernel::column_tiles(count, args.constant != nullptr), kernel::column_threads, args, stream);
}

void Columns::solve(DevicePointer in, DevicePointer out, DevicePointer scratch, Stream stream) const {
  solve(0, columns_, in, out, scratch, scratch, stream);
}

void Columns::solve(Index first, Index count, DevicePointer in, DevicePointer out, DevicePointer scratch,
                    DevicePointer mean, Stream stream) const {
  auto const go = [&]<class V>(V) { launch<V>(first, count, in, out, scratch, mean, stream); };
  if (complex_)
    wide_ ? go(kernel::Complex<double>()) : go(kernel::Complex<float>());
  else
    wide_ ? go(double()) : go(float());
}

}  // namespace skipper::gpu
