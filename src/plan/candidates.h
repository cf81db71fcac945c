// Candidates: the programs of a deal, with their tiles, and what they cost before anyone has lowered them.
#pragma once

#include <optional>
#include <vector>

#include "plan/deals.h"
#include "plan/planning.h"

namespace skipper {

/// Sweeps that are dealt freely. Longer programs have an axis a sweep.
inline constexpr int most_sweeps = 6;

/// A program with the dimensions of the problem, and sweeps that do nothing yet.
Program empty_program(Problem const& problem, int sweeps);

/// Axes that need transforming, as dimensions of the program.
std::vector<int> long_axes(Program const& program, std::vector<Index> const& cores);

bool is_yoked(Program const& program);

/// What follows from the tiles and costs nothing: thread tier, chunks and buffers.
void finish(Program& program, Machine const& machine, PlanOptions const& options);

/// Chooses all tiles and, with them, what the program costs; nothing where a sweep has none.
std::optional<double> placed_cost(Program& program, Planning const& context);

/// All programs of a deal: every way to transform primes, every layout between the sweeps.
void add_programs(Problem const& problem, Deal const& deal, int sweeps, std::vector<Index> const& cores,
                  Planning const& context, std::vector<Candidate>& found);

}  // namespace skipper
