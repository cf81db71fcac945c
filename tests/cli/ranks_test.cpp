// Commands over ranks that are threads of this process: plans, files and measurements; and how the library for MPI is
// looked for.
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cli/program.h"
#include "cli/command_line.h"
#include "json.h"
#include "rank_library.h"
#include "npy.h"
#include "output_file.h"
#include "ranks.h"
#include "support/scalars.h"

namespace skipper::cli {
namespace {

using skipper::testing::contents;
using skipper::testing::Folder;

using Outcome = CommandOutcome;

Outcome skipper(std::vector<std::string> const& words) { return outcome_of(words); }

/// An environment variable for the time of a scope.
struct Variable {
  std::string name;
  Variable(std::string n, std::string const& value) : name(std::move(n)) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name.c_str()); }
};

template <class T>
NpyArray array_of(NpyType type, std::vector<std::int64_t> const& shape, bool fortran_order = false) {
  NpyArray array{type, fortran_order, shape, {}};
  std::size_t count = type.complex ? 2 : 1;
  for (std::int64_t const n : shape) count *= std::size_t(n);
  array.data.resize(count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    T const value = T(std::sin(0.7 * double(i)) + 0.1);
    std::memcpy(array.data.data() + i * sizeof(T), &value, sizeof(T));
  }
  return array;
}

double value_at(NpyArray const& a, std::size_t i) {
  return with_scalar(a.type.precision, [&]<class Scalar>(Scalar x) {
    std::memcpy(&x, a.data.data() + i * sizeof x, sizeof x);
    return double(x);
  });
}

void expect_same(NpyArray const& a, NpyArray const& b, std::string const& what) {
  ASSERT_EQ(a.type, b.type) << what;
  ASSERT_EQ(a.shape, b.shape) << what;
  ASSERT_EQ(a.fortran_order, b.fortran_order) << what;
  ASSERT_EQ(a.data.size(), b.data.size()) << what;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.data.size() / scalar_bytes(a.type.precision); ++i) {
    double const x = value_at(a, i), y = value_at(b, i);
    difference += (x - y) * (x - y);
    size += y * y;
  }
  Precision const p = a.type.precision;
  double const allowed = is_16_bit(p)          ? skipper::testing::allowed_once_rounded(p)
                         : p == Precision::f32 ? 1e-6
                                               : 1e-14;
  EXPECT_LT(std::sqrt(difference), allowed * std::sqrt(size)) << what;
}

/// By one process and over ranks the same file comes out.
void expect_same_over_ranks(Folder const& folder, std::vector<std::string> const& options) {
  std::vector<std::string> alone{"fft", folder("in.npy"), folder("alone.npy"), "--device", "cpu"};
  alone.insert(alone.end(), options.begin(), options.end());
  std::string what;
  for (std::string const& o : options) what += o + " ";
  ASSERT_EQ(skipper(alone).code, done) << what;
  for (std::string const ranks : {"2", "3", "7"}) {
    std::vector<std::string> spread{"fft", folder("in.npy"), folder("spread.npy"), "--ranks", ranks};
    spread.insert(spread.end(), options.begin(), options.end());
    Outcome const o = skipper(spread);
    ASSERT_EQ(o.code, done) << what << o.error;
    expect_same(read_npy(folder("spread.npy")), read_npy(folder("alone.npy")), what + "over " + ranks);
  }
  EXPECT_EQ(folder.files(), 3u) << "a temporary file was left";
}

TEST(FftOverRanks, WritesWhatOneProcessWrites) {
  Folder const folder("skipper-ranks");
  write_npy(folder("in.npy"), array_of<float>({true, Precision::f32}, {6, 10, 9}));
  expect_same_over_ranks(folder, {});
  expect_same_over_ranks(folder, {"--axes", "0", "--norm", "ortho"});
  expect_same_over_ranks(folder, {"--axes", "1", "--precision", "f64"});
  expect_same_over_ranks(folder, {"--inverse", "--threads", "1"});
  expect_same_over_ranks(folder, {"--precision", "f16"});  // pairs along a last axis
  expect_same_over_ranks(folder, {"--precision", "bf16"});
  expect_same_over_ranks(folder, {"--real", "--inverse"});
  expect_same_over_ranks(folder, {"--s", "5x8x9"});  // shorter axes are cropped, which needs no zeros
}

TEST(FftOverRanks, TakesAllSortsOfArrays) {
  Folder const folder("skipper-ranks-sorts");
  write_npy(folder("in.npy"), array_of<double>({false, Precision::f64}, {5, 4, 6}));
  expect_same_over_ranks(folder, {});
  expect_same_over_ranks(folder, {"--real"});
  expect_same_over_ranks(folder, {"--kind", "dct2", "--norm", "ortho"});
  expect_same_over_ranks(folder, {"--kind", "dct2", "--precision", "f16"});
  expect_same_over_ranks(folder, {"--kinds", "fourier,dst3", "--axes", "0,2"});
  write_npy(folder("in.npy"), array_of<double>({true, Precision::f64}, {4, 6, 5}, true));
  expect_same_over_ranks(folder, {});
  expect_same_over_ranks(folder, {"--axes", "0,2"});
  write_npy(folder("in.npy"), array_of<float>({false, Precision::f32}, {1, 12, 7}, true));
  expect_same_over_ranks(folder, {"--real"});
  write_npy(folder("in.npy"), array_of<float>({true, Precision::f32}, {24}));
  expect_same_over_ranks(folder, {});
}

TEST(FftOverRanks, ConvertsIntegersAndOtherByteOrders) {
  Folder const folder("skipper-ranks-integers");
  auto const write = [&](std::string const& type, std::string const& data) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (4, 6), }";
    header.append(128 - 10 - 1 - header.size(), ' ');
    std::ofstream(folder("in.npy"), std::ios::binary)
        << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << "\n"
        << data;
  };
  std::string integers, swapped;
  for (int i = 0; i < 24; ++i) {
    integers += {char(i * 5), char(i % 3)};
    swapped += {'\x3f', char(0x80 + i), '\0', char(i)};  // of floats, the highest byte first
  }
  write("<i2", integers);
  expect_same_over_ranks(folder, {});
  write(">f4", swapped);
  expect_same_over_ranks(folder, {"--real"});
}

TEST(FftOverRanks, EndsAllRanksWithOneMessage) {
  Folder const folder("skipper-ranks-errors");
  std::string const in = folder("in.npy"), out = folder("out.npy");
  write_npy(in, array_of<float>({true, Precision::f32}, {6, 10}));
  std::ofstream(out) << "as it was";
  auto const refused = [&](int code, std::vector<std::string> words,
                           std::vector<std::string> const& mentioned) {
    words.insert(words.begin(), "fft");
    words.insert(words.end(), {"--ranks", "3"});
    expect_refused(code, words, mentioned);
    EXPECT_EQ(contents(out), "as it was");
    EXPECT_EQ(folder.files(), 2u);
  };
  refused(failure, {folder("missing.npy"), out}, {"missing.npy", "cannot be opened"});
  refused(failure, {in, folder("nowhere/out.npy")}, {"nowhere/out.npy", "folder is missing"});
  refused(failure, {"-", out}, {"standard input", "several ranks"});
  refused(failure, {in, "-"}, {"several ranks write"});
  refused(bad_command_line, {in, out, "--memory-limit", "1M"}, {"--memory-limit", "one process"});
  refused(bad_command_line, {in, out, "--pairs"}, {"--pairs"});
  refused(bad_command_line, {in, out, "--n", "16"}, {"axes", "padded"});
  refused(bad_command_line, {in, out, "--devices", "cpu", "--device", "cpu"}, {"--devices", "exclude"});
  refused(bad_command_line, {in, out, "--mpi"}, {"--ranks", "--mpi"});
  refused(bad_command_line, {in}, {"out.npy"});
}

TEST(PlanOverRanks, PrintsStagesBoxesAndMemory) {
  Outcome const o =
      skipper({"plan", "1024x1024x1024", "--ranks", "8", "--machine", "h200", "--links", "nvlink"});
  EXPECT_EQ(o.code, done) << o.error;
  for (std::string const part :
       {" over 8 ranks in ", " pieces on h200: 2 exchanges", "links nvlink ranks_per_node 8",
        "grid 8x1x1 axes 1,2", "896 MiB", "2 GiB", "896:1024 x 0:1024 x 0:1024"})
    EXPECT_NE(o.out.find(part), std::string::npos) << part << "\n" << o.out;
  Outcome const rank = skipper({"plan", "64x64", "--ranks", "4", "--machine", "h200", "--rank", "2"});
  EXPECT_NE(rank.out.find("to rank 3: 32:48 x 48:64, 2 KiB"), std::string::npos) << rank.out;
  Outcome const many = skipper({"plan", "512x512x512", "--ranks", "4096", "--machine", "h200", "--in",
                                "64x64x1", "--any-output", "--links", "infiniband"});
  EXPECT_NE(many.out.find("--rank R shows one"), std::string::npos) << many.out;
}

TEST(PlanOverRanks, JsonHasThePredictionAndARank) {
  Json const json = parse_json(
      skipper({"plan", "64x48", "--ranks", "4", "--machine", "h200", "--links",
               "links mine ranks_per_node 2 node 1e-6 1e11 network 2e-6 1e10", "--rank", "0", "--json"})
          .out);
  EXPECT_EQ(json.at("problem").get<std::string>(), "c2c f32 forward 64x48");
  EXPECT_EQ(json.at("ranks").get<double>(), 4);
  double seconds = 0, bytes = 0;
  for (Json const& stage : json.at("stages")) {
    seconds += stage.at("seconds").get<double>();
    bytes += stage.at("node_bytes").get<double>() + 1e6 * stage.at("network_bytes").get<double>();
  }
  EXPECT_DOUBLE_EQ(seconds, json.at("estimated_seconds").get<double>());
  // Of the quarter that a rank has, each of two exchanges sends a quarter to its neighbour and half to the other node.
  EXPECT_EQ(bytes, 2 * (64 * 48 * 8 / 16 + 1e6 * 64 * 48 * 8 / 8));
  EXPECT_EQ(json.at("rank").at("stages")[0].at("sends").size(), 3u);
  EXPECT_EQ(json.at("array_bytes").get<double>(), 2 * 64 * 48 * 8 / 4);
  EXPECT_GT(json.at("buffer_bytes").get<double>(), 0);
}

TEST(PlanOverRanks, SplitsALongAxisWhoseSpectrumStaysPermuted) {
  std::vector<std::string> const plan{"plan", "1048576", "--ranks", "8",     "--machine",
                                      "h200", "--links", "nvlink",  "--text"};
  auto const with = [&](std::string const& more) {
    std::vector<std::string> words = plan;
    words.push_back(more);
    return skipper(words).out;
  };
  EXPECT_NE(with("--permuted-out").find("split 0 1024x1024 permuted_out\ngrid 8x1\n"), std::string::npos);
  EXPECT_NE(with("--permuted-in").find("split 0 1024x1024 permuted_in\ngrid 1x8 axes 0\n"),
            std::string::npos);
  expect_refused(bad_command_line, {"bench", "--distributed", "1024", "--ranks", "2", "--permuted-out"},
                 {"permuted"});
}

TEST(PlanOverRanks, ReadsItsProgramBack) {
  Folder const folder("skipper-ranks-program");
  std::vector<std::string> const plan{"plan", "c2c f64 forward 32x20x18", "--ranks", "6", "--machine",
                                      "h200"};
  auto const with = [&](std::vector<std::string> const& more) {
    std::vector<std::string> words = plan;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  std::string const text = skipper(with({"--any-output", "--pieces", "4", "--in", "3x2x1", "--text"})).out;
  EXPECT_NE(text.find("over 6 ranks in 4 pieces\ngrid 3x2x1 axes 2\n"), std::string::npos) << text;
  std::ofstream(folder("p.txt")) << text;
  EXPECT_EQ(skipper(with({"--program", folder("p.txt"), "--text"})).out, text);
  Json const bench = parse_json(skipper({"bench", "--distributed", "c2c f64 forward 32x20x18", "--ranks", "6",
                                         "--program", folder("p.txt"), "--seconds", "0.01", "--json"})
                                    .out);
  EXPECT_EQ(bench.at("cases")[0].at("program").get<std::string>() + "\n", text);
  expect_refused(bad_command_line, with({"--program", folder("p.txt"), "--pieces", "2"}), {"exclude"});
  expect_refused(bad_command_line,
                 {"plan", "32x20", "--ranks", "6", "--machine", "h200", "--program", folder("p.txt")},
                 {"program", "32x20x18"});
}

TEST(PlanOverRanks, IsMeasuredOnce) {
  EXPECT_EQ(skipper({"bench", "--distributed", "8x6x10", "--ranks", "2", "--repeats", "1"}).code, done);
}

TEST(PlanOverRanks, RefusesWhatDoesNotFit) {
  expect_refused(bad_command_line, {"plan", "64x64", "--rank", "1"}, {"--rank", "--ranks"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "0"}, {"--ranks"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--rank", "4"}, {"--rank", "0 to 3"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--links", "string"},
                 {"links", "'string'", "nvlink"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--in", "2x2x1"},
                 {"--in", "3 dimensions"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--out", "4x2"}, {"--out", "8 boxes"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--in", "ax2"}, {"--in", "4x2x1"});
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--no-clusters"}, {"--no-clusters"});
}

TEST(BenchOverRanks, TimesPhasesAndVerifies) {
  for (std::string const method : {"direct", "messages"})
    for (std::string const problem :
         {"c2c f32 forward 16x12x20", "r2c f64 forward 12x30", "c2r f32 inverse 9x8x14",
          "c2c f32 forward 8x8 in-place", "r2r f32 forward 12x10 kinds dct2,dst1", "c2c f16 forward 16x12x20",
          "r2c f16 forward 12x30", "c2c bf16 forward 16x12x20"}) {
      Outcome const o = skipper({"bench", "--distributed", problem, "--ranks", "3", "--exchange", method,
                                 "--pieces", "2", "--seconds", "0.01", "--json"});
      ASSERT_EQ(o.code, done) << problem << o.error;
      Json const json = parse_json(o.out);
      EXPECT_EQ(json.at("ranks").get<double>(), 3);
      EXPECT_EQ(json.at("communicator").get<std::string>(), "threads");
      Json const& c = json.at("cases")[0];
      EXPECT_TRUE(c.at("verified").get<bool>()) << problem;
      EXPECT_GT(c.at("seconds").get<double>(), 0);
      EXPECT_GT(c.at("transform_seconds").get<double>(), 0);
      EXPECT_GT(c.at("exchange_seconds").get<double>(), 0);
      EXPECT_GT(c.at("bandwidth").get<double>(), 0);
      EXPECT_GT(c.at("sent_bytes").get<double>(), 0);
    }
}

TEST(BenchOverRanks, PrintsATableThatCompareCanReadAsJson) {
  Folder const folder("skipper-ranks-bench");
  Outcome const o = skipper({"bench", "--distributed", "16x16", "--ranks", "2", "--seconds", "0.01"});
  EXPECT_NE(o.out.find("over 2 ranks (threads"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("verified"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("grid 2x1 axes 1"), std::string::npos) << o.out;
  std::ofstream(folder("r.json"))
      << skipper({"bench", "--distributed", "16x16", "--ranks", "2", "--seconds", "0.01", "--json"}).out;
  EXPECT_EQ(skipper({"compare", folder("r.json"), folder("r.json")}).code, done);
}

TEST(BenchOverRanks, RefusesWhatDoesNotFit) {
  expect_refused(bad_command_line, {"bench", "16x16", "--ranks", "2"}, {"--ranks", "--distributed"});
  expect_refused(bad_command_line, {"bench", "--distributed", "--ranks", "2"}, {"needs a shape"});
  expect_refused(bad_command_line, {"bench", "--distributed", "16x16", "--ranks", "2", "--csv"}, {"--csv"});
  expect_refused(bad_command_line, {"bench", "--distributed", "16x16", "--exchange", "pigeons"},
                 {"exchange", "pigeons", "messages"});
  expect_refused(bad_command_line, {"bench", "--distributed", "r2c f32 forward 8x8 in-place", "--ranks", "2"},
                 {"placement", "out of place"});
}

TEST(Ranks, WhatOneRankThrowsEndsAll) {
  for (int const guilty : {0, 2}) {
    int ended = 0;
    try {
      run_on_ranks({Ranks::Launch::threads, 3}, [&](std::shared_ptr<Communicator> const& c) {
        if (c->rank() == guilty) throw FileError("big.npy: it is gone");
        c->barrier();
        return 0;
      });
    } catch (RankFailure const& e) {
      ended = e.code;
      EXPECT_STREQ(e.what(), "big.npy: it is gone");
    }
    EXPECT_EQ(ended, failure);
  }
}

TEST(Ranks, AreThoseOfTheLauncher) {
  EXPECT_FALSE(mpi_launch());
  auto const launch = [](std::vector<std::string> words) {
    RankOptions options;
    CLI::App app;
    rank_options(app, options);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
    return ranks_from(options).launch;
  };
  EXPECT_EQ(launch({}), Ranks::Launch::alone);
  EXPECT_EQ(launch({"--mpi"}), Ranks::Launch::mpi);
  EXPECT_EQ(launch({"--ranks", "3"}), Ranks::Launch::threads);
  Variable const rank("PMI_RANK", "5");
  EXPECT_EQ(launch({}), Ranks::Launch::mpi);
  EXPECT_EQ(launch({"--ranks", "1"}), Ranks::Launch::alone);
  {
    Variable const size("PMI_SIZE", "1");
    EXPECT_EQ(launch({}), Ranks::Launch::alone);
  }
  Variable const local("MPI_LOCALRANKID", "1");
  EXPECT_EQ(mpi_launch()->rank, 5);
  EXPECT_EQ(mpi_launch()->local_rank, 1);
}

TEST(Ranks, SayWhatIsMissingForMpi) {
  Folder const folder("skipper-ranks-library");
  write_npy(folder("in.npy"), array_of<float>({true, Precision::f32}, {4, 4}));
  std::vector<std::string> const words{"fft", folder("in.npy"), folder("out.npy"), "--mpi"};
  {
    Variable const library("SKIPPER_MPI_LIBRARY", "/nowhere/libskipper_mpi.so");
    Outcome const o = skipper(words);
    EXPECT_EQ(o.code, failure);
    for (std::string const part : {"libskipper_mpi cannot be opened", "SKIPPER_MPI_LIBRARY", "/nowhere/"})
      EXPECT_NE(o.error.find(part), std::string::npos) << o.error;
  }
  {
    Variable const library("SKIPPER_MPI_LIBRARY", "libm.so.6");
    expect_refused(failure, words, {"libm.so.6", "is not libskipper_mpi"});
  }
  EXPECT_FALSE(skipper::testing::fs::exists(folder("out.npy")));
}

}  // namespace
}  // namespace skipper::cli
