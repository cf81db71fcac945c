#include "trace/trace.h"

#include "trace/block.h"
#include "trace/codelets.h"
#include "trace/traced.h"

namespace skipper::kernel {

template <int R>
void dft(Complex<ir::Real> (&v)[R]) {
  trace::codelet(R, v);
}
template <int R>
void dft(Complex<Perhaps<ir::Real>> (&v)[R]) {
  trace::codelet(R, v);
}

}  // namespace skipper::kernel

#include "kernel/sweep.h"

namespace skipper::trace {
namespace {

void refuse_unrecorded(kernel::SweepSpec const& spec) {
  if (spec.pre.callback || spec.post.callback)
    throw Error("trace", "has a user's functions, which are CUDA C++; compile the kernel text");
  if (spec.flow.fused)
    throw Error("trace", "has a sweep that shares a kernel with another one; compile the kernel text");
}

ir::Kernel header(kernel::SweepSpec const& spec, ir::Type real) {
  ir::Kernel kernel;
  kernel.name = "sweep";
  kernel.parameters = {{"in"}, {"out"}, {"roots"}, {"scale", real}, {"factors"}, {"data"}, {"constant_mode"}};
  kernel.threads = spec.threads;
  kernel.cluster_ranks = spec.cluster_ranks;
  kernel.resident = spec.resident;
  kernel.shared_bytes = spec.shared * 2 * bytes_of(real);
  return kernel;
}

Index array(int parameter) {
  constexpr ir::Range addresses{std::int64_t(kernel::peer_origin), std::int64_t(1) << 48};
  return Index::of(ir::builder().index_parameter(parameter, addresses));
}

}  // namespace

std::int64_t tiles(kernel::SweepSpec const& spec) {
  std::int64_t n = 1;
  for (int g = 0; g < spec.grids; ++g) n *= spec.grid_extent[g];
  return n;
}

ir::Kernel trace(kernel::SweepSpec const& spec, ir::Type real) {
  refuse_unrecorded(spec);
  ir::Builder builder(header(spec, real), real, tiles(spec));
  {
    Block block(spec, tiles(spec));
    kernel::Args<Real> const args{{array(0)}, {array(1)}, {array(2)}, Real::of(builder.parameter(3)),
                                  {array(4)}, {array(5)}, {array(6)}};
    kernel::sweep<Real>(Traced{&spec}, block, args);
  }
  return builder.finish();
}

}  // namespace skipper::trace
