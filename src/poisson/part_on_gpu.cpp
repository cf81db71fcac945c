#include "poisson/part_on_gpu.h"

#include "poisson/joint_part_on_gpu.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "distributed/layout.h"
#include "distributed/strides.h"
#include "gpu/columns.h"
#include "gpu/divide.h"
#include "gpu/engine.h"

namespace skipper::poisson {
namespace {

using distributed::GpuStream;

constexpr Index alignment = 256;
Index aligned(Index bytes) { return (bytes + alignment - 1) / alignment * alignment; }

gpu::DevicePointer address(void const* memory) { return reinterpret_cast<gpu::DevicePointer>(memory); }
gpu::Stream stream_of(GpuStream stream) { return static_cast<gpu::Stream>(stream); }

/// Dimensions, slowest first, as strides have them; a swept one before all others, so that its columns are neighbours.
std::vector<std::size_t> order_of(std::vector<Index> const& strides, std::optional<std::size_t> swept) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (swept == a || swept == b) return swept == a && swept != b;
    return strides[a] > strides[b];
  });
  return order;
}

/// Where a step leaves its numbers: in an array, or by base addresses.
struct Target {
  void* array = nullptr;
  void const* bases = nullptr;
};

/// The spectrum of a part between the two transforms, dense.
struct Between {
  std::vector<std::size_t> order;
  std::vector<Index> sizes, strides;
  Index bytes = 0;
};

/// The columns of a part along its swept dimension are counted along the two others, of which one may be missing, or both.
struct ColumnDims {
  std::size_t swept = 0;
  std::optional<std::size_t> near, far;

  gpu::ColumnPlaces places(std::vector<Index> const& sizes, std::vector<Index> const& strides) const {
    return {strides[swept], near ? sizes[*near] : 1, near ? strides[*near] : 0, far ? strides[*far] : 0};
  }
};

ColumnDims column_dims(std::vector<std::size_t> order, std::size_t swept) {
  std::erase(order, swept);
  ColumnDims dims{swept, {}, {}};
  if (!order.empty()) dims.near = order.back();
  if (order.size() > 1) dims.far = order.front();
  return dims;
}

std::vector<gpu::ColumnRow> rows_of(Tridiagonal const& matrix) {
  std::vector<gpu::ColumnRow> rows;
  for (std::size_t i = 0; i < matrix.diagonal.size(); ++i)
    rows.push_back({matrix.lower[i], matrix.diagonal[i], matrix.upper[i], matrix.widths[i]});
  return rows;
}

/// What the other axes and the shift add to the diagonal of each column. A singular matrix is solved apart; in its place stands one that is harmless.
std::vector<double> across_of(SpreadOperator const& matrix, ColumnDims const& dims, Box const& part,
                              std::vector<Index> const& sizes) {
  std::vector<double> across = {matrix.shift};
  for (auto const d : {dims.far, dims.near}) {
    std::vector<double> next;
    for (double const sum : across)
      for (Index i = 0; d && i < sizes[*d]; ++i)
        next.push_back(sum + matrix.symbols[*d][std::size_t(part.first[*d] + i)]);
    if (d) across = std::move(next);
  }
  if (has_constant(matrix, part)) across[0] = -1;
  return across;
}

class PartOnGpu final : public distributed::GpuTransform {
 public:
  PartOnGpu(PartsOnGpu const& all, Box const& part, std::vector<Index> const& in_strides,
            std::vector<Index> const& out_strides, Index peer_unit);
  ~PartOnGpu() override;

  Index workspace_bytes() const override { return constant_ + alignment; }
  void run(void const* in, void* out, void* workspace, GpuStream stream) const override {
    solve(in, {out, nullptr}, workspace, stream);
  }
  void run_to_peers(void const* in, void const* bases, void* workspace, GpuStream stream) const override {
    solve(in, {nullptr, bases}, workspace, stream);
  }

 private:
  void make_division(PartsOnGpu const& all);
  void make_elimination(PartsOnGpu const& all, std::vector<Index> const& in_strides,
                        std::vector<Index> const& out_strides);
  void solve(void const* in, Target const& out, void* workspace, GpuStream stream) const;
  void eliminate(void const* from, Target const& to, void* scratch, void* constant, GpuStream stream) const;

  RankDevice rank_;
  gpu::Context context_;
  Box part_;
  bool complex_, wide_;
  std::shared_ptr<MeanOnGpu> mean_;  // where the part has the constant mode
  double gain_;                      // of that
  Between between_;
  std::optional<gpu::Transform> there_, back_;  // none where no axis is transformed
  std::vector<stream::RowsOfBox> copied_;       // into the spectrum, where nothing transforms there
  std::optional<gpu::Divide> divide_;           // or
  std::optional<gpu::StridedColumns> columns_;
  std::vector<gpu::Divide::Dim> modes_;
  gpu::ColumnPlaces from_, to_;
  Index peer_unit_ = 0, work_bytes_ = 0;
  Index constant_ = 0;  // bytes before the constant mode in the workspace
};

PartOnGpu::PartOnGpu(PartsOnGpu const& all, Box const& part, std::vector<Index> const& in_strides,
                     std::vector<Index> const& out_strides, Index peer_unit)
    : rank_(all.rank), context_(gpu::context_for(rank_.device)), part_(part), peer_unit_(peer_unit) {
  Problem const& problem = all.program.program.problem;
  auto const swept = all.program.spread.eliminated;
  PartTransforms const transforms = part_transforms(all.program, part.size);
  complex_ = transforms.complex;
  wide_ = problem.precision == Precision::f64;
  if (has_constant(all.matrix, part)) mean_ = all.mean;
  gain_ = all.matrix.gain;
  between_.order = order_of(in_strides, swept);
  between_.sizes = transforms.spectrum;
  between_.strides = distributed::strides_in(between_.order, between_.sizes);
  gpu::Options options;
  if (!transforms.there.axes.empty())
    there_.emplace(part_problem(problem, transforms.there, part.size, in_strides, between_.strides),
                   rank_.device, options);
  options.peer_unit = peer_unit;
  if (!transforms.back.axes.empty())
    back_.emplace(part_problem(problem, transforms.back, between_.sizes, between_.strides, out_strides),
                  rank_.device, options);
  Index const element = (wide_ ? 8 : 4) * (complex_ ? 2 : 1);
  if (there_ || back_) between_.bytes = aligned(distributed::volume({{}, between_.sizes}) * element);
  for (auto const* transform : {&there_, &back_})
    if (*transform) work_bytes_ = std::max(work_bytes_, Index((*transform)->workspace_bytes()));
  gpu::Current const current(context_);
  if (swept)
    make_elimination(all, in_strides, out_strides);
  else
    make_division(all);
  constant_ = between_.bytes + aligned(work_bytes_);
  if (!swept && !there_)
    copied_ = distributed::byte_rows(part, {part, in_strides}, {part, between_.strides}, element);
}

PartOnGpu::~PartOnGpu() {
  gpu::Current const current(context_);
  divide_.reset();
  columns_.reset();
}

void PartOnGpu::make_division(PartsOnGpu const& all) {
  std::vector<double> symbols;
  for (std::size_t i = between_.order.size(); i-- > 0;) {
    std::size_t const d = between_.order[i];
    modes_.push_back({between_.sizes[d], Index(symbols.size())});
    for (Index k = 0; k < between_.sizes[d]; ++k)
      symbols.push_back(all.matrix.symbols[d][std::size_t(part_.first[d] + k)] +
                        (d == 0 ? all.matrix.shift : 0));
  }
  divide_.emplace(symbols, complex_, wide_, rank_.device);
}

void PartOnGpu::make_elimination(PartsOnGpu const& all, std::vector<Index> const& in_strides,
                                 std::vector<Index> const& out_strides) {
  ColumnDims const dims = column_dims(between_.order, *all.program.spread.eliminated);
  from_ = dims.places(between_.sizes, there_ ? between_.strides : in_strides);
  to_ = dims.places(between_.sizes, back_ ? between_.strides : out_strides);
  columns_.emplace(rows_of(*all.matrix.matrix), across_of(all.matrix, dims, part_, between_.sizes),
                   mean_ != nullptr, complex_, wide_, rank_.device);
  work_bytes_ = std::max(work_bytes_, Index(columns_->scratch_bytes()));
}

void PartOnGpu::eliminate(void const* from, Target const& to, void* scratch, void* constant,
                          GpuStream stream) const {
  bool const table = to.bases != nullptr;
  columns_->solve({address(from), from_, 0},
                  {address(table ? to.bases : to.array), to_, table ? peer_unit_ : 0}, address(scratch),
                  address(constant), stream_of(stream));
}

void PartOnGpu::solve(void const* in, Target const& out, void* workspace, GpuStream stream) const {
  gpu::Current const current(context_);
  void* const between = workspace;
  void* const work = static_cast<std::byte*>(workspace) + between_.bytes;
  void* const constant = static_cast<std::byte*>(workspace) + constant_;
  if (there_) there_->execute(in, between, work, stream_of(stream));
  for (stream::RowsOfBox const& rows : copied_) rank_.gpu->copy(rows, in, between, stream);
  if (columns_)
    eliminate(there_ ? between : in, back_ ? Target{between, nullptr} : out, work, constant, stream);
  else
    divide_->run(modes_, address(between), address(constant), stream_of(stream));
  if (mean_) mean_->hand_over(constant, wide_ || columns_, 1 / gain_, stream);
  if (!back_) return;
  if (out.bases)
    back_->execute_to_peers(between, address(out.bases), work, stream_of(stream));
  else
    back_->execute(between, out.array, work, stream_of(stream));
}

}  // namespace

MeanOnGpu::MeanOnGpu(std::shared_ptr<distributed::Gpu> gpu)
    : gpu_(gpu), host_(gpu, alignment, true), copied_(gpu->make_event()) {}

void MeanOnGpu::hand_over(void const* from, bool wide, double factor, GpuStream stream) {
  wide_ = wide;
  factor_ = factor;
  gpu_->copy({0, 0, wide ? 8 : 4, 1, 0, 0}, from, host_.memory(), stream);
  copied_->record(stream);
}

double MeanOnGpu::value() const {
  copied_->synchronise();
  double number = 0;
  float narrow = 0;
  if (wide_)
    std::memcpy(&number, host_.memory(), sizeof number);
  else
    std::memcpy(&narrow, host_.memory(), sizeof narrow);
  return factor_ * (wide_ ? number : double(narrow));
}

bool has_constant(SpreadOperator const& matrix, Box const& part) {
  return matrix.singular && std::all_of(part.first.begin(), part.first.end(), [](Index i) { return i == 0; });
}

std::unique_ptr<distributed::GpuTransform> part_on_gpu(PartsOnGpu const& all, Box const& part,
                                                       std::vector<Index> const& in_strides,
                                                       std::vector<Index> const& out_strides,
                                                       Index peer_unit) {
  if (auto joint = joint_part_on_gpu(all, part, in_strides, out_strides, peer_unit)) return joint;
  return std::make_unique<PartOnGpu>(all, part, in_strides, out_strides, peer_unit);
}

}  // namespace skipper::poisson
