// `skipper man`: the manual page in roff's man macros, printed from the same table as help. The build installs what is printed
// here.
#include <skipper/version.h>

#include <cstdio>
#include <sstream>

#include "command.h"

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

std::string section(Command const& command) {
  std::string result = ".SS \"skipper " + command.name + "\"\n.B skipper " + command.name + "\n";
  if (!command.operands.empty()) result += ".I " + plain(command.operands) + "\n";
  if (!command.options.empty()) result += "[options]\n";
  result += paragraph(command.summary);
  if (!command.details.empty()) result += paragraph(command.details);
  for (Option const& option : command.options) result += entry(option.name, option.value, option.help);
  return result;
}

int run(Args const& args) {
  args.demand_operands(0, 0, "no operand");
  std::string page = ".TH SKIPPER 1 \"\" \"Skipper " + version() + "\" \"User Commands\"\n" +
                     ".SH NAME\nskipper \\- Fourier transforms that skip sweeps over memory\n" +
                     ".SH SYNOPSIS\n.B skipper\n.I command\n[operands] [options]\n.br\n.B skipper "
                     "help\n[\\fIcommand\\fR]\n" +
                     ".br\n.B skipper \\-\\-version\n.SH COMMANDS\n";
  for (Command const& command : commands()) page += section(command);
  page +=
      ".SH \"EXIT STATUS\"\n" + entry("0", "", "done") +
      entry("1", "", "done, and the answer is no: a verification failed, a comparison found a regression") +
      entry("2", "", "the command line is wrong") + entry("3", "", "a file, a device or memory failed") +
      ".SH ENVIRONMENT\n" +
      entry("SKIPPER_CACHE", "", "the folder for compiled kernels and prepared plans; empty: keep nothing") +
      entry("SKIPPER_CACHE_BYTES", "", "how large that folder may grow") +
      entry("SKIPPER_TUNING", "", "the file that skipper tune writes and plans read") +
      entry("SKIPPER_MPI_LIBRARY", "", "the libskipper_mpi to open under mpirun, in place of the one found") +
      entry("SKIPPER_CUDA_DRIVER, SKIPPER_NVRTC", "",
            "paths of the libraries to open in place of the system's");
  std::fputs(page.c_str(), stdout);
  return done;
}

}  // namespace

Command man_command() {
  return {"man",
          "",
          "the manual page, as man reads it",
          "To read it without installing it: skipper man | man -l -",
          {},
          run};
}

}  // namespace skipper::cli
