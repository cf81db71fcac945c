// Assignments: for each step of a sweep, which fine digits are counted by the threads, which by the registers, which by the
// rank in the cluster. Also the order of the radix stages: those of different sub-transforms may go in any order, so the
// first is one whose threads can read memory in long runs and the last one whose threads can write so.
#pragma once

#include <vector>

#include "plan/lower/fine_digits.h"

namespace skipper {

/// Fine digits by number, fastest first.
struct FineAssignment {
  std::vector<int> threads, registers, cluster_ranks;
  bool operator==(FineAssignment const&) const = default;
};

struct AssignedStep {
  FineAssignment assignment;
  int radix_stage = -1;  // -1: only load or store
};

/// What a machine and a precision allow.
struct AssignmentLimits {
  int threads = 1024;      // most threads a block
  int registers = 16;      // elements a thread should hold, if radices allow
  int max_registers = 64;  // elements it can hold at all
  int cluster_ranks = 1;
  Index sector = 4;  // elements of a sector: shorter runs of threads get a step of their own to load or store
};

/// Ways to take the steps of a sweep, from few elements a thread to many; never empty. The thread order of middle steps
/// is only a proposal.
std::vector<std::vector<AssignedStep>> assigned_steps(FineDigits const& fine_digits,
                                                      AssignmentLimits const& limits);

/// Thread orders worth trying for a middle step after `before`.
std::vector<FineAssignment> reorderings(FineDigits const& fine_digits, FineAssignment const& before,
                                        FineAssignment const& proposal);

Index count(FineDigits const& fine_digits, std::vector<int> const& list);  // product of extents
std::vector<int> concatenated(std::vector<int> a, std::vector<int> const& b);
/// Contiguous elements that threads counted by these fine digits touch.
Index run(FineDigits const& fine_digits, std::vector<int> const& list, Index FineDigit::*stride);

}  // namespace skipper
