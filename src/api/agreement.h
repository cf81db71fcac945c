// What the ranks of a distributed plan agree on before it is made. Functions with a communicator are collective.
#pragma once

#include <skipper/distributed.h>

#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "distributed/exchange_method.h"
#include "distributed/links.h"

namespace skipper {

/// What must be the same on all ranks, field by field, so that a difference can be named.
using CommonFields = std::vector<std::pair<std::string, std::string>>;

CommonFields common_fields(DistributedSettings const& settings);

/// Throws Error on all ranks, naming a field and ranks, where they differ.
void demand_agreement(Communicator& communicator, CommonFields const& mine);

/// Throws Error on all ranks where they have come to different programs. Boxes of all ranks may be long to tell, so ranks compare
/// hashes of the texts.
void demand_same_program(Communicator& communicator, std::string const& program);

/// The least of what the ranks say. Planning goes by it, for ranks on other devices or fuller nodes must plan alike.
double least_of_all(Communicator& communicator, double mine);

/// The links that the settings name; where they name none those of this name, with so many ranks a node.
distributed::Links links_for(DistributedSettings const& settings, char const* usual, Index ranks_per_node);

/// The boxes of all ranks: as given, or each rank's own brought together. Throws Error unless they cover the array.
std::vector<Box> all_boxes(Communicator& communicator, std::vector<Box> const& given,
                           std::vector<Index> const& sizes, std::string const& argument);

/// The same where one process has all ranks: not collective.
std::vector<Box> boxes_of_devices(std::size_t devices, std::vector<Box> const& given,
                                  std::vector<Index> const& sizes, std::string const& argument);

/// Throws Error for numbers that no plan takes.
void check_settings(DistributedSettings const& settings);

/// Throws Error for strides that are neither zero nor those of a dense array, which the boxes of ranks cannot have.
void demand_dense(Problem const& problem);

/// Throws Error for exchanges that only GPUs have.
void check_cpu_exchange(ExchangeMethod method);

}  // namespace skipper
