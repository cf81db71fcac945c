// Candidates: the programs of a factorisation, with their tiles, and what they cost before anyone has lowered them.
#pragma once

#include <optional>
#include <vector>

#include "plan/factorisations.h"
#include "plan/planning.h"

namespace skipper {

/// Sweeps that are assigned freely. Longer programs have an axis a sweep.
inline constexpr int max_sweeps = 6;

/// A program with the dimensions of the problem, and sweeps that do nothing yet.
Program empty_program(Problem const& problem, int sweeps);

/// Axes that need transforming, as dimensions of the program.
std::vector<int> long_axes(Program const& program, std::vector<Index> const& cores);

/// Whether two of its sweeps are fused passes.
bool is_fused(Program const& program);

/// What follows from the tiles and costs nothing: thread tier, L2 blocks and buffers. False where it has no buffers.
bool finish(Program& program, Machine const& machine, PlanOptions const& options);

/// Chooses all tiles and, with them, what the program costs; nothing where a sweep has none.
std::optional<double> placed_cost(Program& program, Planning const& context);

/// All programs of a factorisation: every algorithm for primes, every layout between the sweeps.
void add_programs(Problem const& problem, Factorisation const& factorisation, int sweeps,
                  std::vector<Index> const& cores, Planning const& context, std::vector<Candidate>& found);

}  // namespace skipper
