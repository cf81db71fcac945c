// What an Error says: its argument first, and nothing that a terminal or a log would obey.
#include <skipper/error.h>

#include <gtest/gtest.h>

namespace skipper {
namespace {

TEST(Error, BeginsWithItsArgument) {
  Error const e("axes[1].size", "is 0 but must be at least 1");
  EXPECT_STREQ(e.what(), "axes[1].size: is 0 but must be at least 1");
  EXPECT_EQ(e.argument(), "axes[1].size");
}

TEST(Error, MakesControlCharactersVisible) {
  EXPECT_STREQ(Error("device", "'\x1b[31m\r\x7f' is not a device").what(),
               "device: '\\x1b[31m\\x0d\\x7f' is not a device");
  EXPECT_STREQ(Error("device", std::string("a\0b", 3)).what(), "device: a\\x00b");
}

TEST(Error, MakesWhatTurnsTextOrEndsLinesVisible) {
  EXPECT_STREQ(Error("SKIPPER_HOST",
                     "'a\xe2\x80\xae"
                     "b'")
                   .what(),
               "SKIPPER_HOST: 'a\\xe2\\x80\\xaeb'");
  for (char const* const obeyed : {"\xc2\x9b", "\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8",
                                   "\xe2\x80\xaa", "\xe2\x81\xa6", "\xe2\x81\xa9"}) {
    std::string const shown = visible(obeyed);
    EXPECT_TRUE(shown.starts_with("\\x") && shown.size() == 4 * std::string(obeyed).size()) << shown;
  }
  EXPECT_EQ(visible("\x9b \xff \xe2\x80"), "\\x9b \\xff \\xe2\\x80") << "what is no UTF-8";
  EXPECT_EQ(visible("a\nb"), "a\nb");
  EXPECT_EQ(visible("a\nb", ""), "a\\x0ab");
}

TEST(Error, LeavesLinesAndOtherLanguagesAsTheyAre) {
  EXPECT_STREQ(Error("ends", "line 1\n\tline 2").what(), "ends: line 1\n\tline 2");
  EXPECT_STREQ(Error("program text", "\xe2\x88\x92").what(), "program text: \xe2\x88\x92");
}

}  // namespace
}  // namespace skipper
