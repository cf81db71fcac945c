// See ranks.h. The reason that a rank gives the others begins with its exit code, "exit 3: big.npy: cannot be opened".
#include "ranks.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "command.h"
#include "format.h"
#include "rank_library.h"

namespace skipper::cli {
namespace {

constexpr std::chrono::minutes longest_wait(10);  // that ranks may be apart: one may have a slow disk
constexpr std::size_t longest_message = 4096;

struct Ended {
  int code = done;
  std::string message;   // empty: nothing was thrown
  bool relayed = false;  // by another rank
};

// "communicator: rank 3 failed: REASON", where the library relays what another rank said: its rank, code and words.
std::optional<Ended> relayed(std::string const& message) {
  int rank = 0, at = 0, code = 0, words = 0;
  if (std::sscanf(message.c_str(), "communicator: rank %d failed: %n", &rank, &at) != 1 || at == 0)
    return std::nullopt;
  std::string const reason = message.substr(std::size_t(at)), who = formatted("rank {}: ", rank);
  if (std::sscanf(reason.c_str(), "exit %d: %n", &code, &words) == 1 && words > 0)
    return Ended{code, who + reason.substr(std::size_t(words)), true};
  // What the library itself relays is an Error, "argument: message", or something of the system.
  std::size_t const colon = reason.find(": ");
  bool const names_argument =
      colon != reason.npos &&
      reason.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789[].", 0) == colon;
  return Ended{names_argument ? bad_command_line : failure, who + reason, true};
}

Ended run_rank(std::shared_ptr<Communicator> const& communicator, RankBody const& body) {
  try {
    return {body(communicator), "", false};
  } catch (...) {
    Complaint const complaint = complaint_of(std::current_exception());
    if (auto const other = relayed(complaint.message)) return *other;
    communicator->fail(formatted("exit {}: {}", complaint.code, complaint.message));
    return {complaint.code, complaint.message, false};
  }
}

int run_threads(int count, RankBody const& body) {
  std::vector<Ended> ended(std::size_t(count), Ended{});
  {
    auto const communicators = thread_communicators(count, longest_wait);
    std::vector<std::jthread> threads;
    for (int r = 0; r < count; ++r)
      threads.emplace_back([&, r] { ended[std::size_t(r)] = run_rank(communicators[std::size_t(r)], body); });
  }
  for (bool const told : {false, true})  // what was thrown first, if any rank remembers
    for (std::size_t r = 0; r < ended.size(); ++r)
      if (!ended[r].message.empty() && ended[r].relayed == told)
        throw RankFailure(ended[r].code, ended[r].message);
  return ended[0].code;
}

void demand_size(MpiEntry const& mpi, Communicator const& world) {
  std::optional<Launch> const launch = mpi_launch();
  if (!launch || launch->size == 0 || launch->size == world.size()) return;
  throw Error(
      "mpi",
      formatted("the launcher started {} ranks but {} sees {}: libskipper_mpi was built against another MPI "
                "than that of the launcher; name the right one in SKIPPER_MPI_LIBRARY",
                launch->size, mpi.library(), world.size()));
}

// Ends the process with this code unless it is done before: what MPI has under way when a rank fails may never end.
class Patience {
 public:
  Patience(std::chrono::seconds longest, int code)
      : waiting_([longest, code](std::stop_token const& stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          if (!std::condition_variable_any().wait_for(lock, stop, longest, [] { return false; }) &&
              !stop.stop_requested())
            std::_Exit(code);
        }) {}

 private:
  std::jthread waiting_;
};

// All ranks end MPI together, whether they failed or not; those that failed early wait there until the others have heard of
// it. Rank 0 alone speaks, and its exit code is the launcher's.
int run_mpi(RankBody const& body) {
  MpiEntry const& mpi = mpi_library();
  mpi.start();
  std::shared_ptr<Communicator> world = mpi.world(longest_wait);
  demand_size(mpi, *world);
  Ended const ended = run_rank(world, body);
  bool const speaks = world->rank() == 0;
  bool const failed = !ended.message.empty();
  world.reset();
  if (failed && speaks) {
    std::fflush(stdout);
    print(stderr, "skipper: {}\n", ended.message);
  }
  std::optional<Patience> patience;
  if (failed)
    patience.emplace(std::chrono::seconds(30) + (speaks ? std::chrono::minutes(0) : longest_wait),
                     ended.code);
  mpi.finish();
  return speaks ? ended.code : done;
}

}  // namespace

void rank_options(CLI::App& command, RankOptions& to) {
  add_integer(command, "--ranks", "N", to.ranks, {1, 1024},
              "spread the array over N threads of this process (default: over the processes of mpirun)");
  add_flag(command, "--mpi", to.mpi,
           "spread it over the processes of MPI, also where no launcher is recognised");
  add_list(command, "--devices", to.devices,
           "GPUs of the ranks, such as cuda:0,cuda:1; one may stand there twice");
  exclude(command, {"--ranks", "--mpi"});
}

Ranks ranks_from(RankOptions const& options) {
  if (options.ranks)
    return {*options.ranks > 1 ? Ranks::Launch::threads : Ranks::Launch::alone, *options.ranks};
  std::optional<Launch> const launch = mpi_launch();
  bool const launched = launch && launch->size != 1;
  if (!options.devices.empty() && !options.mpi && !launched)
    return {Ranks::Launch::threads, int(options.devices.size())};
  return {options.mpi || launched ? Ranks::Launch::mpi : Ranks::Launch::alone, 1};
}

int run_on_ranks(Ranks const& ranks, RankBody const& body) {
  return ranks.launch == Ranks::Launch::mpi ? run_mpi(body) : run_threads(ranks.threads, body);
}

std::string broadcast(Communicator& communicator, std::string const& text) {
  std::string mine = text, all(std::size_t(communicator.size()) * longest_message, '\0');
  mine.resize(longest_message, '\0');
  communicator.all_gather(mine.data(), all.data(), longest_message);
  return all.c_str();  // rank 0's comes first, and ends with a zero
}

std::vector<std::vector<double>> gathered(Communicator& communicator, std::vector<double> const& mine) {
  std::size_t const count = mine.size(), ranks = std::size_t(communicator.size());
  std::vector<double> all(count * ranks);
  communicator.all_gather(mine.data(), all.data(), count * sizeof(double));
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < ranks; ++r)
    rows.emplace_back(all.begin() + std::ptrdiff_t(r * count), all.begin() + std::ptrdiff_t((r + 1) * count));
  return rows;
}

}  // namespace skipper::cli
