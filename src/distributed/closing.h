// Memory of a GPU that other processes have opened must stay until all of them have closed it (CUDA's IPC says so), but plans need not
// be destroyed together. So ranks count, in memory that a node shares, who has opened and who has closed a rank's windows; what
// is given up while others still have it open is kept until they have closed it.
#pragma once

#include <skipper/communicator.h>

#include <memory>

#include "base/index.h"
#include "distributed/owned.h"

namespace skipper::distributed {

class Closing {
 public:
  /// Collective.
  explicit Closing(std::shared_ptr<Communicator> communicator);

  /// Whether this rank can tell that one what it does: else it must not open its memory.
  bool reaches(Index rank) const;
  /// This rank has opened the windows of that one; has closed them.
  void open(Index rank) const;
  void close(Index rank) const;

  /// Whether nobody has this rank's windows open.
  bool is_done() const;

 private:
  std::shared_ptr<Communicator> communicator_;
  std::unique_ptr<Window> window_;
};

/// Releases the windows of a rank once nobody has them open: now, or when another plan is given up.
void give_up(std::unique_ptr<Closing> closing, Owned first, Owned second);

}  // namespace skipper::distributed
