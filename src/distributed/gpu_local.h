// The state of GpuRun for each rank of this process. Only its own files include this header.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "distributed/gpu_run.h"
#include "distributed/gpu_twiddles.h"
#include "distributed/owned.h"

namespace skipper::distributed {

/// The tags that tell the messages of an execution apart.
inline int message_tag(std::size_t stage, Index piece) { return int(Index(stage) * 1024 + piece); }

/// A stage whose output is copied to its receivers.
struct GpuRun::Copies {
  std::vector<GpuPiece> pieces;
  std::vector<std::shared_ptr<GpuTransform>> transforms;  // of each piece
  std::vector<std::unique_ptr<GpuEvent>> computed, sent;  // of each piece
  struct Arrival {                                        // by message
    int sender = 0, tag = 0;
    Index offset = 0, bytes = 0;  // in the pinned memory for what arrives
    std::vector<stream::RowsOfBox> rows;
  };
  std::vector<Arrival> arrivals;
};

/// A stage that stores by base addresses.
struct GpuRun::Stored {
  Route route;
  std::unique_ptr<GpuTransform> transform;
  std::vector<GpuSwap> swaps;
  // By the arrays that they point into, since callers may come with others each time.
  std::map<std::vector<void*>, Owned> tables;
};

struct GpuRun::Local {
  Index rank = 0;
  std::shared_ptr<Gpu> gpu;
  Owned windows[2];
  std::vector<void*> peers[2];  // everybody's windows as this device reaches them; null where it does not
  std::vector<std::pair<Index, void*>> opened;  // of other processes, with their ranks
  Owned leaving, arriving, workspace;
  std::unique_ptr<GpuTwiddles> twiddles;        // of an axis that is split
  std::vector<std::unique_ptr<Copies>> copies;  // by stage; one of the two where there is an exchange
  std::vector<std::unique_ptr<Stored>> stored;
  std::unique_ptr<GpuTransform> last;
  GpuStream copying = nullptr, landing = nullptr;  // beside the caller's
  std::unique_ptr<GpuEvent> copied, landed, met;
  Index own_bytes = 0;   // of the workspace: what stages leave for copies
  Index work_bytes = 0;  // and what transforms need behind it
  Index memory = 0, sent = 0;
};

}  // namespace skipper::distributed
