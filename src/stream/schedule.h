// The schedule of a problem larger than the device (out of core), whose data are in host memory or in a file: a list of
// passes. A pass transforms some of the axes of all the data, either where they are (on the host) or slice by slice on
// the device; every other dimension is one that slices are cut from. The schedule is a pure function of the problem,
// the bandwidths, the memory budget and the strategy.
//
// There are two strategies for data without a batch to cut. host_and_device (Wu and JaJa): the host transforms X and the device all
// other axes, on slices along X, so that data cross the link once. device_only: the device transforms as many axes as fit
// in slabs, then the others on slices cut along another axis; data cross the link twice, but the host only copies. One axis
// that is too long by itself is split in two by the four-step identity, with the twiddles multiplied on the way back to the host.
#pragma once

#include <skipper/problem.h>
#include <skipper/stream.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/index.h"
#include "stream/reserve.h"

namespace skipper::stream {

/// Bytes a second. The defaults are those of an H200 on PCIe 5 x16 with 16 cores of a Xeon; a plan whose strategy
/// depends on bandwidths measures them (stream/bandwidths.h, docs/decisions/0013).
struct Bandwidths {
  double up = 55.3e9, down = 55.2e9,
         both = 95.5e9;     // over the link: each way alone, and the sum of both at once
  double host = 113e9;      // a copy in host memory, read plus write, all cores
  double device = 4.24e12;  // the same in device memory
};

enum class Array { in, out, work };

/// How a pass is cut: a slice takes extents[i] of batch dimension i of the pass. At most one extent is neither 1 nor
/// the whole, so that there are two shapes of slices at most.
struct Slicing {
  std::vector<Index> extents;
  Index slices = 1;
  Index in_bytes = 0, out_bytes = 0;  // of the largest slice, packed
  Index workspace_bytes = 0;          // of its transform
  bool in_place = false;              // on the device
  int slots = 1;                      // slices on the device at once

  /// More than any memory has where the sum does not fit in 63 bits.
  Index device_bytes() const;
};

struct Pass {
  bool on_device = true;
  /// The axes of this pass; all other dimensions as batches. Strides are those of the host's arrays.
  Problem whole;
  Array from = Array::in, to = Array::out;
  /// Of a line cut in two, n: output k of the axis in column j of the last batch dimension is multiplied by
  /// exp(-+2 pi i j k / n). 0: nothing is.
  Index twiddled = 0;
  /// Of a real line cut in two, n, where this pass meets the complex side: see hermitian.h. 0: it does not.
  Index hermitian = 0;
  Slicing slicing;  // on the device only
};

struct Schedule {
  Problem problem;
  std::vector<Pass> passes;
  Index work_bytes = 0;    // of host memory for an array between passes; 0 where none is needed
  Index pinned_bytes = 0;  // of host memory that copies run from and to
  Index device_bytes = 0;  // at most at once
  int trips = 0;           // over the link and back
  double seconds = 0;      // estimate
};

/// What the transform of a slice needs beyond its arrays.
using WorkspaceOf = std::function<Index(Problem const&)>;

struct Limits {
  Index device_bytes = 0;
  /// The device is the host's own memory: no copies over a link, and slices as large as the limit allows.
  bool shared = false;
  /// The caller's arrays are pinned: long rows need not be gathered and scattered.
  bool pinned = false;
};

/// The largest slices of a pass that fit on the device; nothing where none do.
std::optional<Slicing> slicing_of(Problem const& whole, Limits const& limits, WorkspaceOf const& workspace);
/// The memory of slices of single lines.
Index least_bytes(Problem const& whole, WorkspaceOf const& workspace);
/// Work, pinned and device memory, trips and time of the passes.
Schedule schedule_of(Problem const& problem, std::vector<Pass> passes, Bandwidths const& bandwidths,
                     Limits const& limits);

/// Throws Error where even the smallest slices do not fit; it says how many bytes would do.
Schedule make_schedule(Problem const& problem, Bandwidths const& bandwidths, Limits const& limits,
                       StreamStrategy strategy, WorkspaceOf const& workspace);

std::string text(Schedule const& schedule);

}  // namespace skipper::stream
