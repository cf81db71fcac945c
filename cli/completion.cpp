// `skipper completion`: scripts that teach bash, zsh and fish the commands and their options, printed from the same table as
// help. The build installs what is printed here.
#include <algorithm>
#include <cstdio>

#include "command.h"

namespace skipper::cli {
namespace {

bool takes_file(Option const& option) { return option.value == "FILE"; }

/// With a backslash before each of the marks.
std::string escaped(std::string const& text, std::string const& marks) {
  std::string result;
  for (char const c : text) {
    if (marks.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

/// As one word of zsh or fish, in single quotes.
std::string zsh_word(std::string const& text) {
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}
std::string fish_word(std::string const& text) { return "'" + escaped(text, "\\'") + "'"; }

std::string bash_script() {
  std::string names = "help --version", cases;
  for (Command const& command : commands()) {
    names += " " + command.name;
    std::string words = "--help";
    for (Option const& option : command.options) words += " " + option.name;
    cases += "    " + command.name + ") words=\"" + words + "\" ;;\n";
  }
  return "_skipper() {\n"
         "  local words= current=${COMP_WORDS[COMP_CWORD]}\n"
         "  case $COMP_CWORD:${COMP_WORDS[1]} in 1:*|2:help) words=\"" +
         names +
         "\" ;; 2:completion) words=\"bash zsh fish\" ;; esac\n"
         "  [ \"$COMP_CWORD\" -gt 1 ] && [ \"${current:0:1}\" = - ] && case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _skipper skipper\n";
}

std::string zsh_script() {
  std::string names, cases;
  for (Command const& command : commands()) {
    names += "    " + zsh_word(escaped(command.name, ":") + ":" + command.summary) + "\n";
    cases += "    " + command.name + ") _arguments '--help[" + "how it is used]'";
    for (Option const& option : command.options) {
      std::string word = option.name + "[" + escaped(option.help, "[]\\") + "]";
      if (!option.value.empty())
        word += ":" + escaped(option.value, ":") + ":" + (takes_file(option) ? "_files" : " ");
      cases += " \\\n      " + zsh_word(word);
    }
    cases += command.name == "completion" ? " '1:shell:(bash zsh fish)' ;;\n" : " '*:file:_files' ;;\n";
  }
  return "#compdef skipper\n"
         "_skipper() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         names +
         "    'help:what the commands are, or how one of them is used'\n"
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "    help) _describe command commands ;;\n"
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _skipper ]; then _skipper \"$@\"; else compdef _skipper skipper; fi\n";
}

std::string fish_script() {
  std::string script = "complete -c skipper -n __fish_use_subcommand -f -l version -d 'the version'\n";
  auto const at_first = [&](std::string const& name, std::string const& summary) {
    script +=
        "complete -c skipper -n __fish_use_subcommand -f -a " + name + " -d " + fish_word(summary) + "\n";
  };
  at_first("help", "what the commands are, or how one of them is used");
  for (Command const& command : commands()) {
    at_first(command.name, command.summary);
    std::string const within = "complete -c skipper -n '__fish_seen_subcommand_from " + command.name + "' ";
    script += within + "-l help -d 'how it is used'\n";
    for (Option const& option : command.options) {
      std::string const value = option.value.empty() ? "" : takes_file(option) ? "-r -F " : "-x ";
      script += within + "-l " + option.name.substr(2) + " " + value + "-d " + fish_word(option.help) + "\n";
    }
    if (command.name == "completion") script += within + "-f -a 'bash zsh fish'\n";
  }
  return script;
}

int run(Args const& args) {
  args.demand_operands(0, 1, "bash, zsh or fish");
  std::string const shell = args.operands().empty() ? "bash" : args.operands()[0];
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    args.refuse("'" + shell.substr(0, 60) + "' is not a shell it has a script for; use bash, zsh or fish");
  std::string const script = shell == "zsh" ? zsh_script() : shell == "fish" ? fish_script() : bash_script();
  std::fputs(script.c_str(), stdout);
  return done;
}

}  // namespace

Command completion_command() {
  return {"completion",
          "[bash|zsh|fish]",
          "a script that completes commands and options in a shell",
          "Where Skipper is installed under the shell's own prefix, the shell finds it by itself. Else:\n"
          "  bash: in ~/.bashrc          eval \"$(skipper completion bash)\"\n"
          "  zsh:  in ~/.zshrc           eval \"$(skipper completion zsh)\"   (after compinit)\n"
          "  fish: in config.fish        skipper completion fish | source",
          {},
          run};
}

}  // namespace skipper::cli
