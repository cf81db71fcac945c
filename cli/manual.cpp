// `man`: the manual page in roff's man macros, printed from what the program declares, as help is. The build installs what is
// printed here.
#include <skipper/version.h>

#include <cctype>
#include <sstream>

#include "command.h"
#include "format.h"

namespace skipper::cli {
namespace {

/// Text as roff takes it: nothing in it is a request, an escape or a hyphen to break at.
std::string plain(std::string const& text) {
  std::string result;
  bool begins = true;
  for (char const c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    begins = c == '\n';
  }
  return result;
}

/// A paragraph; indented lines are shown as they stand.
std::string paragraph(std::string const& text) {
  std::string result = ".PP\n", line;
  bool shown = false;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    bool const indented = line.starts_with(' ');
    if (indented != shown) result += indented ? ".RS 2\n.nf\n" : ".fi\n.RE\n";
    shown = indented;
    if (indented) result += "\\&";
    if (line.empty())
      result += ".PP\n";
    else
      result += plain(indented ? line.substr(line.find_first_not_of(' ')) : line) + "\n";
  }
  return result + (shown ? ".fi\n.RE\n" : "");
}

std::string entry(std::string const& term, std::string const& value, std::string const& meaning) {
  std::string const shown = value.empty() ? "" : formatted(" \\fI{}\\fR", plain(value));
  return formatted(".TP\n\\fB{}\\fR{}\n{}\n", plain(term), shown, plain(meaning));
}

std::string section(std::string const& program, DeclaredCommand const& command) {
  std::string result = formatted(".SS \"{0}\"\n.B {0}\n", plain(program + " " + command.name));
  if (!command.operands.empty()) result += formatted(".I {}\n", plain(command.operands));
  if (!command.options.empty()) result += "[options]\n";
  result += paragraph(command.summary);
  if (command.handed_on) result += paragraph("See skipper-bench(1), which runs it.");
  if (!command.details.empty()) result += paragraph(command.details);
  for (DeclaredOption const& option : command.options)
    result += entry(option.name, option.value, option.help);
  return result;
}

std::string upper(std::string text) {
  for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Of the name in capitals, the version, the name and the summary.
constexpr char const* head = R"(.TH {0} 1 "" "Skipper {1}" "User Commands"
.SH NAME
{2} \- {3}
.SH SYNOPSIS
.B {2}
.I command
[operands] [options]
.br
.B {2} help
[\fIcommand\fR]
.br
.B {2} \-\-version
.SH COMMANDS
)";

constexpr char const* exit_codes[][2] = {{"0", "done"},
                                         {"1",
                                          "done, and the answer is no: a verification failed, one of several "
                                          "problems could not be computed, a comparison "
                                          "found a regression"},
                                         {"2", "the command line is wrong"},
                                         {"3", "a file, a device or memory failed"}};

constexpr char const* variables[][2] = {
    {"SKIPPER_CACHE", "the folder for compiled kernels and prepared plans; empty: keep nothing"},
    {"SKIPPER_CACHE_BYTES", "how large that folder may grow"},
    {"SKIPPER_TUNING", "the file that skipper tune writes and plans read"},
    {"SKIPPER_BENCH", "the skipper-bench that skipper runs, in place of the one found"},
    {"SKIPPER_MPI_LIBRARY", "the libskipper_mpi to open under mpirun, in place of the one found"},
    {"SKIPPER_CUDA_DRIVER, SKIPPER_NVRTC", "paths of the libraries to open in place of the system's"}};

std::string page(CLI::App const& program) {
  std::string const name = name_of(program);
  std::string text = formatted(head, upper(name), version(), plain(name), plain(summary_of(program)));
  for (DeclaredCommand const& command : commands_of(program)) text += section(name, command);
  text += ".SH \"EXIT STATUS\"\n";
  for (auto const& [code, meaning] : exit_codes) text += entry(code, "", meaning);
  text += ".SH ENVIRONMENT\n";
  for (auto const& [variable, meaning] : variables) text += entry(variable, "", meaning);
  return text +
         formatted(".SH \"SEE ALSO\"\n.BR {} (1)\n", name == "skipper" ? "skipper\\-bench" : "skipper");
}

}  // namespace

Command man_command(CLI::App& program) {
  CLI::App& c =
      add_command(program, "man", "the manual page, as man reads it",
                  formatted("To read it without installing it: {} man | man -l -", name_of(program)));
  return {&c, [&program] {
            print("{}", page(program));
            return int(done);
          }};
}

}  // namespace skipper::cli
