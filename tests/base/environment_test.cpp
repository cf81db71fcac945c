// What a library may read of its environment: all of it, and nothing in a program with more rights than who started it.
#include "base/environment.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace skipper {
namespace {

namespace fs = std::filesystem;

constexpr char const* variable = "SKIPPER_TEST_VARIABLE";

TEST(Environment, GivesWhatIsSet) {
  ::unsetenv(variable);
  EXPECT_EQ(environment(variable), "");
  EXPECT_FALSE(in_environment(variable));
  EXPECT_FALSE(switched_on(variable));
  for (auto const& [value, on] : {std::pair("", false), {"0", false}, {"1", true}, {"yes", true}}) {
    ::setenv(variable, value, 1);
    EXPECT_EQ(environment(variable), value);
    EXPECT_TRUE(in_environment(variable));
    EXPECT_EQ(switched_on(variable), on) << value;
  }
  ::unsetenv(variable);
}

/// What a copy of this program that belongs to root runs for somebody else.
TEST(Environment, DISABLED_IsEmptyWithMoreRights) {
  ASSERT_STREQ(::getenv(variable), "set") << "the loader may not take it away, or this shows nothing";
  EXPECT_EQ(environment(variable), "");
  EXPECT_FALSE(in_environment(variable));
}

TEST(Environment, IsEmptyInSetuidPrograms) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make such a program";
  std::string name = (fs::temp_directory_path() / "skipper-setuid-XXXXXX").string();
  fs::path const folder = ::mkdtemp(name.data()), copy = folder / "program";
  fs::copy_file("/proc/self/exe", copy);
  struct statvfs mount {};
  bool const counts = ::chmod(folder.c_str(), 0755) == 0 && ::chmod(copy.c_str(), 04755) == 0 &&
                      ::statvfs(copy.c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) == 0;
  int status = -1;
  if (counts) {
    pid_t const child = ::fork();
    if (child == 0) {
      constexpr uid_t nobody = 65534;
      ::setenv(variable, "set", 1);
      if (::setgid(nobody) == 0 && ::setuid(nobody) == 0)
        ::execl(copy.c_str(), "program", "--gtest_also_run_disabled_tests",
                "--gtest_filter=Environment.DISABLED_IsEmptyWithMoreRights", nullptr);
      ::_exit(77);
    }
    ::waitpid(child, &status, 0);
  }
  fs::remove_all(folder);
  if (!counts) GTEST_SKIP() << "programs get no other rights by where they lie here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace skipper
