// JSON as the programs print and read it: what is not JSON is refused with its line, what is printed is safe to show, and a
// stream of it is the same text as the whole.
#include "json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>

namespace skipper::cli {
namespace {

TEST(Json, KeepsTheOrderOfKeys) {
  Json const value{{"b", 1}, {"a", -0.1}, {"c", "x\"y\\z\n\x01 \xc3\xa9"}, {"d", {true, false, nullptr}}};
  EXPECT_EQ(parse_json(json_text(value)), value) << json_text(value);
  EXPECT_LT(json_text(value).find("\"b\""), json_text(value).find("\"a\""));
}

TEST(Json, RefusesWhatIsNotJson) {
  for (char const* text : {"", "{", "[1,", "[1 2]", "{a: 1}", "tru", "1 2", "nan", "[1,]"})
    EXPECT_THROW(parse_json(text), JsonError) << text;
  EXPECT_THROW(parse_json(std::string(100000, '[')), JsonError);
  try {
    parse_json("{\n\"a\": oops}");
    FAIL();
  } catch (JsonError const& e) {
    EXPECT_NE(std::string(e.what()).find("line 2"), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find("exception"), std::string::npos) << e.what();
  }
}

TEST(Json, IsUtf8AndSafeToShow) {
  EXPECT_EQ(json_text("\033[1m\177\302\233"), "\"\\u001b[1m\\u007f\\u009b\"");
  EXPECT_EQ(json_text("\377x"), "\"\\ufffdx\"");
  EXPECT_EQ(json_text(NAN), "null");
}

std::string streamed(std::function<void(FILE*)> const& write) {
  char* text = nullptr;
  std::size_t bytes = 0;
  FILE* const to = ::open_memstream(&text, &bytes);
  write(to);
  std::fclose(to);
  std::string const result(text, bytes);
  std::free(text);
  return result;
}

TEST(JsonStream, IsTheTextOfTheWhole) {
  Json const one{{"problem", "8"}, {"list", {1, 2}}}, two{{"problem", "9"}};
  for (std::vector<Json> const& items : {std::vector<Json>{}, {one}, {one, two}}) {
    EXPECT_EQ(streamed([&](FILE* to) {
                JsonStream stream(to);
                for (Json const& item : items) stream.add(item);
                stream.finish();
              }),
              json_text(Json(items)) + "\n");
    Json const whole{
        {"date", "today"}, {"cases", items}, {"between", 1}, {"more", items}, {"skipped", Json::array()}};
    EXPECT_EQ(streamed([&](FILE* to) {
                JsonStream stream(to, {{"date", "today"}}, "cases");
                for (Json const& item : items) stream.add(item);
                stream.next({{"between", 1}}, "more");
                for (Json const& item : items) stream.add(item);
                stream.finish({{"skipped", Json::array()}});
              }),
              json_text(whole) + "\n");
  }
}

}  // namespace
}  // namespace skipper::cli
