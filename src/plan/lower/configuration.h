// Cuts a tile into radix stages, fine digits and assignments: of all radices and all numbers of elements a thread may hold, those
// that run fastest by the predicted slowdown of their blocks (occupancy.h).
#pragma once

#include "plan/lower/assignments.h"
#include "plan/lower/occupancy.h"

namespace skipper {

struct Configuration {
  FineDigits fine_digits;
  std::vector<AssignedStep> steps;
  std::vector<int>
      late;  // for each step, the sub-transform whose twiddles waited for a Hermitian split, or -1
  Work work;
  double slowdown = 0;  // x copy
  bool fits = false;    // the registers suffice
};

/// Throws Error where the tile cannot be assigned to threads or to the blocks of its cluster.
Configuration best_configuration(Program const& program, int s, Tile const& tile, Machine const& machine,
                                 double movement = 1);

/// Every configuration that is tried, best first, for measurements of the model.
std::vector<Configuration> all_configurations(Program const& program, int s, Tile const& tile,
                                              Machine const& machine);

/// How the outputs of a radix stage are twiddled.
kernel::Twiddling twiddling_of(Program const& program, Tile const& tile, FineDigits const& fine_digits,
                               int radix_stage);

int longest_radix(FineDigits const& fine_digits);

/// Whether two steps hold the same elements in the same threads, so that no exchange is needed.
bool same_elements(FineAssignment const& a, FineAssignment const& b);

}  // namespace skipper
