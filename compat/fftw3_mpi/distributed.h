// A job made ready on the processes of a communicator: a DistributedPlan between arrays in FFTW's layout. A side that FFTW lays
// out otherwise (transposed, several transforms interleaved, padded rows of reals) goes through a dense copy of the box.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copy.h"
#include "job.h"

namespace skipper::fftw3 {

class Distributed {
 public:
  /// Collective. Throws Error where it cannot be computed, on every rank.
  Distributed(Job const& job, bool in_place, std::shared_ptr<Communicator> const& communicator);

  /// Collective. Whether the two arrays are one need not be as planned.
  void execute(Real* in, Real* out);

  std::string describe() const { return plan_.describe(); }

 private:
  struct Side {
    Side(Job const& job, bool out, Box const& box, bool padded);
    bool direct = false;
    Copy copy;              // from FFTW's layout, or to it
    Index reals = 0;        // of FFTW's array
    Index dense_reals = 0;  // of the box
  };

  static DistributedPlan plan_of(Job const& job, bool in_place,
                                 std::shared_ptr<Communicator> const& communicator);
  void execute_apart(Real const* in, Real* out);

  bool in_place_;  // the plan is, which it is where both sides are direct
  Side in_, out_;
  DistributedPlan plan_;
  std::vector<Real> in_copy_, out_copy_;
};

/// Whether a job on one array can be done in place: both sides are then as Skipper has them.
bool runs_in_place(Job const& job, Communicator const& communicator);

}  // namespace skipper::fftw3
