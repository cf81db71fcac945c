// Poisson problems whose arrays lie in host memory, through a device that need not hold them: some axes are transformed in a
// first pass (the nearest neighbours in memory, by the host or slab by slab on the device), the others there, divided and
// back on slices in one trip over the link, and the first ones back. host_and_device is Wu and JaJa's way: the host does X,
// and the data cross the link once.
#pragma once

#include <skipper/poisson.h>
#include <skipper/stream.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stream/pipeline.h"
#include "stream/port.h"
#include "stream/reserve.h"
#include "stream/schedule.h"

namespace skipper::poisson {

class Streamed {
 public:
  /// The device must live as long. Throws Error where the limit is too small for a slice; the message says what would do.
  /// pinned: the arrays will be.
  Streamed(PoissonProblem const& problem, stream::Device& device, Index device_bytes, StreamStrategy strategy,
           bool pinned = false, stream::Bandwidths const& bandwidths = {});

  /// The arrays are the problem's; f may be phi. `work` has work_bytes(), and the reserve is the device's. Returns the
  /// defect.
  double solve(stream::Reserve& reserve, stream::Host& host, void const* f, void* phi, void* work,
               std::function<bool(StreamProgress const&)> const& progress = {}) const;

  Index work_bytes() const { return schedule_.work_bytes; }
  Index device_bytes() const { return schedule_.device_bytes; }
  int trips() const { return schedule_.trips; }
  std::string describe() const;

 private:
  PoissonProblem problem_;
  stream::Device& device_;
  stream::Schedule schedule_;  // there, the middle, and back
  std::vector<std::size_t> outer_, inner_;
  std::unique_ptr<stream::Prepared> division_;
  std::vector<Index> tables_;  // where the numbers of each axis begin in the division's
  double gain_ = 1;
  bool swept_ = false;  // one axis, by elimination
};

}  // namespace skipper::poisson
