// A plan: a problem made ready to be computed on one device. Making it costs time and memory once; execute() then
// makes no decisions. Plans are values that share immutable state: copying one is cheap, and any number of threads
// may execute the same one at once, each on its own arrays. One that was moved from throws Error from all functions until
// another is assigned to it.
//
//   skipper::Plan plan({256, 256, 256});      // complex to complex, f32, forward, dense, on the best device
//   plan.execute(in, out);
//   plan.inverse().execute(out, in);          // scaled by 1/N: in is back
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/device.h>
#include <skipper/executor.h>
#include <skipper/half.h>
#include <skipper/problem.h>
#include <skipper/segment.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

// What a plan on a GPU does with arrays in host memory. staged: it copies them to the device and back, and execute()
// returns when the output is there. by_device: staged where the device was asked for as "best", else refused.
enum class HostArrays { by_device, refused, staged };

// A user's own work on elements as they are read and written, without a sweep of its own. The functions are for the
// CPU (segment.h says how they are called); the CUDA C++ texts are for GPUs, where the plan's kernels are compiled with
// them. A text defines a function, beside whatever else it needs:
//   Value on_load(Value x, long long place, void* data)     in cuda_load
//   Value on_store(Value x, long long place, void* data)    in cuda_store
// Value is float or double where that side is real, else a struct of two with the parts re and im (f16 and bf16
// arrays: of float); `place` counts elements of the array from its first one, and `data` is cuda_data: device memory that the texts
// know what to do with. What is returned is transformed, or written. It may be called more than once for an element.
struct EndSettings {
  SegmentFunction load, store;
  std::string cuda_load, cuda_store;
  void* cuda_data = nullptr;
};

struct PlanSettings {
  Device device = Device("best");
  int threads = 0;              // of a CPU; 0: those of the executor, or one for each core
  Executor executor;            // of a CPU: who runs them; empty: the default one (executor.h)
  std::string instruction_set;  // of a CPU, out of devices(); empty: the best that it has
  EndSettings ends;
  HostArrays host_arrays = HostArrays::by_device;  // of a GPU
  std::string
      program;  // of a GPU: what to run, as text that planning.h gives; empty: what the planner chooses
  std::string tuning;  // of a GPU: the file to read tuned programs from; empty: the usual one (tuning.h)
};

// A part of what making a plan took: "search", "compile" and the like.
struct PlanPart {
  std::string name;
  double seconds = 0;
};

class Plan {
 public:
  // Complex to complex over a dense array of this shape, slowest axis first.
  explicit Plan(std::vector<std::int64_t> const& shape, Precision precision = Precision::f32,
                Direction direction = Direction::forward, PlanSettings const& settings = {});

  // Anything else: builders and fields are in problem.h. Throws Error where the problem makes no sense or cannot be
  // computed on the device.
  explicit Plan(Problem const& problem, PlanSettings const& settings = {});

  // Computes. The pointers are to the first element of either side. The types must be those of the plan's kind and
  // precision, else Error; in place the two pointers are one. The input is preserved unless in place.
  void execute(std::complex<float> const* in, std::complex<float>* out) const;    // c2c f32
  void execute(std::complex<double> const* in, std::complex<double>* out) const;  // c2c f64
  void execute(float const* in, std::complex<float>* out) const;                  // r2c f32
  void execute(double const* in, std::complex<double>* out) const;                // r2c f64
  void execute(std::complex<float> const* in, float* out) const;                  // c2r f32
  void execute(std::complex<double> const* in, double* out) const;                // c2r f64
  void execute(float const* in, float* out) const;                                // r2r f32
  void execute(double const* in, double* out) const;                              // r2r f64

  void execute(Half const* in, Half* out) const;          // f16 of every kind
  void execute(BFloat16 const* in, BFloat16* out) const;  // bf16 of every kind

  // The same on untyped pointers, with workspace_bytes() of the caller's memory, aligned to 64 bytes, or with nullptr:
  // then workspace is taken and given back as needed. Two executions at once need two workspaces. On a GPU the pointers
  // are to its memory and `stream` is a CUstream or cudaStream_t of it: the work is enqueued there, and with a workspace
  // execute() allocates nothing and waits for nothing, so that it may be captured into a graph. A plan must outlive
  // what was enqueued or captured. On the CPU there are no streams.
  void execute(void const* in, void* out, void* workspace, void* stream = nullptr) const;

  // Memory that execute() needs beyond the two arrays.
  std::size_t workspace_bytes() const;

  // The plan that undoes this one, on the same device: sides and direction swapped, and the scale such that the way
  // there and back is the identity.
  Plan inverse() const;

  Problem const& problem() const;
  Device const& device() const;

  // What execute() does, sweep by sweep, as text.
  std::string describe() const;

  // Where the time of making the plan went, part by part in the order they came.
  std::vector<PlanPart> creation() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

// The problem that undoes this one. Throws Error where there is none: a scale of zero, or inputs that share places.
Problem inverse_problem(Problem const& problem);

}  // namespace skipper
