#include "emulator/concurrent.h"

#include <memory>
#include <numeric>
#include <random>

#include "emulator/worker.h"

namespace skipper::emulator {
namespace {

/// A block that has begun, on a stack of its own: it can be left in the middle.
class Begun {
 public:
  Begun(Grid const& grid, Body const& body, Wide index, std::mt19937& random)
      : index_(index), random_(random), worker_(grid, Checks::none(), body, memory_, [this](bool waits) {
          waiting_ = waits;
          advanced_ = advanced_ || !waits;
          if (waits || random_() % 4 == 0) fiber_.yield();
        }) {
    fiber_.start(
        [](void* self) { static_cast<Begun*>(self)->worker_.run(static_cast<Begun*>(self)->index_); }, this);
  }

  /// Lets it run for a while. Whether it got anywhere.
  bool run() {
    advanced_ = !waiting_;
    ended_ = !fiber_.resume();
    return advanced_ || ended_;
  }
  bool ended() const { return ended_; }

 private:
  Wide index_;
  std::mt19937& random_;
  GlobalMemory memory_{{}, false};
  Worker worker_;
  Fiber fiber_;  // ends before what runs on it
  bool waiting_ = false, advanced_ = false, ended_ = false;
};

std::vector<Wide> start_order(Wide blocks, Schedule const& schedule, std::mt19937& random) {
  std::vector<Wide> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), Wide(0));
  if (schedule.start == Schedule::Start::reversed) std::reverse(order.begin(), order.end());
  if (schedule.start == Schedule::Start::shuffled) std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace

void run_concurrently(Grid const& grid, Schedule const& schedule, Body const& body) {
  std::mt19937 random(schedule.seed);
  std::vector<Wide> const order = start_order(grid.tiles, schedule, random);
  std::vector<std::unique_ptr<Begun>> begun;
  for (std::size_t next = 0; next < order.size() || !begun.empty();) {
    while (next < order.size() && int(begun.size()) < schedule.at_once)
      begun.push_back(std::make_unique<Begun>(grid, body, order[next++], random));
    std::shuffle(begun.begin(), begun.end(), random);
    bool advanced = false;
    for (auto& block : begun) advanced = block->run() || advanced;
    if (!advanced)
      throw EmulationError("deadlock: all " + std::to_string(begun.size()) +
                           " blocks that have begun wait, " + std::to_string(order.size() - next) +
                           " have not");
    std::erase_if(begun, [](auto const& block) { return block->ended(); });
  }
}

RememberedPair remembered(kernel::SweepSpec const& first, kernel::SweepSpec const& last) {
  Remembered one = remembered(first), other = remembered(last);
  while (one.launch % 2 == other.launch % 2) other = remembered(last);
  return {one, other};
}

}  // namespace skipper::emulator
