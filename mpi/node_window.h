// Memory that the ranks of a node share by /dev/shm, for communicators whose ranks are processes: that of MPI, and that of the
// Python package on mpi4py. No MPI is needed here, only the communicator's all_gather().
#pragma once

#include <skipper/communicator.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace skipper::mpi {

// Collective. Ranks of a node share memory if each of them can make its own and map all others', so that both ends of an exchange
// agree on how it goes. Otherwise, as where /dev/shm is too small, they have memory of their own and send messages. `on_node`:
// the ranks of this node, with this one among them.
std::unique_ptr<Window> node_window(Communicator& communicator, std::vector<int> const& on_node,
                                    std::size_t bytes);

}  // namespace skipper::mpi
