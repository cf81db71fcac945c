// What is printed from the table of commands to be installed: completions for three shells and the manual page name every
// command and every option.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace skipper::cli {
namespace {

std::string printed(Program const& program, std::vector<std::string> const& words) {
  ::testing::internal::CaptureStdout();
  int const code = run_command_line(program, words);
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

class OfProgram : public ::testing::TestWithParam<Program> {};
INSTANTIATE_TEST_SUITE_P(Both, OfProgram, ::testing::Values(skipper_program(), bench_program()),
                         [](auto const& each) { return each.index == 0 ? "skipper" : "bench"; });

TEST_P(OfProgram, CompletionNamesEveryCommandAndOptionInEveryShell) {
  std::string const bash = printed(GetParam(), {"completion", "bash"}),
                    zsh = printed(GetParam(), {"completion", "zsh"}),
                    fish = printed(GetParam(), {"completion", "fish"});
  EXPECT_EQ(printed(GetParam(), {"completion"}), bash);
  for (DeclaredCommand const& c : commands_of(GetParam())) {
    EXPECT_TRUE(has(bash, (c.handed_on ? "*:" : "    ") + c.name + (c.handed_on ? "" : ") "))) << c.name;
    EXPECT_TRUE(has(zsh, "    '" + c.name + ":")) << c.name;
    EXPECT_TRUE(has(fish, " -f -a " + c.name + " ")) << c.name;
    for (DeclaredOption const& o : c.options) {
      EXPECT_TRUE(has(bash, " " + o.name)) << o.name;
      EXPECT_TRUE(has(zsh, "'" + o.name + "[")) << o.name;
      EXPECT_TRUE(has(fish, "_from " + c.name + "' -l " + o.name.substr(2) + " ")) << c.name << " " << o.name;
    }
  }
}

TEST_P(OfProgram, ManualNamesEveryCommandAndOption) {
  std::string const page = printed(GetParam(), {"man"}), name = with_dashes_escaped(GetParam().name);
  EXPECT_TRUE(page.starts_with(GetParam().name == "skipper" ? ".TH SKIPPER 1 " : ".TH SKIPPER-BENCH 1 "));
  for (DeclaredCommand const& c : commands_of(GetParam())) {
    EXPECT_TRUE(has(page, ".SS \"" + name + " " + c.name + "\"\n")) << c.name;
    for (DeclaredOption const& o : c.options)
      EXPECT_TRUE(has(page, "\\fB" + with_dashes_escaped(o.name) + "\\fR")) << o.name;
  }
}

TEST(Completion, RefusesOtherShells) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_command_line({"completion", "tcsh"}), bad_command_line);
  EXPECT_TRUE(has(::testing::internal::GetCapturedStderr(), "'tcsh'"));
}

}  // namespace
}  // namespace skipper::cli
