// The one place where the kernel is instantiated for the emulator: compiling it takes a while.
#include "support/run_program.h"

#include <cmath>
#include <complex>

#include "emulator/emulator.h"
#include "plan/chunk.h"

namespace skipper::testing {
namespace {

template <class T>
Array<T> roots_of(Lowered const& lowered) {
  Array<T> out;
  auto const add = [&](auto const& values) {
    for (auto const& w : values) out.push_back({T(w.real()), T(w.imag())});
  };
  if constexpr (sizeof(T) == 4)
    add(roots32(lowered));
  else
    add(roots64(lowered));
  return out;
}

Index whole_scratch_bytes(Program const& program) {
  Index most = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (auto const chunk =
            program.sweeps[s].chunk ? chunk_of(program, s, program.sweeps[s].chunk) : std::nullopt)
      most = std::max(most, chunk->unit * chunk->all());
  return most + element_bytes(program.problem);
}

}  // namespace

template <class T>
std::vector<SweepRun> run_program(Program const& program, Array<T>& in, Array<T>& out, Machine const& machine,
                                  emulator::Checks checks, int workers) {
  std::vector<SweepRun> runs;
  Array<T> work, work2, scratch;
  bool const in_place = program.problem.placement == Placement::in_place;
  auto const buffer = [&](Buffer b) -> Array<T>& {
    if (b == Buffer::in) return in;
    if (b == Buffer::out) return in_place ? in : out;
    Array<T>& w = b == Buffer::work ? work : b == Buffer::work2 ? work2 : scratch;
    // Here all chunks are one.
    Index const bytes = b == Buffer::scratch ? whole_scratch_bytes(program) : work_bytes(program);
    if (w.empty()) w.assign(bytes / element_bytes(program.problem), {T(NAN), T(NAN)});
    return w;
  };
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    SweepRun run{lower(program, s, machine), {}};
    Array<T> const roots = roots_of<T>(run.lowered);
    Array<T>&from = buffer(program.sweeps[s].from), &to = buffer(program.sweeps[s].to);
    emulator::Launch<T> const launch{from.data(),
                                     kernel::Wide(from.size()),
                                     to.data(),
                                     kernel::Wide(to.size()),
                                     roots.data(),
                                     kernel::Wide(roots.size()),
                                     T(program_scale(program))};
    run.counts = emulator::emulate<T>(run.lowered.spec, run.lowered.tiles, launch, checks, workers);
    runs.push_back(std::move(run));
  }
  return runs;
}

template std::vector<SweepRun> run_program(Program const&, Array<float>&, Array<float>&, Machine const&,
                                           emulator::Checks, int);
template std::vector<SweepRun> run_program(Program const&, Array<double>&, Array<double>&, Machine const&,
                                           emulator::Checks, int);

template <class T>
void run_sweep(kernel::SweepSpec const& spec, kernel::Wide tiles, kernel::Args<T> const& args) {
  emulator::run_grid(
      {tiles, spec.ranks, spec.threads, spec.shared}, emulator::Checks::none(),
      [&](emulator::EmulatedBlock& block) { kernel::sweep<T>(kernel::Loaded{&spec}, block, args); });
}

template void run_sweep(kernel::SweepSpec const&, kernel::Wide, kernel::Args<float> const&);
template void run_sweep(kernel::SweepSpec const&, kernel::Wide, kernel::Args<double> const&);

}  // namespace skipper::testing
