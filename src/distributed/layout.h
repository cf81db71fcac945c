// The layout of the arrays between the stages of an exchange. In a receiver's array the slowest dimensions are those along which
// the receivers of a sender differ; the others follow in their usual order. So a sender's elements for one receiver are a
// linear map of the index, and the maps for two receivers differ only in their base address. A table of base addresses is
// all that a sweep needs to store directly into the arrays of its peers.
#pragma once

#include <optional>
#include <vector>

#include "distributed/distribution.h"

namespace skipper::distributed {

struct ExchangeLayout {
  std::vector<std::size_t> order;  // of dimensions, slowest first
  std::size_t spread = 0;          // the first `spread` of them are those along which receivers differ
};

/// `from` and `to` cut the same array.
ExchangeLayout exchange_layout(Distribution const& from, Distribution const& to);

/// The usual row-major order, for arrays that are a user's own. Spread dimensions are not counted, so there is no route.
ExchangeLayout natural_layout(std::size_t dimensions);

/// Strides, by dimension, of a dense array of these sizes whose dimensions are in that order.
std::vector<Index> strides_in(std::vector<std::size_t> const& order, std::vector<Index> const& sizes);

/// A rank's array, and how many elements its first one is away from where element 0 of the sender's output would be: negative
/// offsets are fine, since only elements of the slot are stored through it.
struct Slot {
  Index rank = 0, offset = 0;

  bool operator==(Slot const&) const = default;
};

/// How the output of a sender is spread over arrays: element i of it, counted by the strides, goes to slot i / unit, as element
/// i + offset of that array.
struct Route {
  std::vector<Index> strides;  // of the sender's output, by dimension
  Index unit = 1;
  std::vector<Slot> slots;
};

/// Into the receivers' arrays. Nothing where a table would be too long.
std::optional<Route> route_to_peers(Distribution const& from, Distribution const& to,
                                    ExchangeLayout const& layout, Index rank);

/// Into the sender's own array, each receiver's part at the place that what this receiver sends will take: swapping the
/// two parts then completes the exchange. Nothing unless all parts are of the same sizes, and tables short.
std::optional<Route> route_to_swap(Distribution const& from, Distribution const& to,
                                   ExchangeLayout const& layout, Index rank);

}  // namespace skipper::distributed
