// What skipper.Plan holds: a problem on arrays of one shape and element type, on one device. Arrays that are not dense get a
// plan of their own strides, kept beside the first.
#pragma once

#include <skipper/plan.h>

#include <memory>
#include <mutex>
#include <vector>

#include "cache.h"

namespace skipper::python {

class ArrayPlan {
 public:
  // `problem` has all dimensions of the arrays: axis_dims[a] is that of axis a, batch_dims[b] that of batch dimension b.
  ArrayPlan(Problem problem, std::vector<int> axis_dims, std::vector<int> batch_dims, PlanSettings settings);

  Layout const& in() const { return in_; }
  Layout const& out() const { return out_; }
  Problem const& problem() const { return problem_; }
  Plan const& plan() const { return main_->plan; }
  int device() const { return main_->device; }

  ArrayPlan inverse() const;

  // The plan for arrays with these strides, or for one array in place.
  std::shared_ptr<Planned const> with(Layout const& in, Layout const& out, bool in_place) const;

 private:
  struct Variant {
    Layout in, out;
    bool in_place;
    std::shared_ptr<Planned const> planned;
  };
  struct Variants {
    std::mutex mutex;
    std::vector<Variant> all;
  };

  void set_layouts();
  std::shared_ptr<Planned const> make(Layout const& in, Layout const& out, bool in_place) const;

  Problem problem_;
  std::vector<int> axis_dims_, batch_dims_;
  PlanSettings settings_;
  Layout in_, out_;
  std::shared_ptr<Planned const> main_;
  std::shared_ptr<Variants> variants_ = std::make_shared<Variants>();
};

}  // namespace skipper::python
