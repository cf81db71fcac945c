// One problem computed on its device and judged. What the transform is to write, and the workspace, hold not-a-number before it, so
// that nothing that was never written passes.
#pragma once

#include <skipper/plan.h>

#include <string>

#include "buffer.h"
#include "device_run.h"
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

// What is wrong, in one line; empty where the verdict is good.
std::string complaint(Verdict const& verdict);

// The arrays of a problem, in host memory: random inputs, and outputs of not-a-number. In place they are one.
class JudgedArrays {
 public:
  explicit JudgedArrays(Problem const& problem);
  InAndOut arrays();
  // Of what was computed on them. `threads` judge; 0: one for each core.
  Verdict verdict(int threads, reference::Samples samples = reference::Samples::many) const;

 private:
  bool in_place() const { return problem_.placement == Placement::in_place; }

  Problem problem_;
  std::int64_t bytes_;
  Buffer given_, in_, out_;
};

class Verifier {
 public:
  // `threads` judge a result; 0: one for each core.
  Verifier(PlanSettings settings, int threads, reference::Samples samples = reference::Samples::many)
      : settings_(std::move(settings)), threads_(threads), samples_(samples) {}
  Verdict verdict(Problem const& problem);

 private:
  PlanSettings settings_;
  int threads_;
  reference::Samples samples_;
  DeviceRun run_;
};

}  // namespace skipper::cli
