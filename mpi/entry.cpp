// The one entry point of programs that open this library when they run (skipper/mpi_entry.h).
#include <skipper/mpi.h>
#include <skipper/mpi_entry.h>
#include <skipper/version.h>

namespace skipper {
namespace {

std::string const& built_version() {
  static std::string const text = std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
                                  std::to_string(version_patch);
  return text;
}

/// MPI says who it is in lines; the first words are name and version.
std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string all(text, std::size_t(length));
  for (char& c : all)
    if (c == '\t') c = ' ';
  return all.substr(0, all.find_first_of(",\n"));
}

void start() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

void finish() { MPI_Finalize(); }

std::shared_ptr<Communicator> world(std::chrono::milliseconds timeout) {
  return mpi_communicator(MPI_COMM_WORLD, timeout);
}

}  // namespace
}  // namespace skipper

extern "C" __attribute__((visibility("default"))) skipper::MpiEntry const* skipper_mpi_entry() {
  static skipper::MpiEntry const entry = {skipper::built_version().c_str(), skipper::library, skipper::start,
                                          skipper::finish, skipper::world};
  return &entry;
}
