#include "gpu/columns.h"

#include "kernel/columns.h"

namespace skipper::gpu {
namespace {

constexpr std::size_t before_kept = 256;  // bytes of the scratch for the mean

std::vector<double> table_of(std::vector<ColumnRow> const& rows) {
  std::vector<double> all;
  for (ColumnRow const& r : rows) all.insert(all.end(), {r.lower, r.diagonal, r.upper, r.width});
  return all;
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
      across_(uploaded(across)) {
  for (ColumnRow const& r : rows) length_ += r.width;
}

std::size_t Columns::scratch_bytes() const {
  return before_kept + std::size_t(kernel::column_runs(rows_) - 1) * (complex_ ? 3 : 2) *
                           std::size_t(columns_) * sizeof(double);
}

template <class V>
void Columns::launch(DevicePointer in, DevicePointer out, DevicePointer scratch, Stream stream) const {
  auto const at = [](DevicePointer p) { return reinterpret_cast<double*>(p); };
  kernel::ColumnArgs<V> const args{reinterpret_cast<V const*>(in),
                                   reinterpret_cast<V*>(out),
                                   at(matrix_.at()),
                                   at(across_.at()),
                                   at(scratch + before_kept),
                                   singular_ ? at(scratch) : nullptr,
                                   length_,
                                   columns_,
                                   rows_};
  kernel_.launch((columns_ + kernel::column_threads - 1) / kernel::column_threads, kernel::column_threads,
                 args, stream);
}

void Columns::solve(DevicePointer in, DevicePointer out, DevicePointer scratch, Stream stream) const {
  if (complex_)
    wide_ ? launch<kernel::Complex<double>>(in, out, scratch, stream)
          : launch<kernel::Complex<float>>(in, out, scratch, stream);
  else
    wide_ ? launch<double>(in, out, scratch, stream) : launch<float>(in, out, scratch, stream);
}

}  // namespace skipper::gpu
