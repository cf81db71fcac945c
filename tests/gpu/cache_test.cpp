// The cache on disk: what was kept comes back whole or not at all, what was used least recently goes, and many may share
// it. Then what the engine makes of it: nothing is compiled twice, and damage heals.
#include "gpu/cache.h"

#include <skipper/plan.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

namespace fs = std::filesystem;
using gpu::fetch;
using gpu::save;

class Cache : public FakeDriver {
 protected:
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (fs::exists(folder_))
      for (auto const& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }
};

TEST_F(Cache, GivesBackWhatWasKept) {
  EXPECT_EQ(fetch("a"), std::nullopt);
  std::string const bytes("\0\1\n\377 all sorts", 14);
  save("a", bytes);
  save("b", "");
  EXPECT_EQ(fetch("a"), bytes);
  EXPECT_EQ(fetch("b"), "");
  save("a", "new");
  EXPECT_EQ(fetch("a"), "new");
  EXPECT_EQ(files().size(), 2u) << "nothing unfinished is left";
}

TEST_F(Cache, DiscardsDamagedFiles) {
  save("key", std::string(1000, 'x'));
  ASSERT_EQ(files().size(), 1u);
  fs::path const path = files()[0];
  auto const damaged = [&](auto damage) {
    save("key", std::string(1000, 'x'));
    damage();
    return fetch("key") == std::nullopt && files().empty();
  };
  EXPECT_TRUE(damaged([&] { fs::resize_file(path, 500); }));
  EXPECT_TRUE(damaged([&] { fs::resize_file(path, 3); }));
  EXPECT_TRUE(damaged([&] { fs::resize_file(path, 0); }));
  EXPECT_TRUE(damaged([&] { std::fstream(path, std::ios::in | std::ios::out).seekp(700).put('y'); }));
  EXPECT_TRUE(damaged([&] { std::fstream(path, std::ios::in | std::ios::out).seekp(20).put('y'); }));
  EXPECT_TRUE(damaged([&] { std::ofstream(path, std::ios::app) << "more"; }));
}

TEST_F(Cache, LetsGoWhatWasUsedLeastRecently) {
  ::setenv("SKIPPER_CACHE_BYTES", "5000", 1);
  auto const age = [&](std::string const& key, int hours) {
    save(key, std::string(1500, key[0]));
    for (fs::path const& f : files()) {
      std::ifstream file(f);
      std::string const all{std::istreambuf_iterator<char>(file), {}};
      if (all.ends_with(key[0]))
        fs::last_write_time(f, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }
  };
  std::ofstream(folder_.string() + "-other");  // beside the folder: never touched
  age("a", 3);
  age("b", 2);
  age("c", 1);
  std::ofstream(folder_ / "notes.txt") << std::string(9000, 'n');  // not ours
  EXPECT_TRUE(fetch("a")) << "used now";
  save("d", std::string(1500, 'd'));
  EXPECT_TRUE(fetch("a"));
  EXPECT_FALSE(fetch("b"));
  EXPECT_TRUE(fetch("c"));
  EXPECT_TRUE(fetch("d"));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
  fs::remove(folder_.string() + "-other");
}

TEST_F(Cache, IsNothingWhereItCannotBe) {
  ::setenv("SKIPPER_CACHE", "", 1);
  save("a", "x");
  EXPECT_EQ(fetch("a"), std::nullopt);
  std::ofstream(folder_) << "a file where the folder should be";
  ::setenv("SKIPPER_CACHE", folder_.c_str(), 1);
  save("a", "x");
  EXPECT_EQ(fetch("a"), std::nullopt);
}

// ---- Whom it believes.

mode_t mode_of(fs::path const& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

TEST_F(Cache, IsItsUsersAlone) {
  ::setenv("SKIPPER_CACHE", (folder_ / "new/cache").c_str(), 1);
  mode_t const before = ::umask(0);
  save("a", "x");
  ::umask(before);
  EXPECT_EQ(mode_of(folder_ / "new"), 0700u);
  EXPECT_EQ(mode_of(folder_ / "new/cache"), 0700u);
  ASSERT_EQ(std::distance(fs::directory_iterator(folder_ / "new/cache"), fs::directory_iterator()), 1);
  EXPECT_EQ(mode_of(fs::directory_iterator(folder_ / "new/cache")->path()), 0600u);
}

TEST_F(Cache, IsNothingWhereOthersMayWrite) {
  save("a", "x");
  EXPECT_TRUE(gpu::cache_faults().empty());
  for (mode_t const mode : {0777, 0770, 01777}) {
    ::chmod(folder_.c_str(), mode);
    EXPECT_EQ(fetch("a"), std::nullopt) << mode;
    save("b", "y");
    EXPECT_EQ(files().size(), 1u) << "nothing is written there, and nothing removed";
    ASSERT_EQ(gpu::cache_faults().size(), 1u);
    EXPECT_NE(gpu::cache_faults()[0].find("others may write it"), std::string::npos)
        << gpu::cache_faults()[0];
  }
  ::chmod(folder_.c_str(), 0755);
  EXPECT_EQ(fetch("a"), "x");
}

TEST_F(Cache, LoadsNoFileThatOthersMayWrite) {
  save("a", "x");
  fs::path const file = files()[0];
  ::chmod(file.c_str(), 0620);
  EXPECT_EQ(fetch("a"), std::nullopt);
  EXPECT_TRUE(files().empty()) << "it is made anew";
  save("a", "x");
  fs::path const moved = folder_.string() + "-moved";
  fs::rename(file, moved);
  fs::create_symlink(moved, file);
  EXPECT_EQ(fetch("a"), std::nullopt) << "a link, even to what is good";
  save("a", "y");
  EXPECT_EQ(fetch("a"), "y");
  EXPECT_FALSE(fs::is_symlink(file)) << "it is replaced, and its end is not written";
  EXPECT_GT(fs::file_size(moved), 0u);
  fs::remove(moved);
}

TEST_F(Cache, LoadsNothingOfAnotherOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  constexpr uid_t nobody = 65534;
  save("a", "x");
  ASSERT_EQ(::chown(files()[0].c_str(), nobody, gid_t(-1)), 0);
  EXPECT_EQ(fetch("a"), std::nullopt);
  save("a", "x");
  EXPECT_EQ(fetch("a"), "x");
  ASSERT_EQ(::chown(folder_.c_str(), nobody, gid_t(-1)), 0);
  EXPECT_EQ(fetch("a"), std::nullopt);
  save("b", "y");
  EXPECT_EQ(files().size(), 1u);
  ASSERT_EQ(gpu::cache_faults().size(), 1u);
  EXPECT_NE(gpu::cache_faults()[0].find("belongs to another user"), std::string::npos);
}

TEST_F(Cache, RemovesOnlyItsOwnFiles) {
  ::setenv("SKIPPER_CACHE_BYTES", "100", 1);
  std::string const digits(32, 'a'), tail(16, 'b');
  std::vector<std::string> const others = {"notes.skipper",         "my.skipper.txt",
                                           digits + ".skipper.bak", "A" + digits.substr(1) + ".skipper",
                                           digits + "a.skipper",    digits + ".skipper.part-notes",
                                           "x.skipper.part-" + tail};
  fs::path const left = folder_ / (digits + ".skipper.part-" + tail),
                 written = folder_ / (digits + ".skipper.part-" + std::string(16, 'c'));
  save("a", "x");
  auto const put = [](fs::path const& path, int hours) {
    std::ofstream(path) << std::string(1000, 'n');
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (std::string const& name : others) put(folder_ / name, 100);
  put(left, 2);
  put(written, 0);
  save("b", "y");
  EXPECT_EQ(fetch("b"), "y") << "what is not its own does not count";
  for (std::string const& name : others) EXPECT_TRUE(fs::exists(folder_ / name)) << name;
  EXPECT_FALSE(fs::exists(left)) << "of a process that was killed";
  EXPECT_TRUE(fs::exists(written)) << "of one that writes it now";
}

TEST_F(Cache, ReadsItsSizeWithASuffix) {
  auto const bytes = [](char const* text) {
    ::setenv("SKIPPER_CACHE_BYTES", text, 1);
    return gpu::cache_bytes();
  };
  EXPECT_EQ(bytes("1G"), std::int64_t(1) << 30);
  EXPECT_EQ(bytes("3kB"), 3000);
  EXPECT_TRUE(gpu::cache_faults().empty());
  for (char const* const text : {"256X", "-1", "lots", "99999999999E"}) {
    EXPECT_EQ(bytes(text), std::int64_t(256) << 20) << text;
    ASSERT_EQ(gpu::cache_faults().size(), 1u) << text;
    EXPECT_NE(gpu::cache_faults()[0].find(text), std::string::npos);
  }
}

TEST_F(Cache, IsSharedByProcessesAndThreads) {
  constexpr int keys = 8;
  constexpr std::uintmax_t most = 30000;  // six of them: each process also removes what others write and read
  ::setenv("SKIPPER_CACHE_BYTES", std::to_string(most).c_str(), 1);
  auto const contents = [](int k) { return std::string(std::size_t(5000 + k), char('a' + k)); };
  auto const work = [&] {
    bool good = true;
    for (int i = 0; i < 100; ++i) {
      int const k = i % keys;
      if (i % 3 == 0) save(std::to_string(k), contents(k));
      auto const kept = fetch(std::to_string(k));
      good = good && (!kept || *kept == contents(k));
    }
    return good;
  };
  std::vector<pid_t> children;
  for (int p = 0; p < 3; ++p) {
    pid_t const child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    children.push_back(child);
  }
  bool here = false;
  std::thread thread([&] { here = work(); });
  EXPECT_TRUE(work());
  thread.join();
  EXPECT_TRUE(here);
  for (pid_t const child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  save("last", "x");
  EXPECT_EQ(fetch("last"), "x");
  std::uintmax_t all = 0;
  for (fs::path const& f : files()) all += fs::file_size(f);
  EXPECT_LE(all, most);
  EXPECT_LE(files().size(), 7u) << "nothing unfinished is left";
}

TEST_F(Cache, PacksAndUnpacks) {
  std::string packed;
  for (std::string const& part : {std::string("one"), std::string(), std::string("\0two", 4)})
    gpu::pack(packed, part);
  std::string_view rest = packed;
  EXPECT_EQ(gpu::unpack(rest), "one");
  EXPECT_EQ(gpu::unpack(rest), "");
  EXPECT_EQ(gpu::unpack(rest), std::string("\0two", 4));
  EXPECT_EQ(gpu::unpack(rest), std::nullopt);
  rest = std::string_view(packed).substr(0, 10);
  EXPECT_EQ(gpu::unpack(rest), std::nullopt);
}

// ---- The engine's use of it. A context of its own, so that nothing is loaded there yet.

class Kept : public Cache {
 protected:
  Kept() : own_(fake_driver::make_context(0)) { settings_.device = Device("cuda:0"); }
  ~Kept() override { fake_driver::end_context(own_); }

  /// As another process would see it.
  void start_anew() {
    fake_driver::end_context(own_);
    own_ = fake_driver::make_context(0);
    fake_driver::reset();
  }
  bool right() {
    Plan const plan(c2c({100, 20}), settings_);
    auto const in = noise<float>(2000);
    std::vector<std::complex<float>> expected(2000);
    PlanSettings cpu;
    cpu.device = Device("cpu");
    Plan(plan.problem(), cpu).execute(in.data(), expected.data());
    DeviceArray<std::complex<float>> from(in), to(2000);
    plan.execute(from.data(), to.data());
    return distance(expected, to.values()) < 1e-6;
  }

  PlanSettings settings_;
  void* own_;
};

TEST_F(Kept, NothingIsCompiledTwice) {
  EXPECT_TRUE(right());
  EXPECT_GT(fake_driver::calls(compile_call()), 0);
  start_anew();
  EXPECT_TRUE(right());
  EXPECT_EQ(fake_driver::calls(compile_call()), 0);
  EXPECT_GT(fake_driver::calls("cuModuleLoadData"), 0);
  fake_driver::reset();
  EXPECT_TRUE(right());
  EXPECT_EQ(fake_driver::calls("cuModuleLoadData"), 0) << "loaded once in a context";
}

TEST_F(Kept, DamageHeals) {
  EXPECT_TRUE(right());
  for (fs::path const& f : files()) fs::resize_file(f, fs::file_size(f) - 1);
  start_anew();
  EXPECT_TRUE(right());
  EXPECT_GT(fake_driver::calls(compile_call()), 0);
  start_anew();
  EXPECT_TRUE(right());
  EXPECT_EQ(fake_driver::calls(compile_call()), 0);
}

TEST_F(Kept, WorksWithoutACache) {
  ::setenv("SKIPPER_CACHE", "", 1);
  EXPECT_TRUE(right());
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace skipper::testing
