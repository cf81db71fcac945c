// Ranks of a distributed transform that are processes with an mpi4py communicator. The module links no MPI: messages go through a
// transport, a Python object with the calls that skipper/distributed.py makes of mpi4py. Ranks of a node still share memory.
#pragma once

#include <skipper/communicator.h>

#include <nanobind/nanobind.h>

#include <chrono>
#include <memory>

namespace skipper::python {

// Collective. Called with the GIL; the communicator itself is used without it and takes it for each call of the transport.
std::shared_ptr<Communicator> make_communicator(nanobind::object transport,
                                                std::chrono::milliseconds timeout);

}  // namespace skipper::python
