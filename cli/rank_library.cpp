// See rank_library.h.
#include "rank_library.h"

#include <dlfcn.h>
#include <skipper/version.h>

#include <cstdlib>
#include <vector>

#include "command.h"
#include "output_target.h"

#ifndef SKIPPER_LIBDIR
#define SKIPPER_LIBDIR "lib"  // where the build installs libraries, from the prefix
#endif

namespace skipper::cli {
namespace {

std::optional<int> number_of(char const* variable) {
  char const* const text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  char* end = nullptr;
  long const value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 0 || value > 1 << 28) return std::nullopt;
  return int(value);
}

int first_of(std::vector<char const*> const& variables, int other) {
  for (char const* const v : variables)
    if (auto const value = number_of(v)) return *value;
  return other;
}

// The library for the launcher's MPI where it is known by its own name, else the one for the MPI of the build.
std::vector<std::string> stems() {
  std::optional<Launch> const launch = mpi_launch();
  if (launch && launch->variable == "OMPI_COMM_WORLD_RANK")
    return {"libskipper_mpi_openmpi.so", "libskipper_mpi.so"};
  if (launch && launch->variable == "PMI_RANK") return {"libskipper_mpi_mpich.so", "libskipper_mpi.so"};
  return {"libskipper_mpi.so"};
}

std::vector<std::string> candidates() {
  if (char const* const named = std::getenv("SKIPPER_MPI_LIBRARY"); named && *named) return {named};
  std::string const version = skipper::version();
  std::string const folder = folder_of(program_path());
  std::vector<std::string> paths;
  for (std::string const& stem : stems()) {
    std::string const soname = stem + "." + version.substr(0, version.rfind('.'));
    for (std::string const& at :
         {folder + "/", folder + "/../" SKIPPER_LIBDIR "/", folder + "/../lib/", std::string()})
      if (paths.empty() || paths.back() != at + soname) paths.push_back(at + soname);
  }
  return paths;
}

// With its names for all, because the parts that MPI itself opens later look for them.
MpiEntry const& opened() {
  std::string tried;
  for (std::string const& path : candidates()) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      char const* const why = ::dlerror();
      tried += "\n  " + std::string(why ? why : path.c_str());
      continue;
    }
    auto const entry = reinterpret_cast<MpiEntryPoint>(::dlsym(library, mpi_entry_name));
    if (!entry) throw Error("mpi", path + " is not libskipper_mpi: it has no " + mpi_entry_name);
    if (entry()->version != version())
      throw Error("mpi", path + " is of version " + entry()->version + " but this program is of " +
                             version() + "; use the one that was built with it");
    return *entry();
  }
  throw Error("mpi",
              "libskipper_mpi cannot be opened, and ranks of MPI need it; build Skipper where an MPI is "
              "installed, or name the library in SKIPPER_MPI_LIBRARY. Tried:" +
                  tried);
}

}  // namespace

std::optional<Launch> mpi_launch() {
  // Open MPI, MPICH and those that derive from it, PMIx (srun among others).
  for (char const* const variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (auto const rank = number_of(variable))
      return Launch{variable, *rank,
                    first_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 0),
                    first_of({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, *rank)};
  return std::nullopt;
}

MpiEntry const& mpi_library() {
  static MpiEntry const& entry = opened();
  return entry;
}

}  // namespace skipper::cli
