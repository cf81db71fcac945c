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
  return ".TP\n\\fB" + plain(term) + "\\fR" + (value.empty() ? "" : " \\fI" + plain(value) + "\\fR") + "\n" +
         plain(meaning) + "\n";
}

std::string section(std::string const& program, DeclaredCommand const& command) {
  std::string const whole = program + " " + command.name;
  std::string result = ".SS \"" + plain(whole) + "\"\n.B " + plain(whole) + "\n";
  if (!command.operands.empty()) result += ".I " + plain(command.operands) + "\n";
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

std::string page(CLI::App const& program) {
  std::string const name = name_of(program), bold = ".B " + plain(name);
  std::string text = ".TH " + upper(name) + " 1 \"\" \"Skipper " + version() + "\" \"User Commands\"\n" +
                     ".SH NAME\n" + plain(name) + " \\- " + plain(summary_of(program)) + "\n.SH SYNOPSIS\n" +
                     bold + "\n.I command\n[operands] [options]\n.br\n" + bold +
                     " help\n[\\fIcommand\\fR]\n.br\n" + bold + " \\-\\-version\n.SH COMMANDS\n";
  for (DeclaredCommand const& command : commands_of(program)) text += section(name, command);
  return text + ".SH \"EXIT STATUS\"\n" + entry("0", "", "done") +
         entry("1", "",
               "done, and the answer is no: a verification failed, a comparison found a regression") +
         entry("2", "", "the command line is wrong") + entry("3", "", "a file, a device or memory failed") +
         ".SH ENVIRONMENT\n" +
         entry("SKIPPER_CACHE", "",
               "the folder for compiled kernels and prepared plans; empty: keep nothing") +
         entry("SKIPPER_CACHE_BYTES", "", "how large that folder may grow") +
         entry("SKIPPER_TUNING", "", "the file that skipper tune writes and plans read") +
         entry("SKIPPER_BENCH", "", "the skipper-bench that skipper runs, in place of the one found") +
         entry("SKIPPER_MPI_LIBRARY", "",
               "the libskipper_mpi to open under mpirun, in place of the one found") +
         entry("SKIPPER_CUDA_DRIVER, SKIPPER_NVRTC", "",
               "paths of the libraries to open in place of the system's") +
         ".SH \"SEE ALSO\"\n" + (name == "skipper" ? ".BR skipper\\-bench (1)\n" : ".BR skipper (1)\n");
}

}  // namespace

Command man_command(CLI::App& program) {
  CLI::App& c = add_command(program, "man", "the manual page, as man reads it",
                            "To read it without installing it: " + name_of(program) + " man | man -l -");
  return {&c, [&program] {
            print("{}", page(program));
            return int(done);
          }};
}

}  // namespace skipper::cli
