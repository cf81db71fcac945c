// What reaches a terminal: escaped, no wider than it, and plain where it is dumb.
#include "terminal.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "escape.h"

namespace skipper::cli {
namespace {

TEST(Escape, NothingMovesTheCursor) {
  EXPECT_EQ(escaped("plain \"text\" \\ ~"), "plain \"text\" \\ ~");
  EXPECT_EQ(escaped("\033]0;x\a\r\n\t\177"), "\\x1b]0;x\\x07\\x0d\\x0a\\x09\\x7f");
  EXPECT_EQ(escaped("gr\303\266\303\237e \346\274\242 \360\237\220\240"),
            "gr\303\266\303\237e \346\274\242 \360\237\220\240");
  EXPECT_EQ(escaped("\302\233 \377 \303"), "\\xc2\\x9b \\xff \\xc3") << "C1 controls and what is no UTF-8";
  EXPECT_EQ(escaped("txt.\342\200\256npy"), "txt.\\xe2\\x80\\xaenpy") << "U+202E would show it as ypn.txt";
  EXPECT_EQ(escaped("\340\200\233"), "\\xe0\\x80\\x9b") << "longer than need be";
  EXPECT_EQ(escaped(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(escaped_lines("a\n\tb\033"), "a\n\tb\\x1b");
  for (int byte = 0; byte < 256; ++byte)
    for (char const c : escaped(std::string(1, char(byte)))) EXPECT_TRUE(c >= ' ' && c <= '~') << byte;
}

TEST(Progress, LinesFitAnyWidth) {
  for (std::size_t columns = 0; columns < 120; ++columns)
    for (std::string const& what :
         {std::string("c2c f32 forward 64x64x64 batch 512"), std::string(200, 'x'),
          std::string("\346\274\242\346\274\242\346\274\242\346\274\242\346\274\242")}) {
      std::string const line = progress_line(3, 12, 40, what, columns);
      EXPECT_EQ(line, cut_to_columns(line, columns)) << columns;
    }
  EXPECT_EQ(progress_line(3, 12, 39.2, "c2c", 100), "step 3 of 12, about 40 s left: c2c");
  EXPECT_EQ(progress_line(1, 12, INFINITY, "c2c \033[1m", 100), "step 1 of 12: c2c \\x1b[1m");
  EXPECT_EQ(progress_line(3, 12, 40, "c2c", 10), "3 of 12");
}

struct Terminal {
  char const* type;
  char const* columns;
  unsigned short width;
};

/// What three steps show on such a terminal; empty where there are no terminals.
std::string shown_on(Terminal const& terminal) {
  int const ours = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (ours < 0 || ::grantpt(ours) != 0 || ::unlockpt(ours) != 0) return "";
  int const theirs = ::open(::ptsname(ours), O_RDWR | O_NOCTTY);
  winsize const size{24, terminal.width, 0, 0};
  ::ioctl(theirs, TIOCSWINSZ, &size);
  pid_t const child = ::fork();
  if (child == 0) {
    ::dup2(theirs, 2);
    terminal.type ? ::setenv("TERM", terminal.type, 1) : ::unsetenv("TERM");
    terminal.columns ? ::setenv("COLUMNS", terminal.columns, 1) : ::unsetenv("COLUMNS");
    {
      Progress progress(3);
      for (int i = 0; i < 3; ++i) progress.step("c2c f32 forward 64x64x64 batch 512");
    }
    ::_exit(0);
  }
  ::close(theirs);
  std::string shown;
  char some[512];
  for (ssize_t got; (got = ::read(ours, some, sizeof some)) > 0;) shown.append(some, std::size_t(got));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  ::close(ours);
  return shown;
}

TEST(Progress, OverwritesWithinTheWidth) {
  for (Terminal const& terminal : {Terminal{"xterm", nullptr, 80},
                                   {"xterm", nullptr, 30},
                                   {"xterm", "20", 80},
                                   {"xterm", nullptr, 5},
                                   {"xterm", nullptr, 0},
                                   {"xterm", "none", 40},
                                   {"xterm", nullptr, 1}}) {
    std::string const shown = shown_on(terminal);
    if (shown.empty() && terminal.width != 1) GTEST_SKIP() << "no terminals here";
    EXPECT_EQ(shown.find_first_of("\n\033"), shown.npos) << shown;
    std::size_t const width = terminal.columns && std::atoi(terminal.columns) > 0
                                  ? std::size_t(std::atoi(terminal.columns))
                              : terminal.width > 0 ? terminal.width
                                                   : 80;
    std::size_t column = 0;
    for (char const c : shown) {
      column = c == '\r' ? 0 : column + 1;
      EXPECT_LT(column, width) << shown;
    }
    EXPECT_EQ(column, 0u) << "the line is taken away";
  }
}

TEST(Progress, IsPlainOnADumbTerminal) {
  for (char const* type : {"dumb", static_cast<char const*>(nullptr), ""}) {
    std::string const shown = shown_on({type, nullptr, 80});
    if (shown.empty()) GTEST_SKIP() << "no terminals here";
    EXPECT_EQ(shown, "step 1 of 3: c2c f32 forward 64x64x64 batch 512\r\n") << "as a terminal ends lines";
  }
}

TEST(Progress, IsSilentInAPipe) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress(2);
    progress.step("x");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace skipper::cli
