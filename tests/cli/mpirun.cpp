// The program under a real mpirun: files and measurements over processes, and one message where a rank fails.
// SKIPPER_TEST_MPIRUN names the launcher, SKIPPER_MPI_LIBRARY the library for its MPI.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cli/program.h"
#include "cli/command_line.h"
#include "json.h"
#include "npy.h"
#include "output_file.h"
#include "support/quick.h"

namespace skipper::cli {
namespace {

using skipper::testing::contents;
using skipper::testing::Folder;
using skipper::testing::Outcome;
using skipper::testing::Running;

using Words = std::vector<std::string>;

std::string launcher() {
  char const* const named = std::getenv("SKIPPER_TEST_MPIRUN");
  return named ? named : "/usr/bin/mpirun";
}

/// `mpirun -n N skipper WORDS`, and `: -n 1 skipper OTHER` where one more rank is to get other words.
Outcome mpirun(int ranks, Words const& words, Words const& other = {}) {
  Words all{"-n", std::to_string(ranks), SKIPPER_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  if (!other.empty()) {
    all.insert(all.end(), {":", "-n", "1", SKIPPER_PROGRAM});
    all.insert(all.end(), other.begin(), other.end());
  }
  return Running(launcher(), all).finished();
}

int messages(std::string const& error) {
  int count = 0;
  for (std::size_t at = 0; (at = error.find("skipper: ", at)) != error.npos; ++at) ++count;
  return count;
}

void write_input(std::string const& path, std::vector<std::int64_t> const& shape) {
  NpyArray array{{true, Precision::f32}, false, shape, {}};
  std::size_t count = 2;
  for (std::int64_t const n : shape) count *= std::size_t(n);
  array.data.resize(count * 4);
  for (std::size_t i = 0; i < count; ++i) {
    float const value = float(std::sin(0.3 * double(i * i % 1000)));
    std::memcpy(array.data.data() + 4 * i, &value, 4);
  }
  write_npy(path, array);
}

/// Relative difference of two files of f32.
double difference(std::string const& a, std::string const& b) {
  NpyArray const x = read_npy(a), y = read_npy(b);
  if (x.shape != y.shape || x.type != y.type) return INFINITY;
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < x.data.size() / 4; ++i) {
    float p = 0, q = 0;
    std::memcpy(&p, x.data.data() + 4 * i, 4);
    std::memcpy(&q, y.data.data() + 4 * i, 4);
    apart += double(p - q) * double(p - q);
    size += double(q) * double(q);
  }
  return std::sqrt(apart / size);
}

TEST(Mpirun, TransformsAFile) {
  Folder const folder("skipper-mpirun");
  write_input(folder("in.npy"), {18, 20, 11});
  std::size_t number = 0;
  for (Words const& options : {Words{}, Words{"--axes", "0,1"}, Words{"--real", "--inverse"}}) {
    Words alone{"fft", folder("in.npy"), folder("alone.npy"), "--device", "cpu"};
    alone.insert(alone.end(), options.begin(), options.end());
    ASSERT_EQ(run_command_line(alone), done);
    for (int const ranks : {1, 2, 4, 7}) {
      if (!skipper::testing::takes(number++, 3)) continue;
      Words spread{"fft", folder("in.npy"), folder("spread.npy")};
      spread.insert(spread.end(), options.begin(), options.end());
      Outcome const o = mpirun(ranks, spread);
      ASSERT_EQ(o.code(), done) << o.error;
      EXPECT_LT(difference(folder("spread.npy"), folder("alone.npy")), 1e-6) << ranks;
      EXPECT_EQ(folder.files(), 3u);
    }
  }
}

TEST(Mpirun, MeasuresAndVerifies) {
  Outcome const o = mpirun(4, {"bench", "--distributed", "48x40x36", "--seconds", "0.05", "--json"});
  ASSERT_EQ(o.code(), done) << o.error;
  Json const json = parse_json(o.out);  // one, so only one rank printed
  EXPECT_EQ(json.at("ranks").get<double>(), 4);
  EXPECT_EQ(json.at("communicator").get<std::string>(), "mpi");
  Json const& c = json.at("cases")[0];
  EXPECT_TRUE(c.at("verified").get<bool>());
  EXPECT_GT(c.at("exchange_seconds").get<double>(), 0);
  EXPECT_GT(c.at("transform_seconds").get<double>(), 0);
  for (std::string const method : {"direct", "messages"}) {
    Outcome const by = mpirun(3, {"bench", "--distributed", "r2c f64 forward 24x30", "--exchange", method,
                                  "--any-output", "--seconds", "0.05"});
    EXPECT_EQ(by.code(), done) << by.error;
    EXPECT_NE(by.out.find("over 3 ranks (mpi"), std::string::npos) << by.out;
    EXPECT_NE(by.out.find("verified"), std::string::npos) << by.out;
  }
}

TEST(Mpirun, EndsAllRanksWithOneMessage) {
  Folder const folder("skipper-mpirun-errors");
  write_input(folder("in.npy"), {12, 10});
  write_input(folder("other.npy"), {12, 14});
  std::ofstream(folder("out.npy")) << "as it was";
  auto const expect = [&](Outcome const& o, int code, Words const& mentioned) {
    EXPECT_EQ(o.code(), code) << o.error;
    EXPECT_EQ(messages(o.error), 1) << o.error;
    for (std::string const& m : mentioned)
      EXPECT_NE(o.error.find(m), std::string::npos) << m << "\n" << o.error;
    EXPECT_EQ(contents(folder("out.npy")), "as it was");
    EXPECT_EQ(folder.files(), 3u);
  };
  std::size_t number = 0;
  auto const some = [&] { return skipper::testing::takes(number++, 2); };
  Words const good{"fft", folder("in.npy"), folder("out.npy")};
  if (some())
    expect(mpirun(3, {"fft", folder("missing.npy"), folder("out.npy")}), failure,
           {"missing.npy", "cannot be opened"});
  if (some())
    expect(mpirun(3, {"fft", folder("in.npy"), folder("nowhere/out.npy")}), failure, {"folder is missing"});
  if (some())
    expect(mpirun(3, {"fft", folder("in.npy"), folder("out.npy"), "--pairs"}), bad_command_line, {"--pairs"});
  if (some())
    expect(mpirun(3, {"fft", folder("in.npy"), "--frobnicate"}), bad_command_line, {"--frobnicate"});
  // One rank alone is at fault.
  if (some())
    expect(mpirun(3, good, {"fft", folder("missing.npy"), folder("out.npy")}), failure,
           {"rank 3: ", "missing.npy", "cannot be opened"});
  if (some())
    expect(mpirun(3, good, {"fft", folder("other.npy"), folder("out.npy")}), bad_command_line, {"axes"});
}

}  // namespace
}  // namespace skipper::cli
