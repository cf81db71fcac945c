// Plain facts about a device or a CPU, as a value: the planner is a pure function of (problem, machine), so a
// plan for any machine can be made, printed and tested on any other. One canonical text:
// `machine h200 gpu sm_90 sms 132 threads_block 1024 ...`, the keys being the names of the fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace skipper {

enum class MachineKind { gpu, cpu };

struct Machine {
  std::string name;  // one word
  MachineKind kind = MachineKind::gpu;
  std::string architecture;  // one word: "sm_90", "x86-64-avx512", "aarch64-neon"

  Index sms = 1;               // streaming multiprocessors; cores of a CPU
  Index threads_block = 1;     // most threads a block
  Index threads_sm = 1;        // most threads resident on a SM
  Index blocks_sm = 1;         // most blocks resident on a SM
  Index warp = 1;              // threads that run in lockstep
  Index registers_sm = 0;      // 32-bit registers a SM; a CPU's vector registers count as many of these
  Index registers_thread = 0;  // most of them a thread
  Index shared_block = 0;      // most shared bytes a block, opted in
  Index shared_sm = 0;         // shared bytes a SM
  Index shared_reserved = 0;   // taken from shared_sm by every resident block besides its own
  Index banks = 0;             // of shared memory, 4 bytes wide
  Index sector_bytes = 1;      // least piece of memory that is moved
  Index line_bytes = 1;        // of cache
  Index vector_bytes = 1;      // widest load of a thread; a CPU's vector register
  Index cluster = 1;           // most blocks a cluster, 1 where there are none
  Index l1_bytes = 0;          // a SM or core; on a GPU shared memory is a part of it
  Index l2_bytes = 0;          // of the whole GPU; a core's own on a CPU
  Index l3_bytes = 0;          // of the whole CPU
  Index memory_bytes = 0;
  double copy_bandwidth = 1;  // bytes/s of a large copy, read plus write: the floor of every sweep
  bool l2_block = false;      // whether an L2 block can be held in L2 between two sweeps

  bool operator==(Machine const&) const = default;
};

/// Whether it is a GPU with clusters of blocks, hence also with dependent launch. Some fitted rules are taken only where this holds.
inline bool has_clusters(Machine const& machine) { return machine.cluster > 1; }

// The machines that are known by name.
std::vector<std::string> machine_names();

// From a name out of machine_names(), or from a full text; text(machine(t)) == t for every canonical t.
// Throws Error where check() does.
Machine machine(std::string_view name_or_text);

// What the machine that this runs on is asked for by, though not of machine(), which knows nothing of it.
inline constexpr std::string_view host_name = "host";

// Whether names are the same but for case.
bool same_word(std::string_view a, std::string_view b);

/// Throws Error, naming the field, unless every one is in its range and they go together. Whatever passes can be planned
/// for, or is refused by the planner in words.
void check(Machine const& machine);

std::string text(Machine const& machine);

}  // namespace skipper
