// See fused_part_on_gpu.h.
#include "poisson/fused_part_on_gpu.h"

#include <algorithm>
#include <numeric>

#include "distributed/layout.h"
#include "gpu/engine.h"
#include "plan/fused_inverse.h"
#include "poisson/fused_axis.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

using distributed::GpuStream;

/// Complex transforms of the axis, there and back; what is between lies as the input does.
ConvolutionSides convolution_sides(PartsOnGpu const& all, PartTransforms const& transforms, Box const& part,
                                   std::vector<Index> const& in_strides,
                                   std::vector<Index> const& out_strides) {
  std::vector<std::size_t> order(in_strides.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return in_strides[a] > in_strides[b]; });
  std::vector<Index> const between = distributed::strides_in(order, part.size);
  Problem const& problem = all.program.program.problem;
  ConvolutionSides sides{part_problem(problem, transforms.there, part.size, in_strides, between),
                         part_problem(problem, transforms.back, part.size, between, out_strides)};
  for (Problem* side : {&sides.there, &sides.back}) {
    side->axes.front().kind = AxisKind::fourier;
    side->scale = 1;
  }
  return sides;
}

/// Both ways must count the same dimensions in the same order.
bool agree(std::vector<Dimension> const& there, std::vector<Dimension> const& back) {
  return std::equal(there.begin(), there.end(), back.begin(), back.end(),
                    [](Dimension const& a, Dimension const& b) {
                      return a.size == b.size && a.axis == b.axis && a.out == b.in;
                    });
}

/// What each dimension of the fused inverse adds to the symbol. A batch dimension may be two dimensions of the part that
/// follow each other; those of one index are none, and are counted with the axis, as the shift is.
gpu::AxisSymbols symbols_of(PartsOnGpu const& all, FusedInverseAxis const& along,
                            std::vector<Dimension> const& dims, Box const& part,
                            std::vector<Index> const& strides) {
  auto const symbol = [&](std::size_t d, Index i) {
    return all.matrix.symbols[d][std::size_t(part.first[d] + i)];
  };
  double rest = all.matrix.shift;
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (d != along.dimension && part.size[d] == 1) rest += symbol(d, 0);
  double const gain = double(part.size[along.dimension]);
  gpu::AxisSymbols tables;
  for (std::size_t i = dims.size(); i-- > 0;) {
    std::vector<double>& table = tables.emplace_back(std::size_t(dims[i].size), dims[i].axis ? rest : 0);
    for (Index k = 0; k < dims[i].size; ++k) {
      double& sum = table[std::size_t(k)];
      if (dims[i].axis) sum += symbol(along.dimension, k);
      for (std::size_t d = 0; d < strides.size() && !dims[i].axis; ++d) {
        bool const within = strides[d] >= dims[i].in && strides[d] < dims[i].in * dims[i].size;
        if (d != along.dimension && part.size[d] > 1 && within)
          sum += symbol(d, k * dims[i].in / strides[d] % part.size[d]);
      }
      sum *= gain;
    }
  }
  return tables;
}

class FusedInversePart final : public distributed::GpuTransform {
 public:
  FusedInversePart(PartsOnGpu const& all, FusedInverseAxis const& along, Box const& part,
                   gpu::Transform&& fused_inverse)
      : fused_inverse_(std::move(fused_inverse)), wide_(all.problem.precision == Precision::f64) {
    if (has_constant(all.matrix, part)) mean_ = all.mean;
    // Along its axis the fused inverse has a complex transform, whatever the axis has elsewhere.
    double const own = transforms(all.problem.axes[all.program.spread.order[along.dimension]]).gain;
    factor_ =
        fused_inverse_.constant_mode_factor() * own / (all.matrix.gain * double(part.size[along.dimension]));
  }

  Index workspace_bytes() const override { return Index(fused_inverse_.workspace_bytes()); }
  void run(void const* in, void* out, void* workspace, GpuStream stream) const override {
    fused_inverse_.execute(in, out, workspace, static_cast<gpu::Stream>(stream));
    hand_over(workspace, stream);
  }
  void run_to_peers(void const* in, void const* bases, void* workspace, GpuStream stream) const override {
    fused_inverse_.execute_to_peers(in, reinterpret_cast<gpu::DevicePointer>(bases), workspace,
                                    static_cast<gpu::Stream>(stream));
    hand_over(workspace, stream);
  }

 private:
  void hand_over(void const* workspace, GpuStream stream) const {
    if (mean_)
      mean_->hand_over(reinterpret_cast<void const*>(fused_inverse_.constant_mode_place(workspace)), wide_,
                       factor_, stream);
  }

  gpu::Transform fused_inverse_;
  std::shared_ptr<MeanOnGpu> mean_;  // where the part has the constant mode
  bool wide_;
  double factor_ = 1;
};

}  // namespace

std::unique_ptr<distributed::GpuTransform> fused_part_on_gpu(PartsOnGpu const& all, Box const& part,
                                                             std::vector<Index> const& in_strides,
                                                             std::vector<Index> const& out_strides,
                                                             Index peer_unit) {
  PartTransforms const transforms = part_transforms(all.program, part.size);
  auto const along = fused_axis(all.problem, all.program);
  if (!along) return nullptr;
  ConvolutionSides const sides = convolution_sides(all, transforms, part, in_strides, out_strides);
  std::vector<Dimension> const dims = dimensions(sides.there);
  if (!agree(dims, dimensions(sides.back))) return nullptr;
  gpu::Options options;
  options.peer_unit = peer_unit;
  try {
    return std::make_unique<FusedInversePart>(
        all, *along, part,
        gpu::Transform(sides, along->factors, symbols_of(all, *along, dims, part, in_strides),
                       all.rank.device, options));
  } catch (Error const& e) {  // a length that goes into no fused inverse
    if (e.argument() != "shape") throw;
    return nullptr;
  }
}

}  // namespace skipper::poisson
