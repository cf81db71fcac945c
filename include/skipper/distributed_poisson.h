// Poisson and Helmholtz problems on arrays that are spread over ranks: the problems of skipper/poisson.h, the boxes and
// communicators of skipper/distributed.h. The last axis to be transformed is transformed, divided and transformed back where
// ranks have it whole, so a solve takes two exchanges with slabs.
//
//   skipper::PoissonProblem problem;
//   problem.axes = {{512}, {512}, {512}};
//   skipper::DistributedPoisson poisson(problem, communicator);   // on every rank
//   std::vector<float> f(poisson.in_elements()), phi(poisson.out_elements());
//   poisson.solve(f.data(), phi.data());
#pragma once

#include <skipper/distributed.h>
#include <skipper/poisson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

class DistributedPoisson {
 public:
  // Collective: all ranks make the same solver together. f has the boxes settings.in, phi settings.out; empty: f has slabs of
  // axis 0, pencils where there are more ranks than planes, and phi is cut as f is. Throws Error on every rank where the ranks
  // disagree, where boxes do not cover the array exactly once, and where Poisson would.
  DistributedPoisson(PoissonProblem const& problem, std::shared_ptr<Communicator> communicator,
                     DistributedSettings const& settings = {});

  // Collective. The first elements of this rank's boxes, dense and row-major; nullptr is fine where a box is empty, and both may
  // be one. `faces` is empty or has an entry for each axis, with values for the points of the face that lie beside this
  // rank's box of f; those of sides that the box does not reach are not looked at. The defect is that of the whole
  // problem, on all ranks. If a rank throws, the others do too; where f has no solution (ZeroMode::error) all throw, and can
  // go on to solve for another f. Solves of one object follow each other: never two at once.
  PoissonResult solve(float const* f, float* phi, std::vector<Faces<float>> const& faces = {}) const;
  PoissonResult solve(double const* f, double* phi, std::vector<Faces<double>> const& faces = {}) const;

  // The boxes of a rank, and how many elements this rank's arrays have.
  Box const& in_box() const;
  Box const& out_box() const;
  Box in_box(int rank) const;
  Box out_box(int rank) const;
  std::int64_t in_elements() const;
  std::int64_t out_elements() const;

  PoissonProblem const& problem() const;
  // Memory that this rank holds beyond its arrays: with boundary values, from the first of them on, a box of f more.
  std::int64_t memory_bytes() const;
  // Exchanges of a solve, and the bytes that this rank sends to others in all of them.
  int exchanges() const;
  std::int64_t sent_bytes() const;
  // The stages, one a line, as DistributedSettings::program reads them.
  std::string describe() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
