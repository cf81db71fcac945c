// See closing.h.
#include "distributed/closing.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace skipper::distributed {
namespace {

/// Of one rank, in its part of the shared memory.
struct Counts {
  int opened = 0, closed = 0;
};

Counts* counts(Window const& window, Index rank) { return static_cast<Counts*>(window.memory(int(rank))); }

struct GivenUp {
  std::unique_ptr<Closing> closing;
  Owned windows[2];
};

}  // namespace

Closing::Closing(std::shared_ptr<Communicator> communicator)
    : communicator_(std::move(communicator)), window_(communicator_->allocate(sizeof(Counts))) {
  *counts(*window_, communicator_->rank()) = {};
  communicator_->barrier();
}

bool Closing::reaches(Index rank) const { return counts(*window_, rank) != nullptr; }

void Closing::open(Index rank) const { ++std::atomic_ref(counts(*window_, rank)->opened); }
void Closing::close(Index rank) const { ++std::atomic_ref(counts(*window_, rank)->closed); }

bool Closing::is_done() const {
  Counts& own = *counts(*window_, communicator_->rank());
  return std::atomic_ref(own.closed).load() == std::atomic_ref(own.opened).load();
}

void give_up(std::unique_ptr<Closing> closing, Owned first, Owned second) {
  static std::mutex mutex;
  static auto& waiting = *new std::vector<GivenUp>;  // at the end of the process all is released
  std::lock_guard const lock(mutex);
  waiting.push_back({std::move(closing), {std::move(first), std::move(second)}});
  std::erase_if(waiting, [](GivenUp const& g) { return g.closing->is_done(); });
}

}  // namespace skipper::distributed
