// The solver: transforms along all axes but one, then tile by tile along that one (the middle axis) forward, divide and
// back while the tile is in cache, then the other transforms back. Three sweeps over memory in all, not five.
//
// The middle axis is the tridiagonal one where there is one, else the slowest. Between the steps the data are the
// *spectrum*: the array with one of the other axes halved and complex where any of them is periodic, else real and of
// the array's own shape; then it lives in phi and there is no second array.
#pragma once

#include <skipper/poisson.h>

#include <memory>
#include <string>
#include <vector>

#include "base/machine.h"
#include "cpu/engine.h"

namespace skipper::poisson {

template <class T>
class Solver {
 public:
  Solver(PoissonProblem const& problem, Machine const& machine, cpu::Options const& options);
  ~Solver();

  std::size_t workspace_bytes() const;

  /// Without a workspace one of the solver's own store is taken.
  PoissonResult solve(T const* f, T* phi, std::vector<Faces<T>> const& faces,
                      void* workspace = nullptr) const;
  std::string describe() const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace skipper::poisson
