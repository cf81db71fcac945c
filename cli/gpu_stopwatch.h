// Times work on a GPU by the device's own clock, and holds its results to the definition. Short work is replayed as a graph, so
// that launches do not hide it.
#pragma once

#include <skipper/plan.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu.h"
#include "measure.h"
#include "reference/accuracy.h"

namespace skipper::cli {

/// Device arrays, which stay from case to case, and a copy of the input on the host.
class CudaArrays {
 public:
  explicit CudaArrays(Cuda& cuda) : cuda_(cuda) {}

  void ready(Problem const& problem, std::size_t workspace_bytes);
  void restore() { cuda_.upload(in, host_in, bytes_); }
  /// Runs the transform once on fresh arrays and brings its result to the host.
  void run(std::function<void()> const& execute);

  void *in = nullptr, *out = nullptr, *spare = nullptr, *work = nullptr, *host_in = nullptr,
       *host_out = nullptr;

 private:
  Cuda& cuda_;
  std::size_t bytes_ = 0, filled_ = 0;
  Precision precision_ = Precision::f32;
  void* where_ = nullptr;
  bool in_place_ = false;
};

/// Seconds of each piece of work, in rounds.
std::vector<Timing> measure_on(Cuda& cuda, std::vector<std::function<void()>> const& works,
                               MeasureSettings const& settings);

/// How exact the result is that run() brought to the host. Throws Error where it is wrong.
reference::Accuracy judged(Problem const& problem, CudaArrays const& arrays);

/// Compiles programs of one problem on all cores; those that cannot be compiled are left to whoever runs them.
void prepare_programs(Problem const& problem, PlanSettings const& settings,
                      std::vector<std::string> const& programs);

/// Seconds of one execution on arrays of noise, for comparing programs of one problem: the median of a few samples.
/// Throws Error where the result is wrong.
class CudaStopwatch {
 public:
  explicit CudaStopwatch(int device) : cuda_(device), arrays_(cuda_) {}
  double seconds(Plan const& plan);

 private:
  Cuda cuda_;
  CudaArrays arrays_;
};

}  // namespace skipper::cli
