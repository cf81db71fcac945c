// JSON prints and reads back; what is not JSON is refused, never crashed on.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "json.h"

namespace skipper::cli {
namespace {

TEST(Json, RoundTrip) {
  Json const value = Json::Object{{"a", 1},
                                  {"b", -0.1},
                                  {"c", "x\"y\\z\n\x01 \xc3\xa9"},
                                  {"d", Json::Array{true, false, nullptr}},
                                  {"e", Json::Object{}},
                                  {"f", Json::Array{}},
                                  {"g", 1e300},
                                  {"h", std::int64_t(1) << 40}};
  EXPECT_EQ(parse_json(value.text()), value) << value.text();
  EXPECT_EQ(parse_json(value.text()).text(), value.text());
}

TEST(Json, ReadsWhatOthersWrite) {
  EXPECT_EQ(parse_json(" [1, 2.5e3 ,-7]\n").array()[1].number(), 2500);
  EXPECT_EQ(parse_json(R"("\u00e9\ud83d\ude00\/\t")").string(), "\xc3\xa9\xf0\x9f\x98\x80/\t");
  EXPECT_EQ(parse_json(R"({"k": {"l": [null]}})").at("k").at("l").array().size(), 1u);
}

TEST(Json, RefusesWhatIsNotJson) {
  for (char const* text : {"", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "tru", "\"x", "\"\\q\"",
                           "\"\\u12\"", "\"\\ud800x\"", "1 2", "nan", "+1", "\"\n\"", "[1,]", "{\"a\":1,}"})
    EXPECT_THROW(parse_json(text), JsonError) << text;
  EXPECT_THROW(parse_json(std::string(100000, '[')), JsonError);
}

TEST(Json, IsUtf8AndSafeToShow) {
  EXPECT_EQ(Json("\033[1m\177\302\233\303\251").text(), "\"\\u001b[1m\\u007f\\u009b\303\251\"");
  EXPECT_EQ(Json("\377x\303").text(), "\"\357\277\275x\357\277\275\"");
}

TEST(Json, NumbersThatAreNoneBecomeNull) { EXPECT_EQ(Json(NAN).text(), "null"); }

TEST(Json, SaysWhatIsMissing) {
  Json const value = Json::Object{{"a", 1}};
  EXPECT_THROW(value.at("b"), JsonError);
  EXPECT_THROW(value.at("a").string(), JsonError);
  EXPECT_EQ(value.find("b"), nullptr);
}

TEST(Json, MutatedTextNeverCrashes) {
  std::string const good =
      R"({"machine": "m", "cases": [{"problem": "c2c", "seconds": 1e-5, "peers": {"fftw": 2}, "x": [true, null]}]})";
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits)
      text[random() % text.size()] = char(random() % 256);
    if (random() % 4 == 0) text.resize(random() % text.size());
    try {
      Json const value = parse_json(text);
      EXPECT_EQ(parse_json(value.text()).text(), value.text());  // what is no UTF-8 is replaced once
    } catch (JsonError const&) {
    }
  }
}

}  // namespace
}  // namespace skipper::cli
