// Factorisations: which radices of which axis each sweep has. One axis may be whole in a sweep or split over several; the
// sub-transforms of different axes mix freely. This is the planner's whole search space besides the layouts.
//
// Their number grows without bound with the rank and with the divisors of the sizes. So factorisations are made axis by axis,
// and no more of them are kept after each axis than a fixed number: an even sample of those that leave room in every sweep,
// then of the others.
#pragma once

#include <limits>
#include <vector>

#include "base/index.h"

namespace skipper {

/// The radix of one axis in each sweep, 1 where it has none.
using AxisRadices = std::vector<Index>;
/// One for each axis.
using Factorisation = std::vector<AxisRadices>;

/// No more factorisations are kept than this. An extension adds the radices of one axis more to a partial factorisation; no more
/// are tried for all axes together.
inline constexpr std::size_t max_factorisations = std::size_t(1) << 17, max_extensions = std::size_t(1) << 21;

/// Which factorisations are wanted.
struct FactorisationSpace {
  std::vector<Index> axes = {};
  /// For each axis the lengths in which it may be convolved over the sweeps. Its radices then read the same from both ends,
  /// r1, r2, .. rm, .. r2, r1, of which the first m multiply to the length.
  std::vector<std::vector<Index>> lengths = {};
  int sweeps = 1;
  int cuts = 0;        // how many times axes are cut: the radices of all axes less the axes
  Index capacity = 1;  // points of transforms that a sweep holds at most
  // Points up to which a sweep still has room for longer segments: such factorisations are sampled first.
  Index roomy = std::numeric_limits<Index>::max();
  std::vector<bool> whole = {};    // axes that are not cut; empty: none
  std::vector<bool> cosines = {};  // axes that share a sweep with one other at most; empty: none
  /// Where not empty, the only radices that each axis may have, in order; of a convolved axis none, which are any.
  std::vector<std::vector<Index>> radices = {};
  std::size_t extensions = max_extensions;  // to try; of more a sample
};

/// Factorisations in which every sweep has something to do, no sweep holds more than the capacity, and the axes are cut as
/// often as wanted: all of them, or a sample where they are too many. The same ones every time.
std::vector<Factorisation> factorisations(FactorisationSpace const& space);
/// The same, adding how many extensions it tries.
std::vector<Factorisation> factorisations(FactorisationSpace const& space, Index& extensions);

/// All factorisations of axes of the given sizes over `sweeps` sweeps, cut `cuts` times in all.
std::vector<Factorisation> factorisations(std::vector<Index> const& axes, int sweeps, int cuts,
                                          Index capacity);
std::vector<Factorisation> factorisations(std::vector<Index> const& axes,
                                          std::vector<std::vector<Index>> const& lengths, int sweeps,
                                          int cuts, Index capacity);

/// The sweeps that have a radix of an axis, and how many of them belong to its forward transform: all, unless the axis is
/// convolved.
struct ActiveSweeps {
  std::vector<int> sweeps;  // in order
  std::size_t forward = 0;
};
ActiveSweeps active_sweeps(AxisRadices const& radices, Index size);

}  // namespace skipper
