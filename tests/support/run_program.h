#pragma once
// Runs a whole program under the emulator: lowers each sweep, builds its twiddle tables, gives it its buffers.
#include <complex>
#include <vector>

#include "emulator/counts.h"
#include "emulator/unset.h"
#include "kernel/complex.h"
#include "kernel/sweep.h"
#include "plan/fused_inverse.h"
#include "plan/lower/lower.h"
#include "plan/program.h"

namespace skipper::testing {

template <class T>
using Array = std::vector<kernel::Complex<T>>;

/// Numbers that nobody has set, as what a sweep is to write begins.
template <class T>
Array<T> unset_array(Index size) {
  return Array<T>(std::size_t(size), emulator::Unset<kernel::Complex<T>>::from(emulator::from_memory));
}

struct SweepRun {
  Lowered lowered;
  emulator::Counts counts;
};

/// Runs the program from `in` to `out`, which are one array when the problem is in place. Workspace begins unset.
template <class T>
std::vector<SweepRun> run_program(Program const& program, Array<T>& in, Array<T>& out, Machine const& machine,
                                  emulator::Checks checks = emulator::Checks::all(), int workers = 1);

extern template std::vector<SweepRun> run_program(Program const&, Array<float>&, Array<float>&,
                                                  Machine const&, emulator::Checks, int);
extern template std::vector<SweepRun> run_program(Program const&, Array<double>&, Array<double>&,
                                                  Machine const&, emulator::Checks, int);

/// Runs a convolution, its spectrum as fused_inverse.h has it.
template <class T>
std::vector<SweepRun> run_fused_inverse(FusedInverse const& fused_inverse,
                                        std::vector<std::complex<double>> const& spectrum, Array<T>& in,
                                        Array<T>& out, Machine const& machine);

/// Runs a division by a symbol; `constant` takes what stood where that is zero.
template <class T>
std::vector<SweepRun> run_division(FusedInverse const& fused_inverse,
                                   std::vector<std::vector<double>> const& axes, Array<T>& in, Array<T>& out,
                                   Machine const& machine, kernel::Complex<T>& constant);

/// One tile of a sweep on arrays that may be vast: all checks, and only what the tile touches is read and written.
template <class T>
struct Span {
  kernel::Complex<T>* data = nullptr;
  Index size = 0;
};
template <class T>
emulator::Counts run_tile(Lowered const& lowered, Index tile, Span<T> from, Span<T> to, double scale);

extern template emulator::Counts run_tile(Lowered const&, Index, Span<float>, Span<float>, double);
extern template emulator::Counts run_tile(Lowered const&, Index, Span<double>, Span<double>, double);

}  // namespace skipper::testing
