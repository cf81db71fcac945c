// Runs a command on ranks: processes of MPI where a launcher started them, else threads of this process. What a rank throws
// ends all of them, with one message and one exit code.
#pragma once

#include <skipper/communicator.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "args.h"

namespace skipper::cli {

struct Ranks {
  enum class Launch { alone, threads, mpi };
  Launch launch = Launch::alone;
  int threads = 1;  // ranks that are threads
};

struct RankOptions {
  std::optional<int> ranks;
  bool mpi = false;
  std::vector<std::string> devices;
};

// --ranks, --mpi and --devices.
void rank_options(CLI::App& command, RankOptions& to);

// --ranks N: so many threads, also under mpirun; --devices, else: as many threads as it names, unless under mpirun. Else MPI
// where --mpi is given, or where a launcher started more than one process.
Ranks ranks_from(RankOptions const& options);

// Calls `body` once a rank and returns what it returned, which must be the same on all; only rank 0 may print. Where a rank
// throws, the others are told, and RankFailure is thrown; with MPI rank 0 prints it, and returns the exit code.
using RankBody = std::function<int(std::shared_ptr<Communicator> const& communicator)>;
int run_on_ranks(Ranks const& ranks, RankBody const& body);

// The text of rank 0, on all ranks. Collective; at most 4096 bytes.
std::string broadcast(Communicator& communicator, std::string const& text);

// Numbers of all ranks, by rank; each gives as many. Collective.
std::vector<std::vector<double>> gathered(Communicator& communicator, std::vector<double> const& mine);

}  // namespace skipper::cli
