// The only place that calls Skipper itself: a Problem made ready on the CPU, or on the GPU of device.h, and how it is executed.
#pragma once

#include <skipper/plan.h>

#include <optional>
#include <string>

#include "threads.h"

namespace skipper::fftw3 {

class Engine {
 public:
  /// Throws Error where it cannot be computed, for lack of memory say.
  Engine(Problem const& problem, int threads);

  /// In place the two are one. On the CPU it takes no memory but in the first call, and in those that run at the same time.
  void execute(void const* in, void* out) const {
    if (plans_.on_gpu) return execute_on_gpu(in, out);
    (plans_.by_callback && has_callback() ? *plans_.by_callback : plans_.first).execute(in, out);
  }

  std::string describe() const { return plans_.first.describe(); }

 private:
  struct Plans {
    Plan first;  // on a GPU, or on the CPU by Skipper's own threads
    std::optional<Plan>
        by_callback;  // the same by threads of the program: FFTW looks up its callback in every call
    bool on_gpu;
  };
  static Plans plans_of(Problem const& problem, int threads);

  /// A GPU that cannot do it, for lack of memory say, leaves it to the CPU.
  void execute_on_gpu(void const* in, void* out) const;

  Plans plans_;
  int threads_;
};

}  // namespace skipper::fftw3
