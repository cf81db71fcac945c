// Measures problems on a GPU: the transform, a copy of the same bytes and cuFFT in turn, on the device's own clock, and
// how exact the results of either are. Short work is replayed as a graph, so that launches do not hide it.
#pragma once

#include <string>
#include <vector>

#include "bench_case.h"

namespace skipper::cli {

Report bench_cuda_cases(std::vector<Case> const& cases, BenchSettings const& settings);

// Makes the plans of all cases on all cores, which compiles what is not kept yet, and prints what each took.
// Returns how many could not be made.
int prepare_cases(std::vector<Case> const& cases, BenchSettings const& settings);

// Compiles programs of one problem on all cores; those that cannot be compiled are left to whoever runs them.
void prepare_programs(Problem const& problem, PlanSettings const& settings,
                      std::vector<std::string> const& programs);

// Seconds of one execution on arrays of noise, for comparing programs of one problem: the median of a few samples.
// Throws Error where the result is wrong.
class CudaStopwatch {
 public:
  explicit CudaStopwatch(int device);
  ~CudaStopwatch();
  double seconds(Plan const& plan);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skipper::cli
