// Charts hold what they are given: a column up for every win, one down for every loss, and every word escaped.
#include "plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report.h"
#include "svg.h"

namespace skipper::cli {
namespace {

std::size_t count(std::string const& text, std::string const& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Svg, WordsCannotLeaveTheirPlace) {
  Svg sheet(100, 50);
  sheet.text(1, 2, "start", 10, "<script>&\"\x01");
  sheet.box(0, 0, 1, 1, "#123456", "a < b");
  std::string const text = sheet.finished();
  EXPECT_EQ(text.find("<script"), text.npos);
  EXPECT_NE(text.find("&lt;script&gt;&amp;&quot;<"), text.npos) << text;
  EXPECT_NE(text.find("<title>a &lt; b</title>"), text.npos) << text;
  EXPECT_EQ(count(text, "<svg "), count(text, "</svg>"));
}

TEST(BarPlot, LeavesGapsForWhatIsMissing) {
  std::string const text = svg(BarPlot{"t", "s", "GFLOPS", {"a", "b"}, {{"x", {1, 2}}, {"y", {NAN, 3}}}});
  EXPECT_EQ(count(text, "height=\"10.0\" fill=\"#1f6fb2\""), 3u) << "a mark in the legend and two bars";
  EXPECT_EQ(count(text, "height=\"10.0\" fill=\"#d9822b\""), 2u);
}

Report measured(std::vector<std::pair<std::string, double>> const& ratios) {
  Report report;
  report.machine = "machine host cpu x86-64-avx512 sms 16";
  report.threads = 16;
  report.versions = {{"fftw", "3.3.10"}};
  for (auto const& [problem, ratio] : ratios) {
    MeasuredCase& measured = report.cases.emplace_back();
    measured.problem = problem;
    measured.seconds = measured.copy_seconds = 1;
    measured.peers = {{"fftw", ratio}, {"slow", 1000}};
  }
  return report;
}

TEST(PeerPlot, ShowsLossesAndFamilies) {
  std::string const text = peer_plot(measured({{"c2c f32 forward 64", 2},
                                               {"c2c f64 forward 64 batch 8", 8},
                                               {"c2c f32 forward 17", 0.5},
                                               {"c2c f32 forward 8x8", 100},
                                               {"r2c f32 forward 8x8", 1}}));
  EXPECT_EQ(count(text, "fill=\"#d9822b\""), 2u) << "the legend and one loss";
  EXPECT_EQ(count(text, "fill=\"#1f6fb2\""), 5u) << "the legend, three wins and one draw";
  for (char const* words :
       {">1-D 2^k<", ">1-D prime<", ">2-D<", ">real<", ">mean 4.00<", ">mean 0.500<", ">100<",
        "x86-64-avx512, 16 threads", "fftw 3.3.10", "<title>c2c f32 forward 17: 0.500"})
    EXPECT_NE(text.find(words), text.npos) << words << "\n" << text;
}

}  // namespace
}  // namespace skipper::cli
