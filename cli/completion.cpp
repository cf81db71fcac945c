// `completion`: scripts that teach bash, zsh and fish the commands and their options, printed from what the program declares, as
// help is. The build installs what is printed here. For commands of skipper-bench the script of skipper asks that of
// skipper-bench, which stands in the same place on the command line.
#include <memory>

#include "command.h"
#include "format.h"

namespace skipper::cli {
namespace {

struct Words {
  std::string program;
  std::vector<DeclaredCommand> commands;

  // "_skipper_bench"
  static std::string function(std::string const& program) {
    std::string name = "_" + program;
    for (char& c : name)
      if (c == '-') c = '_';
    return name;
  }
  std::string function() const { return function(program); }
  std::string handed_on(std::string_view separator) const {
    std::vector<std::string> names;
    for (DeclaredCommand const& c : commands)
      if (c.handed_on) names.push_back(c.name);
    return joined(names, separator);
  }
};

bool takes_file(DeclaredOption const& option) { return option.value == "FILE"; }

/// With a backslash before each of the marks.
std::string with_backslashes(std::string const& text, std::string const& marks) {
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
std::string fish_word(std::string const& text) { return "'" + with_backslashes(text, "\\'") + "'"; }

std::string bash_script(Words const& all) {
  std::string names = "help --version", cases, elsewhere;
  for (DeclaredCommand const& command : all.commands) {
    names += " " + command.name;
    if (command.handed_on) continue;
    std::string words = "--help";
    for (DeclaredOption const& option : command.options) words += " " + option.name;
    cases += formatted("    {}) words=\"{}\" ;;\n", command.name, words);
  }
  if (std::string const others = all.handed_on("|*:"); !others.empty())
    elsewhere = "  case $COMP_CWORD:${COMP_WORDS[1]} in 1:*) ;; *:" + others + ")\n" +
                "    declare -F _skipper_bench >/dev/null || eval \"$(skipper-bench completion bash "
                "2>/dev/null)\"\n"
                "    declare -F _skipper_bench >/dev/null && _skipper_bench\n"
                "    return ;; esac\n";
  return all.function() +
         "() {\n"
         "  local words= current=${COMP_WORDS[COMP_CWORD]}\n" +
         elsewhere + "  case $COMP_CWORD:${COMP_WORDS[1]} in 1:*|2:help) words=\"" + names +
         "\" ;; 2:completion) words=\"bash zsh fish\" ;; esac\n"
         "  [ \"$COMP_CWORD\" -gt 1 ] && [ \"${current:0:1}\" = - ] && case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F " +
         all.function() + " " + all.program + "\n";
}

std::string zsh_options(DeclaredCommand const& command) {
  std::string words = formatted("    {}) _arguments '--help[how it is used]'", command.name);
  for (DeclaredOption const& option : command.options) {
    std::string word = formatted("{}[{}]", option.name, with_backslashes(option.help, "[]\\"));
    if (!option.value.empty())
      word += formatted(":{}:{}", with_backslashes(option.value, ":"), takes_file(option) ? "_files" : " ");
    words += formatted(" \\\n      {}", zsh_word(word));
  }
  return words + (command.name == "completion" ? " '1:shell:(bash zsh fish)' ;;\n" : " '*:file:_files' ;;\n");
}

std::string zsh_script(Words const& all) {
  std::string names, cases, elsewhere;
  for (DeclaredCommand const& command : all.commands) {
    names += formatted("    {}\n",
                       zsh_word(formatted("{}:{}", with_backslashes(command.name, ":"), command.summary)));
    if (!command.handed_on) cases += zsh_options(command);
  }
  if (std::string const others = all.handed_on("|"); !others.empty())
    elsewhere =
        "  case $words[2] in " + others +
        ")\n"
        "    (( $+functions[_skipper_bench] )) || eval \"$(skipper-bench completion zsh 2>/dev/null)\"\n"
        "    (( $+functions[_skipper_bench] )) && _skipper_bench\n"
        "    return ;; esac\n";
  return "#compdef " + all.program + "\n" + all.function() +
         "() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         names +
         "    'help:what the commands are, or how one of them is used'\n"
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n" +
         elsewhere +
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "    help) _describe command commands ;;\n"
         "  esac\n"
         "}\n" +
         formatted("if [ \"$funcstack[1]\" = {0} ]; then {0} \"$@\"; else compdef {0} {1}; fi\n",
                   all.function(), all.program);
}

std::string fish_script(Words const& all) {
  std::string const first = formatted("complete -c {} -n __fish_use_subcommand -f", all.program);
  std::string script = formatted(
      "{0} -l version -d 'the version'\n"
      "{0} -a help -d 'what the commands are, or how one of them is used'\n",
      first);
  for (DeclaredCommand const& command : all.commands) {
    script += formatted("{} -a {} -d {}\n", first, command.name, fish_word(command.summary));
    if (command.handed_on) continue;
    std::string const within =
        formatted("complete -c {} -n '__fish_seen_subcommand_from {}'", all.program, command.name);
    script += formatted("{} -l help -d 'how it is used'\n", within);
    for (DeclaredOption const& option : command.options)
      script += formatted("{} -l {} {}-d {}\n", within, option.name.substr(2),
                          option.value.empty() ? ""
                          : takes_file(option) ? "-r -F "
                                               : "-x ",
                          fish_word(option.help));
    if (command.name == "completion") script += formatted("{} -f -a 'bash zsh fish'\n", within);
  }
  if (std::string const others = all.handed_on(" "); !others.empty())
    script += formatted(
        "complete -c skipper -n '__fish_seen_subcommand_from {}' "
        "-a '(complete -C (string replace -r \"^\\\\S*skipper \" \"skipper-bench \" -- (commandline "
        "-cp)))'\n",
        others);
  return script;
}

int run(CLI::App const& program, std::vector<std::string> const& shells) {
  std::string const shell = shells.empty() ? "bash" : shells[0];
  if (shells.size() > 1) refuse(formatted("{} is one word too many", in_quotes(shells[1])));
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    refuse(formatted("{} is not a shell it has a script for; use bash, zsh or fish", in_quotes(shell)));
  Words const all{name_of(program), commands_of(program)};
  print("{}", shell == "zsh" ? zsh_script(all) : shell == "fish" ? fish_script(all) : bash_script(all));
  return done;
}

}  // namespace

Command completion_command(CLI::App& program) {
  auto const shells = std::make_shared<std::vector<std::string>>();
  std::string const name = name_of(program);
  CLI::App& c = add_command(
      program, "completion", "a script that completes commands and options in a shell",
      formatted(
          "Where Skipper is installed under the shell's own prefix, the shell finds it by itself. Else:\n"
          "  bash: in ~/.bashrc          eval \"$({0} completion bash)\"\n"
          "  zsh:  in ~/.zshrc           eval \"$({0} completion zsh)\"   (after compinit)\n"
          "  fish: in config.fish        {0} completion fish | source",
          name));
  add_operands(c, "shell", *shells, 0, "bash (default), zsh or fish");
  return {&c, [&program, shells] { return run(program, *shells); }};
}

}  // namespace skipper::cli
