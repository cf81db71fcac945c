// The command `poisson`: files in, files out, every option, and one line for each bad argument.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "cli/command_line.h"
#include "npy.h"
#include "poisson/laplacian.h"

namespace skipper::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("skipper-poisson-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator()(std::string const& name) const { return (path / name).string(); }
};

void write(std::string const& path, std::vector<std::int64_t> const& shape, std::vector<double> const& values,
           bool fortran_order = false) {
  NpyArray array{{false, Precision::f64}, fortran_order, shape, {}};
  array.data.resize(values.size() * sizeof(double));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  write_npy(path, array);
}

std::vector<double> read(std::string const& path) {
  NpyArray array = read_npy(path);
  convert(array, {false, Precision::f64});
  std::vector<double> values(array.data.size() / sizeof(double));
  std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

struct Outcome {
  int code;
  std::string out, error;
};

Outcome poisson(std::vector<std::string> words) {
  words.insert(words.begin(), "poisson");
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  int const code = run_command_line(words);
  std::string const out = ::testing::internal::GetCapturedStdout();
  return {code, out, ::testing::internal::GetCapturedStderr()};
}

PoissonProblem box() {
  PoissonProblem p;
  p.precision = Precision::f64;
  p.axes = {{6, 1, Boundary::periodic, Boundary::periodic, Centring::cell, false, {}},
            {5, 2, Boundary::dirichlet, Boundary::neumann, Centring::node, true, {}},
            {8, 3, Boundary::periodic, Boundary::periodic, Centring::cell, false, {}}};
  return p;
}

TEST(PoissonCommand, SolvesAFile) {
  Folder const folder;
  PoissonProblem p = box();
  p.shift = -1;
  std::vector<double> const f = testing::noise<double>(testing::count(p));
  std::vector<double> const face = testing::noise<double>(48, 2);
  write(folder("f.npy"), {6, 5, 8}, f);
  write(folder("face.npy"), {6, 8}, face);
  Outcome const o =
      poisson({folder("f.npy"), folder("phi.npy"), "--bc", "periodic,dirichlet-neumann,periodic", "--box",
               "1,2,3", "--centring", "cell,node,cell", "--tridiagonal", "1", "--shift=-1", "--values",
               "1:low=" + folder("face.npy") + ",1:high=0.5"});
  ASSERT_EQ(o.code, done) << o.error;
  EXPECT_EQ(o.out, "");
  std::vector<Faces<double>> const faces = {{}, {face, {0.5}}, {}};
  EXPECT_LT(testing::largest_difference(testing::laplacian(p, read(folder("phi.npy")), faces), f), 1e-10);
}

TEST(PoissonCommand, FortranOrderMeansTheSame) {
  Folder const folder;
  PoissonProblem const p = box();
  std::vector<double> const f = testing::noise<double>(240);
  std::vector<double> transposed(240);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 8; ++k) transposed[(k * 5 + j) * 6 + i] = f[(i * 5 + j) * 8 + k];
  write(folder("c.npy"), {6, 5, 8}, f);
  write(folder("f.npy"), {6, 5, 8}, transposed, true);
  std::vector<std::string> const rest = {
      "--bc", "periodic,dirichlet-neumann,periodic", "--box", "1,2,3", "--centring", "node", "--tridiagonal",
      "1"};
  for (std::string const name : {"c", "f"}) {
    std::vector<std::string> words = {folder(name + ".npy"), folder(name + "-phi.npy")};
    words.insert(words.end(), rest.begin(), rest.end());
    ASSERT_EQ(poisson(words).code, done);
  }
  std::vector<double> const a = read(folder("c-phi.npy")), b = read(folder("f-phi.npy"));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(b[(k * 5 + j) * 6 + i], a[(i * 5 + j) * 8 + k], 1e-13);
}

TEST(PoissonCommand, PrintsTheDefectAndKeepsThePolicies) {
  Folder const folder;
  write(folder("f.npy"), {4, 4}, std::vector<double>(16, 0.25));
  Outcome const o = poisson({folder("f.npy"), folder("phi.npy")});
  EXPECT_EQ(o.out, "defect 0.25\n") << o.error;
  Outcome const refused = poisson({folder("f.npy"), folder("none.npy"), "--zero-mode", "error"});
  EXPECT_EQ(refused.code, bad_command_line);
  EXPECT_NE(refused.error.find("mean 0.25"), std::string::npos) << refused.error;
  EXPECT_FALSE(fs::exists(folder("none.npy")));
  write(folder("f.npy"), {8}, testing::noise<double>(8));
  ASSERT_EQ(poisson({folder("f.npy"), folder("phi.npy"), "--zero-mode", "pin"}).code, done);
  EXPECT_EQ(read(folder("phi.npy"))[0], 0);
}

TEST(PoissonCommand, ReadsAStretchedGrid) {
  Folder const folder;
  write(folder("f.npy"), {3}, {1, 1, 1});
  write(folder("x.npy"), {4}, {0, 1, 3, 4});
  ASSERT_EQ(poisson({folder("f.npy"), folder("phi.npy"), "--bc", "dirichlet", "--grid",
                     "0=" + folder("x.npy"), "--precision", "f32"})
                .code,
            done);
  // Fluxes: the cells hold 1, 2, 1 of the source; by symmetry -2 flows in at the low face, half a cell from phi[0].
  std::vector<double> const phi = read(folder("phi.npy"));
  EXPECT_NEAR(phi[0], -1, 1e-6);
  EXPECT_NEAR(phi[1], -2.5, 1e-6);
  EXPECT_NEAR(phi[2], -1, 1e-6);
  EXPECT_EQ(read_npy(folder("phi.npy")).type.precision, Precision::f32);
}

// Through small buffers: the same numbers, and nothing is said where nobody watches.
TEST(PoissonCommand, WithAMemoryLimitTheSame) {
  Folder const folder;
  write(folder("f.npy"), {16, 12, 20}, testing::noise<double>(16 * 12 * 20));
  std::vector<std::string> words = {folder("f.npy"), folder("whole.npy"), "--bc",
                                    "periodic,neumann,periodic"};
  Outcome const whole = poisson(words);
  ASSERT_EQ(whole.code, done) << whole.error;
  words[1] = folder("sliced.npy");
  words.insert(words.end(), {"--memory-limit", "16K"});
  Outcome const sliced = poisson(words);
  ASSERT_EQ(sliced.code, done) << sliced.error;
  EXPECT_EQ(sliced.error, "");
  EXPECT_LT(testing::largest_difference(read(folder("whole.npy")), read(folder("sliced.npy"))), 1e-13);
}

TEST(PoissonCommand, RefusesInOneLine) {
  Folder const folder;
  std::string const f = folder("f.npy"), phi = folder("phi.npy");
  write(f, {4, 4}, std::vector<double>(16));
  auto const refused = [&](int code, std::vector<std::string> const& options, std::string const& word) {
    std::vector<std::string> words = {f, phi};
    words.insert(words.end(), options.begin(), options.end());
    Outcome const o = poisson(words);
    EXPECT_EQ(o.code, code) << o.error;
    EXPECT_EQ(std::count(o.error.begin(), o.error.end(), '\n'), 1) << o.error;
    EXPECT_NE(o.error.find(word), std::string::npos) << o.error;
    EXPECT_FALSE(fs::exists(phi));
  };
  refused(bad_command_line, {"--bc", "periodic,wet"}, "'wet'");
  refused(bad_command_line, {"--bc", "neumann-dirichlet-neumann"}, "'neumann-dirichlet-neumann'");
  refused(bad_command_line, {"--bc", "periodic,periodic,periodic"}, "2 axes");
  refused(bad_command_line, {"--bc", "periodic-neumann"}, "periodic on both sides");
  refused(bad_command_line, {"--box", "1,-1"}, "axes[1].length");
  refused(bad_command_line, {"--box", "1,much"}, "'much'");
  refused(bad_command_line, {"--centring", "edge"}, "'edge'");
  refused(bad_command_line, {"--tridiagonal", "0"}, "periodic axis");
  refused(bad_command_line, {"--tridiagonal", "2"}, "0 to 1");
  refused(bad_command_line, {"--grid", "0"}, "--grid");
  refused(bad_command_line, {"--values", "0:top=1"}, "'top'");
  refused(bad_command_line, {"--values", "low=1"}, "--values");
  refused(bad_command_line, {"--values", "0:low=1"}, "periodic");
  refused(failure, {"--values", "0:low=missing.npy"}, "missing.npy");
  refused(bad_command_line, {"--memory-limit", "much"}, "much");
  refused(bad_command_line, {"--memory-limit", "10"}, "even one slice needs");
}

}  // namespace
}  // namespace skipper::cli
