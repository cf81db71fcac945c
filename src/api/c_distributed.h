// What functions of the C interface to distributed plans share.
#pragma once

#include <skipper/distributed.h>

#include <memory>
#include <vector>

#include "api/guarded.h"

struct skipper_communicator {
  std::shared_ptr<skipper::Communicator> communicator;
};

namespace skipper::c {

/// `dimensions`: of the array that boxes are parts of. `boxes`: how many there are, one after the other.
DistributedSettings settings_of(skipper_distributed_settings const* given, std::size_t dimensions,
                                std::size_t boxes = 1);

/// For several GPUs of this process. A device in the settings would not be looked at, and is an Error.
std::vector<Device> devices_of(char const* const* names, int count, char const* argument);
void demand_no_device(skipper_distributed_settings const* given);

ExchangeMethod exchange_of(int value);
int number_of(ExchangeMethod method);

/// Throws Error unless arrays are given for all ranks.
void demand_arrays(void const* arrays, int given, std::size_t ranks);

void hand_out(Box const& box, long long* first, long long* size);

/// Makes something with all ranks. What is wrong with the arguments of this one the others are told, who would wait.
template <class Make>
void together(skipper_communicator* communicator, Make make) {
  std::shared_ptr<Communicator> const& ranks = demanded(communicator, "communicator").communicator;
  try {
    make(ranks);
  } catch (std::exception const& e) {
    ranks->fail(e.what());
    throw;
  }
}

/// Exchanges, bytes sent and memory of anything distributed.
template <class Plan>
void hand_out_costs(Plan const& plan, int* exchanges, long long* sent_bytes, long long* memory_bytes) {
  if (exchanges) *exchanges = plan.exchanges();
  if (sent_bytes) *sent_bytes = plan.sent_bytes();
  if (memory_bytes) *memory_bytes = plan.memory_bytes();
}

}  // namespace skipper::c
