// What happens to the files that Skipper keeps: they are damaged, cut short, swapped, read-only, written by two processes at
// once or by one that is killed. Results are right, or an Error says why there are none.
#include <skipper/error.h>
#include <skipper/plan.h>
#include <skipper/tuning.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "gpu/cache.h"
#include "gpu/fake_driver/fixture.h"
#include "plan/tuning.h"

namespace skipper::testing {
namespace {

namespace fs = std::filesystem;

class Damage : public FakeDriver {
 protected:
  Damage() : own_(fake_driver::make_context(0)) {
    settings_.device = Device("cuda:0");
    ::setenv("SKIPPER_CACHE", "", 1);
    expected_ = result();
    ::setenv("SKIPPER_CACHE", folder_.c_str(), 1);
    start_anew();
  }
  ~Damage() override { fake_driver::end_context(own_); }

  /// As another process would see it: nothing is loaded yet.
  void start_anew() {
    fake_driver::end_context(own_);
    own_ = fake_driver::make_context(0);
    fake_driver::reset();
  }
  std::vector<std::complex<float>> result() {
    Plan const plan(c2c({96, 20}), settings_);
    DeviceArray<std::complex<float>> from(noise<float>(1920)), to(1920);
    plan.execute(from.data(), to.data());
    return to.values();
  }
  bool right() { return result() == expected_; }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (fs::exists(folder_))
      for (auto const& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

  PlanSettings settings_;
  void* own_;
  std::vector<std::complex<float>> expected_;
};

std::string contents_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(fs::path const& path, std::string const& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

/// One kind of harm at a random place.
std::string damaged(std::string bytes, std::mt19937& random) {
  std::size_t const at = bytes.empty() ? 0 : random() % bytes.size();
  switch (random() % 6) {
    case 0:
      return bytes.substr(0, at);
    case 1:
      return bytes + bytes.substr(at);
    case 2:
      return "";
    case 3:
      bytes.insert(at, 1, char(random()));
      return bytes;
    case 4:
      return std::string(bytes.size(), '\0');
    default:
      if (!bytes.empty()) bytes[at] = char(bytes[at] ^ (1 << random() % 8));
      return bytes;
  }
}

/// A child that counts as another process altogether: no handlers of fork() tell it that CUDA is lost, which the fake driver is
/// not.
pid_t another_process() { return pid_t(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }

/// The status of a child that does the work; as somebody without rights where this is root, whom no mode stops.
int in_a_child(std::function<bool()> const& work, bool without_rights = false) {
  pid_t const child = another_process();
  if (child == 0) {
    if (without_rights && ::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
    bool good = false;
    try {
      good = work();
    } catch (std::exception const& e) {
      std::fprintf(stderr, "child: %s\n", e.what());
    }
    ::_exit(good ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(Damage, OfKeptFilesHeals) {
  std::mt19937 random(3);
  ASSERT_TRUE(right());
  ASSERT_GE(files().size(), 2u);
  for (int round = 0; round < 60; ++round) {
    for (fs::path const& f : files())
      if (random() % 2) write(f, damaged(contents_of(f), random));
    start_anew();
    ASSERT_TRUE(right()) << "round " << round;
  }
  start_anew();
  ASSERT_TRUE(right());
  EXPECT_EQ(fake_driver::calls(compile_call()), 0) << "made anew and kept";
}

TEST_F(Damage, FilesUnderEachOthersNamesAreNoticed) {
  ASSERT_TRUE(right());
  auto const all = files();
  std::string const first = contents_of(all.front());
  write(all.front(), contents_of(all.back()));
  write(all.back(), first);
  start_anew();
  EXPECT_TRUE(right());
}

/// In place of a file there is a folder, a pipe that nobody writes to, or a link to nowhere.
TEST_F(Damage, WhatIsNoFileIsNotRead) {
  for (int kind = 0; kind < 3; ++kind) {
    ASSERT_TRUE(right());
    for (fs::path const& f : files()) {
      fs::remove_all(f);
      if (kind == 0) fs::create_directory(f);
      if (kind == 1) {
        ASSERT_EQ(::mkfifo(f.c_str(), 0600), 0);
      }
      if (kind == 2) fs::create_symlink("/no/such/file", f);
    }
    start_anew();
    EXPECT_TRUE(right()) << kind;
    fs::remove_all(folder_);
    start_anew();
  }
}

TEST_F(Damage, AReadOnlyFolderIsReadAndNotWritten) {
  ASSERT_TRUE(right());
  auto const all = files();
  for (fs::path const& f : all) fs::permissions(f, fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder_, fs::perms(0555));
  start_anew();
  EXPECT_EQ(in_a_child([&] { return right() && fake_driver::calls(compile_call()) == 0; }, true), 0);
  fs::permissions(folder_, fs::perms(0755));
  write(all.front(), "damaged");
  write(all.back(), "damaged");
  fs::permissions(folder_, fs::perms(0555));
  EXPECT_EQ(in_a_child([&] { return right(); }, true), 0) << "what is damaged there is made anew each time";
  fs::permissions(folder_, fs::perms(0000));
  EXPECT_EQ(in_a_child([&] { return right(); }, true), 0) << "nor is it there for us";
  fs::permissions(folder_, fs::perms(0755));
}

TEST_F(Damage, TwoProcessesMayBeginAtOnce) {
  std::vector<pid_t> children;
  for (int p = 0; p < 4; ++p) {
    pid_t const child = another_process();
    if (child == 0) ::_exit(right() ? 0 : 1);
    children.push_back(child);
  }
  for (pid_t const child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(right());
  EXPECT_EQ(fake_driver::calls(compile_call()), 0);
}

// ---- Killed in the middle of writing.

/// Lets a child write until it is killed, at another moment each time.
void kill_while(std::function<void(int)> const& writes, unsigned microseconds) {
  pid_t const child = another_process();
  if (child == 0)
    for (int i = 0;; ++i) writes(i);
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(Damage, AProcessKilledWhileItWritesLeavesWholeFilesOrNone) {
  std::mt19937 random(7);
  auto const contents = [](int k) { return std::string(std::size_t(200000 + k), char('a' + k)); };
  for (int round = 0; round < 40; ++round) {
    kill_while([&](int i) { gpu::save(std::to_string(i % 5), contents(i % 5)); }, 500 + random() % 8000);
    for (int k = 0; k < 5; ++k)
      if (auto const kept = gpu::fetch(std::to_string(k))) {
        EXPECT_EQ(*kept, contents(k));
      }
  }
  gpu::save("0", contents(0));
  EXPECT_EQ(gpu::fetch("0"), contents(0));
}

// ---- The tuning file.

std::string const program_of_64 = "c2c f32 forward 64 batch 4\n{X(1,64,1,64,no-tw)} on block in -> out\n";

class DamagedTuning : public Damage {
 protected:
  DamagedTuning() : path_((folder_ / "tuning.txt").string()) {
    fs::create_directories(folder_);
    settings_.gpu.tuning = path_;
    keep_tuned(path_, settings_.device, {program_of_64});
    whole_ = contents_of(path_);
  }
  /// Whether a plan comes of it, or an Error about the file.
  bool planned_or_refused() {
    try {
      Plan const plan(parse_problem("c2c f32 forward 64 batch 4"), settings_);
      return true;
    } catch (Error const& e) {
      return std::string(e.what()).find(path_) != std::string::npos;
    }
  }
  std::string path_, whole_;
};

TEST_F(DamagedTuning, IsRefusedByItsName) {
  std::mt19937 random(11);
  EXPECT_TRUE(planned_or_refused());
  for (int round = 0; round < 200; ++round) {
    write(path_, damaged(whole_, random));
    EXPECT_TRUE(planned_or_refused()) << contents_of(path_);
    try {
      keep_tuned(path_, settings_.device, {program_of_64});
    } catch (Error const& e) {
      EXPECT_NE(std::string(e.what()).find(path_), std::string::npos) << e.what();
    }
    fs::remove(path_);
  }
  fs::create_directory(path_);
  EXPECT_THROW(Plan(parse_problem("c2c f32 forward 64 batch 4"), settings_), Error);
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THROW(Plan(parse_problem("c2c f32 forward 64 batch 4"), settings_), Error) << "and does not wait";
}

TEST_F(DamagedTuning, ThatIsNotNamedIsLeftAside) {
  std::mt19937 random(13);
  settings_.gpu.tuning.clear();
  fs::path const usual = tuning_file(settings_.device);
  for (int round = 0; round < 40; ++round) {
    write(usual, damaged(whole_, random));
    start_anew();
    EXPECT_NO_THROW(Plan(parse_problem("c2c f32 forward 64 batch 4"), settings_)) << contents_of(usual);
  }
}

TEST_F(DamagedTuning, WhereItCannotBeWrittenAnErrorSaysSo) {
  fs::permissions(folder_, fs::perms(0555));
  fs::permissions(path_, fs::perms(0444));
  auto const refused = [&] {
    try {
      keep_tuned(path_, settings_.device, {program_of_64});
      return false;
    } catch (Error const& e) {
      return std::string(e.what()).find("cannot be written") != std::string::npos;
    }
  };
  EXPECT_EQ(in_a_child(refused, true), 0);
  EXPECT_EQ(in_a_child([&] { return planned_or_refused(); }, true), 0);
  fs::permissions(folder_, fs::perms(0755));
  EXPECT_EQ(contents_of(path_), whole_);
}

TEST_F(DamagedTuning, IsAlwaysWholeWhoeverIsKilledWhileWritingIt) {
  std::mt19937 random(17);
  auto const writes = [&](int i) {
    keep_tuned(path_, settings_.device,
               {"c2c f32 forward 64 batch " + std::to_string(1 + i % 20) +
                "\n{X(1,64,1,64,no-tw)} on block in -> out\n"});
  };
  for (int round = 0; round < 20; ++round) {
    pid_t const other = another_process();
    if (other == 0) {
      for (int i = 0; i < 10; ++i) writes(i + round);
      ::_exit(0);
    }
    kill_while(writes, 500 + random() % 6000);
    int status = -1;
    ::waitpid(other, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_NO_THROW(parse_tuning(contents_of(path_)));
  }
}

}  // namespace
}  // namespace skipper::testing
