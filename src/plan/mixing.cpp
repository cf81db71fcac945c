// See mixing.h.
#include "plan/mixing.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "plan/cost.h"
#include "plan/lengths.h"
#include "plan/lower/occupancy.h"
#include "plan/placing.h"
#include "plan/prime_algorithms.h"

namespace skipper {
namespace {

/// Whether a layout cuts one of the digits that are convolved, which are read and written in one run.
bool cuts_convolved(Program const& program) {
  for (Sweep const& sweep : program.sweeps)
    for (Piece const& p : sweep.layout)
      if (program.transformed_by.count(p.digit) && p.extent != extent_of(program, p.digit)) return true;
  return false;
}

/// Whether sweep s transforms whole complex digits alone, so that algorithms are a matter of the sweep.
bool has_algorithms(Program const& program, int s) {
  auto const& digits = program.sweeps[s].transforms;
  return std::all_of(digits.begin(), digits.end(), [&](DigitKey d) {
    return !program.convolved.count(d.dim) && !real_transform_of(program, d.dim);
  });
}

/// The program with the digits of sweep s transformed by that algorithm, in each of the lengths that a convolution may have.
std::vector<Program> with_algorithm(PrimeAlgorithm algorithm, Program const& program, int s) {
  Index const element = element_bytes(program.problem);
  Program usual = program;
  std::vector<DigitKey> const& digits = program.sweeps[s].transforms;
  for (DigitKey d : digits) {
    usual.transformed_by.erase(d);
    Index const n = extent_of(program, d);
    if (is_non_smooth(n, element))
      usual.transformed_by[d] =
          convolution_length(least_on_chip(program.problem, program.dims[d.dim], n), element);
  }
  Program taken = usual;
  apply(algorithm, taken);
  if (taken.radices != program.radices) return {};
  std::vector<DigitKey> bluestein;
  for (DigitKey d : digits) {
    auto const by = taken.transformed_by.find(d);
    if (by == taken.transformed_by.end()) continue;
    usual.transformed_by[d] = by->second;
    if (by->second > extent_of(program, d)) bluestein.push_back(d);
  }
  std::vector<Program> all{usual};
  if (bluestein.size() != 1) return all;
  Dimension const& dim = program.dims[bluestein[0].dim];
  Index const least = least_on_chip(program.problem, dim, extent_of(program, bluestein[0]));
  for (Index m : convolution_lengths(least, element)) {
    if (m == usual.transformed_by[bluestein[0]]) continue;
    all.push_back(usual);
    all.back().transformed_by[bluestein[0]] = m;
  }
  return all;
}

/// The algorithms that there are for the digits of sweep s.
std::vector<Program> with_all_algorithms(Program const& program, int s, Machine const& machine) {
  std::vector<Program> all;
  for (PrimeAlgorithm algorithm :
       {PrimeAlgorithm::codelets, PrimeAlgorithm::bluestein, PrimeAlgorithm::rader, PrimeAlgorithm::direct}) {
    if (algorithm == PrimeAlgorithm::rader && is_partial(program.problem)) continue;
    if (algorithm == PrimeAlgorithm::direct && element_bytes(program.problem) > 8 &&
        tensor_rate(machine) == 0)
      continue;
    for (Program& other : with_algorithm(algorithm, program, s)) {
      bool const known = std::any_of(
          all.begin(), all.end(), [&](Program const& p) { return p.transformed_by == other.transformed_by; });
      if (!known && !cuts_convolved(other)) all.push_back(std::move(other));
    }
  }
  return all;
}

/// Cost over guessed cost of a sweep from which on other algorithms and tiles are tried there. A choice, not measured.
constexpr double much = 1.3;
/// Cost over that of the candidate up to which another program is taken: a small gain is within the error of the guess.
/// A choice, not measured.
constexpr double worth = 0.9;

/// The least that is guessed of sweep s by any algorithm.
std::optional<double> lowest_guess(Program const& program, int s, Planning const& context) {
  std::optional<double> lowest;
  for (Program& other : with_all_algorithms(program, s, context.machine)) {
    ++context.work.placed;
    auto const guess = place_sweep(other, s, context);
    if (guess && (!lowest || *guess < *lowest)) lowest = guess;
  }
  return lowest;
}

/// Whether the sweep costs much more than is guessed of it, or among several by other algorithms. A sweep that is all there is
/// has the algorithm and the tile that were measured.
bool is_misjudged(Program program, int s, Planning const& context) {
  auto const cost = context.costs.lowered(program, s);
  bool const alone = program.sweeps.size() == 1;
  auto const guess = alone ? place_sweep(program, s, context) : lowest_guess(program, s, context);
  return !cost || !guess || *cost > much * *guess;
}

/// What a program may cost at best, by guesses.
double hoped_cost(Program const& program, Planning const& context) {
  std::vector<double> sweeps;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    double const cost = context.costs.lowered(program, s).value_or(1e9);
    auto const guess = has_algorithms(program, s) ? lowest_guess(program, s, context) : std::nullopt;
    sweeps.push_back(std::min(cost, guess.value_or(cost)));
  }
  return program_cost(program, sweeps);
}

/// Gives sweep s the algorithm and the tile that cost the least, lowered.
void mix(Program& program, int s, Planning const& context) {
  auto const& [machine, options, work, costs] = context;
  Program best = program;
  double lowest = costs.lowered(program, s).value_or(1e9);
  for (Program& other : with_all_algorithms(program, s, machine)) {
    if (work.lowered > max_lowered + max_lowered / 4) break;
    if (!place_sweep(other, s, context, TileRanking::lowered)) continue;
    auto const cost = costs.lowered(other, s);
    if (!cost || *cost >= lowest) continue;
    lowest = *cost;
    best = std::move(other);
  }
  program = std::move(best);
}

}  // namespace

std::optional<Candidate> mixed(Candidate const& candidate, Planning const& context) {
  auto const& [machine, options, work, costs] = context;
  if (machine.kind != MachineKind::gpu || is_fused(candidate.program)) return {};
  Program program = candidate.program;
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (has_algorithms(program, s) && is_misjudged(program, s, context)) mix(program, s, context);
  if (program == candidate.program || why_not_real(program)) return {};
  if (!finish(program, machine, options)) return {};
  double cost = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    auto const runs = costs.lowered(program, s);
    if (!runs) return {};
    cost += *runs;
  }
  bool const l2_blocks = std::any_of(program.sweeps.begin(), program.sweeps.end(),
                                     [](Sweep const& s) { return s.l2_block != 0; });
  if (l2_blocks) cost = costs.total(program);
  if (cost > worth * candidate.cost) return {};
  return Candidate{std::move(program), cost};
}

std::vector<Candidate> mixed_where_promising(std::vector<Candidate> const& ranked, Planning const& context) {
  constexpr std::size_t max_guessed = 32, max_tried = 3;
  std::vector<Candidate> found;
  if (ranked.empty() || context.machine.kind != MachineKind::gpu) return found;
  double lowest = ranked.front().cost;
  std::vector<std::pair<double, std::size_t>> hopes;
  for (std::size_t i = 0; i < std::min(max_guessed, ranked.size()); ++i) {
    Program const& program = ranked[i].program;
    // No guess is much below one copy a sweep.
    if (is_fused(program) || program.sweeps.size() == 1 || lowest <= much * double(program.sweeps.size()))
      continue;
    hopes.push_back({hoped_cost(program, context), i});
  }
  std::sort(hopes.begin(), hopes.end());
  for (std::size_t i = 0; i < std::min(max_tried, hopes.size()) && lowest > much * hopes[i].first; ++i)
    if (auto better = mixed(ranked[hopes[i].second], context); better && better->cost <= worth * lowest) {
      lowest = better->cost;
      found.push_back(std::move(*better));
    }
  return found;
}

}  // namespace skipper
