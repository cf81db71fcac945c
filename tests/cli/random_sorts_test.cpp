// What `verify --random` draws beside transforms: each sort is verified, and what judges it sees one wrong number.
#include <skipper/convolution.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "json.h"
#include "random_sorts.h"
#include "reference/convolution.h"

namespace skipper::cli {
namespace {

TEST(RandomSorts, EachIsDrawnAndFoundRight) {
  for (RandomSort const& sort : random_sorts()) {
    CommandOutcome const o = outcome_of(
        {"verify", "--random", "24", "--of", sort.name, "--device", "cpu", "--bytes", "16K", "--json"});
    EXPECT_EQ(o.code, done) << sort.name << "\n" << o.error;
    Json const json = parse_json(o.out);
    EXPECT_EQ(json.at("problems").get<int>(), 24) << sort.name;
    EXPECT_TRUE(json.at("faults").empty()) << sort.name;
    ASSERT_EQ(json.at("covered").size(), sort.words.size()) << sort.name;
    EXPECT_EQ(json.at("covered")[0].at("mechanism").get<std::string>(), sort.words[0]);
  }
}

TEST(RandomSorts, EachIsAmongWhatIsDrawn) {
  CommandOutcome const o =
      outcome_of({"verify", "--random", "16", "--machine", "xeon-avx512", "--bytes", "4K"});
  std::istringstream lines(o.out);
  std::map<std::string, int> first_words;
  for (std::string line; std::getline(lines, line) && !line.starts_with("mechanism");)
    ++first_words[line.substr(0, line.find(' '))];
  EXPECT_EQ(first_words["convolution"] + first_words["correlation"], 2) << o.out;
  EXPECT_EQ(first_words["exchange"], 1) << o.out;
  EXPECT_EQ(first_words["stream"], 1) << o.out;
  expect_refused(bad_command_line, {"verify", "--random", "4", "--of", "abaci"},
                 {"--of", "abaci", "convolutions"});
}

TEST(RandomSorts, EveryOutputOfAConvolutionIsCompared) {
  for (ConvolutionMode const mode :
       {ConvolutionMode::circular, ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid})
    for (bool const correlate : {false, true}) {
      ConvolutionProblem const p{
          .shape = {5, 7}, .kernel = {2, 4}, .mode = mode, .correlate = correlate, .batch = 2};
      std::vector<float> in(70), kernel(8);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i * i % 17) / 17 - 0.4f;
      for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = float(i % 3);
      std::vector<std::int64_t> const shape = out_shape(p);
      std::vector<float> out(std::size_t(2 * shape[0] * shape[1]));
      PlanSettings settings;
      settings.device = Device("cpu");
      Convolution(p, kernel.data(), settings).execute(in.data(), out.data());
      auto const error = [&] { return reference::accuracy(p, in.data(), kernel.data(), out.data(), 1); };
      EXPECT_LE(error().l2, reference::allowed_l2(p)) << int(mode) << correlate;
      EXPECT_EQ(error().samples, out.size());
      for (float& y : out) {
        float const kept = std::exchange(y, y + 1e-4f);
        EXPECT_GT(error().max, 8 * reference::allowed_l2(p)) << int(mode) << correlate;
        y = kept;
      }
      out.back() = NAN;
      EXPECT_FALSE(error().l2 <= 1);
    }
}

}  // namespace
}  // namespace skipper::cli
