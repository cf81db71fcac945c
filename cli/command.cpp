// Reads a command line by CLI11, runs the command, and turns what it throws into one line and an exit code.
#include "command.h"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <skipper/error.h>
#include <skipper/version.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include "escape.h"
#include "file_error.h"
#include "format.h"
#include "hand_on.h"
#include "json.h"
#include "rank_library.h"

namespace skipper::cli {
namespace {

constexpr char const* handed_on_group = "commands of skipper-bench";

struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::vector<Command> commands;
};

// "in.npy", "[problem...]"
std::string operand_usage(CLI::Option const& operand) {
  std::string const word = operand.get_name() + (operand.get_items_expected_max() > 1 ? "..." : "");
  return operand.get_required() ? word : "[" + word + "]";
}

// Help as CLI11 lays it out, with nothing beside an option but the name of its value.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(CLI::Option const* option) const override {
    return option->get_option_text().empty() ? "" : " " + option->get_option_text();
  }
  // An operand in the line of usage.
  std::string make_option_usage(CLI::Option const* option) const override { return operand_usage(*option); }
};

CommandLine declared(Program const& program) {
  CommandLine line{std::make_unique<CLI::App>(program.summary, program.name), {}};
  CLI::App& app = *line.app;
  auto const format = std::make_shared<HelpFormat>();
  format->column_width(24);
  for (auto const& [label, word] : {std::pair("Usage", "usage"),
                                    {"Positionals", "operands"},
                                    {"OPTIONS", "options"},
                                    {"SUBCOMMAND", "COMMAND"}})
    format->label(label, word);
  app.formatter(format);
  app.option_defaults()->group("options");
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "this list; `" + program.name + " help COMMAND` for one of them");
  app.set_version_flag("--version", "skipper " + version(), "the version");
  for (auto const declare : program.commands)
    line.commands.push_back(declare(app)), line.commands.back().app->group("commands");
  for (Program::HandedOn const& other : program.handed_on)
    add_command(app, other.name, other.summary).group(handed_on_group);
  app.footer(
      "exit codes: 0 done; 1 done, the answer is no; 2 wrong command line; 3 a file, device or memory "
      "failed");
  return line;
}

// What CLI11 found, in words that name the argument.
std::string words_for(CLI::App const& command, CLI::ParseError const& error) {
  if (std::vector<std::string> const left = command.remaining(); !left.empty()) {
    std::string const& word = left[0];
    if (word.starts_with("--"))
      return formatted("{} is not one of its options", in_quotes(word.substr(0, word.find('='))));
    if (word.size() > 1 && word[0] == '-')
      return formatted("{} is not an option; options have two dashes", in_quotes(word));
    return formatted("{} is one word too many", in_quotes(word));
  }
  for (CLI::Option const* const option : command.get_options())
    if (option->get_items_expected_max() == 1 && option->count() > 1)
      return formatted("{} is given twice; leave one out", option->get_name());
  // "--machine: 1 required NAME missing"; "json was given a disallowed flag override"
  std::string const what = error.what();
  if (std::size_t const colon = what.find(": 1 required "); colon != what.npos) {
    std::string const name = what.substr(0, colon);
    return formatted("{0} needs a value: {0} {1}", name, command.get_option(name)->get_option_text());
  }
  if (what.ends_with("disallowed flag override"))
    return formatted("--{} takes no value", what.substr(0, what.find(' ')));
  return what;
}

[[noreturn]] void refuse_for(CLI::App const& command, std::string const& message) {
  throw BadArgument(formatted("{0}: {1}; see `skipper help {0}`", command.get_name(), message));
}

int run_parsed(CommandLine const& line, std::vector<std::string> words) {
  CLI::App& app = *line.app;
  CLI::App const& command = *app.get_subcommand(words[0]);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(std::move(words));
    for (Command const& c : line.commands)
      if (c.app == &command) return c.run();
  } catch (CLI::CallForHelp const&) {
    print("{}", app.help());
  } catch (CLI::ParseError const& e) {
    refuse_for(command, words_for(command, e));
  } catch (BadArgument const& e) {
    refuse_for(command, e.what());
  }
  return done;
}

int dispatch(Program const& program, std::vector<std::string> words) {
  CommandLine const line = declared(program);
  bool const silent = words.empty();
  if (silent) words = {"help"};
  if (words[0] == "help" && words.size() == 2) words = {words[1], "--help"};
  if (words[0] == "help" && words.size() > 2) throw BadArgument("help: it takes at most one command");
  if (words[0] == "version" || words[0] == "--version") {
    print("skipper {}\n", version());
    return done;
  }
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") {
    print("{}", line.app->help());
    return silent ? bad_command_line : done;
  }
  std::vector<std::string> names;
  for (DeclaredCommand const& c : commands_of(*line.app)) {
    if (c.name == words[0] && c.handed_on) hand_on(words);
    if (c.name == words[0]) return run_parsed(line, words);
    names.push_back(c.name);
  }
  throw BadArgument(
      formatted("{} is not a command; use {} or help", in_quotes(words[0]), joined(names, ", ")));
}

// Under mpirun all ranks fail alike where the command line is wrong; one of each node says so. The launcher ends all when the
// first has ended, so the others wait until it is said.
int complain(Complaint const& complaint) {
  std::fflush(stdout);
  std::optional<Launch> const launch = mpi_launch();
  if (launch && launch->local_rank > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  else
    print(stderr, "skipper: {}\n", complaint.message);
  return complaint.code;
}

// Where the caller has closed a standard stream, its number must not become that of a file that is opened later, which
// would then get what is printed. It is opened the wrong way round, so that using it fails as it would closed.
void keep_standard_numbers() {
  for (int const number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

// "in.npy out.npy", "[problem...]"
std::string operands_of(CLI::App const& command) {
  std::vector<std::string> words;
  for (CLI::Option const* const option : command.get_options())
    if (option->get_positional()) words.push_back(operand_usage(*option));
  return joined(words, " ");
}

}  // namespace

std::vector<DeclaredCommand> commands_of(CLI::App const& program) {
  std::vector<DeclaredCommand> result;
  for (CLI::App const* const c : program.get_subcommands([](CLI::App const*) { return true; })) {
    DeclaredCommand command{c->get_name(),
                            operands_of(*c),
                            c->get_description(),
                            c->get_footer(),
                            {},
                            c->get_group() == handed_on_group};
    for (CLI::Option const* const o : c->get_options())
      if (!o->get_positional() && o->get_name() != "--help")
        command.options.push_back({o->get_name(), o->get_option_text(), o->get_description()});
    result.push_back(std::move(command));
  }
  return result;
}

std::vector<DeclaredCommand> commands_of(Program const& program) {
  return commands_of(*declared(program).app);
}

std::string name_of(CLI::App const& program) { return program.get_name(); }
std::string summary_of(CLI::App const& program) { return program.get_description(); }

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
    return {failure, formatted("internal fault: {}; please report it", escaped_lines(e.what()))};
  }
}

int run_command_line(Program const& program, std::vector<std::string> const& words) {
  try {
    int const code = dispatch(program, words);
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

int run_program(Program const& program, int count, char** words) {
  keep_standard_numbers();
  return run_command_line(program, {words + (count > 0 ? 1 : 0), words + count});
}

}  // namespace skipper::cli
