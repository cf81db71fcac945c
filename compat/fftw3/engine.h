// The only place that calls Skipper itself: a Problem made ready on the CPU, or on the GPU of device.h, and how it is executed.
#pragma once

#include <skipper/plan.h>

#include <memory>
#include <string>

namespace skipper::fftw3 {

class Engine {
 public:
  /// Throws Error where it cannot be computed, for lack of memory say.
  Engine(Problem const& problem, int threads, Executor const& executor);

  /// In place the two are one. On the CPU it takes no memory but in the first call, and in those that run at the same time.
  void execute(void const* in, void* out) const {
    if (on_gpu_) return execute_on_gpu(in, out);
    plan_.execute(in, out);
  }

  std::string describe() const { return plan_.describe(); }

 private:
  /// A GPU that cannot do it, for lack of memory say, leaves it to the CPU.
  void execute_on_gpu(void const* in, void* out) const;

  Plan plan_;
  struct OnGpu {
    int threads = 1;
    Executor executor;
  };
  std::shared_ptr<OnGpu const> on_gpu_;  // what the CPU would be asked with; null where it is the CPU
};

}  // namespace skipper::fftw3
