// Poisson and Helmholtz problems on arrays that are spread over ranks: the problems of skipper/poisson.h, the boxes and
// communicators of skipper/distributed.h. The last axis to be transformed is transformed, divided and transformed back where
// ranks have it whole, so a solve takes two exchanges with slabs.
//
//   skipper::PoissonProblem problem;
//   problem.axes = {{512}, {512}, {512}};
//   skipper::DistributedPoisson poisson(problem, communicator);   // on every rank
//   std::vector<float> f(poisson.in_elements()), phi(poisson.out_elements());
//   poisson.solve(f.data(), phi.data());
//
//   skipper::DistributedPoisson poisson(problem, {skipper::Device("cuda:0"), skipper::Device("cuda:1")});   // one process
//   poisson.solve({{f0, phi0}, {f1, phi1}});
#pragma once

#include <skipper/distributed.h>
#include <skipper/poisson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace skipper {

// The arrays of one rank, where one process has all ranks, and values for the points of each face that lie beside its box of f.
template <class T>
struct PoissonArrays {
  T const* f = nullptr;
  T* phi = nullptr;
  std::vector<Faces<T>> faces = {};
  ExecuteSettings settings = {};
};

// GCC 12 fails on {{f0, phi0}, {f1, phi1}} unless it has looked at these before.
static_assert(std::is_nothrow_default_constructible_v<std::vector<Faces<float>>> &&
              std::is_nothrow_default_constructible_v<std::vector<Faces<double>>>);

// Copies share one state. One that was moved from throws Error from all functions until another is assigned to it. solve() is const
// and yet uses buffers of the solver: of one solver, and of its copies, never two solves at once.
class DistributedPoisson {
 public:
  // Collective: all ranks make the same solver together. f has the boxes settings.in, phi settings.out; empty: f has slabs of
  // axis 0, pencils where there are more ranks than planes, and phi is cut as f is. Throws Error on every rank where the ranks
  // disagree, where boxes do not cover the array exactly once, and where Poisson would.
  DistributedPoisson(PoissonProblem const& problem, std::shared_ptr<Communicator> communicator,
                     DistributedSettings const& settings = {});

  // Several GPUs of this process: rank r is devices[r]. One may be named more than once. Another one in settings.device is an Error.
  DistributedPoisson(PoissonProblem const& problem, std::vector<Device> const& devices,
                     DistributedSettings const& settings = {});

  // Collective. The first elements of this rank's boxes, dense and row-major; nullptr is fine where a box is empty, and both may
  // be one. `settings.faces` is empty or has an entry for each axis, with values for the points of the face that lie beside this
  // rank's box of f; those of sides that the box does not reach are not looked at. The defect is that of the whole
  // problem, on all ranks. If a rank throws, the others do too; where f has no solution (ZeroMode::error) all throw, and can
  // go on to solve for another f. On a GPU the arrays are in its
  // memory, the faces in that of the host, and phi is there when the stream is.
  PoissonResult solve(float const* f, float* phi, SolveSettings<float> const& settings = {}) const;
  PoissonResult solve(double const* f, double* phi, SolveSettings<double> const& settings = {}) const;

  // The same of a solver that has all ranks: one entry each. It only enqueues, unless the problem is singular: then it waits for
  // the defect, ZeroMode::pin for the first point of phi, and ZeroMode::error for all that comes before phi is stored.
  PoissonResult solve(std::vector<PoissonArrays<float>> const& ranks) const;
  PoissonResult solve(std::vector<PoissonArrays<double>> const& ranks) const;

  // The boxes of a rank, and how many elements its arrays have. Without a rank: this process's own; of a solver that has several,
  // the first.
  Box const& in_box() const;
  Box const& out_box() const;
  Box in_box(int rank) const;
  Box out_box(int rank) const;
  std::int64_t in_elements() const;
  std::int64_t out_elements() const;
  std::int64_t in_elements(int rank) const;
  std::int64_t out_elements(int rank) const;

  PoissonProblem const& problem() const;
  // Memory that this process's ranks hold beyond their arrays: with boundary values, from the first of them on, a box
  // of f more; on a GPU with ZeroMode::error a box of phi more. And what a solve may be given on a GPU.
  std::int64_t memory_bytes() const;
  std::int64_t workspace_bytes(int rank) const;
  // Exchanges of a solve, how they are done, and the bytes that this process's ranks send to others in all of them.
  int exchanges() const;
  ExchangeMethod exchange() const;
  std::int64_t sent_bytes() const;
  // The stages, one a line, as DistributedSettings::program reads them.
  std::string describe() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
