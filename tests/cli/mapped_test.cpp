// Files larger than the memory limit: `fft --memory-limit`, and that no way of failing leaves half a file.
#include "mapped.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "cli/command_line.h"
#include "npy.h"
#include "output_file.h"

namespace skipper::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("skipper-mapped-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator()(std::string const& name) const { return (path / name).string(); }
  std::size_t files() const {
    return std::size_t(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

void write(std::string const& path, NpyType type, std::vector<std::int64_t> const& shape,
           bool fortran = false) {
  NpyArray array{type, fortran, shape, {}};
  std::size_t count = type.complex ? 2 : 1;
  for (std::int64_t const n : shape) count *= std::size_t(n);
  for (std::size_t i = 0; i < count; ++i) {
    double const wide = std::sin(double(i * i % 1009));
    float const narrow = float(wide);
    auto const* const first = type.precision == Precision::f32 ? reinterpret_cast<std::byte const*>(&narrow)
                                                               : reinterpret_cast<std::byte const*>(&wide);
    array.data.insert(array.data.end(), first, first + scalar_bytes(type.precision));
  }
  write_npy(path, array);
}

std::vector<double> values(std::string const& path) {
  NpyArray array = read_npy(path);
  convert(array, {array.type.complex, Precision::f64});
  std::vector<double> result(array.data.size() / 8);
  std::memcpy(result.data(), array.data.data(), array.data.size());
  return result;
}

struct Outcome {
  int code;
  std::string error;
};
Outcome fft(std::vector<std::string> words) {
  words.insert(words.begin(), "fft");
  ::testing::internal::CaptureStderr();
  int const code = run_command_line(words);
  return {code, ::testing::internal::GetCapturedStderr()};
}

void expect_same(NpyType type, std::vector<std::int64_t> const& shape,
                 std::vector<std::string> const& options, std::string const& limit, bool fortran = false) {
  Folder const folder;
  write(folder("in.npy"), type, shape, fortran);
  std::vector<std::string> words = {folder("in.npy"), folder("whole.npy")};
  words.insert(words.end(), options.begin(), options.end());
  ASSERT_EQ(fft(words).code, done);
  words[1] = folder("sliced.npy");
  words.insert(words.end(), {"--memory-limit", limit});
  Outcome const o = fft(words);
  ASSERT_EQ(o.code, done) << o.error;
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(folder.files(), 3u);  // nothing is left beside them
  std::vector<double> const a = values(folder("whole.npy")), b = values(folder("sliced.npy"));
  ASSERT_EQ(a.size(), b.size());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(a[i] - b[i]));
    largest = std::max(largest, std::fabs(a[i]));
  }
  EXPECT_LT(worst, (type.precision == Precision::f32 ? 1e-5 : 1e-13) * largest);
}

TEST(MemoryLimit, GivesTheSameAsInMemory) {
  expect_same({true, Precision::f32}, {40, 30, 20}, {}, "20K");
  expect_same({true, Precision::f64}, {60, 64}, {"--inverse", "--norm", "ortho"}, "16K");
  expect_same({true, Precision::f64}, {60, 64}, {"--axes", "0"}, "16K", true);
  expect_same({true, Precision::f32}, {9000}, {}, "24K");  // one line, cut in two by way of a third file
  expect_same({false, Precision::f32}, {40, 50, 30}, {"--real"}, "30K");
  expect_same({true, Precision::f64}, {40, 50, 16}, {"--real", "--inverse"}, "60K");
  expect_same({true, Precision::f32}, {100, 8, 8}, {"--axes", "1,2"}, "10000");
}

/// float16 and bfloat16 have no complex type, so their files have pairs.
void expect_pairs_taken(std::string const& precision, double near) {
  Folder const folder;
  write(folder("in.npy"), {true, Precision::f32}, {64, 64});
  ASSERT_EQ(fft({folder("in.npy"), folder("half.npy"), "--precision", precision, "--norm", "ortho"}).code,
            done);
  std::vector<std::string> words = {folder("half.npy"), folder("whole.npy"), "--pairs", "--precision",
                                    precision,          "--inverse",         "--norm",  "ortho"};
  ASSERT_EQ(fft(words).code, done);
  words[1] = folder("sliced.npy");
  words.insert(words.end(), {"--memory-limit", "100K"});
  Outcome const o = fft(words);
  ASSERT_EQ(o.code, done) << o.error;
  EXPECT_EQ(read_npy(folder("sliced.npy")).shape, (std::vector<std::int64_t>{64, 64, 2}));
  std::vector<double> const a = values(folder("whole.npy")), b = values(folder("sliced.npy")),
                            x = values(folder("in.npy"));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(b[i], a[i], near);
    EXPECT_NEAR(b[i], x[i], 5 * near);
  }
}
TEST(MemoryLimit, TakesHalfPrecisionInPairs) { expect_pairs_taken("f16", 2e-3); }
TEST(MemoryLimit, TakesBFloat16InPairs) { expect_pairs_taken("bf16", 16e-3); }

TEST(MemoryLimit, RefusesInOneLine) {
  Folder const folder;
  write(folder("in.npy"), {true, Precision::f32}, {64, 64});
  write(folder("real.npy"), {false, Precision::f32}, {64, 64});
  auto const refused = [&](int code, std::vector<std::string> const& words, std::string const& mentioned) {
    Outcome const o = fft(words);
    EXPECT_EQ(o.code, code) << o.error;
    EXPECT_EQ(std::count(o.error.begin(), o.error.end(), '\n'), 1) << o.error;
    EXPECT_NE(o.error.find(mentioned), std::string::npos) << o.error;
    EXPECT_EQ(folder.files(), 2u);
  };
  std::string const in = folder("in.npy"), out = folder("out.npy");
  refused(bad_command_line, {in, out, "--memory-limit", "100"}, "even one slice needs");
  refused(bad_command_line, {in, out, "--memory-limit", "much"}, "'much'");
  refused(bad_command_line, {in, out, "--memory-limit", "0"}, "--memory-limit");
  refused(bad_command_line, {in, out, "--memory-limit", "9999999999T"}, "--memory-limit");
  refused(bad_command_line, {in, out, "--memory-limit", "1M", "--precision", "f64"}, "converted");
  refused(bad_command_line, {folder("real.npy"), out, "--memory-limit", "1M"}, "--real");
  refused(failure, {folder("none.npy"), out, "--memory-limit", "1M"}, "none.npy");
  refused(failure, {in, folder("no/out.npy"), "--memory-limit", "1M"}, "no/out.npy");
}

/// The exit code of a command in a process that may write 4096 bytes to a file, as with a full disk.
int code_without_room(std::vector<std::string> const& words) {
  pid_t const child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit const small{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &small);
    int const sink = ::open("/dev/null", O_WRONLY);
    ::dup2(sink, 2);
    ::_exit(run_command_line(words));
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// No room for the output: an error, nothing left, and what was there before stays.
TEST(FullDisk, LeavesNothing) {
  Folder const folder;
  std::string const in = folder("in.npy"), real = folder("real.npy"), out = folder("out.npy");
  write(in, {true, Precision::f32}, {64, 64});
  write(real, {false, Precision::f32}, {64, 64});
  std::vector<std::vector<std::string>> const commands = {
      {"fft", in, out, "--memory-limit", "64K"}, {"fft", in, out}, {"poisson", real, out}};
  for (auto const& words : commands) {
    EXPECT_EQ(code_without_room(words), failure) << words[0] << " " << words.size();
    EXPECT_EQ(folder.files(), 2u) << words[0];
  }
  write(out, {false, Precision::f32}, {5});
  std::vector<double> const before = values(out);
  for (auto const& words : commands) {
    EXPECT_EQ(code_without_room(words), failure);
    EXPECT_EQ(folder.files(), 3u);
    EXPECT_EQ(values(out), before);
  }
}

/// What a command shows on a terminal that is its standard error; nothing where there are no terminals.
std::string shown_by(std::vector<std::string> const& words) {
  int const ours = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (ours < 0 || ::grantpt(ours) != 0 || ::unlockpt(ours) != 0) return "";
  int const theirs = ::open(::ptsname(ours), O_RDWR | O_NOCTTY);
  pid_t const child = ::fork();
  if (child == 0) {
    ::dup2(theirs, 2);
    ::setenv("TERM", "xterm", 1);
    ::_exit(run_command_line(words));
  }
  ::close(theirs);
  std::string shown;
  char some[512];
  for (ssize_t got; (got = ::read(ours, some, sizeof some)) > 0;) shown.append(some, std::size_t(got));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == done) << shown;
  ::close(ours);
  return shown;
}

TEST(MemoryLimit, CountsSlicesOnATerminal) {
  Folder const folder;
  write(folder("in.npy"), {true, Precision::f32}, {64, 64});
  write(folder("real.npy"), {false, Precision::f32}, {64, 64});
  std::string const out = folder("out.npy");
  for (std::vector<std::string> const& words :
       {std::vector<std::string>{"fft", folder("in.npy"), out, "--memory-limit", "20K"},
        {"poisson", folder("real.npy"), out, "--memory-limit", "20K"}}) {
    std::string const shown = shown_by(words);
    if (shown.empty()) GTEST_SKIP() << "no terminals here";
    std::size_t const of = shown.find("step 1 of ");
    ASSERT_NE(of, shown.npos) << shown;
    int const steps = std::stoi(shown.substr(of + 10));
    EXPECT_GT(steps, 1) << shown;
    std::string const last = "step " + std::to_string(steps) + " of " + std::to_string(steps) + ",";
    EXPECT_NE(shown.find(last), shown.npos) << shown;
    EXPECT_TRUE(shown.ends_with(" \r")) << "the line is not taken away: " << shown;
    EXPECT_EQ(shown.find('\033'), shown.npos) << "no escape sequences: " << shown;
  }
}

/// Under the final name is all or nothing, whenever the program is interrupted, and nothing else is left.
TEST(Interrupted, LeavesAllOrNothing) {
  struct sigaction now {};
  ::sigaction(SIGINT, nullptr, &now);
  if (now.sa_handler == SIG_IGN) GTEST_SKIP() << "SIGINT is ignored, as in the background of a shell";
  std::vector<std::string> const options[] = {
      {"--memory-limit", "64K"}, {"--memory-limit", "64K", "--axes", "0"}, {}};
  int interrupted = 0;
  for (int run = 0; run < 3 || (interrupted == 0 && run < 30); ++run) {  // some may be done too soon
    Folder const folder;
    write(folder("in.npy"), {true, Precision::f32}, {128, 64, 32});
    std::vector<std::string> words = {"fft", folder("in.npy"), folder("out.npy")};
    words.insert(words.end(), options[run % 3].begin(), options[run % 3].end());
    pid_t const child = ::fork();
    if (child == 0) {
      int const sink = ::open("/dev/null", O_WRONLY);
      ::dup2(sink, 2);
      ::_exit(run_command_line(words));
    }
    int status = 0;
    pid_t ended = 0;
    while (folder.files() == 1 && (ended = ::waitpid(child, &status, WNOHANG)) == 0) ::usleep(100);
    if (ended == 0) {  // it has begun to write
      ::kill(child, SIGINT);
      ASSERT_EQ(::waitpid(child, &status, 0), child);
    }
    bool const stopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
    bool const there = fs::exists(folder("out.npy"));
    interrupted += stopped;
    EXPECT_TRUE(stopped || (WIFEXITED(status) && WEXITSTATUS(status) == done)) << status;
    EXPECT_TRUE(stopped || there);
    EXPECT_EQ(folder.files(), there ? 2u : 1u);
    EXPECT_EQ(there ? values(folder("out.npy")).size() : 0u, there ? 2u * 128 * 64 * 32 : 0u);
  }
  EXPECT_GT(interrupted, 0);
}

TEST(MappedFile, ReadsWhatWasWritten) {
  Folder const folder;
  {
    OutputFile out(folder("a"));
    MappedFile const file(out.file(), "a", 5000);
    EXPECT_EQ(file.bytes(), 5000u);
    std::memset(file.data(), 7, 5000);
    file.forget_pages();
    file.flush();
    out.finish();
  }
  MappedFile const file{InputFile(folder("a"))};
  EXPECT_EQ(file.bytes(), 5000u);
  EXPECT_EQ(file.data()[4999], std::byte(7));
  EXPECT_THROW(MappedFile{InputFile(folder("none"))}, FileError);
  EXPECT_THROW(MappedFile{InputFile(folder.path.string())}, FileError);
}

}  // namespace
}  // namespace skipper::cli
