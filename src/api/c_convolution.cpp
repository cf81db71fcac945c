// The C interface to convolutions.
#include <skipper/convolution.h>
#include <skipper/skipper_c.h>

#include <algorithm>

#include "api/guarded.h"

struct skipper_convolution {
  skipper::Convolution convolution;
};

using namespace skipper::c;

extern "C" {

int skipper_convolution_create(skipper_convolution** convolution, int complex, int precision, int rank,
                               long long const* shape, long long const* kernel_shape, int mode, int correlate,
                               long long batch, long long kernels, double scale, void const* kernel,
                               int threads) {
  return skipper_convolution_create_on(convolution, complex, precision, rank, shape, kernel_shape, mode,
                                       correlate, batch, kernels, scale, kernel, nullptr, threads);
}

int skipper_convolution_create_on(skipper_convolution** convolution, int complex, int precision, int rank,
                                  long long const* shape, long long const* kernel_shape, int mode,
                                  int correlate, long long batch, long long kernels, double scale,
                                  void const* kernel, char const* device, int threads) {
  return guarded([&] {
    demanded(convolution, "convolution") = nullptr;
    if (rank < 1 || rank > int(skipper::max_rank))
      throw skipper::Error("rank", "is " + std::to_string(rank) + " but must be 1 to 64");
    if (mode < SKIPPER_MODE_CIRCULAR || mode > SKIPPER_MODE_VALID)
      refuse("mode", mode,
             "SKIPPER_MODE_CIRCULAR, SKIPPER_MODE_FULL, SKIPPER_MODE_SAME or SKIPPER_MODE_VALID");
    skipper::ConvolutionProblem problem;
    problem.shape.assign(&demanded(shape, "shape"), shape + rank);
    problem.kernel.assign(&demanded(kernel_shape, "kernel_shape"), kernel_shape + rank);
    problem.mode = skipper::ConvolutionMode(mode);
    problem.correlate = truth_of("correlate", correlate);
    problem.complex = truth_of("complex", complex);
    problem.precision = precision_of(precision);
    problem.batch = batch;
    problem.kernels = kernels;
    problem.scale = scale;
    skipper::PlanSettings settings;
    if (device) settings.device = skipper::Device(device);
    settings.cpu.threads = threads;
    *convolution = new skipper_convolution{skipper::Convolution(problem, kernel, settings)};
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
  return guarded([&] { demanded(convolution, "convolution").convolution.execute(in, out); });
}

int skipper_convolve_on(skipper_convolution const* convolution, void const* in, void* out, void* workspace,
                        void* stream) {
  return guarded([&] {
    demanded(convolution, "convolution")
        .convolution.execute(in, out, {.workspace = workspace, .stream = stream});
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
