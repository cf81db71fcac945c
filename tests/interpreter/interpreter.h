#pragma once
// Runs a kernel of the IR on the host as a GPU would: one instruction at a time for all threads of a cluster. A kernel that breaks a
// rule ends with a Fault: accesses out of bounds, races between barriers, barriers that not all threads reach, and values that
// were never set where they reach a store, an address or a condition.
#include "interpreter/memory.h"

namespace skipper::interpreter {

/// What stands for a user's function: it changes the number, or the two parts of a complex one, at an address.
using UserFunction = void (*)(void* value, long long place, void* data);

struct Launch {
  std::vector<std::int64_t> arguments;  // one for each parameter: its bit pattern, of an array its address
  std::vector<Array> arrays;
  Wide tiles = 1;  // blocks, or clusters
  UserFunction user_load = nullptr, user_store = nullptr;
};

struct Settings {
  bool races = true;
  bool traffic = true;  // counts wavefronts and sectors
  Wide only = -1;       // where not negative, this tile alone is run
};

/// Tiles one after another.
emulator::Counts run(ir::Kernel const& kernel, Launch const& launch, Settings settings = {});

/// In which order blocks begin, and how many are there at once. Which of them goes on is drawn from the seed.
struct Order {
  enum class Start { by_index, reversed, shuffled } start = Start::by_index;
  int at_once = 1;
  unsigned seed = 1;
  bool give_up = false;  // blocks wait for a while only, so that all may wait
};

/// Blocks that wait for each other. A Fault where all that have begun wait.
void run_concurrently(ir::Kernel const& kernel, Launch const& launch, Order order);

}  // namespace skipper::interpreter
