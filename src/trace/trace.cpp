// See trace.h.
#include "trace/trace.h"

#include "trace/sweep.h"

namespace skipper::trace {

std::int64_t tiles(kernel::SweepSpec const& spec) {
  std::int64_t n = 1;
  for (int g = 0; g < spec.grids; ++g) n *= spec.grid_extent[g];
  return n;
}

ir::Kernel trace(kernel::SweepSpec const& spec, ir::Type real) {
  ir::Kernel header;
  header.name = "sweep";
  header.parameters = sweep_parameters(real);
  header.threads = spec.threads;
  header.cluster_ranks = spec.cluster_ranks;
  header.resident = spec.resident;
  header.shared_bytes = spec.shared * 2 * bytes_of(real);
  ir::Builder builder(std::move(header), real, tiles(spec));
  Block block(spec, tiles(spec));
  record_sweep(spec, block, sweep_arguments(0));
  return builder.finish();
}

}  // namespace skipper::trace
