// The C interface to convolutions.
#include <skipper/convolution.h>
#include <skipper/skipper_c.h>

#include <algorithm>

#include "api/c_problem.h"

struct skipper_convolution {
  skipper::Convolution convolution;
};

using namespace skipper::c;

namespace {

skipper::ConvolutionProblem convolution_of(skipper_convolution_problem const* given) {
  skipper_convolution_problem const& g = demanded(given, "problem");
  skipper::ConvolutionProblem problem;
  problem.precision = precision_of(g.precision);
  problem.complex = truth_of("is_complex", g.is_complex);
  if (g.rank < 1 || g.rank > int(skipper::max_rank))
    throw skipper::Error("rank", "is " + std::to_string(g.rank) + " but must be 1 to 64");
  problem.shape.assign(&demanded(g.shape, "shape"), g.shape + g.rank);
  problem.kernel.assign(&demanded(g.kernel_shape, "kernel_shape"), g.kernel_shape + g.rank);
  if (g.mode < SKIPPER_MODE_CIRCULAR || g.mode > SKIPPER_MODE_VALID)
    refuse("mode", g.mode,
           "SKIPPER_MODE_CIRCULAR, SKIPPER_MODE_FULL, SKIPPER_MODE_SAME or SKIPPER_MODE_VALID");
  problem.mode = skipper::ConvolutionMode(g.mode - SKIPPER_MODE_CIRCULAR);
  problem.correlate = truth_of("correlate", g.correlate);
  problem.batch = g.batch;
  problem.kernels = g.kernels;
  if (g.scale == 0)
    throw skipper::Error(
        "scale", "is 0, so every output would be 0; begin with skipper_convolution_problem_default()");
  problem.scale = g.scale;
  return problem;
}

}  // namespace

extern "C" {

skipper_convolution_problem skipper_convolution_problem_default(void) {
  skipper_convolution_problem problem = {};
  problem.precision = SKIPPER_F32;
  problem.mode = SKIPPER_MODE_FULL;
  problem.batch = problem.kernels = 1;
  problem.scale = 1;
  return problem;
}

int skipper_convolution_create(skipper_convolution** convolution, skipper_convolution_problem const* problem,
                               void const* kernel, skipper_plan_settings const* settings) {
  return guarded([&] {
    demanded(convolution, "convolution") = nullptr;
    *convolution =
        new skipper_convolution{skipper::Convolution(convolution_of(problem), kernel, settings_of(settings))};
  });
}

void skipper_convolution_destroy(skipper_convolution* convolution) { delete convolution; }

int skipper_convolution_out_shape(skipper_convolution const* convolution, long long* shape) {
  return guarded([&] {
    auto const sizes = skipper::out_shape(demanded(convolution, "convolution").convolution.problem());
    std::copy(sizes.begin(), sizes.end(), &demanded(shape, "shape"));
  });
}

int skipper_convolve(skipper_convolution const* convolution, void const* in, void* out) {
  return skipper_convolve_on(convolution, in, out, nullptr);
}

int skipper_convolve_on(skipper_convolution const* convolution, void const* in, void* out,
                        skipper_execute_settings const* settings) {
  return guarded(
      [&] { demanded(convolution, "convolution").convolution.execute(in, out, settings_of(settings)); });
}

int skipper_convolution_device(skipper_convolution const* convolution, char* text, long long size,
                               long long* needed) {
  return guarded([&] {
    hand_out(demanded(convolution, "convolution").convolution.device().name(), text, size, needed);
  });
}

int skipper_convolution_describe(skipper_convolution const* convolution, char* text, long long size,
                                 long long* needed) {
  return guarded(
      [&] { hand_out(demanded(convolution, "convolution").convolution.describe(), text, size, needed); });
}

int skipper_convolution_workspace_bytes(skipper_convolution const* convolution, long long* bytes) {
  return guarded([&] {
    demanded(bytes, "bytes") =
        static_cast<long long>(demanded(convolution, "convolution").convolution.workspace_bytes());
  });
}

}  // extern "C"
