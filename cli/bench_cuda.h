// Measures problems on a GPU: the transform, a copy of the same bytes and cuFFT in turn, on the device's own clock, and
// how exact the results of either are. Short work is replayed as a graph, so that launches do not hide it.
#pragma once

#include <string>
#include <vector>

#include "bench_case.h"

namespace skipper::cli {

Report bench_cuda_cases(std::vector<Case> const& cases, BenchSettings const& settings, Grown const& grown);

// Makes the plans of all cases on all cores, which compiles what is not kept yet, and prints what each took.
// Returns how many could not be made.
int prepare_cases(std::vector<Case> const& cases, BenchSettings const& settings);

}  // namespace skipper::cli
