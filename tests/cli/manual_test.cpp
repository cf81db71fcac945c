// What is printed from the table of commands to be installed: completions for three shells and the manual page name every
// command and every option.
#include <gtest/gtest.h>

#include "command.h"

namespace skipper::cli {
namespace {

std::string printed(std::vector<std::string> const& words) {
  ::testing::internal::CaptureStdout();
  int const code = run_command_line(words);
  std::string const out = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, done);
  return out;
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

std::string with_dashes_escaped(std::string const& text) {
  std::string result;
  for (char const c : text) result += c == '-' ? std::string("\\-") : std::string(1, c);
  return result;
}

TEST(Completion, NamesEveryCommandAndOptionInEveryShell) {
  std::string const bash = printed({"completion", "bash"}), zsh = printed({"completion", "zsh"}),
                    fish = printed({"completion", "fish"});
  EXPECT_EQ(printed({"completion"}), bash);
  for (Command const& c : commands()) {
    EXPECT_TRUE(has(bash, "    " + c.name + ") ")) << c.name;
    EXPECT_TRUE(has(zsh, "    '" + c.name + ":")) << c.name;
    EXPECT_TRUE(has(fish, " -f -a " + c.name + " ")) << c.name;
    for (Option const& o : c.options) {
      EXPECT_TRUE(has(bash, " " + o.name)) << o.name;
      EXPECT_TRUE(has(zsh, "'" + o.name + "[")) << o.name;
      EXPECT_TRUE(has(fish, "_from " + c.name + "' -l " + o.name.substr(2) + " ")) << c.name << " " << o.name;
    }
  }
}

TEST(Completion, RefusesOtherShells) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_command_line({"completion", "tcsh"}), bad_command_line);
  EXPECT_TRUE(has(::testing::internal::GetCapturedStderr(), "'tcsh'"));
}

TEST(Manual, NamesEveryCommandAndOption) {
  std::string const page = printed({"man"});
  EXPECT_TRUE(page.starts_with(".TH SKIPPER 1 "));
  for (Command const& c : commands()) {
    EXPECT_TRUE(has(page, ".SS \"skipper " + c.name + "\"\n")) << c.name;
    for (Option const& o : c.options)
      EXPECT_TRUE(has(page, "\\fB" + with_dashes_escaped(o.name) + "\\fR")) << o.name;
  }
}

}  // namespace
}  // namespace skipper::cli
