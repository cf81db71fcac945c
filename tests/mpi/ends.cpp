// mpirun -n N test_mpi_ends exit|kill|stay: transforms over and over until the last rank exits, is killed, or stays away. The others must
// get an Error soon: at once where they notice that the process has ended, after the timeout of their communicator where it
// stays away. What they are told goes to the standard output. Launchers end all processes when one ends, unless told otherwise.
#include <skipper/mpi.h>
#include <unistd.h>

#include <chrono>
#include <complex>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "check.h"
#include "support/untyped.h"

namespace {

using namespace skipper;

[[noreturn]] void end(std::string const& way) {
  if (way == "exit") _exit(3);
  if (way == "kill") std::raise(SIGKILL);
  std::this_thread::sleep_for(std::chrono::seconds(20));
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string const way = argc > 1 ? argv[1] : "exit";
  auto const timeout = std::chrono::seconds(way == "stay" ? 1 : 60);
  auto const communicator = mpi_communicator(MPI_COMM_WORLD, timeout);
  DistributedPlan const plan(c2c({32, 24, 20}), communicator);
  std::vector<std::complex<float>> in(std::size_t(plan.in_elements())), out(std::size_t(plan.out_elements()));
  int const rank = communicator->rank(), last = communicator->size() - 1;
  for (int i = 0; i < 10; ++i)
    plan.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
  if (rank == last) end(way);
  auto const begin = std::chrono::steady_clock::now();
  std::string told = "nothing";
  try {
    for (;;) plan.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
  } catch (Error const& e) {
    told = e.what();
  }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("rank %d after %.2f s: %s\n", rank, seconds, told.c_str());
  std::fflush(stdout);
  _exit(seconds < 10 ? 0 : 1);  // MPI_Finalize() would wait for the rank that has ended
}
