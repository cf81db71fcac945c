// All of a plan that can be had without a device: the program, its specs and the bytes of its tables. Planning and
// lowering take up to tenths of a second, so what comes out is cached on disk with the kernels.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/narrow_sides.h"
#include "base/machine.h"
#include "base/stopwatch.h"
#include "gpu/jit.h"
#include "kernel/spec.h"
#include "plan/fused_inverse.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "plan/spec_text.h"

namespace skipper::gpu {

struct PreparedSweep {
  kernel::SweepSpec spec;
  Index tiles = 1;
  std::vector<std::string> tables;  // as bytes, in the order that arguments() of loaded.cpp takes them
};

struct Prepared {
  Program program;
  std::vector<PreparedSweep> sweeps;
  // Of a convolution: the way back. Its first sweep is the last of `program` (a fused inverse), so only the others are appended.
  std::optional<Program> inverse = {};
  std::optional<ConvolutionSides> sides = {};  // of a convolution: what the user's arrays are
  bool parts = false;  // the program takes complex numbers as reals (problem_of_parts)
  UserText user = {};
  void* data = nullptr;                      // of the user's functions
  int harmless_spill = gpu::harmless_spill;  // measurements set others
};

/// The program that a prepared sweep is of, and its number there: of a convolution the way there, or the way back.
struct OwnSweep {
  Program const* program;
  int number;
};
OwnSweep own_sweep(Prepared const& prepared, std::size_t i);

/// The spectrum of a convolution's kernels, dense: of all frequencies, or of the half that r2c has.
using Spectrum = std::function<std::vector<std::complex<double>>(bool whole)>;

/// CUDA C++ that sees elements as the first sweep reads and the last one writes them. Throws Error where the program cannot
/// show it whole elements.
void set_user(Prepared& prepared, std::string const& load, std::string const& store, void* data);

/// Has the last sweep store into several arrays. Each base address stands for `unit` elements of the output; 0: there
/// is one array. No sweep before the last one writes to the output then. Throws Error where a pair of reals, which a
/// sweep moves at once, would belong to two arrays.
void set_peers(Prepared& prepared, Index unit);

/// Of an f16 or bf16 problem, planned without L2 blocks: which of its arrays are in 16-bit storage; the other one is in f32.
void set_narrow(Prepared& prepared, NarrowSides narrow);

/// A sweep that is lowered already, with its tables.
PreparedSweep prepared(Lowered const& lowered, Precision precision);

/// How the sweeps of a program, and its L2 blocks, follow each other (kernel::Flow). Results are the same to the last bit.
struct FlowOptions {
  bool dependent = false;  // dependent launch: each starts before the previous one has ended (sm_90)
  bool streaming = false;  // streaming hints: what L2 blocks read or write once does not evict their buffers
  bool calls = false;  // dependent launch of the first sweep too, behind whatever the stream has before it
  bool triggers_late = false;  // each signals the next one after its own wait, not at once
  bool overlaps = false;       // the first sweep of an L2 block waits for the previous L2 block only to store
  bool fused = false;  // fused passes: both sweeps of an L2 block in one kernel (plan/lower/fused_passes.h)
  bool prefetches = false;   // the first of these prefetches into L2
  bool polls_early = false;  // and polls the counter that its store waits for as soon as it has loaded
  bool discards = false;     // the last of these discards whole lines that it has read from L2
};
void set_flow(Prepared& prepared, FlowOptions options);
/// With the options that suit the program (docs/decisions/0033, 0038). Fitted: bench/results/h200-choices.md.
void set_flow(Prepared& prepared, Machine const& machine);

/// Plans, or fetches what was planned for the same problem on the same machine. Throws Error where that is impossible.
Prepared prepared(Problem const& problem, Machine const& machine, PlanOptions options, Stopwatch& watch);
/// What the spectrum is divided by between the forward and the inverse transform: a sum with one term for each axis or
/// batch dimension. [dimension, slowest first][mode or index]. The sum may be zero at the first mode only; the value
/// there is then handed to the caller (Transform::execute).
using AxisSymbols = std::vector<std::vector<double>>;
Prepared prepared(ConvolutionSides const& sides, Factors factors, AxisSymbols const& symbols,
                  Machine const& machine, Stopwatch& watch);
/// Plans a convolution. Nothing of it is cached on disk, since its tables have the spectrum.
Prepared prepared(ConvolutionSides const& sides, Factors factors, Spectrum const& spectrum,
                  Machine const& machine, Stopwatch& watch);
/// The same for a given program.
Prepared prepared(Program const& program, Machine const& machine, Stopwatch& watch);

}  // namespace skipper::gpu
