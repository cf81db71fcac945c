// `skipper completion`: a script that teaches bash the commands and their options, printed from the same table as help.
#include <cstdio>

#include "command.h"

namespace skipper::cli {
namespace {

std::string words_of(Command const& command) {
  std::string words = "--help";
  for (Option const& option : command.options) words += " " + option.name;
  return words;
}

int run(Args const& args) {
  args.demand_operands(0, 0, "no operand");
  std::string names = "help --version", cases;
  for (Command const& command : commands()) {
    names += " " + command.name;
    cases += "    " + command.name + ") words=\"" + words_of(command) + "\" ;;\n";
  }
  std::printf(
      "_skipper() {\n"
      "  local words= current=${COMP_WORDS[COMP_CWORD]}\n"
      "  case $COMP_CWORD:${COMP_WORDS[1]} in 1:*|2:help) words=\"%s\" ;; esac\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] && [ \"${current:0:1}\" = - ] && case ${COMP_WORDS[1]} in\n%s  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}\n"
      "complete -o default -F _skipper skipper\n",
      names.c_str(), cases.c_str());
  return done;
}

}  // namespace

Command completion_command() {
  return {"completion",
          "",
          "a script for bash that completes commands and options",
          "In ~/.bashrc: eval \"$(skipper completion)\"",
          {},
          run};
}

}  // namespace skipper::cli
