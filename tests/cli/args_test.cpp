// Values of options: numbers of bytes in the units of GNU's tools, limits, and what is a value and what an operand.
#include "args.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace skipper::cli {
namespace {

std::int64_t bytes(std::string const& word) {
  std::optional<std::int64_t> result;
  CLI::App app;
  add_bytes(app, "--limit", result, "");
  app.parse(std::vector<std::string>{word, "--limit"});  // the last comes first
  return *result;
}

std::int64_t integer(std::string const& word) {
  std::int64_t result = -7;
  CLI::App app;
  add_integer(app, "--batch", "N", result, {0, 100}, "");
  app.parse(std::vector<std::string>{word, "--batch"});
  return result;
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

TEST(Args, IntegersAreDecimal) {
  EXPECT_EQ(integer("12"), 12);
  EXPECT_EQ(integer("010"), 10) << "not octal";
  for (char const* word : {"", "0x10", "1e1", "12 ", "+1", "-1", "101", "9223372036854775808"}) try {
      integer(word);
      ADD_FAILURE() << word;
    } catch (BadArgument const& e) {
      EXPECT_NE(std::string(e.what()).find("--batch is '" + std::string(word) + "'"), std::string::npos)
          << e.what();
      EXPECT_NE(std::string(e.what()).find("from 0 to 100"), std::string::npos) << e.what();
    }
}

TEST(Args, LeastNumbersAreWrittenShort) {
  double result = 1;
  CLI::App app;
  add_number(app, "--s", "S", result, 0, "");
  try {
    app.parse(std::vector<std::string>{"-1", "--s"});
    FAIL();
  } catch (BadArgument const& e) {
    EXPECT_TRUE(std::string(e.what()).ends_with("at least 0")) << e.what();
  }
}

TEST(Args, WordsStandWhereTheUserPutsThem) {
  std::vector<std::string> words;
  std::string text;
  CLI::App app;
  add_operands(app, "word", words, 0, "");
  add_text(app, "--text", "T", text, "");
  app.parse(std::vector<std::string>{"--text", "--", "c", "--x", "--text", "-", "a b"});
  EXPECT_EQ(words, (std::vector<std::string>{"a b", "-", "c", "--text"}));
  EXPECT_EQ(text, "--x") << "a value may begin with dashes";
}

}  // namespace
}  // namespace skipper::cli
