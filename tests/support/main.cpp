// The main() of every test program. A program holds the tests of a folder, and ctest runs them file by file:
//   test_plan plan/planner       the tests of tests/plan/planner_test.cpp
//   test_plan                    all of them
// It exits with 77, which ctest reports as skipped, where every test that it was asked for was skipped, or its shard
// (GTEST_TOTAL_SHARDS) has none.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace skipper::testing {
namespace {

constexpr int skipped = 77, misused = 2;

template <class Work>
void each_test(Work const& work) {
  ::testing::UnitTest const& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    ::testing::TestSuite const& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) work(*suite.GetTestInfo(t));
  }
}

std::string name_of(::testing::TestInfo const& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

/// Of a file's tests, as a filter of GoogleTest's; empty where it has none. The name is a path below tests/, without _test.cpp.
std::string filter_for(std::string const& file) {
  std::string const end = "/" + file + "_test.cpp";
  std::string filter;
  each_test([&](::testing::TestInfo const& test) {
    if (std::string_view(test.file()).ends_with(end)) filter += name_of(test) + ":";
  });
  return filter;
}

/// Two tests of one name could not be told apart by a filter.
bool names_are_unique() {
  std::map<std::string, std::string> files;
  bool unique = true;
  each_test([&](::testing::TestInfo const& test) {
    auto const [at, added] = files.emplace(name_of(test), test.file());
    if (added) return;
    unique = false;
    std::fprintf(stderr, "%s is in %s and in %s\n", at->first.c_str(), at->second.c_str(), test.file());
  });
  return unique;
}

bool all_were_skipped() {
  ::testing::UnitTest const& all = *::testing::UnitTest::GetInstance();
  return all.skipped_test_count() == all.test_to_run_count();
}

/// Why, since GTEST_BRIEF keeps quiet about it.
void say_what_was_skipped() {
  each_test([](::testing::TestInfo const& test) {
    ::testing::TestResult const& result = *test.result();
    for (int i = 0; result.Skipped() && i < result.total_part_count(); ++i)
      if (result.GetTestPartResult(i).skipped())
        std::printf("skipped: %s: %s\n", name_of(test).c_str(), result.GetTestPartResult(i).message());
  });
}

int run(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (!names_are_unique()) return misused;
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    std::string const tests = filter_for(argv[i]);
    if (tests.empty()) {
      std::fprintf(stderr, "there are no tests of tests/%s_test.cpp in this program\n", argv[i]);
      return misused;
    }
    filter += tests;
  }
  if (!filter.empty()) ::testing::GTEST_FLAG(filter) = filter;
  int const result = RUN_ALL_TESTS();
  say_what_was_skipped();
  return result == 0 && all_were_skipped() ? skipped : result;
}

}  // namespace
}  // namespace skipper::testing

int main(int argc, char** argv) { return skipper::testing::run(argc, argv); }
