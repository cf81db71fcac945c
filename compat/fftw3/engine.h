// The only place that calls Skipper itself: a Problem made ready on the CPU, and how it is executed.
#pragma once

#include <skipper/plan.h>

#include <string>

namespace skipper::fftw3 {

class Engine {
 public:
  /// Throws Error where it cannot be computed, for lack of memory say.
  Engine(Problem const& problem, int threads, Executor const& executor);

  /// In place the two are one. Takes no memory but in the first call, and in those that run at the same time.
  void execute(void const* in, void* out) const { plan_.execute(in, out); }

  std::string describe() const { return plan_.describe(); }

 private:
  Plan plan_;
};

}  // namespace skipper::fftw3
