// Tables of small transforms: who stands where, from which number on the first is the fastest, and what is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/command_line.h"
#include "report.h"

namespace skipper::cli {
namespace {

class Crossover : public ::testing::Test {
 protected:
  Crossover() { std::filesystem::create_directories(folder_); }
  ~Crossover() override { std::filesystem::remove_all(folder_); }

  // A result of one device: a time for each problem, and one of a peer.
  std::string result(std::string const& device, std::string const& peer,
                     std::vector<std::tuple<std::string, double, double>> const& cases) {
    Report report;
    report.device = device;
    for (auto const& [problem, seconds, peer_seconds] : cases) {
      MeasuredCase c;
      c.problem = problem, c.seconds = seconds, c.copy_seconds = 1e-6;
      c.peers = {{peer, peer_seconds}};
      report.cases.push_back(c);
    }
    std::string const path = folder_ / (device + ".json");
    std::ofstream(path) << json_text(to_json(report));
    return path;
  }

  std::string printed(std::vector<std::string> const& words, int code) {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_command_line(words), code);
    return ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr();
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("skipper-crossover-" + std::to_string(::getpid()));
};

TEST_F(Crossover, TablesByRankWithTheNumberFromWhichTheFirstIsFastest) {
  std::string const gpu = result("cuda:0", "cufft",
                                 {{"c2c f32 forward 8x8", 1.5e-6, 2.5e-6},
                                  {"c2c f32 forward 8x8 batch 5", 1.75e-6, 2.5e-6},
                                  {"c2c f32 forward 8x8 batch 16", 2e-6, 2.5e-6},
                                  {"c2c f32 forward 3x3 batch 16", 3e-6, 2.5e-6},
                                  {"c2c f32 forward 8x4", 1, 1},  // no square
                                  {"c2c f32 forward 8", 1e-6, 1.5e-6}});
  std::string const cpu = result("cpu", "fftw",
                                 {{"c2c f32 forward 8x8", 0.25e-6, 0.5e-6},
                                  {"c2c f32 forward 8x8 batch 5", 1.25e-6, 2.5e-6},
                                  {"c2c f32 forward 8x8 batch 16", 4e-6, 8e-6}});
  std::string const out = printed({"crossover", gpu, cpu}, done);
  EXPECT_NE(out.find("c2c f32, 1-D"), out.npos) << out;
  EXPECT_NE(out.find("c2c f32, 2-D"), out.npos) << out;
  EXPECT_EQ(out.find("4.00e"), out.npos) << out;
  // Its columns: 1, 5 and 16 at once, each by four; on the CPU one and five are faster.
  EXPECT_NE(out.find("8      1.50     2.50  0.250   0.500      1.75     2.50   1.25    2.50       2.00"),
            out.npos)
      << out;
  EXPECT_NE(out.find("8.00            16\n"), out.npos) << out;  // from 16 on
  EXPECT_NE(out.find("-             -\n"), out.npos) << out;     // 3x3: never
  EXPECT_NE(printed({"crossover", gpu}, done).find("2.50             1\n"), out.npos);
}

TEST_F(Crossover, WhatCannotBeToldApartOrSortedIsRefused) {
  std::string const a = result("cuda:0", "cufft", {{"c2c f32 forward 8x4", 1, 1}});
  std::string const b = result("cuda:1", "cufft", {{"c2c f32 forward 8", 1, 1}});
  EXPECT_NE(printed({"crossover", a}, failure).find("no line, square or cube"), std::string::npos);
  EXPECT_NE(printed({"crossover", a, b}, failure).find("told apart"), std::string::npos);
  EXPECT_NE(printed({"crossover"}, bad_command_line).find("result.json"), std::string::npos);
}

}  // namespace
}  // namespace skipper::cli
