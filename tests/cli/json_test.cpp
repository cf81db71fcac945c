// JSON as the programs print and read it: what is not JSON, or not a result, is refused with a reason, what is printed is safe to
// show, and a stream of it is the same text as the whole.
#include "json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

#include "report.h"

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

TEST(JsonStream, WhatIsLeftOpenIsClosed) {
  EXPECT_EQ(
      streamed([](FILE* to) {
        JsonStream stream(to, {{"date", "today"}}, "cases");
        stream.add(1);
        stream.next({{"between", 1}}, "more");
      }),
      json_text({{"date", "today"}, {"cases", Json::array({1})}, {"between", 1}, {"more", Json::array()}}) +
          "\n");
  EXPECT_EQ(streamed([](FILE* to) { JsonStream(to).add(1); }), "[\n  1\n]\n");
  EXPECT_EQ(streamed([](FILE* to) { JsonStream const none(to); }), "") << "nothing was begun";
}

TEST(Report, MutatedResultsAreReadOrRefused) {
  std::string const good =
      R"({"machine": "m", "date": "d", "commit": "c", "versions": {"fftw": "3"}, "threads": 2, "cases": [{"problem":
      "c2c f32 forward 8", "seconds": 1e-5, "copy_seconds": null, "peers": {"fftw": 2}, "error_l2": 0, "error_max": 0,
      "spread": 0.1, "peers_held_back": true}]})";
  EXPECT_EQ(report_from_json(parse_json(good)).cases.size(), 1u);
  std::mt19937 random(1);
  std::string const bytes = "{}[],:\"0123456789eE.-tfn \\";
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits)
      text[random() % text.size()] = random() % 4 ? bytes[random() % bytes.size()] : char(random() % 256);
    if (random() % 8 == 0) text.resize(random() % text.size());
    try {
      report_from_json(parse_json(text));
    } catch (JsonError const& e) {
      EXPECT_STRNE(e.what(), "");
    }
  }
  for (char const* text : {"3", "null", "[]", "[1]", "{}", "\"x\"", R"({"machine": 1})",
                           R"({"machine": "m", "date": "d", "commit": "c", "versions": 3, "cases": 1})"})
    EXPECT_THROW(report_from_json(parse_json(text)), JsonError) << text;
}

}  // namespace
}  // namespace skipper::cli
