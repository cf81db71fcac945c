// r2r with axes of R2HC or HC2R, which DistributedPlan has no words for: elements are moved so that a process has axes whole, and
// transformed there by plans of libskipper_fftw3.
//   spread by dimension 0   all axes but the first
//   spread by dimension 1   the first axis; where there is no other, one process has it all
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "distributed.h"

namespace skipper::fftw3 {

class HalfcomplexRanks {
 public:
  /// Collective. Throws Error where it cannot be computed, on every rank.
  HalfcomplexRanks(Job const& job, std::shared_ptr<Communicator> const& communicator);

  /// Collective.
  void execute(Real* in, Real* out);

  std::string describe() const;

 private:
  struct Destroy {
    void operator()(FftwPlan plan) const { FFTW_NAME(destroy_plan)(plan); }
  };
  using Local = std::unique_ptr<std::remove_pointer_t<FftwPlan>, Destroy>;

  /// Transforms axes [first, end) of a box that is spread by `spread`, in place in `at`; null where there is nothing to do.
  static Local local_plan(Job const& job, Spread const& spread, int rank, std::size_t first, std::size_t end,
                          Real* at);

  Spread by_first_, by_second_;
  Distributed arrive_, transpose_, leave_;  // from the input, between the two, to the output
  std::vector<Real> rows_, columns_;
  Local others_, first_;
};

}  // namespace skipper::fftw3
