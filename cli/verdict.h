// One problem computed on its device and judged. What the transform is to write, and the workspace, hold not-a-number before it, so
// that nothing that was never written passes.
#pragma once

#include <skipper/plan.h>

#include <memory>
#include <string>

#include "gpu.h"
#include "reference/accuracy.h"

namespace skipper::cli {

struct Verdict {
  std::string problem;
  reference::Accuracy error;
  double allowed_l2, allowed_max;
  double whole =
      0;  // of all outputs: the largest defect of a sum over what rounding may do (reference/whole_check.h)
  std::string spoilt;  // what was written that was not the transform's to write; empty: nothing
  bool good() const {  // not for not-a-number
    return error.l2 <= allowed_l2 && error.max <= allowed_max && whole <= 1 && spoilt.empty();
  }
};

class Verifier {
 public:
  // `threads` judge a result; 0: one for each core.
  Verifier(PlanSettings settings, int threads, reference::Samples samples = reference::Samples::many)
      : settings_(std::move(settings)), threads_(threads), samples_(samples) {}
  Verdict verdict(Problem const& problem);

 private:
  void on_cpu(Plan const& plan, void* in, void* out) const;
  void on_gpu(Plan const& plan, void* in, void* out);

  PlanSettings settings_;
  int threads_;
  reference::Samples samples_;
  std::unique_ptr<Cuda> cuda_;  // made where a plan is for a GPU
};

}  // namespace skipper::cli
