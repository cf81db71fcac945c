// The CUDA engine: a problem or a program made ready on a device, and executed on the caller's stream. With workspace
// supplied, `execute` allocates nothing and waits for nothing, so it may be captured into a graph.
#pragma once

#include <skipper/problem.h>

#include <complex>
#include <functional>
#include <memory>
#include <string>

#include "base/narrow_sides.h"
#include "base/stopwatch.h"
#include "gpu/driver.h"
#include "gpu/prepare.h"
#include "plan/planner.h"

namespace skipper::gpu {

struct Options {
  PlanOptions plan{.clusters = true, .l2_blocks = true, .max_candidates = 1};
  bool stage_host_arrays =
      false;                // arrays in host memory are copied to the device and back; else they are refused
  std::string load, store;  // CUDA C++ of a user
  void* data = nullptr;     // what that is called with
  Index peer_unit = 0;      // where outputs go to several arrays: elements behind each base address
  NarrowSides narrow = NarrowSides::both;  // of f16 and bf16 problems
  bool parts = false;                      // a given program is of problem_of_parts()
};

/// Whether kernels can read the pointer. Memory of another device is refused: it may be out of reach, or slow. In the
/// context that is current.
bool on_device(DevicePointer pointer, int device, char const* argument);

/// Throws Error for memory that kernels cannot use as workspace. A null pointer is no workspace. In the context that is current.
void demand_workspace(void const* workspace, int device);

class Transform {
 public:
  /// The stopwatch has what was done for the plan before.
  Transform(Problem const& problem, int device, Options options = {}, Stopwatch watch = {});
  /// A convolution.
  Transform(ConvolutionSides const& sides, Factors factors, Spectrum const& spectrum, int device,
            Options options = {}, Stopwatch watch = {});
  /// A division by a symbol between the way there and the way back; the factors say of which sort.
  Transform(ConvolutionSides const& sides, Factors factors, AxisSymbols const& symbols, int device,
            Options options = {}, Stopwatch watch = {});
  /// Runs a given program.
  Transform(Program const& program, int device, Options options = {}, Stopwatch watch = {});

  std::size_t workspace_bytes() const;

  /// Without workspace, memory comes from a pool of the device in stream order. Arrays that had to be staged are ready
  /// when it returns, others when the stream is. Many threads may call it at once.
  void execute(void const* in, void* out, void* workspace = nullptr, Stream stream = nullptr) const;

  /// The same where outputs go to several arrays (Options::peer_unit): element i of the output is stored at address
  /// bases[i / peer_unit] plus i elements. The table is in device memory, and so are the arrays, which the device must reach.
  void execute_to_peers(void const* in, DevicePointer bases, void* workspace = nullptr,
                        Stream stream = nullptr) const;

  /// The same with a symbol that is zero at the constant mode, the spectrum's first element: waits, and returns that element,
  /// unnormalised, which a Poisson solve hands out as its defect.
  std::complex<double> execute_for_constant_mode(void const* in, void* out, void* workspace = nullptr,
                                                 Stream stream = nullptr) const;

  /// The constant mode of an execution with this workspace, for when more is to follow it in the stream.
  std::complex<double> constant_mode(void const* workspace, Stream stream = nullptr) const;

  /// Where the constant mode stands in the workspace, in the precision of the problem, and what it is to be multiplied by: for a
  /// caller that reads it by itself.
  DevicePointer constant_mode_place(void const* workspace) const;
  double constant_mode_factor() const;

  /// The program, and where it runs.
  std::string describe() const;

  /// What making it took.
  std::vector<PlanTiming> const& plan_timings() const { return watch_.parts(); }

 private:
  void run(void const* in, void* out, void* workspace, Stream stream,
           std::complex<double>* constant_mode) const;
  void load(std::string name, int device, Options const& options, std::function<Prepared()> const& make);
  /// Made for the device's machine or, where its clusters are smaller than that says, for one with such.
  void load_fitting(std::string const& name, int device, Options const& options,
                    std::function<Prepared(Machine const&)> const& make);

  std::shared_ptr<struct LoadedProgram const> program_;
  std::shared_ptr<class Pool const> pool_;
  bool stage_ = false;
  Stopwatch watch_;
};

}  // namespace skipper::gpu
