#include "interpreter/interpreter.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "interpreter/cluster.h"

namespace skipper::interpreter {
namespace {

std::vector<emulator::Array> watched(Launch const& launch) {
  std::vector<emulator::Array> arrays;
  for (auto const& array : launch.arrays) arrays.push_back(array.what);
  return arrays;
}

Run run_of(ir::Kernel const& kernel, Launch const& launch, Settings settings,
           emulator::GlobalMemory& memory) {
  if (launch.arguments.size() != kernel.parameters.size())
    throw Fault("kernel " + kernel.name + " has " + std::to_string(kernel.parameters.size()) +
                " parameters, not " + std::to_string(launch.arguments.size()));
  return {kernel, launch, settings, memory, slots(kernel), partners(kernel)};
}

std::vector<Wide> start_order(Wide blocks, Order const& order, std::mt19937& random) {
  std::vector<Wide> all(static_cast<std::size_t>(blocks));
  std::iota(all.begin(), all.end(), Wide(0));
  if (order.start == Order::Start::reversed) std::ranges::reverse(all);
  if (order.start == Order::Start::shuffled) std::ranges::shuffle(all, random);
  return all;
}

}  // namespace

emulator::Counts run(ir::Kernel const& kernel, Launch const& launch, Settings settings) {
  emulator::GlobalMemory memory(watched(launch), settings.races);
  Run const all = run_of(kernel, launch, settings, memory);
  emulator::Counts counts;
  Cluster cluster(all, counts);
  for (Wide tile = 0; tile < launch.tiles; ++tile) {
    if (settings.only >= 0 && tile != settings.only) continue;
    cluster.start(tile);
    cluster.advance(false);
  }
  return counts;
}

void run_concurrently(ir::Kernel const& kernel, Launch const& launch, Order order) {
  std::mt19937 random(order.seed);
  emulator::GlobalMemory memory({}, false);
  Run const all = run_of(kernel, launch, {.races = false, .traffic = false}, memory);
  std::vector<Wide> const starts = start_order(launch.tiles, order, random);
  emulator::Counts counts;
  std::vector<std::unique_ptr<Cluster>> begun;
  for (std::size_t next = 0; next < starts.size() || !begun.empty();) {
    while (next < starts.size() && int(begun.size()) < order.at_once) {
      begun.push_back(std::make_unique<Cluster>(all, counts));
      begun.back()->start(starts[next++]);
    }
    std::ranges::shuffle(begun, random);
    bool advanced = false;
    std::erase_if(begun, [&](auto const& block) {
      bool const ended = block->advance(true);
      advanced = advanced || ended || !block->waits();
      return ended;
    });
    if (!advanced && !order.give_up)
      throw Fault("deadlock: all " + std::to_string(begun.size()) + " blocks that have begun wait, " +
                  std::to_string(starts.size() - next) + " have not");
  }
}

}  // namespace skipper::interpreter
