// See part_on_gpu.h.
#include "poisson/part_on_gpu.h"

#include "base/device_alignment.h"
#include "poisson/fused_part_on_gpu.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <variant>

#include "distributed/layout.h"
#include "distributed/strides.h"
#include "gpu/columns.h"
#include "gpu/divide.h"
#include "gpu/engine.h"

namespace skipper::poisson {
namespace {

using distributed::GpuStream;

using gpu::address;
using gpu::stream_of;

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

/// A part, its two transforms, and the spectrum between them, which is dense.
struct Shape {
  Box part;
  PartTransforms transforms;
  std::optional<std::size_t> swept;
  std::vector<Index> in, out;  // strides of the arrays
  std::vector<std::size_t> order;
  std::vector<Index> between;
  bool wide = false;

  bool goes_there() const { return !transforms.there.axes.empty(); }
  bool goes_back() const { return !transforms.back.axes.empty(); }
  Index element_bytes() const { return (wide ? 8 : 4) * (transforms.complex ? 2 : 1); }
  Index between_bytes() const {
    if (!goes_there() && !goes_back()) return 0;
    return device_aligned(distributed::volume({{}, transforms.spectrum}) * element_bytes());
  }
};

Shape shape_of(PartsOnGpu const& all, Box const& part, std::vector<Index> const& in_strides,
               std::vector<Index> const& out_strides) {
  Shape shape{part,
              part_transforms(all.program, part.size),
              all.program.spread.eliminated,
              in_strides,
              out_strides,
              {},
              {},
              all.problem.precision == Precision::f64};
  shape.order = order_of(in_strides, shape.swept);
  shape.between = distributed::strides_in(shape.order, shape.transforms.spectrum);
  return shape;
}

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

/// What the other axes and the shift add to the diagonal of each column. A singular matrix is solved apart; in its
/// place stands one that is harmless.
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

/// In the spectrum, which is filled by copies where nothing transforms there.
struct Division {
  gpu::Divide divide;
  std::vector<gpu::Divide::Dim> modes;
  std::vector<stream::RowsOfBox> copies;
};

/// From the spectrum, or the input where nothing transforms there, to the spectrum, or the output where nothing transforms back.
struct Elimination {
  gpu::StridedColumns columns;
  gpu::ColumnPlaces from, to;
};

using Step = std::variant<Division, Elimination>;

Step division_of(PartsOnGpu const& all, Shape const& shape) {
  std::vector<double> symbols;
  std::vector<gpu::Divide::Dim> modes;
  for (std::size_t i = shape.order.size(); i-- > 0;) {
    std::size_t const d = shape.order[i];
    Index const size = shape.transforms.spectrum[d];
    modes.push_back({size, Index(symbols.size())});
    for (Index k = 0; k < size; ++k)
      symbols.push_back(all.matrix.symbols[d][std::size_t(shape.part.first[d] + k)] +
                        (d == 0 ? all.matrix.shift : 0));
  }
  std::vector<stream::RowsOfBox> copies;
  if (!shape.goes_there())
    copies = distributed::byte_rows(shape.part, {shape.part, shape.in}, {shape.part, shape.between},
                                    shape.element_bytes());
  return Division{gpu::Divide(symbols, shape.transforms.complex, shape.wide, all.rank.device),
                  std::move(modes), std::move(copies)};
}

Step elimination_of(PartsOnGpu const& all, Shape const& shape) {
  std::vector<Index> const& sizes = shape.transforms.spectrum;
  ColumnDims const dims = column_dims(shape.order, *shape.swept);
  return Elimination{
      gpu::StridedColumns(rows_of(*all.matrix.matrix), across_of(all.matrix, dims, shape.part, sizes),
                          has_constant(all.matrix, shape.part), shape.transforms.complex, shape.wide,
                          all.rank.device),
      dims.places(sizes, shape.goes_there() ? shape.between : shape.in),
      dims.places(sizes, shape.goes_back() ? shape.between : shape.out)};
}

class PartOnGpu final : public distributed::GpuTransform {
 public:
  PartOnGpu(PartsOnGpu const& all, Shape const& shape, Index peer_unit);
  ~PartOnGpu() override;

  Index workspace_bytes() const override { return constant_ + device_alignment; }
  void run(void const* in, void* out, void* workspace, GpuStream stream) const override {
    solve(in, {out, nullptr}, workspace, stream);
  }
  void run_to_peers(void const* in, void const* bases, void* workspace, GpuStream stream) const override {
    solve(in, {nullptr, bases}, workspace, stream);
  }

 private:
  void solve(void const* in, Target const& out, void* workspace, GpuStream stream) const;

  RankDevice rank_;
  gpu::Context context_;
  std::optional<gpu::Transform> there_, back_;  // none where no axis is transformed
  std::optional<Step> step_;                    // always, but for the destructor
  std::shared_ptr<MeanOnGpu> mean_;             // where the part has the constant mode
  double gain_;                                 // of that
  bool wide_;                                   // it is a double
  Index peer_unit_;
  Index work_, constant_;  // bytes before either in the workspace, behind the spectrum
};

PartOnGpu::PartOnGpu(PartsOnGpu const& all, Shape const& shape, Index peer_unit)
    : rank_(all.rank),
      context_(gpu::context_for(rank_.device)),
      gain_(all.matrix.gain),
      wide_(shape.wide || shape.swept),
      peer_unit_(peer_unit) {
  Problem const& problem = all.program.program.problem;
  auto const& [there, back, spectrum, complex] = shape.transforms;
  gpu::Options options;
  if (shape.goes_there())
    there_.emplace(part_problem(problem, there, shape.part.size, shape.in, shape.between), rank_.device,
                   options);
  options.peer_unit = peer_unit;
  if (shape.goes_back())
    back_.emplace(part_problem(problem, back, spectrum, shape.between, shape.out), rank_.device, options);
  {
    gpu::Current const current(context_);
    step_.emplace(shape.swept ? elimination_of(all, shape) : division_of(all, shape));
  }
  if (has_constant(all.matrix, shape.part)) mean_ = all.mean;
  Index work = 0;
  for (auto const* transform : {&there_, &back_})
    if (*transform) work = std::max(work, Index((*transform)->workspace_bytes()));
  if (auto const* elimination = std::get_if<Elimination>(&*step_))
    work = std::max(work, Index(elimination->columns.buffer_bytes()));
  work_ = shape.between_bytes();
  constant_ = work_ + device_aligned(work);
}

PartOnGpu::~PartOnGpu() {
  gpu::Current const current(context_);
  step_.reset();
}

void PartOnGpu::solve(void const* in, Target const& out, void* workspace, GpuStream stream) const {
  gpu::Current const current(context_);
  void* const between = workspace;
  void* const work = static_cast<std::byte*>(workspace) + work_;
  void* const constant = static_cast<std::byte*>(workspace) + constant_;
  if (there_) there_->execute(in, between, work, stream_of(stream));
  if (auto const* division = std::get_if<Division>(&*step_)) {
    for (stream::RowsOfBox const& rows : division->copies) rank_.gpu->copy(rows, in, between, stream);
    division->divide.run(division->modes, address(between), address(constant), stream_of(stream));
  } else {
    auto const& [columns, from, to] = std::get<Elimination>(*step_);
    Target const target = back_ ? Target{between, nullptr} : out;
    bool const table = target.bases != nullptr;
    columns.solve({address(there_ ? between : in), from, 0},
                  {address(table ? target.bases : target.array), to, table ? peer_unit_ : 0}, address(work),
                  address(constant), stream_of(stream));
  }
  if (mean_) mean_->hand_over(constant, wide_, 1 / gain_, stream);
  if (back_ && out.bases)
    back_->execute_to_peers(between, address(out.bases), work, stream_of(stream));
  else if (back_)
    back_->execute(between, out.array, work, stream_of(stream));
}

}  // namespace

MeanOnGpu::MeanOnGpu(std::shared_ptr<distributed::Gpu> gpu)
    : gpu_(gpu), host_(gpu, device_alignment, true), copied_(gpu->make_event()) {}

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
  if (auto fused_inverse = fused_part_on_gpu(all, part, in_strides, out_strides, peer_unit))
    return fused_inverse;
  return std::make_unique<PartOnGpu>(all, shape_of(all, part, in_strides, out_strides), peer_unit);
}

}  // namespace skipper::poisson
