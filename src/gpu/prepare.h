// All of a plan that can be had without a device: the program, its specs and the bytes of its tables. Planning and
// lowering take up to tenths of a second, so what comes out is kept on disk with the kernels.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/half_ends.h"
#include "base/machine.h"
#include "base/stopwatch.h"
#include "kernel/spec.h"
#include "plan/joint.h"
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
  std::optional<Program> back =
      {};  // of a convolution: its sweeps from the second on come after those of `program`
  std::optional<ConvolutionEnds> ends = {};  // of a convolution: what the user's arrays are
  UserText user = {};
  void* data = nullptr;  // of the user's functions
};

/// The spectrum of a convolution's kernels, dense: of all frequencies, or of the half that r2c has.
using Spectrum = std::function<std::vector<std::complex<double>>(bool whole)>;

/// CUDA C++ that sees elements as the first sweep reads and the last one writes them. Throws Error where the program cannot
/// show it whole elements.
void set_user(Prepared& prepared, std::string const& load, std::string const& store, void* data);

/// Has the last sweep store into several arrays, each base address for so many elements of the output; 0: into one. Sweeps
/// before it leave the output alone then. Throws Error where pairs of reals would be torn apart.
void set_peers(Prepared& prepared, Index unit);

/// Of an f16 problem, planned without chunks: which of its arrays are in half precision; the other one is in f32.
void set_halves(Prepared& prepared, HalfEnds halves);

/// A sweep that is lowered already, with its tables.
PreparedSweep prepared(Lowered const& lowered, Precision precision);

/// How the sweeps of a program, its chunks too, follow each other (kernel::Flow). Results stay the same to the last bit.
struct FlowOptions {
  bool early = false;     // each is launched before the one ahead of it has ended, on architectures that can
  bool once = false;      // what a pair in chunks reads and writes once does not drive its scratch out of L2
  bool calls = false;     // the first too, which comes after whatever the stream has before
  bool patient = false;   // each announces the next when it has waited itself, not at once
  bool overlaps = false;  // the first sweep of a chunk waits for the chunk ahead of it only to store
  bool yoked = false;     // the sweeps of chunks share a kernel; they are lowered for it (plan/lower/yoked.h)
  bool asks = false;      // of these the first asks for tiles to come
  bool looks = false;     // and looks early at what it awaits to store
  bool discards = false;  // and the last has L2 forget what it has read, where that is whole lines
};
void set_flow(Prepared& prepared, FlowOptions options);
/// As it was measured to be best.
void set_flow(Prepared& prepared, Machine const& machine);

/// Plans, or fetches what was planned for the same problem on the same machine. Throws Error where that is impossible.
Prepared prepared(Problem const& problem, Machine const& machine, PlanOptions options, Stopwatch& watch);
/// What the way there is divided by before the way back: a sum of one number for each mode of each axis, and for each
/// index of a batch, slowest first. It may be zero at the first of all only; what is there is then handed out
/// (Transform::execute).
using AxisSymbols = std::vector<std::vector<double>>;
Prepared prepared(ConvolutionEnds const& ends, Factors factors, AxisSymbols const& symbols,
                  Machine const& machine, Stopwatch& watch);
/// Plans a convolution. It is not kept: it has the spectrum.
Prepared prepared(ConvolutionEnds const& ends, Factors factors, Spectrum const& spectrum,
                  Machine const& machine, Stopwatch& watch);
/// The same for a given program.
Prepared prepared(Program const& program, Machine const& machine, Stopwatch& watch);

}  // namespace skipper::gpu
