// See candidates.h.
#include "plan/candidates.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plan/cost.h"
#include "plan/layouts.h"
#include "plan/lengths.h"
#include "plan/lower/occupancy.h"
#include "plan/placing.h"
#include "plan/prime_algorithms.h"
#include "plan/fused_passes.h"

namespace skipper {

Program empty_program(Problem const& problem, int sweeps) {
  Program program{problem, dimensions(problem), {}, std::vector<Sweep>(sweeps)};
  for (Dimension const& d : program.dims)
    program.radices.push_back(d.axis || d.size == 1 ? std::vector<Index>{} : std::vector<Index>{d.size});
  return program;
}

std::vector<int> long_axes(Program const& program, std::vector<Index> const& cores) {
  std::vector<int> axes;
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (program.dims[d].axis && cores[d] > 1) axes.push_back(d);
  return axes;
}

bool is_fused(Program const& program) {
  return std::any_of(program.sweeps.begin(), program.sweeps.end(), [](Sweep const& s) { return s.fused; });
}

namespace {

Program assigned(Problem const& problem, Factorisation const& factorisation, int sweeps,
                 std::vector<Index> const& cores, PrimeAlgorithm algorithm) {
  Program program = empty_program(problem, sweeps);
  auto const axes = long_axes(program, cores);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    int const dim = axes[a];
    auto& radices = program.radices[dim];
    auto const [used, there] = active_sweeps(factorisation[a], cores[dim]);
    if (there < used.size()) program.convolved.insert(dim);
    for (std::size_t i = 0; i < used.size(); ++i) {
      int const part = int(i < there ? i : 2 * there - 2 - i);
      Index const radix = factorisation[a][used[i]];
      program.sweeps[used[i]].transforms.push_back({dim, part});
      if (i < there) radices.push_back(radix);
      if (is_non_smooth(radix, element_bytes(problem)))
        program.transformed_by[{dim, part}] =
            convolution_length(least_on_chip(problem, program.dims[dim], radix), element_bytes(problem));
    }
  }
  apply(algorithm, program);
  for (int d = 0; d < int(program.dims.size()); ++d)
    if (by_real_rader(program, d)) program.transformed_by[{d, 0}] = core(program, d) - 1;
  return program;
}

bool choose_l2_blocks(Program& program, Machine const& machine, PlanOptions const& options) {
  bool any = false;
  int const last = int(program.sweeps.size()) - 1;
  for (int s = 0; s < last && options.l2_blocks; ++s) {
    L2Blocking const c = l2_blocking(program, s, machine);
    int const taken = c.bytes ? c.sweeps : 1;  // of those that share L2 blocks the last one leaves none
    for (int i = s; i < std::min(s + taken, last); ++i) {
      bool const leaves = c.bytes && i < s + taken - 1;
      program.sweeps[i].l2_block = leaves ? c.bytes : 0;
      program.sweeps[i].streams = leaves ? c.streams : 1;
      any = any || leaves;
    }
    s += taken - 1;
  }
  return any;
}

/// Chooses the tiles of programs that differ in their layouts alone. What a sweep holds hangs on the layouts it reads and
/// writes, so sweeps that are alike in two programs are placed once.
class Placements {
 public:
  Placements(Program const& bare, Planning const& context) : context_(context), known_(bare.sweeps.size()) {
    for (auto const& radices : bare.radices) digits_ += Index(radices.size());
  }

  /// The quick cost of a program, whose tiles are chosen; nothing where a sweep has none.
  std::optional<double> place(Program& program) {
    context_.work.placed += 1 + digits_ / 8;
    double total = 0;
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      auto const cost = place(program, s);
      if (!cost) return std::nullopt;
      total += *cost;
    }
    Machine const& machine = context_.machine;
    return choose_l2_blocks(program, machine, context_.options) ? quick_program_cost(program, machine)
                                                                : total;
  }

 private:
  struct Known {
    std::vector<Piece> read, written;
    Sweep sweep;
    std::optional<double> cost;
  };

  std::optional<double> place(Program& program, int s) {
    auto const read = s > 0 ? program.sweeps[s - 1].layout : std::vector<Piece>{};
    for (Known const& k : known_[s])
      if (k.read == read && k.written == program.sweeps[s].layout) {
        program.sweeps[s] = k.sweep;
        return k.cost;
      }
    context_.work.placed += 1 + digits_ / 8;
    auto const cost = place_sweep(program, s, context_);
    known_[s].push_back({read, program.sweeps[s].layout, program.sweeps[s], cost});
    return cost;
  }

  Planning context_;
  Index digits_ = 0;
  std::vector<std::vector<Known>> known_;
};

}  // namespace

bool finish(Program& program, Machine const& machine, PlanOptions const& options) {
  if (is_fused(program)) return true;  // which has them all
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (machine.kind == MachineKind::gpu && program.sweeps[s].tier == Tier::block)
      mark_thread_tier(program, s);
  bool const l2_blocks = choose_l2_blocks(program, machine, options);
  if (assign_buffers(program)) return true;
  for (Sweep& s : program.sweeps) s.l2_block = 0, s.streams = 1;
  return l2_blocks && assign_buffers(program);
}

std::optional<double> placed_cost(Program& program, Planning const& context) {
  return Placements(program, context).place(program);
}

namespace {

/// All programs of a factorisation whose primes are transformed by one algorithm: each boundary between sweeps in place or
/// gathered for its reader; or, of two, as the last one writes.
void add_programs(Program const& bare, Planning const& context, std::vector<Candidate>& found) {
  Machine const& machine = context.machine;
  PlanOptions const& options = context.options;
  int const sweeps = int(bare.sweeps.size());
  Placements known(bare, context);
  auto const add = [&](Program program) {
    if (why_not_real(program)) return;
    auto const cost = known.place(program);
    if (!cost) return;
    if (auto other = options.l2_blocks ? fused(program, machine) : std::nullopt)
      found.push_back({*other, quick_program_cost(*other, machine)});
    found.push_back({std::move(program), *cost});
  };
  Index const segment = std::max<Index>(1, 128 / element_bytes(bare.problem));
  int const choices = sweeps <= max_sweeps ? 1 << (sweeps - 1) : 1;  // more than that are all in place
  for (int choice = 0; choice < choices; ++choice) {
    Program program = bare;
    bool possible = true;
    for (int s = sweeps - 1; s > 0 && possible; --s) {
      bool const gather = choice >> (s - 1) & 1;
      auto const layout = gather ? layout_gathered(program, s, segment) : layout_in_place(program, s);
      possible = layout && !(gather && *layout == layout_in_place(program, s));  // not the same program twice
      if (possible) program.sweeps[s - 1].layout = *layout;
    }
    if (possible) add(std::move(program));
  }
  if (lacks_buffer_between(bare, machine)) {
    Program program = bare;
    program.sweeps[0].layout = layout_as_written(program, 1);
    if (program.sweeps[0].layout != layout_in_place(program, 1)) add(std::move(program));
  }
}

/// The same with every length that Bluestein convolutions may have on chip, where they all are of one. In three sweeps or
/// more the search would take a second for little.
void add_paddings(Program const& bare, Planning const& context, std::vector<Candidate>& found) {
  Machine const& machine = context.machine;
  Index const element = element_bytes(bare.problem);
  std::set<Index> lengths;
  for (auto const& [digit, by] : bare.transformed_by)
    if (Index const n = extent_of(bare, digit); by > n)
      lengths.insert(least_on_chip(bare.problem, bare.dims[digit.dim], n));
  if (lengths.size() != 1 || machine.kind == MachineKind::cpu || bare.sweeps.size() > 2)
    return add_programs(bare, context, found);
  for (Index m : convolution_lengths(*lengths.begin(), element)) {
    Program other = bare;
    for (auto& [digit, by] : other.transformed_by)
      if (by > extent_of(bare, digit)) by = m;
    add_programs(other, context, found);
  }
}

}  // namespace

void add_programs(Problem const& problem, Factorisation const& factorisation, int sweeps,
                  std::vector<Index> const& cores, Planning const& context, std::vector<Candidate>& found) {
  Machine const& machine = context.machine;
  PlanOptions const& options = context.options;
  Program const usual = assigned(problem, factorisation, sweeps, cores, PrimeAlgorithm::codelets);
  if (why_not_real(usual)) return;
  if (is_packed_real(usual) && (!options.pairs || machine.kind == MachineKind::cpu)) return;
  add_paddings(usual, context, found);
  if (machine.kind == MachineKind::cpu) return;
  for (PrimeAlgorithm algorithm : {PrimeAlgorithm::bluestein, PrimeAlgorithm::rader, PrimeAlgorithm::direct})
    if (algorithm == PrimeAlgorithm::rader && is_partial(problem))
      continue;  // its points do not stand in memory's order
    else if (algorithm == PrimeAlgorithm::direct && element_bytes(problem) > 8 && tensor_rate(machine) == 0)
      continue;
    else if (Program const other = assigned(problem, factorisation, sweeps, cores, algorithm);
             other.transformed_by != usual.transformed_by && !why_not_real(other))
      add_paddings(other, context, found);
}

}  // namespace skipper
