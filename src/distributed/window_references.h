// Reference counts of windows that other processes have open. CUDA's IPC demands that a GPU's memory stays until every
// process that opened it has closed it, but ranks need not destroy their plans together. So ranks count, in memory that a
// node shares, how often a rank's windows were opened and closed, and windows that are released too early are kept.
#pragma once

#include <skipper/communicator.h>

#include <memory>

#include "base/index.h"
#include "distributed/owned.h"

namespace skipper::distributed {

class WindowReferences {
 public:
  /// Collective.
  explicit WindowReferences(std::shared_ptr<Communicator> communicator);

  /// Whether this rank shares counts with that one; if not, it must not open that one's memory.
  bool reaches(Index rank) const;
  /// Counts that this rank has opened the windows of that one; has closed them.
  void open(Index rank) const;
  void close(Index rank) const;

  /// Whether nobody has this rank's windows open.
  bool is_done() const;

 private:
  std::shared_ptr<Communicator> communicator_;
  std::unique_ptr<Window> window_;
};

/// Frees the windows of a rank once nobody has them open: now, or when a later call finds it so.
void release_when_unused(std::unique_ptr<WindowReferences> references, Owned first, Owned second);

}  // namespace skipper::distributed
