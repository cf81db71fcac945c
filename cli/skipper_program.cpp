// The program `skipper`: what users run.
#include "command.h"

namespace skipper::cli {

Program skipper_program() {
  return {"skipper",
          "Fourier transforms that skip sweeps over memory",
          {info_command, plan_command, fft_command, poisson_command, verify_command, tune_command,
           completion_command, man_command},
          {{"bench", "times problems against a copy of the same bytes and against FFTW or cuFFT"},
           {"compare", "finds what became slower between two results of bench --json"},
           {"crossover", "tables of small transforms, few and many at once, from results of bench --json"},
           {"plot", "draws results of bench --json, each as an SVG file beside it"},
           {"run", "the demonstration: a 256^3 transform and its inverse, verified, then a short bench"}}};
}

}  // namespace skipper::cli
