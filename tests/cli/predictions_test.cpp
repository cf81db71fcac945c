// Every row of docs/predictions.md is what `skipper plan` prints today: the exchanges that it chose and the bytes that they send, and
// the times within 10 %, since the cost model may be fitted anew. SKIPPER_UPDATE_GOLDENS=1 writes the rows anew.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cli/command_line.h"
#include "architecture/files.h"
#include "json.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

constexpr char const* page = "docs/predictions.md";

Json planned(std::string const& words) {
  std::vector<std::string> command{"plan"};
  for (std::string const& word : split(words, ' ')) command.push_back(word);
  command.push_back("--json");
  ::testing::internal::CaptureStdout();
  int const code = run_command_line(command);
  std::string const out = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, done) << words;
  return parse_json(out);
}

/// The columns between the words and the published times: "1", "7 GiB", "28.8 ms", "25.1 ms", "36.4 ms".
using Columns = std::vector<std::string>;
constexpr std::size_t choices = 2;  // of the columns; the others are times

Columns columns(std::string const& words) {
  Json const json = planned(words);
  double bytes = 0, transforms = 0, exchange = 0;
  for (Json const& stage : json.at("stages")) {
    bytes += stage.at("node_bytes").get<double>() + stage.at("network_bytes").get<double>();
    transforms += stage.at("transform_seconds").get<double>();
    exchange += stage.at("exchange_seconds").get<double>();
  }
  return {std::to_string(json.at("stages").size() - 1), bytes_text(bytes), seconds_text(transforms),
          seconds_text(exchange), seconds_text(json.at("estimated_seconds").get<double>())};
}

/// "28.8 ms" as seconds; nothing is not a time.
double seconds_of(std::string const& text) {
  double value = 0;
  char unit[8] = "";
  if (std::sscanf(text.c_str(), "%lf %7s", &value, unit) != 2) return NAN;
  for (auto const& [name, seconds] : {std::pair("s", 1.0), {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}})
    if (std::string(name) == unit) return value * seconds;
  return NAN;
}

void expect_alike(Columns const& row, Columns const& now, std::string const& words) {
  ASSERT_EQ(row.size(), now.size()) << words;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i < choices) {
      EXPECT_EQ(row[i], now[i]) << words;
    } else {
      EXPECT_NEAR(seconds_of(row[i]), seconds_of(now[i]), 0.1 * seconds_of(now[i])) << words;
    }
  }
}

TEST(Predictions, AreWhatThePlannerSays) {
  std::string const before = architecture::read(architecture::root() / page);
  std::string after;
  bool const update = std::getenv("SKIPPER_UPDATE_GOLDENS") != nullptr;
  int rows = 0;
  for (std::string const& line : architecture::lines(before)) {
    std::size_t const end = line.find("` |", 3);
    if (!line.starts_with("| `") || line.starts_with("| `skipper plan`") || end == line.npos) {
      after += line + "\n";
      continue;
    }
    ++rows;
    std::string const words = line.substr(3, end - 3);
    Columns row;
    for (std::string const& cell : split(line.substr(end + 3), '|'))
      row.push_back(cell.size() < 2 ? "" : cell.substr(1, cell.find_last_not_of(' ')));
    ASSERT_GE(row.size(), 2u) << line;
    std::string const published = row[row.size() - 2];  // behind it stands what follows the last bar
    row.resize(row.size() - 2);
    Columns const now = columns(words);
    if (!update) expect_alike(row, now, words);
    after += "| `" + words + "` |";
    for (std::string const& cell : now) after += " " + cell + " |";
    after += " " + published + " |\n";
  }
  EXPECT_GE(rows, 14);
  if (update) std::ofstream(architecture::root() / page) << after;
}

TEST(Predictions, TimesAreReadWithTheirUnits) {
  EXPECT_DOUBLE_EQ(seconds_of("28.8 ms"), 28.8e-3);
  EXPECT_DOUBLE_EQ(seconds_of("190 us"), 190e-6);
  EXPECT_TRUE(std::isnan(seconds_of("7 GiB")));
}

}  // namespace
}  // namespace skipper::cli
