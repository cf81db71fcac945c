// Finds the command, runs it, and turns what it throws into one line and an exit code. Also help and --version.
#include "command.h"

#include <skipper/error.h>
#include <skipper/version.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

#include "escape.h"
#include "file_error.h"
#include "json.h"
#include "rank_library.h"

namespace skipper::cli {
namespace {

void print_overview() {
  std::printf("skipper %s: Fourier transforms that skip sweeps over memory\n\nusage: skipper COMMAND ...\n\n",
              version().c_str());
  for (Command const& c : commands()) std::printf("  %-9s %s\n", c.name.c_str(), c.summary.c_str());
  std::printf("  %-9s %s\n", "help", "this list, or `skipper help COMMAND` for one of them");
  std::printf(
      "\nexit codes: 0 done; 1 done, the answer is no; 2 wrong command line; 3 a file, device or memory "
      "failed\n");
}

void print_help(Command const& c) {
  std::printf("usage: skipper %s%s%s%s\n\n%s\n", c.name.c_str(), c.operands.empty() ? "" : " ",
              c.operands.c_str(), c.options.empty() ? "" : " [options]", c.summary.c_str());
  if (!c.details.empty()) std::printf("\n%s\n", c.details.c_str());
  if (!c.options.empty()) std::printf("\noptions:\n");
  for (Option const& o : c.options)
    std::printf("  %-22s %s\n", (o.name + (o.value.empty() ? "" : " " + o.value)).c_str(), o.help.c_str());
}

Command find_command(std::string const& name) {
  std::string list;
  for (Command const& c : commands()) {
    if (c.name == name) return c;
    list += c.name + ", ";
  }
  throw BadArgument("'" + name.substr(0, 60) + "' is not a command; use " + list + "or help");
}

int help(std::vector<std::string> const& words) {
  if (words.size() > 1) throw BadArgument("help: it takes at most one command");
  if (words.empty())
    print_overview();
  else
    print_help(find_command(words[0]));
  return done;
}

int dispatch(std::vector<std::string> const& words) {
  if (words.empty()) {
    print_overview();
    return bad_command_line;
  }
  std::vector<std::string> const rest(words.begin() + 1, words.end());
  if (words[0] == "--version" || words[0] == "version") {
    std::printf("skipper %s\n", version().c_str());
    return done;
  }
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") return help(rest);
  Command const command = find_command(words[0]);
  if (std::find(rest.begin(), rest.end(), "--help") != rest.end()) return help({command.name});
  return command.run(Args(command.name, rest, command.options));
}

// Under mpirun all ranks fail alike where the command line is wrong; one of each node says so. The launcher ends all when the
// first has ended, so the others wait until it is said.
int complain(Complaint const& complaint) {
  std::fflush(stdout);
  std::optional<Launch> const launch = mpi_launch();
  if (launch && launch->local_rank > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  else
    std::fprintf(stderr, "skipper: %s\n", complaint.message.c_str());
  return complaint.code;
}

}  // namespace

std::vector<Command> commands() {
  return {info_command(),  plan_command(),       fft_command(),     poisson_command(),   verify_command(),
          bench_command(), tune_command(),       compare_command(), crossover_command(), plot_command(),
          run_command(),   completion_command(), man_command()};
}

std::string program_path() {
  std::string path(4096, '\0');
  ssize_t const length = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? std::size_t(length) : 0);
  return path;
}

Complaint complaint_of(std::exception_ptr const& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (BadArgument const& e) {
    return {bad_command_line, escaped(e.what())};
  } catch (Error const& e) {  // a problem or machine that the library refuses came from the command line
    bool const outside = e.argument() == "cuda" || e.argument() == "mpi" || e.argument() == "communicator";
    return {outside ? failure : bad_command_line, escaped_lines(e.what())};
  } catch (RankFailure const& e) {
    return {e.code, escaped_lines(e.what())};
  } catch (FileError const& e) {
    return {failure, escaped(e.what())};
  } catch (JsonError const& e) {
    return {failure, escaped(e.what())};
  } catch (std::bad_alloc const&) {
    return {failure, "there is not enough memory; use a smaller problem"};
  } catch (std::length_error const&) {  // more than any memory could hold
    return {failure, "there is not enough memory; use a smaller problem"};
  } catch (std::exception const& e) {
    return {failure, "internal fault: " + escaped_lines(e.what()) + "; please report it"};
  }
}

int run_command_line(std::vector<std::string> const& words) {
  try {
    int const code = dispatch(words);
    bool const flushed = std::fflush(stdout) == 0;
    int const error = errno;
    if (flushed && !std::ferror(stdout)) return code;
    std::clearerr(stdout);
    return complain({failure, "standard output: cannot be written" +
                                  (flushed ? "" : std::string(": ") + std::strerror(error))});
  } catch (...) {
    return complain(complaint_of(std::current_exception()));
  }
}

}  // namespace skipper::cli
