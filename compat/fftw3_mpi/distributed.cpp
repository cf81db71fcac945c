// See distributed.h.
#include "distributed.h"

#include <algorithm>

namespace skipper::fftw3 {
namespace {

bool holds_nothing(Box const& box) {
  return std::any_of(box.size.begin(), box.size.end(), [](Index size) { return size == 0; });
}

Index volume(Box const& box) {
  Index product = 1;
  for (Index const size : box.size) product *= size;
  return product;
}

/// Gathering reads FFTW's strides and writes dense ones; scattering is the other way round.
Copy copy_of(std::vector<Dim> dims, bool scatters, bool complex) {
  if (complex) dims.push_back({2, 1, 1});
  if (scatters)
    for (Dim& dim : dims) std::swap(dim.in_stride, dim.out_stride);
  return Copy(dims);
}

}  // namespace

bool runs_in_place(Job const& job, Communicator const& communicator) {
  for (bool const out : {false, true})  // for all ranks, so that all decide alike
    for (int rank = 0; rank < communicator.size(); ++rank)
      if (!is_dense(layout(job, out, box_of(job, out, rank), true))) return false;
  return true;
}

Distributed::Side::Side(Job const& job, bool out, Box const& box, bool padded) {
  bool const real = out ? real_out(job.kind) : real_in(job.kind);
  std::vector<Dim> const dims = layout(job, out, box, padded);
  direct = is_dense(dims);
  reals = reals_of(job, out, box);
  dense_reals = volume(box) * (real ? 1 : 2);
  if (!direct && !holds_nothing(box)) copy = copy_of(dims, out, !real);
}

DistributedPlan Distributed::plan_of(Job const& job, bool in_place,
                                     std::shared_ptr<Communicator> const& communicator) {
  Problem problem = problem_of(job);
  if (in_place) problem = skipper::in_place(problem);
  DistributedSettings settings;
  for (int rank = 0; rank < communicator->size(); ++rank) {
    settings.in.push_back(box_of(job, false, rank));
    settings.out.push_back(box_of(job, true, rank));
  }
  settings.cpu.threads = FFTW_NAME(planner_nthreads)();
  return DistributedPlan(problem, communicator, settings);
}

Distributed::Distributed(Job const& job, bool in_place, std::shared_ptr<Communicator> const& communicator)
    : in_place_(in_place && runs_in_place(job, *communicator)),
      in_(job, false, box_of(job, false, communicator->rank()), in_place_),
      out_(job, true, box_of(job, true, communicator->rank()), in_place_),
      plan_(plan_of(job, in_place_, communicator)),
      in_copy_(static_cast<std::size_t>(in_.direct ? 0 : in_.dense_reals)),
      out_copy_(static_cast<std::size_t>(out_.direct ? 0 : out_.dense_reals)) {}

void Distributed::execute(Real* in, Real* out) {
  if (in_place_) {
    if (in != out && in_.reals > 0) std::copy_n(in, in_.reals, out);
    plan_.execute(static_cast<void*>(out), static_cast<void*>(out));
  } else if (in == out && in_.direct && out_.direct) {
    std::vector<Real> const copy(in, in + in_.reals);
    execute_apart(copy.data(), out);
  } else {
    execute_apart(in, out);
  }
}

void Distributed::execute_apart(Real const* in, Real* out) {
  if (!in_.direct && in_.dense_reals > 0) in_.copy.run(in, in_copy_.data());
  void const* const from = in_.direct ? in : in_copy_.data();
  void* const to = out_.direct ? out : out_copy_.data();
  plan_.execute(from, to);
  if (!out_.direct && out_.dense_reals > 0) out_.copy.run(out_copy_.data(), out);
}

}  // namespace skipper::fftw3
