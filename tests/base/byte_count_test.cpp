// Sizes with suffixes: what each means, and that nothing else is taken for one.
#include "base/byte_count.h"

#include <gtest/gtest.h>

namespace skipper {
namespace {

TEST(ByteCount, ReadsSuffixesInEitherCase) {
  EXPECT_EQ(byte_count("0"), 0);
  EXPECT_EQ(byte_count("500000"), 500000);
  EXPECT_EQ(byte_count("7b"), 7);
  for (char const* const text : {"256M", "256m", "256MiB", "256mib"})
    EXPECT_EQ(byte_count(text), 1 << 28) << text;
  for (char const* const text : {"4GB", "4gb", "4Gb"}) EXPECT_EQ(byte_count(text), 4000000000) << text;
  EXPECT_EQ(byte_count("7E"), Index(7) << 60);
}

TEST(ByteCount, TakesNothingElse) {
  for (char const* const text : {"", "M", " 1", "1 M", "-1", "+1", "1.5G", "256MX", "256Mi", "256MiBs", "1bb",
                                 "1Z", "0x10", "8E", "9223372036854775808", "99999999999999999999"})
    EXPECT_EQ(byte_count(text), std::nullopt) << text;
}

}  // namespace
}  // namespace skipper
