// The rest of FFTW's calls: memory, what plans cost and look like, and what is said of the library.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plan.h"
#include "wisdom.h"

using namespace skipper::fftw3;

namespace {

/// "(skipper ...)", as FFTW writes plans in brackets.
std::string printed(FftwPlan plan) {
  PlanBody const* const body = body_of(plan);
  if (!body) return "(none)";
  return "(skipper " + describe(*body) + ")";
}

void* allocate(std::size_t count, std::size_t bytes) {
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, bytes, &whole)) return nullptr;
  return FFTW_NAME(malloc)(whole);
}

}  // namespace

extern "C" {

void* FFTW_NAME(malloc)(size_t n) {
  void* memory = nullptr;
  return posix_memalign(&memory, 64, n ? n : 1) == 0 ? memory : nullptr;
}
Real* FFTW_NAME(alloc_real)(size_t n) { return static_cast<Real*>(allocate(n, sizeof(Real))); }
FftwComplex* FFTW_NAME(alloc_complex)(size_t n) {
  return static_cast<FftwComplex*>(allocate(n, sizeof(FftwComplex)));
}
void FFTW_NAME(free)(void* p) { std::free(p); }

/// All arrays are equal to the kernels, so that a plan for one is good for every other.
int FFTW_NAME(alignment_of)(Real*) { return 0; }

/// Plans that exist go on to work; FFTW's do not.
void FFTW_NAME(cleanup)(void) { Wisdom::instance().forget(); }

/// Plans are made without measuring, in less time than anyone would set.
void FFTW_NAME(set_timelimit)(double) {}

void FFTW_NAME(flops)(const FftwPlan p, double* add, double* mul, double* fmas) {
  PlanBody const* const body = body_of(p);
  double const count = body ? operations(*body) : 0;
  if (add) *add = 0.6 * count;
  if (mul) *mul = 0.4 * count;
  if (fmas) *fmas = 0;
}
double FFTW_NAME(estimate_cost)(const FftwPlan p) {
  PlanBody const* const body = body_of(p);
  return body ? operations(*body) : 0;
}
double FFTW_NAME(cost)(const FftwPlan p) { return FFTW_NAME(estimate_cost)(p); }

char* FFTW_NAME(sprint_plan)(const FftwPlan p) try {
  return strdup(printed(p).c_str());
} catch (std::bad_alloc const&) {
  return nullptr;
}
void FFTW_NAME(fprint_plan)(const FftwPlan p, FILE* output_file) {
  char* const printed_plan = FFTW_NAME(sprint_plan)(p);
  if (printed_plan && output_file) std::fputs(printed_plan, output_file);
  std::free(printed_plan);
}
void FFTW_NAME(print_plan)(const FftwPlan p) { FFTW_NAME(fprint_plan)(p, stdout); }

const char FFTW_NAME(version)[] = "fftw-3.3.10-skipper";
const char FFTW_NAME(cc)[] = __VERSION__;
const char FFTW_NAME(codelet_optim)[] = "";

}  // extern "C"
