// How a command declares its options. CLI11 sorts the words of the command line and prints help; the functions here add one
// option each, with its value's name in help ("N") and what the value may be. A value that does not fit is a BadArgument that
// names the option, the value and the way out. Only args.cpp and command.cpp include CLI11, which takes long to compile.
//
//   struct VerifyOptions { ProblemOptions problems; DeviceOptions device; bool json = false; };
//
//   Command verify_command(CLI::App& program) {
//     auto const o = std::make_shared<VerifyOptions>();
//     CLI::App& c = add_command(program, "verify", "checks results against the definition in higher precision");
//     add_flag(c, "--json", o->json, "as JSON");
//     device_options(c, o->device);     // options that several commands have are declared, and read, in one place:
//     problem_options(c, o->problems);  // --device ... in settings.h, --kind ... --list ... in cases.h
//     return {&c, [o] { return run(*o); }};
//   }
//
// A struct holds what was given, checked; a std::optional says whether it was. Options that go together, or do not, are
// declared with need() and exclude(). skipper_program.cpp and bench_program.cpp list the commands of the two programs; help,
// completions and manual pages are printed from what CLI11 then knows (commands_of() in command.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace skipper::cli {

struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The command line asks for what cannot be; whoever runs the command adds its name.
[[noreturn]] void refuse(std::string const& message);

// `details` is what help for this command adds, lines of at most 120 columns.
CLI::App& add_command(CLI::App& program, std::string const& name, std::string const& summary,
                      std::string const& details = "");

// Words that are no options. The first form is one word that must be there.
void add_operand(CLI::App& command, std::string const& name, std::string& to, std::string const& help);
void add_operands(CLI::App& command, std::string const& name, std::vector<std::string>& to, std::size_t least,
                  std::string const& help);

void add_flag(CLI::App& command, std::string const& name, bool& to, std::string const& help);

void add_text(CLI::App& command, std::string const& name, std::string const& value, std::string& to,
              std::string const& help);
void add_text(CLI::App& command, std::string const& name, std::string const& value,
              std::optional<std::string>& to, std::string const& help);

// "fftw,cufft"
void add_list(CLI::App& command, std::string const& name, std::vector<std::string>& to,
              std::string const& help);

struct Limits {
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
};
void add_integer(CLI::App& command, std::string const& name, std::string const& value, int& to, Limits limits,
                 std::string const& help);
void add_integer(CLI::App& command, std::string const& name, std::string const& value, std::int64_t& to,
                 Limits limits, std::string const& help);
void add_integer(CLI::App& command, std::string const& name, std::string const& value, std::optional<int>& to,
                 Limits limits, std::string const& help);

// "512x512x512" or "0,-1"; `what` stands in the message: "a grid such as 4x2x1".
void add_integers(CLI::App& command, std::string const& name, std::string const& value, char separator,
                  std::vector<std::int64_t>& to, std::string const& what, std::string const& help);

// `least` is minus infinity for any number.
void add_number(CLI::App& command, std::string const& name, std::string const& value, double& to,
                double least, std::string const& help);

// "4G", "512MB", "100000": see base/byte_count.h.
void add_bytes(CLI::App& command, std::string const& name, std::optional<std::int64_t>& to,
               std::string const& help);

void add_choice(CLI::App& command, std::string const& name, std::string const& value, std::string& to,
                std::vector<std::string> const& choices, std::string const& help);
void add_choice(CLI::App& command, std::string const& name, std::string const& value,
                std::optional<std::string>& to, std::vector<std::string> const& choices,
                std::string const& help);

// No two of these go together; each of `names` needs `other` too.
void exclude(CLI::App& command, std::vector<std::string> const& names);
void need(CLI::App& command, std::vector<std::string> const& names, std::string const& other);

// Whether the option was given.
bool given(CLI::App const& command, std::string const& name);
// Refuses these options: "--csv is for one device; leave it out".
void demand_absent(CLI::App const& command, std::vector<std::string> const& names, std::string const& why);

// 'abacus', escaped, and cut where it is long.
std::string in_quotes(std::string const& word);

// The words between separators, "fftw,cufft"; an empty text has one, which is empty.
std::vector<std::string> split(std::string const& text, char separator);

// Whole numbers between separators; `what` stands in the message.
std::vector<std::int64_t> integers(std::string const& text, char separator, std::string const& what);

// A finite number, for values that are lists of them.
double number(std::string const& option, std::string const& word);

}  // namespace skipper::cli
