// Mechanisms that follow from the problem alone.
#pragma once

#include <skipper/problem.h>

#include <cstddef>

namespace skipper::coverage {

struct ProblemMechanism {
  char const* name;
  bool (*holds)(Problem const& problem);
};

inline bool any_axis(Problem const& p, auto const& holds) {
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (holds(p, i)) return true;
  return false;
}

inline constexpr ProblemMechanism problem_mechanisms[] = {
    {"c2c", [](Problem const& p) { return p.kind == Kind::c2c; }},
    {"r2c", [](Problem const& p) { return p.kind == Kind::r2c; }},
    {"c2r", [](Problem const& p) { return p.kind == Kind::c2r; }},
    {"r2r", [](Problem const& p) { return p.kind == Kind::r2r; }},
    {"f32", [](Problem const& p) { return p.precision == Precision::f32; }},
    {"f64", [](Problem const& p) { return p.precision == Precision::f64; }},
    {"f16", [](Problem const& p) { return p.precision == Precision::f16; }},
    {"bf16", [](Problem const& p) { return p.precision == Precision::bf16; }},
    {"two axes", [](Problem const& p) { return p.axes.size() == 2; }},
    {"three axes", [](Problem const& p) { return p.axes.size() == 3; }},
    {"four axes", [](Problem const& p) { return p.axes.size() == 4; }},
    {"inverse", [](Problem const& p) { return p.direction == Direction::inverse; }},
    {"in place", [](Problem const& p) { return p.placement == Placement::in_place; }},
    {"strides", [](Problem const& p) { return p != dense_layout(p); }},
    {"shared input", [](Problem const& p) { return !p.batch.empty() && p.batch[0].in_stride == 0; }},
    {"zero padding",
     [](Problem const& p) {
       return any_axis(p, [](Problem const& q, std::size_t i) { return q.axes[i].in_count != 0; });
     }},
    {"cropping",
     [](Problem const& p) {
       return any_axis(p, [](Problem const& q, std::size_t i) { return q.axes[i].out_count != 0; });
     }},
    {"orthonormal", [](Problem const& p) { return p.norm == Norm::ortho; }},
    {"scale", [](Problem const& p) { return p.scale != 1; }},
};

}  // namespace skipper::coverage
