// The two programs as users run them: skipper finds skipper-bench and becomes it, and either has printed what it has measured
// when it is cut off.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "cli/program.h"
#include "json.h"

namespace skipper::testing {
namespace {

using Words = std::vector<std::string>;

std::string const program = SKIPPER_PROGRAM_DIR "/skipper", bench = SKIPPER_PROGRAM_DIR "/skipper-bench";

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

Outcome run(
    std::string const& which, Words const& words, std::function<void()> const& prepare = [] {}) {
  return Running(which, words, "/dev/null", prepare).finished();
}

Words const small{"bench", "16", "--seconds", "0.001", "--no-peers"};

TEST(HandOn, TheProgramBesideTakesItsPlace) {
  Outcome const o = run(program, small);
  EXPECT_EQ(o.code(), 0) << o.error;
  EXPECT_TRUE(has(o.out, "c2c f32 forward 16")) << o.out;
  EXPECT_EQ(run(program, {"bench", "16", "--frobnicate"}).code(), 2) << "its exit code is that of the other";
  for (Words const& words : {Words{"help", "bench"}, {"bench", "--help"}})
    EXPECT_EQ(run(program, words).out, run(bench, {"bench", "--help"}).out);
  Running reads(program, {"crossover", "-"});
  reads.feed("nonsense");
  EXPECT_EQ(reads.finished().code(), 3) << "it reads the same standard input";
}

TEST(HandOn, LooksBesideItThenInThePathThenSaysWhatIsMissing) {
  Folder const folder("skipper-hand-on");
  fs::copy_file(program, folder("skipper"));
  std::string const alone = folder("skipper");
  Outcome const missing = run(alone, small, [] { ::setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(missing.code(), 3);
  for (std::string const& part : {std::string("skipper-bench"), folder("skipper-bench"), std::string("PATH"),
                                  std::string("SKIPPER_BENCH")})
    EXPECT_TRUE(has(missing.error, part)) << missing.error;
  EXPECT_EQ(std::count(missing.error.begin(), missing.error.end(), '\n'), 1) << missing.error;
  EXPECT_EQ(run(alone, small, [] { ::setenv("PATH", SKIPPER_PROGRAM_DIR, 1); }).code(), 0) << "in PATH";
  EXPECT_EQ(run(alone, {"info"}, [] { ::setenv("PATH", "/nowhere", 1); }).code(), 0) << "needs no other";
}

TEST(HandOn, TheVariableNamesIt) {
  Outcome const o = run(program, small, [] { ::setenv("SKIPPER_BENCH", "/bin/echo", 1); });
  EXPECT_EQ(o.out, "bench 16 --seconds 0.001 --no-peers\n");
  Outcome const missing = run(program, small, [] { ::setenv("SKIPPER_BENCH", "/nowhere/x", 1); });
  EXPECT_EQ(missing.code(), 3);
  EXPECT_TRUE(has(missing.error, "SKIPPER_BENCH names /nowhere/x")) << missing.error;
}

TEST(HandOn, TheToolHoldsNoPeer) {
  for (char const* peer : {"libfftw3", "libcufft"}) {
    EXPECT_FALSE(has(contents(program), peer)) << peer;
    EXPECT_TRUE(has(contents(bench), peer)) << peer;
  }
}

/// The text of the CPU as `skipper info` prints it.
std::string cpu_of(Outcome const& info) {
  return nlohmann::json::parse(info.out).at("devices").at(0).at("machine").get<std::string>();
}

TEST(Host, AnotherCpuIsTakenForThisOne) {
  auto const info_on = [](std::string const& host) {
    return run(program, {"info", "--json"}, [&] { ::setenv("SKIPPER_HOST", host.c_str(), 1); });
  };
  std::string other = cpu_of(info_on(""));
  for (auto const& [key, value] : {std::pair(" sms ", "37"), {" l2_bytes ", "300000"}}) {
    std::size_t const begin = other.find(key) + std::string(key).size();
    other.replace(begin, other.find(' ', begin) - begin, value);
  }
  EXPECT_EQ(cpu_of(info_on(other)), other);
  auto const expect_refused = [&](std::string const& host, std::string const& why) {
    Outcome const o =
        run(program, {"verify", "16", "--device", "cpu"}, [&] { ::setenv("SKIPPER_HOST", host.c_str(), 1); });
    EXPECT_NE(o.code(), 0);
    EXPECT_TRUE(has(o.out + o.error, "SKIPPER_HOST: " + why)) << o.out << o.error;
  };
  expect_refused("h200", "names the architecture sm_90");
  expect_refused("nonsense", "machine: there is no machine 'nonsense'");
}

/// What it prints until there are so many of `mark` in it, and what it had printed when it was killed then.
std::string cut_off(Words const& words, std::string const& mark, int count, int signal = SIGKILL) {
  Running running(program, words, "/dev/null");
  std::string seen;
  auto const marks = [&] {
    int found = 0;
    for (std::size_t at = 0; (at = seen.find(mark, at)) != seen.npos; ++at) ++found;
    return found;
  };
  while (marks() < count && running.read_more(seen)) {
  }
  ::kill(running.process(), signal);
  Outcome const o = running.finished();
  EXPECT_TRUE(WIFSIGNALED(o.status)) << words[0] << ": it was done before it was cut off\n"
                                     << seen << o.error;
  return seen + o.out;
}

/// Many cases, each of which takes its time.
class CutOff : public ::testing::Test {
 protected:
  CutOff() {
    std::ofstream list(folder("list"));
    for (int n = 5000; n < 6000; ++n) list << "c2c f64 1 " << n << "\n";
  }
  Words with(Words words) const {
    words.insert(words.end(), {"--list", folder("list")});
    return words;
  }
  Folder const folder{"skipper-cut-off"};
  Words const slow{"bench", "--no-peers", "--seconds", "0.02"};
};

TEST_F(CutOff, RowsAreThere) {
  for (Words const& words : {slow, {"verify"}, {"plan", "--machine", "h200"}}) {
    std::string const seen = cut_off(with(words), "c2c f64 forward 50", 3);
    for (char const* each : {"5000", "5001", "5002"}) EXPECT_TRUE(has(seen, each)) << seen;
  }
}

TEST_F(CutOff, JsonIsThereButForItsEnd) {
  Words json = slow;
  json.push_back("--json");
  for (Words const& words : {json, {"verify", "--json"}, {"plan", "--machine", "h200", "--json"}}) {
    std::string const seen = cut_off(with(words), "\"problem\": \"c2c f64 forward 50", 3);
    bool const array = seen[0] == '[';
    EXPECT_EQ(seen[0], array ? '[' : '{');
    // Up to the third object it is whole.
    std::size_t const third = seen.find("\"c2c f64 forward 5002\""),
                      comma = seen.rfind(",\n", seen.rfind('{', third));
    cli::Json const two = cli::parse_json(seen.substr(0, comma) + (array ? "]" : "]}"));
    EXPECT_EQ((array ? two : two.at("cases")).size(), 2u);
  }
}

TEST_F(CutOff, JsonIsEndedWhereASignalCanBeCaught) {
  Words json = slow;
  json.push_back("--json");
  for (Words const& words : {json, {"verify", "--json"}, {"plan", "--machine", "h200", "--json"}}) {
    std::string const seen = cut_off(with(words), "\"problem\": \"c2c f64 forward 50", 3, SIGTERM);
    cli::Json json_seen;
    ASSERT_NO_THROW(json_seen = cli::parse_json(seen)) << seen.substr(seen.size() - 200);
    EXPECT_GE((json_seen.is_array() ? json_seen : json_seen.at("cases")).size(), 3u);
  }
}

TEST_F(CutOff, WhatWasSavedIsWhole) {
  Words saving = slow;
  saving.insert(saving.end(), {"--save", folder("saved.json"), "--csv"});
  std::string const seen = cut_off(with(saving), "\"c2c f64 forward 50", 3);
  EXPECT_TRUE(seen.starts_with("problem,seconds,")) << seen;
  cli::Json const saved = cli::parse_json(contents(folder("saved.json")));
  EXPECT_GE(saved.at("cases").size(), 3u);
}

}  // namespace
}  // namespace skipper::testing
