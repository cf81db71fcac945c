// Temporary files go with every signal that ends the program, and those of a program that was killed go with the next one.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/program.h"
#include "npy.h"

namespace skipper::testing {
namespace {

std::string const program = SKIPPER_PROGRAM_DIR "/skipper";

std::string input() {
  cli::NpyArray const array{
      {true, Precision::f32}, false, {64}, std::vector<std::byte>(64 * 8, std::byte(1))};
  return cli::npy_header_text(array) + std::string(64 * 8, '\1');
}

bool has_part(Folder const& folder) {
  for (auto const& entry : fs::directory_iterator(folder.path))
    if (entry.path().filename().string().find(".skipper-part-") != std::string::npos) return true;
  return false;
}

/// Waits until it has begun to write; false where it ended instead.
bool writes(Folder const& folder, Running const& running) {
  while (!has_part(folder)) {
    siginfo_t ended{};
    ::waitid(P_PID, id_t(running.process()), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    ::usleep(200);
  }
  return true;
}

void expect_clean(std::vector<std::string> const& words, int signal) {
  Folder const folder("skipper-signals");
  std::vector<std::string> all = words;
  for (std::string& word : all)
    if (word == "OUT") word = folder("out");
  // Signals may be ignored where the tests run (SIGINT in the background of a shell); here none is.
  Running running(program, all, "", [&] {
    ::signal(signal, SIG_DFL);
    rlimit const no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
  });
  ASSERT_TRUE(writes(folder, running)) << running.finished().error;
  ::kill(running.process(), signal);
  Outcome const o = running.finished();
  EXPECT_TRUE(WIFSIGNALED(o.status) && WTERMSIG(o.status) == signal)
      << words[0] << " " << signal << " " << o.error;
  EXPECT_EQ(folder.files(), 0u) << words[0] << ": " << ::strsignal(signal);
}

TEST(Signals, EveryOneThatEndsTheProgramRemovesTheFile) {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    bool const ends = signal != SIGKILL && signal != SIGSTOP && signal != SIGCONT && signal != SIGTSTP &&
                      signal != SIGTTIN && signal != SIGTTOU && signal != SIGCHLD && signal != SIGURG &&
                      signal != SIGWINCH && (signal < 32 || signal >= SIGRTMIN);
    if (ends) expect_clean({"fft", "-", "OUT"}, signal);  // it waits for its input
  }
}

TEST(Signals, EveryCommandThatHoldsAFileRemovesIt) {
  expect_clean({"fft", "-", "OUT", "--memory-limit", "64K"}, SIGTERM);
  expect_clean({"poisson", "-", "OUT"}, SIGINT);
  expect_clean({"bench", "4096", "--no-peers", "--seconds", "60", "--plot", "OUT"}, SIGQUIT);
  expect_clean({"run", "--plot", "OUT"}, SIGHUP);
}

TEST(Signals, IgnoredOnesStayIgnored) {
  Folder const folder("skipper-signals");
  Running running(program, {"fft", "-", folder("out.npy")}, "", [] { ::signal(SIGHUP, SIG_IGN); });
  ASSERT_TRUE(writes(folder, running));
  ::kill(running.process(), SIGHUP);
  running.feed(input());
  EXPECT_EQ(running.finished().code(), 0);
  EXPECT_TRUE(fs::exists(folder("out.npy")));
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Signals, TheNextRunRemovesWhatAKilledOneLeft) {
  Folder const folder("skipper-signals");
  std::ofstream(folder("out.npy")) << "old";
  std::ofstream(folder("out.npy.part1234")) << "a user's own";
  std::ofstream(folder("out.npy.skipper-part-notes")) << "a user's own";
  std::ofstream(folder("other.npy.skipper-part-0123456789abcdef")) << "of another output";
  for (int i = 0; i < 2; ++i) {
    Running killed(program, {"fft", "-", folder("out.npy")});
    ASSERT_TRUE(writes(folder, killed));
    while (folder.files() < 5) ::usleep(200);
    ::kill(killed.process(), SIGKILL);
    killed.finished();
    EXPECT_EQ(folder.files(), 5u) << "nobody can clean up after SIGKILL; one left-over, not two";
  }
  Running next(program, {"fft", "-", folder("out.npy")});
  next.feed(input());
  EXPECT_EQ(next.finished().code(), 0);
  EXPECT_EQ(folder.files(), 4u);
  EXPECT_TRUE(fs::exists(folder("out.npy.part1234")));
  EXPECT_TRUE(fs::exists(folder("out.npy.skipper-part-notes")));
  EXPECT_TRUE(fs::exists(folder("other.npy.skipper-part-0123456789abcdef")));
}

TEST(Signals, ARunningProgramKeepsItsFileFromTheNext) {
  Folder const folder("skipper-signals");
  Running first(program, {"fft", "-", folder("out.npy"), "--inverse"});
  ASSERT_TRUE(writes(folder, first));
  ::usleep(50000);  // it takes the lock right after it has made the file
  Running second(program, {"fft", "-", folder("out.npy")});
  second.feed(input());
  EXPECT_EQ(second.finished().code(), 0);
  EXPECT_EQ(folder.files(), 2u) << "the first is still at it";
  std::string const between = contents(folder("out.npy"));
  first.feed(input());
  EXPECT_EQ(first.finished().code(), 0);
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(contents(folder("out.npy")).size(), between.size());
}

}  // namespace
}  // namespace skipper::testing
