// Every row of docs/predictions.md is what `skipper plan` prints today. SKIPPER_UPDATE_GOLDENS=1 writes the rows anew.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

/// "| `words` | 1 | 7 GiB | 28.8 ms | 25.1 ms | 36.4 ms | published |"
std::string row(std::string const& words, std::string const& published) {
  Json const json = planned(words);
  double bytes = 0, transforms = 0, exchange = 0;
  for (Json const& stage : json.at("stages")) {
    bytes += stage.at("node_bytes").get<double>() + stage.at("network_bytes").get<double>();
    transforms += stage.at("transform_seconds").get<double>();
    exchange += stage.at("exchange_seconds").get<double>();
  }
  return "| `" + words + "` | " + std::to_string(json.at("stages").size() - 1) + " | " + bytes_text(bytes) +
         " | " + seconds_text(transforms) + " | " + seconds_text(exchange) + " | " +
         seconds_text(json.at("estimated_seconds").get<double>()) + " | " + published + " |";
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
    std::size_t const last = line.rfind(" |"), begin = line.rfind("| ", last - 1) + 2;
    std::string const published = begin < last ? line.substr(begin, last - begin) : "";
    std::string const now = row(line.substr(3, end - 3), published);
    if (!update) {
      EXPECT_EQ(line, now);
    }
    after += now + "\n";
  }
  EXPECT_GE(rows, 14);
  if (update) std::ofstream(architecture::root() / page) << after;
}

}  // namespace
}  // namespace skipper::cli
