// Messages between GPUs by NCCL, which takes them straight from device memory, over NVLink or the network. NCCL is opened when
// this is called; nothing else needs it. Messages are enqueued on the rank's stream, so
// execute() returns at once; a rank that throws leaves the others waiting in their streams, as NCCL's own calls do.
//
//   auto communicator = skipper::nccl_communicator(skipper::mpi_communicator(MPI_COMM_WORLD), skipper::Device("cuda:0"));
//   settings.device = skipper::Device("cuda:0");
//   skipper::DistributedPlan plan(problem, communicator, settings);
#pragma once

#include <skipper/communicator.h>
#include <skipper/device.h>

#include <memory>

namespace skipper {

// Collective. The ranks of `control`, which brings them together and tells of failures; each names its own GPU. Throws Error
// where NCCL is not there, and where two ranks name the same GPU, which NCCL does not take.
std::shared_ptr<Communicator> nccl_communicator(std::shared_ptr<Communicator> control, Device const& device);

}  // namespace skipper
