// Every command that writes, against whatever may be at the name of its output: a device, a FIFO, a socket, links, an open
// file, a full disk, a folder that cannot be written. Nothing is destroyed, and messages name what the user gave.
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "cli/program.h"
#include "npy.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

std::string const program = SKIPPER_PROGRAM_DIR "/skipper";

Outcome skipper(
    std::vector<std::string> const& words, std::string const& input = "/dev/null",
    std::function<void()> const& prepare = [] {}) {
  return Running(program, words, input, prepare).finished();
}

/// A command line with a hole for the output, and what its output begins with.
struct Writing {
  std::vector<std::string> words;
  std::string beginning;
  bool same;  // bytes on every run

  std::vector<std::string> to(std::string const& output) const {
    std::vector<std::string> result = words;
    for (std::string& word : result)
      if (word == "OUT") word = output;
    return result;
  }
  std::string name() const { return words[0] + " " + words.back(); }
};

constexpr char const* result_text = R"({"machine": "m", "date": "d", "commit": "c", "versions": {}, "cases": [
  {"problem": "c2c f32 forward 8", "seconds": 1, "copy_seconds": 1, "peers": {}, "error_l2": 0, "error_max": 0,
   "spread": 0}]})";

/// Inputs in one folder, outputs in another.
class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    array("in.npy", {true, Precision::f32}, 64);
    array("real.npy", {false, Precision::f32}, 64);
    std::ofstream(inputs("r.json")) << result_text;
    ::chmod(inputs.path.c_str(), 0755);
  }

  void array(std::string const& name, cli::NpyType type, std::int64_t n) const {
    cli::NpyArray a{type, false, {n, n}, {}};
    for (std::int64_t i = 0; i < n * n * (type.complex ? 2 : 1); ++i) {
      float const value = float(std::sin(double(i * i % 1009)));
      auto const* const first = reinterpret_cast<std::byte const*>(&value);
      a.data.insert(a.data.end(), first, first + 4);
    }
    cli::write_npy(inputs(name), a);
  }

  std::vector<Writing> all() const {
    std::string const in = inputs("in.npy"), real = inputs("real.npy"), json = inputs("r.json");
    std::vector<Writing> all{
        {{"fft", in, "OUT"}, "\x93NUMPY", true},
        {{"fft", in, "OUT", "--memory-limit", "64K"}, "\x93NUMPY", true},
        {{"poisson", real, "OUT"}, "\x93NUMPY", true},
        {{"plot", json, "--out", "OUT"}, "<svg", true},
        {{"bench", "16", "--seconds", "0.001", "--no-peers", "--plot", "OUT"}, "<svg", false},
        {{"bench", "16", "--seconds", "0.001", "--no-peers", "--save", "OUT"}, "{", false}};
    if (!quick())  // seconds a call: FFTW plans for it
      all.push_back({{"run", "--size", "4", "--quick", "--threads", "1", "--plot", "OUT"}, "<svg", false});
    return all;
  }

  /// It ends with 3 and one line that names the output and no temporary file.
  static void expect_failed(Outcome const& o, std::string const& output, std::string const& reason,
                            std::string const& what) {
    EXPECT_EQ(o.code(), 3) << what << o.error;
    EXPECT_EQ(std::count(o.error.begin(), o.error.end(), '\n'), 1) << what << o.error;
    EXPECT_NE(o.error.find(output), o.error.npos) << what << o.error;
    EXPECT_NE(o.error.find(reason), o.error.npos) << what << o.error;
    EXPECT_EQ(o.error.find("skipper-part"), o.error.npos) << what << o.error;
  }

  void expect_good(Writing const& w, std::string const& bytes, std::string const& where) const {
    EXPECT_EQ(bytes.substr(0, w.beginning.size()), w.beginning) << w.name() << where;
    if (!w.same) return;
    Folder const plain("skipper-plain");
    ASSERT_EQ(skipper(w.to(plain("out"))).code(), 0);
    EXPECT_TRUE(bytes == contents(plain("out"))) << w.name() << where;
    EXPECT_EQ(plain.files(), 1u);
  }

  Folder const inputs{"skipper-inputs"};
  Folder const folder;
};

/// A device node of the test's own, so that a fault costs no system its /dev/null; false where none can be made.
bool make_device(std::string const& path, unsigned minor) {
  if (::mknod(path.c_str(), S_IFCHR | 0666, makedev(1, minor)) != 0) return false;
  int const file = ::open(path.c_str(), O_WRONLY);
  if (file < 0) return false;
  ::close(file);
  return true;
}

bool is(std::string const& path, mode_t sort) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && (facts.st_mode & S_IFMT) == sort;
}

TEST_F(Outputs, ADeviceStaysOne) {
  std::string const null = folder("null"), full = folder("full");
  if (!make_device(null, 3) || !make_device(full, 7)) GTEST_SKIP() << "no device nodes can be made here";
  for (Writing const& w : all()) {
    Outcome const o = skipper(w.to(null));
    EXPECT_EQ(o.code(), 0) << w.name() << o.error;
    expect_failed(skipper(w.to(full)), full, "No space left on device", w.name());
    EXPECT_TRUE(is(null, S_IFCHR) && is(full, S_IFCHR)) << w.name();
    EXPECT_EQ(folder.files(), 2u) << w.name();
  }
}

TEST_F(Outputs, AFifoIsWritten) {
  std::string const fifo = folder("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (Writing const& w : all()) {
    std::string got;
    std::thread reader([&] { got = contents(fifo); });
    Outcome const o = skipper(w.to(fifo));
    if (o.code() != 0) ::close(::open(fifo.c_str(), O_WRONLY | O_NONBLOCK));  // lets the reader go
    reader.join();
    EXPECT_EQ(o.code(), 0) << w.name() << o.error;
    expect_good(w, got, " to a FIFO");
    EXPECT_TRUE(is(fifo, S_IFIFO)) << w.name();
    EXPECT_EQ(folder.files(), 1u) << w.name();
  }
}

TEST_F(Outputs, ASocketIsWritten) {
  std::string const path = folder("socket");
  int const listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listening, 1), 0);
  Writing const w = all()[0];
  std::string got;
  std::thread reader([&] {
    int const connection = ::accept(listening, nullptr, nullptr);
    got = read_all(connection);
    ::close(connection);
  });
  Outcome const o = skipper(w.to(path));
  if (o.code() != 0) ::shutdown(listening, SHUT_RDWR);
  reader.join();
  EXPECT_EQ(o.code(), 0) << o.error;
  expect_good(w, got, " to a socket");
  EXPECT_TRUE(is(path, S_IFSOCK));
  ::close(listening);
  expect_failed(skipper(w.to(path)), path, "Connection refused", "nobody listens: ");
  EXPECT_TRUE(is(path, S_IFSOCK));
}

TEST_F(Outputs, LinksAreFollowedAndOwnerAndModeKept) {
  bool const root = ::geteuid() == 0;
  fs::create_directories(folder("there"));
  std::string const real = folder("there/real"), link = folder("link");
  fs::create_symlink("there/real", folder("near"));
  fs::create_symlink(folder("near"), link);
  for (Writing const& w : all()) {
    std::ofstream(real) << "old";
    ::chmod(real.c_str(), 0640);
    if (root) {
      ASSERT_EQ(::chown(real.c_str(), 12345, 23456), 0);
    }
    Outcome const o = skipper(w.to(link));
    EXPECT_EQ(o.code(), 0) << w.name() << o.error;
    expect_good(w, contents(real), " by a link");
    struct stat facts {};
    ASSERT_EQ(::lstat(real.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode, mode_t(S_IFREG | 0640)) << w.name();
    EXPECT_TRUE(!root || (facts.st_uid == 12345 && facts.st_gid == 23456)) << w.name();
    EXPECT_TRUE(is(link, S_IFLNK) && is(folder("near"), S_IFLNK)) << w.name();
    EXPECT_EQ(folder.files(), 3u) << w.name();
    fs::remove(real);
    EXPECT_EQ(skipper(w.to(link)).code(), 0) << w.name() << ": a link to nothing yet";
    EXPECT_TRUE(is(real, S_IFREG) && is(link, S_IFLNK)) << w.name();
    EXPECT_EQ(std::distance(fs::directory_iterator(folder("there")), fs::directory_iterator()), 1)
        << w.name();
  }
}

TEST_F(Outputs, LinksInACircleAndToNowhereAreErrors) {
  fs::create_symlink("b", folder("a"));
  fs::create_symlink("a", folder("b"));
  fs::create_symlink("none/x", folder("nowhere"));
  for (Writing const& w : all()) {
    expect_failed(skipper(w.to(folder("a"))), folder("a"), "symbolic links", w.name());
    expect_failed(skipper(w.to(folder("nowhere"))), folder("nowhere"), "folder is missing", w.name());
    expect_failed(skipper(w.to(folder.path.string())), folder.path.string(), "is a folder", w.name());
    EXPECT_EQ(folder.files(), 3u) << w.name();
  }
}

TEST_F(Outputs, LinksThatOthersPlantedAreNotFollowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make links of others";
  constexpr uid_t nobody = 65534;
  Folder const shared("skipper-shared");
  ASSERT_EQ(::chmod(shared.path.c_str(), 01777), 0);
  std::string const precious = folder("precious"), planted = shared("planted"), to_none = shared("to-none");
  std::ofstream(precious) << "precious";
  fs::create_symlink(precious, planted);
  fs::create_symlink(folder("none"), to_none);
  for (std::string const& link : {planted, to_none}) ASSERT_EQ(::lchown(link.c_str(), nobody, gid_t(-1)), 0);
  fs::create_symlink(planted, folder("first"));
  for (Writing const& w : all()) {
    for (std::string const& link : {planted, to_none, folder("first")})
      expect_failed(skipper(w.to(link)), link, "a link of another user", w.name());
    EXPECT_EQ(contents(precious), "precious") << w.name();
    EXPECT_FALSE(fs::exists(folder("none"))) << w.name();
  }
  ASSERT_EQ(::lchown(planted.c_str(), 0, gid_t(-1)), 0);
  EXPECT_EQ(skipper(all()[0].to(planted)).code(), 0) << "a link of one's own";
}

TEST_F(Outputs, StandardOutputCarriesNothingElse) {
  for (Writing const& w : all())
    for (char const* name : {"-", "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"}) {
      if (!w.same && std::strcmp(name, "-") != 0) continue;
      Outcome const o = skipper(w.to(name));
      EXPECT_EQ(o.code(), 0) << w.name() << name << o.error;
      expect_good(w, o.out, name);
      bool const whole = o.out.ends_with(w.beginning == "<svg" ? "</svg>\n"
                                         : w.beginning == "{"  ? "}\n"
                                                               : "");
      EXPECT_TRUE(whole) << w.name() << name;
    }
  EXPECT_EQ(skipper({"bench", "16", "--json", "--plot", "-"}).code(), 2) << "two things onto standard output";
  Outcome const closed = skipper(all()[0].to("-"), "/dev/null", [] { ::close(1); });
  expect_failed(closed, "standard output", "Bad file descriptor", "closed: ");
}

TEST_F(Outputs, AnOpenFileIsWrittenFromWhereItStands) {
  std::string const path = folder("log");
  Writing const w = all()[0];
  Outcome const o = skipper(w.to("/dev/fd/7"), "/dev/null", [&] {
    int const file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    static_cast<void>(::write(file, "first", 5));
    ::dup2(file, 7);
  });
  EXPECT_EQ(o.code(), 0) << o.error;
  EXPECT_EQ(contents(path).substr(0, 5), "first");
  expect_good(w, contents(path).substr(5), " to an open file");
  expect_failed(skipper(w.to("/dev/fd/77")), "/dev/fd/77", "not open", "");
}

TEST_F(Outputs, BinaryIsNotShownOnATerminal) {
  int const ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ours < 0 || ::grantpt(ours) != 0 || ::unlockpt(ours) != 0) GTEST_SKIP() << "no terminals here";
  std::string const theirs = ::ptsname(ours);
  int const kept = ::open(theirs.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  for (std::size_t i : {0, 1, 2})
    for (std::string const& output : {std::string("-"), theirs}) {
      Outcome const o = skipper(all()[i].to(output), "/dev/null", [&] { ::dup2(kept, 1); });
      EXPECT_EQ(o.code(), 2) << o.error;
      EXPECT_NE(o.error.find("is a terminal"), o.error.npos) << o.error;
    }
  ::close(kept);
  ::close(ours);
}

/// The old file stays whatever happens, and nothing is beside it.
void expect_untouched(Folder const& folder, std::string const& what) {
  EXPECT_EQ(contents(folder("out")), "old") << what;
  EXPECT_EQ(folder.files(), 1u) << what;
}

TEST_F(Outputs, AFullDiskCostsNothing) {
  std::string const out = folder("out");
  for (bool const there : {false, true}) {
    if (there) std::ofstream(out) << "old";
    for (Writing const& w : all()) {
      Outcome const o = skipper(w.to(out), "/dev/null", [] {
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit const small{100, 100};
        ::setrlimit(RLIMIT_FSIZE, &small);
      });
      expect_failed(o, out, "File too large", w.name());
      EXPECT_EQ(folder.files(), there ? 1u : 0u) << w.name();
      if (there) expect_untouched(folder, w.name());
    }
  }
}

TEST_F(Outputs, ASmallDiskThatIsFullCostsNothing) {
  fs::create_directories(folder("disk"));
  std::string const disk = folder("disk"),
                    unshare = "unshare -m sh -c 'mount -t tmpfs -o size=16k none " + disk;
  if (std::system((unshare + "' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "nothing can be mounted here";
  for (char const* limit : {"", " --memory-limit 64K"}) {
    std::string const command = unshare + " && echo old >" + disk + "/out && " + program + " fft " +
                                inputs("in.npy") + " " + disk + "/out" + limit + "; echo code $?; cat " +
                                disk + "/out; ls -A " + disk + "' >" + folder("said") + " 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::string const said = contents(folder("said"));
    EXPECT_NE(said.find(disk + "/out: "), said.npos) << said;
    EXPECT_NE(said.find("No space left on device"), said.npos) << said;
    EXPECT_TRUE(said.ends_with("code 3\nold\nout\n")) << said;
  }
}

TEST_F(Outputs, AFolderThatCannotBeWrittenKeepsItsFiles) {
  std::string const out = folder("out");
  std::ofstream(out) << "old";
  ::chmod(out.c_str(), 0666);
  ::chmod(folder.path.c_str(), 0555);
  auto const somebody = [] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(126);
  };
  bool const runs = skipper({"--version"}, "/dev/null", somebody).code() == 0;
  if (runs)
    for (Writing const& w : all()) {
      expect_failed(skipper(w.to(out), "/dev/null", somebody), out, "folder", w.name());
      expect_failed(skipper(w.to(folder("new")), "/dev/null", somebody), folder("new"), "folder", w.name());
      expect_untouched(folder, w.name());
    }
  ::chmod(folder.path.c_str(), 0777);
  ::chmod(out.c_str(), 0444);
  if (runs)
    expect_failed(skipper(all()[0].to(out), "/dev/null", somebody), out, "is protected",
                  "a protected file: ");
  expect_untouched(folder, "a protected file");
  if (!runs) GTEST_SKIP() << "the program cannot be run as another user here";
}

TEST_F(Outputs, OtherHardLinksKeepWhatTheyHad) {
  std::ofstream(folder("out")) << "old";
  fs::create_hard_link(folder("out"), folder("other"));
  Writing const w = all()[0];
  EXPECT_EQ(skipper(w.to(folder("out"))).code(), 0);
  expect_good(w, contents(folder("out")), "");
  EXPECT_EQ(contents(folder("other")), "old");
}

TEST_F(Outputs, NewFilesHaveTheModeOfNewFiles) {
  EXPECT_EQ(skipper(all()[0].to(folder("out")), "/dev/null", [] { ::umask(027); }).code(), 0);
  struct stat facts {};
  ASSERT_EQ(::lstat(folder("out").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode, mode_t(S_IFREG | 0640));
}

TEST_F(Outputs, AttributesStay) {
  std::string const out = folder("out");
  std::ofstream(out) << "old";
  if (::setxattr(out.c_str(), "user.skipper", "kept", 4, 0) != 0)
    GTEST_SKIP() << "no extended attributes can be set here";
  EXPECT_EQ(skipper(all()[0].to(out)).code(), 0);
  char value[8] = {};
  EXPECT_EQ(::getxattr(out.c_str(), "user.skipper", value, sizeof value), 4);
  EXPECT_STREQ(value, "kept");
}

TEST_F(Outputs, TheInputMayBeTheOutput) {
  std::string const x = folder("x.npy"), link = folder("l.npy"), other = folder("h.npy");
  for (std::size_t const i : {0, 1}) {
    std::string const expected = skipper(all()[i].to("-")).out;
    for (auto const& [in, out] : {std::pair(x, x), {x, link}, {link, x}, {link, link}, {other, x}}) {
      for (std::string const& path : {x, link, other}) fs::remove(path);
      fs::copy_file(inputs("in.npy"), x);
      fs::create_symlink("x.npy", link);
      fs::create_hard_link(x, other);
      std::vector<std::string> words = all()[i].to(out);
      words[1] = in;
      EXPECT_EQ(skipper(words).code(), 0);
      EXPECT_TRUE(contents(x) == expected) << in << " to " << out;
      EXPECT_TRUE(contents(other) == contents(inputs("in.npy"))) << "the other hard link keeps the input";
      EXPECT_TRUE(is(link, S_IFLNK));
      EXPECT_EQ(folder.files(), 3u);
    }
  }
}

TEST_F(Outputs, LongNamesHaveRoomForTheTemporaryOne) {
  std::string const name(255, 'n');
  EXPECT_EQ(skipper(all()[0].to(folder(name))).code(), 0);
  EXPECT_EQ(folder.files(), 1u);
  expect_failed(skipper(all()[0].to(folder(name + "n"))), "n: ", "File name too long", "");
}

TEST_F(Outputs, StandardInputIsRead) {
  std::string const in = inputs("in.npy"), real = inputs("real.npy"), json = inputs("r.json");
  Writing const direct = all()[0], solved = all()[2];
  std::ofstream(inputs("list")) << "c2c f32 1 64\n";
  for (char const* name : {"-", "/dev/stdin", "/dev/fd/0"})
    for (bool const piped : {false, true}) {
      auto const run = [&](std::vector<std::string> const& words, std::string const& from) {
        Running running(program, words, piped ? "" : from);
        if (piped) running.feed(contents(from));
        return running.finished();
      };
      EXPECT_TRUE(run({"fft", name, "-"}, in).out == skipper(direct.to("-")).out) << name << piped;
      EXPECT_TRUE(run({"fft", name, "-", "--memory-limit", "64K"}, in).out == skipper(all()[1].to("-")).out)
          << name;
      EXPECT_TRUE(run({"poisson", name, "-"}, real).out == skipper(solved.to("-")).out) << name;
      EXPECT_EQ(run({"compare", name, json}, json).code(), 0) << name;
      EXPECT_EQ(run({"crossover", name}, json).code(), 0) << name;
      EXPECT_EQ(run({"plot", name}, json).out.substr(0, 4), "<svg") << name;
      EXPECT_EQ(run({"plan", "--machine", "h200", "--list", name}, inputs("list")).code(), 0) << name;
      EXPECT_EQ(run({"compare", name, "-"}, json).code(), 2) << "it can be read once";
    }
}

TEST_F(Outputs, AnOpenInputIsReadFromWhereItStands) {
  for (int const before : {64, 7}) {
    std::string const path = inputs("later");
    std::ofstream(path) << std::string(std::size_t(before), '#') << contents(inputs("in.npy"));
    auto const seek = [&] { ::lseek(0, before, SEEK_SET); };
    EXPECT_TRUE(skipper({"fft", "-", "-"}, path, seek).out == skipper(all()[0].to("-")).out) << before;
    Outcome const mapped = skipper({"fft", "-", "-", "--memory-limit", "64K"}, path, seek);
    if (before % 8 == 0) {
      EXPECT_TRUE(mapped.out == skipper(all()[1].to("-")).out) << mapped.error;
    } else {
      expect_failed(mapped, "standard input", "odd places", "");
    }
  }
}

TEST_F(Outputs, APipeMayNotLie) {
  std::string const good = contents(inputs("in.npy"));
  auto const fed = [&](std::string const& bytes) {
    Running running(program, {"fft", "-", folder("out")});
    running.feed(bytes);
    return running.finished();
  };
  expect_failed(fed(good.substr(0, good.size() - 1)), "standard input", "truncated", "");
  expect_failed(fed(good + "x"), "standard input", "too long", "");
  expect_failed(fed(""), "standard input", "not a .npy file", "");
  std::string const vast =
      cli::npy_header_text({{true, Precision::f32}, false, {99999999999999}, {}}) + std::string(100000, 'x');
  expect_failed(fed(vast), "standard input", "truncated", "no memory is taken for what does not come: ");
  expect_failed(skipper({"fft", "/dev/zero", folder("out")}), "/dev/zero", "not a .npy file", "");
  expect_failed(skipper({"plan", "--list", "/dev/zero"}), "/dev/zero", "256 MiB", "");
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace skipper::testing
