// Options of the command line: numbers of bytes in the units of GNU's tools.
#include "args.h"

#include <gtest/gtest.h>

namespace skipper::cli {
namespace {

std::int64_t bytes(std::string const& word) {
  return Args("x", {"--limit", word}, {{"--limit", "BYTES", ""}}).bytes_or("--limit", 0);
}

TEST(Args, BytesHaveTheUnitsOfGnu) {
  EXPECT_EQ(bytes("500000"), 500000);
  EXPECT_EQ(bytes("7b"), 7);
  for (char const* word : {"4g", "4G", "4GiB", "4gib", "4Gib"})
    EXPECT_EQ(bytes(word), std::int64_t(4) << 30) << word;
  for (char const* word : {"4GB", "4gb", "4Gb"}) EXPECT_EQ(bytes(word), 4000000000) << word;
  std::int64_t binary = 1, decimal = 1;
  for (std::string const letter : {"k", "m", "g", "t", "p", "e"}) {
    binary *= 1024, decimal *= 1000;
    EXPECT_EQ(bytes("1" + letter), binary);
    EXPECT_EQ(bytes("3" + letter + "iB"), 3 * binary);
    EXPECT_EQ(bytes("1" + letter + "B"), decimal);
  }
}

TEST(Args, WhatIsNoNumberOfBytesIsRefused) {
  for (char const* word : {"", "G", "0", "-4G", "4X", "4 G", "4GiBs", "4Gi", "1.5G", "8E",
                           "9223372036854775808", "9999999999T", "0x10", "4\033G"})
    try {
      bytes(word);
      ADD_FAILURE() << word;
    } catch (BadArgument const& e) {
      EXPECT_NE(std::string(e.what()).find("4GB"), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\033'), std::string::npos);
    }
}

TEST(Args, LeastNumbersAreWrittenShort) {
  try {
    Args("x", {"--s", "-1"}, {{"--s", "S", ""}}).number_or("--s", 1, 0);
    FAIL();
  } catch (BadArgument const& e) {
    EXPECT_NE(std::string(e.what()).find("at least 0;"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skipper::cli
