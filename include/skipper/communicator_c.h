// For libraries that hand out communicators in C, as libskipper_mpi does: a handle from a function that makes one.
#pragma once

#include <skipper/communicator.h>
#include <skipper/skipper_c.h>

extern "C" {

// Calls make(data). What it throws becomes a code and skipper_message(), and *communicator a null pointer.
int skipper_communicator_make(skipper_communicator** communicator,
                              void (*make)(void const* data, std::shared_ptr<skipper::Communicator>& made),
                              void const* data);

}  // extern "C"
