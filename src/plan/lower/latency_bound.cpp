// See latency_bound.h.
#include "plan/lower/latency_bound.h"

#include <algorithm>

#include "kernel/queries.h"
#include "plan/lower/occupancy.h"

namespace skipper {
namespace {

int exchanges(kernel::SweepSpec const& spec) {
  int n = 0;
  for (int i = 0; i < spec.steps; ++i) n += spec.step[i].exchange.needed;
  return n;
}

/// Where nothing but exchanges of this block uses its shared memory.
bool only_exchanges(kernel::SweepSpec const& spec) {
  bool is_direct = false;
  for (int i = 0; i < spec.steps; ++i) is_direct = is_direct || spec.step[i].direct_dft.used;
  return spec.cluster_ranks == 1 && !is_direct && !spec.hermitian.used && !spec.rader.used;
}

}  // namespace

kernel::SweepSpec with_double_buffering(kernel::SweepSpec spec) {
  int const own = spec.shared;
  int number = 0;
  for (int i = 0; i < spec.steps; ++i) {
    kernel::Exchange& exchange = spec.step[i].exchange;
    if (!exchange.needed) continue;
    exchange.base += number++ % 2 * own;
    exchange.fence = false;
  }
  if (number > 1) spec.shared += own;
  return spec;
}

kernel::SweepSpec with_preloaded_twiddles(kernel::SweepSpec spec) {
  spec.preloads_twiddles = true;
  return spec;
}

kernel::SweepSpec latency_bound(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                                Machine const& machine) {
  constexpr Index few = 4;  // blocks an SM. A choice, not measured.
  Index const on_one = (tiles * spec.cluster_ranks + machine.sms - 1) / machine.sms;
  if (on_one > std::min<Index>(few, spec.resident)) return spec;
  kernel::SweepSpec result = spec;
  Index const both = 2 * spec.shared * element_bytes;
  bool const fits =  // the other half is left to L1 for loads in flight
      both <= machine.shared_block && 2 * on_one * (both + machine.shared_reserved) <= machine.shared_sm;
  if (only_exchanges(spec) && exchanges(spec) > 1 && fits) result = with_double_buffering(result);
  int const twiddles = kernel::first_twiddle(spec, spec.steps);
  if (twiddles == 0 || twiddles > kernel::max_twiddles) return result;
  Work work = work_of(result, element_bytes);
  work.registers += twiddles * element_bytes / 4;
  if (blocks_of(work, work.registers, machine) < on_one) return result;
  result.resident = int(on_one);  // all registers that are left
  return with_preloaded_twiddles(result);
}

}  // namespace skipper
