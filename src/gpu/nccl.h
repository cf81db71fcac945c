// NCCL, opened at run time: the few functions used are declared here by hand, so that neither building nor running needs it.
// SKIPPER_NCCL names another library to open instead, by path.
#pragma once

#include <cstddef>
#include <string>

#include "gpu/driver.h"

namespace skipper::gpu {

using NcclComm = struct NcclCommTag*;

// ncclUniqueId: what the ranks of a communicator know each other by.
struct NcclId {
  char bytes[128] = {};
};
inline constexpr int nccl_bytes = 0;  // of ncclDataType_t: ncclInt8

struct Nccl {
  Status (*version)(int*);
  Status (*make_id)(NcclId*);
  Status (*init_rank)(NcclComm*, int ranks, NcclId, int rank);
  Status (*destroy)(NcclComm);
  Status (*abort)(NcclComm);
  Status (*send)(void const*, std::size_t, int type, int peer, NcclComm, Stream);
  Status (*receive)(void*, std::size_t, int type, int peer, NcclComm, Stream);
  Status (*begin_group)();
  Status (*end_group)();
  char const* (*error_text)(Status);
};

/// The table, or Error with the way out.
Nccl const& demand_nccl();

/// Throws Error with NCCL's own words unless status is 0.
void demand_nccl(Status status, char const* doing);

}  // namespace skipper::gpu
