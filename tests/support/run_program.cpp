// See run_program.h.
#include "support/run_program.h"

#include <complex>

#include "emulator/emulator.h"
#include "plan/l2_block.h"

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

Index whole_l2_buffer_bytes(Program const& program) {
  Index most = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (program.sweeps[s].l2_block && first_of_l2_block(program, s) == s)
      if (auto const l2_block =
              l2_block_of(program, s, program.sweeps[s].l2_block, nullptr, sweeps_of_l2_block(program, s)))
        most = std::max(most, l2_block->unit * (l2_block->all() + l2_block->together - 1));
  return most + element_bytes(program.problem);
}

}  // namespace

namespace {

/// The arrays of a run.
template <class T>
class Buffers {
 public:
  Buffers(Program const& program, Array<T>& in, Array<T>& out) : program_(program), in_(in), out_(out) {}

  Array<T>& operator[](Buffer b) {
    if (b == Buffer::in) return in_;
    if (b == Buffer::out) return program_.problem.placement == Placement::in_place ? in_ : out_;
    Array<T>& w = b == Buffer::work ? work_ : b == Buffer::work2 ? work2_ : l2_buffer_;
    // Here all L2 blocks are one.
    Index const bytes = b == Buffer::l2_buffer ? whole_l2_buffer_bytes(program_) : work_bytes(program_);
    if (w.empty()) w = unset_array<T>(bytes / element_bytes(program_.problem));
    return w;
  }

 private:
  Program const& program_;
  Array<T>&in_, &out_;
  Array<T> work_, work2_, l2_buffer_;
};

/// One sweep; `factors` are those of a fused inverse.
template <class T>
SweepRun run_one(Program const& program, int s, Lowered lowered, Buffers<T>& buffers, Array<T> const& factors,
                 emulator::Checks checks, int workers, kernel::Complex<T>* constant = nullptr) {
  SweepRun run{std::move(lowered), {}};
  Array<T> const roots = roots_of<T>(run.lowered);
  Array<T>&from = buffers[program.sweeps[s].from], &to = buffers[program.sweeps[s].to];
  emulator::Launch<T> const launch{from.data(),
                                   kernel::Wide(from.size()),
                                   to.data(),
                                   kernel::Wide(to.size()),
                                   roots.data(),
                                   kernel::Wide(roots.size()),
                                   T(program_scale(program)),
                                   factors.data(),
                                   kernel::Wide(factors.size()),
                                   constant};
  run.counts = emulator::emulate<T>(run.lowered.spec, run.lowered.tiles, launch, checks, workers);
  return run;
}

}  // namespace

template <class T>
std::vector<SweepRun> run_program(Program const& program, Array<T>& in, Array<T>& out, Machine const& machine,
                                  emulator::Checks checks, int workers) {
  std::vector<SweepRun> runs;
  Buffers<T> buffers(program, in, out);
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    runs.push_back(run_one<T>(program, s, lower(program, s, machine), buffers, {}, checks, workers));
  return runs;
}

namespace {

/// `table` gives what the fused inverse reads as it was lowered.
template <class T, class Table>
std::vector<SweepRun> run_joined(FusedInverse const& fused_inverse, Table const& table, Array<T>& in,
                                 Array<T>& out, Machine const& machine, kernel::Complex<T>* constant) {
  std::vector<SweepRun> runs;
  Buffers<T> buffers(fused_inverse.forward, in, out);
  int const sweeps = int(fused_inverse.forward.sweeps.size());
  for (int s = 0; s < sweeps; ++s) {
    Lowered const lowered = lower(fused_inverse.forward, s, machine);
    bool const is_fused = s + 1 == sweeps;
    Array<T> const own = is_fused ? table(lowered) : Array<T>{};
    runs.push_back(run_one<T>(fused_inverse.forward, s, lowered, buffers, own, emulator::Checks::all(), 1,
                              is_fused ? constant : nullptr));
  }
  for (int s = 1; s < sweeps; ++s)
    runs.push_back(run_one<T>(*fused_inverse.inverse, s, lower(*fused_inverse.inverse, s, machine), buffers,
                              {}, emulator::Checks::all(), 1));
  return runs;
}

}  // namespace

template <class T>
std::vector<SweepRun> run_fused_inverse(FusedInverse const& fused_inverse,
                                        std::vector<std::complex<double>> const& spectrum, Array<T>& in,
                                        Array<T>& out, Machine const& machine) {
  auto const table = [&](Lowered const& lowered) {
    Array<T> own;
    for (auto const& f : factors(fused_inverse, lowered, spectrum)) own.push_back({T(f.real()), T(f.imag())});
    return own;
  };
  return run_joined<T>(fused_inverse, table, in, out, machine, nullptr);
}

template <class T>
std::vector<SweepRun> run_division(FusedInverse const& fused_inverse,
                                   std::vector<std::vector<double>> const& axes, Array<T>& in, Array<T>& out,
                                   Machine const& machine, kernel::Complex<T>& constant) {
  auto const table = [&](Lowered const& lowered) {
    std::vector<double> const all = symbol_tables(fused_inverse, lowered, axes);
    Array<T> own((all.size() + 1) / 2);
    for (std::size_t i = 0; i < all.size(); ++i) (i % 2 ? own[i / 2].im : own[i / 2].re) = T(all[i]);
    return own;
  };
  return run_joined<T>(fused_inverse, table, in, out, machine, &constant);
}

template std::vector<SweepRun> run_division(FusedInverse const&, std::vector<std::vector<double>> const&,
                                            Array<float>&, Array<float>&, Machine const&,
                                            kernel::Complex<float>&);
template std::vector<SweepRun> run_division(FusedInverse const&, std::vector<std::vector<double>> const&,
                                            Array<double>&, Array<double>&, Machine const&,
                                            kernel::Complex<double>&);

template std::vector<SweepRun> run_fused_inverse(FusedInverse const&,
                                                 std::vector<std::complex<double>> const&, Array<float>&,
                                                 Array<float>&, Machine const&);
template std::vector<SweepRun> run_fused_inverse(FusedInverse const&,
                                                 std::vector<std::complex<double>> const&, Array<double>&,
                                                 Array<double>&, Machine const&);

template std::vector<SweepRun> run_program(Program const&, Array<float>&, Array<float>&, Machine const&,
                                           emulator::Checks, int);
template std::vector<SweepRun> run_program(Program const&, Array<double>&, Array<double>&, Machine const&,
                                           emulator::Checks, int);

template <class T>
emulator::Counts run_tile(Lowered const& lowered, Index tile, Span<T> from, Span<T> to, double scale) {
  Array<T> const roots = roots_of<T>(lowered);
  emulator::Launch<T> const launch{from.data,    from.size,           to.data, to.size,
                                   roots.data(), Index(roots.size()), T(scale)};
  return emulator::emulate<T>(lowered.spec, lowered.tiles, launch, emulator::Checks::all(), 1, tile);
}

template emulator::Counts run_tile(Lowered const&, Index, Span<float>, Span<float>, double);
template emulator::Counts run_tile(Lowered const&, Index, Span<double>, Span<double>, double);

}  // namespace skipper::testing
