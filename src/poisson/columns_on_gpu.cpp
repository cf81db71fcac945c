// See columns_on_gpu.h.
#include "poisson/columns_on_gpu.h"

#include <algorithm>

#include "poisson/outer_on_gpu.h"
#include "poisson/symbols.h"
#include "poisson/tridiagonal.h"

namespace skipper::poisson {
namespace {

std::vector<gpu::ColumnRow> rows_of(PoissonAxis const& axis) {
  Tridiagonal const matrix = tridiagonal(axis);
  std::vector<gpu::ColumnRow> rows;
  for (std::size_t i = 0; i < matrix.diagonal.size(); ++i)
    rows.push_back({matrix.lower[i], matrix.diagonal[i], matrix.upper[i], matrix.widths[i]});
  return rows;
}

/// The elimination's own scale is taken off on the way back.
Outside scaled(PoissonProblem const& problem) {
  Outside all = outside(problem, SpectrumOrder::middle_first);
  all.back->scale /= gpu::Columns::scale(rows_of(problem.axes[middle_axis(problem)]));
  return all;
}

}  // namespace

ColumnsOnGpu::ColumnsOnGpu(PoissonProblem const& problem, int device, gpu::Options const& options)
    : all_(scaled(problem)),
      singular_(is_singular(problem)),
      spectrum_bytes_(std::size_t(out_bytes(*all_.forward))),
      forward_(outer_transform(*all_.forward, device, options)),
      back_(outer_transform(*all_.back, device, without_functions(options))),
      context_(gpu::context_for(device)),
      pool_(gpu::Pool::of(device)),
      side_streams_(context_) {
  gpu::Current const current(context_);
  columns_ =
      std::make_unique<gpu::Columns>(rows_of(problem.axes[middle_axis(problem)]), across_of(problem, all_),
                                     singular_, all_.complex(), problem.precision == Precision::f64, device);
}

ColumnsOnGpu::~ColumnsOnGpu() {
  gpu::Current const current(context_);
  gpu::driver()->synchronise();  // what was launched may still run
  columns_.reset();
}

std::size_t ColumnsOnGpu::workspace_bytes() const {
  return gpu::Borrowed::part(spectrum_bytes_) + gpu::Borrowed::part(columns_->buffer_bytes()) +
         std::max(forward_.workspace_bytes(), back_.workspace_bytes());
}

double ColumnsOnGpu::solve(void const* f, void* phi, void* workspace, gpu::Stream stream) const {
  gpu::Current const current(context_);
  gpu::Borrowed borrowed(*pool_, stream, workspace);
  gpu::DevicePointer const spectrum = borrowed.take(spectrum_bytes_, "the spectrum"),
                           buffer = borrowed.take(columns_->buffer_bytes(), "elimination");
  void* const between = reinterpret_cast<void*>(spectrum);
  void* const outer = workspace ? reinterpret_cast<void*>(borrowed.take(0, "the workspace")) : nullptr;
  forward_.execute(f, between, outer, stream);
  columns_->solve(spectrum, spectrum, buffer, stream);
  if (!singular_) {
    back_.execute(between, phi, outer, stream);
    return 0;
  }
  auto const side = side_streams_.after(stream);  // the mean is known before the way back is over
  back_.execute(between, phi, outer, stream);
  return side.number(buffer, true, "the mean") / all_.gain;
}

std::string ColumnsOnGpu::describe() const {
  return forward_.describe() + "eliminate along the slowest axis, in f64\n" + back_.describe();
}

}  // namespace skipper::poisson
