// Several problems in one call, of which the second of three is bad: it is said why, the others are there, what is JSON is whole,
// and the exit code is not 0.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "cli/command_line.h"
#include "cli/program.h"
#include "json.h"

namespace skipper::cli {
namespace {

using testing::Folder;
using Words = std::vector<std::string>;

Words joined(Words words, Words const& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Subject {
  Words command;
  std::string good[2], bad;  // whole texts of problems, or a line of a list
  std::string reason;        // a word of why
};

// For lists, or for operands too: of those one that cannot be read is a wrong command line, before anything is begun; one that can,
// but that no problem is, is a bad case.
std::vector<Subject> subjects(bool listed) {
  std::string const reversed = "c2c f64 forward 8 reversed";
  std::string const a = "c2c f32 forward 16x16", b = "r2c f64 forward 20x24";
  std::vector<Subject> all{
      {{"verify"}, {a, b}, reversed, "order"},
      {{"bench", "--no-peers", "--seconds", "0.001"}, {a, b}, reversed, "order"},
      {{"bench", "--distributed", "--ranks", "2", "--seconds", "0.001"}, {a, b}, reversed, "order"},
      {{"plan", "--machine", "h200", "--ranks", "4"}, {a, b}, reversed, "order"},
  };
  if (!listed) all.push_back({{"verify"}, {a, b}, "16x0", "axes[1].size"});
  if (listed) all.push_back({{"plan", "--machine", "h200"}, {a, b}, "c2d f32 1 4", "c2d"});
  return all;
}

// The problems of a result, in their order, without those that have none; and the reason that is there for the bad one.
struct Found {
  Words problems;
  std::string reason;
};
Found found_in(Json const& json) {
  Found found;
  for (Json const& item : json.is_array() ? json : json.at("cases"))
    if (item.contains("unsupported"))
      found.reason = item.at("unsupported").get<std::string>();
    else
      found.problems.push_back(item.at("problem").get<std::string>());
  if (!json.is_array()) found.reason = json.at("skipped").at(0).at("reason").get<std::string>();
  return found;
}

class Several : public ::testing::TestWithParam<bool> {
 protected:
  // As operands or as the lines of a list.
  Words problems(Subject const& s) const {
    Words const three{s.good[0], s.bad, s.good[1]};
    if (!GetParam()) return three;
    std::ofstream file(folder_("list"));
    for (std::string const& problem : three) file << problem << "\n";
    return {"--list", folder_("list")};
  }
  Folder const folder_{"skipper-several"};
};

TEST_P(Several, TheOthersAreThereBesideTheBadOne) {
  for (Subject const& s : subjects(GetParam())) {
    CommandOutcome const o = outcome_of(joined(s.command, problems(s)));
    EXPECT_EQ(o.code, answer_is_no) << o.out << o.error;
    std::size_t const first = o.out.find(s.good[0]), second = o.out.find(s.good[1]);
    ASSERT_NE(first, o.out.npos) << o.out << o.error;
    ASSERT_NE(second, o.out.npos) << o.out << o.error;
    EXPECT_LT(first, second);
    std::string const all = o.out + o.error;
    EXPECT_NE(all.find(s.bad), all.npos) << all;
    EXPECT_NE(all.find(s.reason), all.npos) << all;
  }
}

TEST_P(Several, JsonIsWhole) {
  for (Subject const& s : subjects(GetParam())) {
    CommandOutcome const o = outcome_of(joined(joined(s.command, problems(s)), {"--json"}));
    EXPECT_EQ(o.code, answer_is_no) << o.out << o.error;
    Json json;
    ASSERT_NO_THROW(json = parse_json(o.out)) << o.out << o.error;
    Found found = found_in(json);
    for (std::string& problem : found.problems) problem = problem.substr(0, s.good[0].size());
    EXPECT_EQ(found.problems, (Words{s.good[0], s.good[1]})) << o.out;
    EXPECT_NE(found.reason.find(s.reason), found.reason.npos) << o.out;
  }
}

TEST_P(Several, WhatIsSavedHasTheReason) {
  Subject const s = subjects(GetParam())[1];
  CommandOutcome const o =
      outcome_of(joined(joined(s.command, problems(s)), {"--csv", "--save", folder_("saved.json")}));
  EXPECT_EQ(o.code, answer_is_no);
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 3) << "a heading and two cases: " << o.out;
  EXPECT_NE(o.error.find(s.bad), o.error.npos) << "CSV has no column for it";
  Found const found = found_in(parse_json(testing::contents(folder_("saved.json"))));
  EXPECT_EQ(found.problems, (Words{s.good[0], s.good[1]}));
  EXPECT_NE(found.reason.find(s.reason), found.reason.npos);
}

INSTANTIATE_TEST_SUITE_P(From, Several, ::testing::Values(false, true),
                         [](auto const& from) { return from.param ? "AList" : "Operands"; });

TEST(Several, WithoutABadOneAllIsWell) {
  for (Subject const& s : subjects(true))
    EXPECT_EQ(outcome_of(joined(s.command, {s.good[0], s.good[1]})).code, done) << s.command[0];
}

TEST(Several, WhatNoTimeIsLeftForIsNoFailure) {
  CommandOutcome const o = outcome_of({"bench", "16", "18", "--no-peers", "--within", "1e-9", "--json"});
  EXPECT_EQ(o.code, done) << o.error;
  EXPECT_EQ(parse_json(o.out).at("skipped").size(), 2u);
}

}  // namespace
}  // namespace skipper::cli
