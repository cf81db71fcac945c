// What `verify --random` draws beside transforms: each sort is verified, and what judges it sees one wrong number.
#include <skipper/convolution.h>
#include <skipper/poisson.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "json.h"
#include "random_sorts.h"
#include "reference/convolution.h"
#include "reference/poisson.h"

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
  EXPECT_EQ(first_words["convolution"] + first_words["correlation"], 1) << o.out;
  EXPECT_EQ(first_words["exchange"], 1) << o.out;
  EXPECT_EQ(first_words["poisson"], 1) << o.out;
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

// Of the equation one wrong point is seen, and of modes also what is small at each point.
TEST(RandomSorts, SolutionsOfPoissonArePutBackIntoTheEquation) {
  PoissonAxis const ends{12, 1, Boundary::neumann, Boundary::dirichlet, Centring::node, false, {}};
  std::vector<float> f(120), phi(120);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(i * i % 17) / 17 - 0.4f;
  std::vector<Faces<float>> const faces = {{}, {{0.5f}, {-1}}};
  PlanSettings settings;
  settings.device = Device("cpu");
  for (Symbols const symbols : {Symbols::second_order, Symbols::spectral}) {
    PoissonProblem p;
    p.axes = {{10}, ends};
    p.symbols = symbols;
    bool const rows = symbols == Symbols::second_order;
    std::vector<Faces<float>> const values = rows ? faces : std::vector<Faces<float>>{};
    Poisson(p, settings).solve(f.data(), phi.data(), {.faces = values});
    auto const check = [&] { return reference::poisson_check(p, f.data(), values, phi.data(), 0); };
    EXPECT_TRUE(check().good()) << check().equation << " " << check().modes;
    for (float& u : phi) {
      float const kept = std::exchange(u, u + 0.1f);
      EXPECT_GT(check().modes, 1);
      EXPECT_EQ(check().equation > 1, rows);
      u = kept;
    }
    for (std::size_t i = 0; i < phi.size(); ++i)
      phi[i] += 1e-3f * float(std::cos(0.5 * M_PI * double(i % 12) / 12));
    EXPECT_GT(check().modes, 1) << "the lowest mode";
    phi.back() = NAN;
    EXPECT_FALSE(check().good());
  }
}

TEST(RandomSorts, SolutionsUpToAConstantHaveTheMeanThatWasAskedFor) {
  PoissonProblem p;
  p.axes = {{10}, {12, 1, Boundary::neumann, Boundary::neumann, Centring::node, false, {}}};
  std::vector<float> f(120), phi(120);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(i * i % 17) / 17 - 0.4f;
  PlanSettings settings;
  settings.device = Device("cpu");
  for (ZeroMode const mode : {ZeroMode::zero_mean, ZeroMode::pin}) {
    p.zero_mode = mode;
    double const defect = Poisson(p, settings).solve(f.data(), phi.data()).defect;
    auto const check = [&](double taken) {
      return reference::poisson_check<float>(p, f.data(), {}, phi.data(), taken);
    };
    EXPECT_TRUE(check(defect).good()) << check(defect).equation << " " << check(defect).mean;
    EXPECT_FALSE(check(defect + 1e-3).good());
    for (float& u : phi) u += 1e-3f;
    EXPECT_GT(check(defect).mean, 1);
    EXPECT_LE(check(defect).modes, 1);
  }
}

}  // namespace
}  // namespace skipper::cli
