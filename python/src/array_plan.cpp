// Layouts of the two sides, and plans for strides.
#include "array_plan.h"

#include <nanobind/nanobind.h>

#include <string>

#include "gil.h"

namespace skipper::python {
namespace {

namespace nb = nanobind;

constexpr std::size_t max_variants = 8;

std::shared_ptr<Planned const> planned_for(Problem const& problem, PlanSettings const& settings, int device) {
  ReleasedGil const released;
  Plan plan(problem, settings);
  std::int64_t const bytes = in_bytes(problem) + out_bytes(problem);
  return std::make_shared<Planned const>(Planned{std::move(plan), bytes, device});
}

// Number of the GPU that a plan runs on, -1 for the CPU.
int number_of(std::string const& device) {
  return device.starts_with("cuda:") ? std::stoi(device.substr(5)) : -1;
}

bool has_strides(Layout const& a, Layout const& b) {
  for (int d = 0; d < a.rank; ++d)
    if (a.shape[d] > 1 && a.strides[d] != b.strides[d]) return false;
  return true;
}

}  // namespace

ArrayPlan::ArrayPlan(Problem problem, std::vector<int> axis_dims, std::vector<int> batch_dims,
                     PlanSettings settings)
    : problem_(std::move(problem)),
      axis_dims_(std::move(axis_dims)),
      batch_dims_(std::move(batch_dims)),
      settings_(std::move(settings)) {
  set_layouts();
  main_ = make(in_, out_, false);
}

ArrayPlan ArrayPlan::inverse() const {
  return ArrayPlan(inverse_problem(problem_), axis_dims_, batch_dims_, settings_);
}

std::shared_ptr<Planned const> ArrayPlan::with(Layout const& in, Layout const& out, bool in_place) const {
  if (!in_place && has_strides(in_, in) && has_strides(out_, out)) return main_;
  {
    std::scoped_lock const lock(variants_->mutex);
    for (Variant const& v : variants_->all)
      if (v.in_place == in_place && has_strides(v.in, in) && has_strides(v.out, out)) return v.planned;
  }
  auto made = make(in, out, in_place);
  std::scoped_lock const lock(variants_->mutex);
  if (variants_->all.size() == max_variants) variants_->all.erase(variants_->all.begin());
  variants_->all.push_back({in, out, in_place, made});
  return made;
}

void ArrayPlan::set_layouts() {
  int const rank = static_cast<int>(axis_dims_.size() + batch_dims_.size());
  in_.rank = out_.rank = rank;
  for (std::size_t a = 0; a < axis_dims_.size(); ++a) {
    in_.shape[axis_dims_[a]] = in_size(problem_, a);
    out_.shape[axis_dims_[a]] = out_size(problem_, a);
  }
  for (std::size_t b = 0; b < batch_dims_.size(); ++b)
    in_.shape[batch_dims_[b]] = out_.shape[batch_dims_[b]] = problem_.batch[b].size;
  set_dense(in_), set_dense(out_);
  bool const in_complex = problem_.kind == Kind::c2c || problem_.kind == Kind::c2r;
  bool const out_complex = problem_.kind == Kind::c2c || problem_.kind == Kind::r2c;
  Scalar const reals[] = {Scalar::float32, Scalar::float64, Scalar::float16, Scalar::bfloat16};
  Scalar const real = reals[static_cast<int>(problem_.precision)];
  in_.scalar = in_complex ? complex_of(real) : real;
  out_.scalar = out_complex ? complex_of(real) : real;
}

std::shared_ptr<Planned const> ArrayPlan::make(Layout const& in, Layout const& out, bool in_place) const {
  Problem problem = problem_;
  if (in_place) problem.placement = Placement::in_place;
  for (std::size_t a = 0; a < axis_dims_.size(); ++a) {
    problem.axes[a].in_stride = in.strides[axis_dims_[a]];
    problem.axes[a].out_stride = out.strides[axis_dims_[a]];
  }
  for (std::size_t b = 0; b < batch_dims_.size(); ++b) {
    problem.batch[b].in_stride = in.strides[batch_dims_[b]];
    problem.batch[b].out_stride = out.strides[batch_dims_[b]];
  }
  join_batch(problem);
  return planned_for(problem, settings_, number_of(settings_.device.name()));
}

}  // namespace skipper::python
