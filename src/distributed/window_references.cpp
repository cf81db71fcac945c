// See window_references.h.
#include "distributed/window_references.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace skipper::distributed {
namespace {

/// The counts of one rank, in its part of the shared memory.
struct Counts {
  int opened = 0, closed = 0;
};

Counts* counts(Window const& window, Index rank) { return static_cast<Counts*>(window.memory(int(rank))); }

struct Pending {
  std::unique_ptr<WindowReferences> references;
  Owned windows[2];
};

}  // namespace

WindowReferences::WindowReferences(std::shared_ptr<Communicator> communicator)
    : communicator_(std::move(communicator)), window_(communicator_->allocate(sizeof(Counts))) {
  *counts(*window_, communicator_->rank()) = {};
  communicator_->barrier();
}

bool WindowReferences::reaches(Index rank) const { return counts(*window_, rank) != nullptr; }

void WindowReferences::open(Index rank) const { ++std::atomic_ref(counts(*window_, rank)->opened); }
void WindowReferences::close(Index rank) const { ++std::atomic_ref(counts(*window_, rank)->closed); }

bool WindowReferences::is_done() const {
  Counts& own = *counts(*window_, communicator_->rank());
  return std::atomic_ref(own.closed).load() == std::atomic_ref(own.opened).load();
}

void release_when_unused(std::unique_ptr<WindowReferences> references, Owned first, Owned second) {
  static std::mutex mutex;
  static auto& pending = *new std::vector<Pending>;  // never destroyed: the system frees it with the process
  std::lock_guard const lock(mutex);
  pending.push_back({std::move(references), {std::move(first), std::move(second)}});
  std::erase_if(pending, [](Pending const& p) { return p.references->is_done(); });
}

}  // namespace skipper::distributed
