// Every command by its command line: what it prints, its exit code, and one line for each bad argument.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/command_line.h"
#include "input_file.h"
#include "json.h"
#include "npy.h"
#include "output_file.h"

namespace skipper::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("skipper-cli-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(std::string const& name) const { return (path / name).string(); }
};

using Outcome = CommandOutcome;

Outcome skipper(std::vector<std::string> const& words) { return outcome_of(words); }

std::vector<Program> programs() { return {skipper_program(), bench_program()}; }

TEST(Commands, HelpAndVersion) {
  EXPECT_EQ(skipper({"--version"}).out.substr(0, 8), "skipper ");
  EXPECT_EQ(skipper({}).code, bad_command_line);
  for (Program const& program : programs()) {
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(run_command_line(program, {"help"}), done);
    std::string const overview = ::testing::internal::GetCapturedStdout();
    for (DeclaredCommand const& c : commands_of(program)) {
      EXPECT_NE(overview.find("  " + c.name + " "), std::string::npos) << overview;
      EXPECT_NE(overview.find(c.summary.substr(0, 40)), std::string::npos) << c.name;
      EXPECT_EQ(skipper({"help", c.name}).out, skipper({c.name, "--help"}).out);
      for (DeclaredOption const& o : c.options)
        EXPECT_NE(skipper({"help", c.name}).out.find("  " + o.name + (o.value.empty() ? "" : " " + o.value)),
                  std::string::npos)
            << o.name;
    }
  }
  expect_refused(bad_command_line, {"frobnicate"}, {"'frobnicate'", "plan", "bench"});
  expect_refused(bad_command_line, {"help", "plan", "fft"}, {"help", "one command"});
}

TEST(Commands, EveryCommandRefusesUnknownOptions) {
  for (Program const& program : programs())
    for (DeclaredCommand const& c : commands_of(program))
      expect_refused(bad_command_line, {c.name, "--frobnicate"}, {"'--frobnicate'", c.name});
}

TEST(Commands, SkipperKnowsWhatItHandsOn) {
  std::vector<DeclaredCommand> const theirs = commands_of(bench_program());
  for (DeclaredCommand const& c : commands_of(skipper_program())) {
    if (!c.handed_on) continue;
    auto const own =
        std::find_if(theirs.begin(), theirs.end(), [&](auto const& t) { return t.name == c.name; });
    ASSERT_NE(own, theirs.end()) << c.name;
    EXPECT_EQ(own->summary, c.summary);
  }
}

TEST(Info, ListsDevicesAndMachines) {
  Outcome const o = skipper({"info"});
  EXPECT_EQ(o.code, done);
  EXPECT_NE(o.out.find("cpu"), std::string::npos);
  EXPECT_NE(o.out.find("h200"), std::string::npos);
  Json const json = parse_json(skipper({"info", "--json"}).out);
  EXPECT_FALSE(json.at("devices").empty());
  for (Json const& line : json.at("missing_for_gpu"))
    EXPECT_NE(o.out.find("no GPU: " + line.get<std::string>()), std::string::npos) << o.out;
  expect_refused(bad_command_line, {"info", "x"}, {"'x'"});
}

TEST(PlanCommand, PrintsProgramsAndJson) {
  Outcome const o = skipper({"plan", "512x512x512", "--machine", "h200"});
  EXPECT_EQ(o.code, done) << o.error;
  EXPECT_NE(o.out.find("c2c f32 forward 512x512x512 on h200"), std::string::npos) << o.out;
  Json const json =
      parse_json(skipper({"plan", "64x64", "--machine=h200", "--batch", "8", "--inverse", "--json"}).out);
  EXPECT_EQ(json.at("problem").get<std::string>(), "c2c f32 inverse 64x64 batch 8");
  EXPECT_GT(json.at("estimate").get<double>(), 0);
  EXPECT_EQ(json.at("machine").get<std::string>().substr(0, 12), "machine h200");
  EXPECT_FALSE(json.at("program").get<std::string>().empty());
  for (Json const& sweep : json.at("sweeps")) {
    EXPECT_FALSE(sweep.at("tier").get<std::string>().empty());
    EXPECT_GT(sweep.at("tile_bytes").get<double>(), 0);
    EXPECT_GT(sweep.at("segment_bytes").get<double>(), 0);
    EXPECT_FALSE(sweep.at("sub_transforms").empty());
    EXPECT_GT(sweep.at("estimate").get<double>(), 0);
  }
  EXPECT_EQ(skipper({"plan", "c2c f64 forward 64x64 batch 8", "--no-clusters", "--no-l2-blocks"}).code, done);
}

TEST(PlanCommand, PrintsKernels) {
  auto const source = [](std::string const& problem, std::string const& language) {
    return skipper({"plan", problem, "--machine", "h200", "--source", language});
  };
  EXPECT_NE(source("64", "ptx").out.find(".visible .entry sweep("), std::string::npos);
  EXPECT_NE(source("64", "cuda").out.find("extern \"C\" __global__ void"), std::string::npos);
  EXPECT_NE(source("64", "opencl").out.find("__kernel void sweep("), std::string::npos);
  std::string const fused = source("c2c f32 forward 165x120 batch 1694", "cuda").out;
  EXPECT_NE(fused.find("// sweeps 1 and 2, fused: {"), std::string::npos) << fused.substr(0, 200);
  EXPECT_NE(fused.find("    deferred_items("), std::string::npos);
  Json const json =
      parse_json(skipper({"plan", "100", "--machine", "a100", "--source", "opencl", "--json"}).out);
  ASSERT_EQ(json.at("kernels").size(), 1u);
  EXPECT_EQ(json.at("kernels")[0].at("of").get<std::string>().substr(0, 15), "sweep 1 of 1: {");
  expect_refused(bad_command_line, {"plan", "64", "--source", "hip"}, {"--source", "opencl"});
  Outcome const cpu = skipper({"plan", "64", "--source", "ptx"});
  EXPECT_NE(cpu.code, done);
  EXPECT_NE((cpu.out + cpu.error).find("runs no kernels"), std::string::npos) << cpu.out << cpu.error;
  Outcome const primes = source("c2c f64 forward 46 batch 21370", "opencl");
  EXPECT_NE((primes.out + primes.error).find("warps"), std::string::npos) << primes.out.substr(0, 200);
}

TEST(PlanCommand, TakesSeveralProblems) {
  Outcome const o = skipper({"plan", "8x8", "c2c f64 forward 100", "--machine", "h200"});
  EXPECT_EQ(o.code, done) << o.error;
  EXPECT_LT(o.out.find("c2c f32 forward 8x8 on h200"), o.out.find("c2c f64 forward 100 on h200"));
  Json const json =
      parse_json(skipper({"plan", "8", "16", "--batch", "3", "--machine", "h200", "--json"}).out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1].at("problem").get<std::string>(), "c2c f32 forward 16 batch 3");
  Outcome const spread = skipper({"plan", "64x64", "32x32", "--ranks", "4", "--machine", "h200"});
  EXPECT_NE(spread.out.find("32x32 over 4 ranks"), std::string::npos) << spread.out << spread.error;
  EXPECT_EQ(skipper({"plan", "--suite", "batched", "--ranks", "4", "--machine", "h200"}).code, done);
  expect_refused(bad_command_line, {"plan", "64x64", "--ranks", "4", "--rank", "4"}, {"--rank", "0 to 3"});
  expect_refused(bad_command_line, {"plan", "8", "8y9"}, {"'8y9'"});
  expect_refused(bad_command_line, {"plan", "8", "c2c f32 forward 9", "--batch", "2"},
                 {"--batch", "whole text"});
  expect_refused(bad_command_line, {"plan", "8", "--suite", "quick"}, {"--suite", "problem"});
}

TEST(PlanCommand, ListsReportWhatIsUnsupported) {
  Folder const folder;
  std::ofstream(folder.file("l.txt")) << "# comment\nc2c f32 4 64 64\n\nc2d f32 1 4\nc2c f64 forward 100\n";
  Outcome const o = skipper({"plan", "--list", folder.file("l.txt"), "--machine", "h200"});
  EXPECT_EQ(o.code, answer_is_no);
  EXPECT_NE(o.out.find("unsupported: "), std::string::npos);
  EXPECT_NE(o.out.find("2 planned, 1 unsupported"), std::string::npos) << o.out;
  EXPECT_EQ(parse_json(skipper({"plan", "--list", folder.file("l.txt"), "--json"}).out).size(), 3u);
}

TEST(PlanCommand, AListOfNothingPlannableIsNoAndCannotReachTheTerminal) {
  Folder const folder;
  std::ofstream(folder.file("l.txt")) << "c2c f32 \033[31m\a\n\302\233 x\n";
  Outcome const o = skipper({"plan", "--list", folder.file("l.txt"), "--machine", "h200"});
  EXPECT_EQ(o.code, answer_is_no);
  EXPECT_NE(o.out.find("c2c f32 \\x1b[31m\\x07"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("0 planned, 2 unsupported"), std::string::npos) << o.out;
  for (char const* bad : {"\033", "\a", "\302\233"}) EXPECT_EQ(o.out.find(bad), std::string::npos) << bad;
  EXPECT_EQ(skipper({"plan", "--list", folder.file("l.txt"), "--json"}).code, answer_is_no);
  expect_refused(failure, {"plan", "--list", "/no\033[2Jwhere"}, {"/no\\x1b[2Jwhere"});
  expect_refused(bad_command_line, {"plan", "c2c f32 8 kinds dct9"}, {"is not an axis kind"});
  expect_refused(bad_command_line, {"bench", "8", "--seconds", "-1"}, {"at least 0;"});
}

TEST(PlanCommand, RefusesBadArguments) {
  expect_refused(bad_command_line, {"plan"}, {"512x512x512"});
  expect_refused(bad_command_line, {"info", "8", "9"}, {"'8'"});
  expect_refused(bad_command_line, {"plan", "8y9"}, {"'8y9'"});
  expect_refused(bad_command_line, {"plan", "0x4"}, {"axes[0].size"});
  expect_refused(bad_command_line, {"plan", "8", "--machine", "abacus"}, {"abacus", "h200"});
  expect_refused(bad_command_line, {"plan", "8", "--machine"}, {"--machine", "value"});
  expect_refused(bad_command_line, {"plan", "8", "--kind", "c2d"}, {"--kind", "'c2d'", "r2c"});
  expect_refused(bad_command_line, {"plan", "8", "--batch", "-1"}, {"--batch", "'-1'"});
  expect_refused(bad_command_line, {"plan", "8", "--batch", "1", "--batch", "2"}, {"--batch", "twice"});
  expect_refused(bad_command_line, {"plan", "8", "--json=yes"}, {"--json", "no value"});
  expect_refused(bad_command_line, {"plan", "8", "-j"}, {"'-j'"});
  expect_refused(bad_command_line, {"plan", "c2c f32 8", "--batch", "2"}, {"--batch"});
  expect_refused(bad_command_line, {"plan", "c2c f32 8y"}, {"8y"});
  expect_refused(bad_command_line, {"plan", "--suite", "x"}, {"--suite", "quick"});
  expect_refused(failure, {"plan", "--list", "/nowhere/x.txt"}, {"/nowhere/x.txt"});
}

NpyArray complex_array(std::vector<std::int64_t> const& shape, bool fortran = false) {
  std::vector<std::complex<double>> values;
  std::size_t count = 1;
  for (std::int64_t const n : shape) count *= std::size_t(n);
  for (std::size_t i = 0; i < count; ++i)
    values.emplace_back(std::sin(double(i * i)), std::cos(3.0 * double(i)));
  NpyArray array{{true, Precision::f64}, fortran, shape, {}};
  array.data.resize(values.size() * 16);
  if (!values.empty()) std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

std::vector<double> doubles(NpyArray const& array) {
  std::vector<double> result(array.data.size() / 8);
  std::memcpy(result.data(), array.data.data(), array.data.size());
  return result;
}

void expect_near(NpyArray const& a, NpyArray const& b, double tolerance) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.type, b.type);
  std::vector<double> const x = doubles(a), y = doubles(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance) << i;
}

TEST(FftCommand, ThereAndBackInEveryNorm) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  for (bool const fortran : {false, true})
    for (std::string const norm : {"backward", "ortho", "forward"})
      for (std::string const axes : {"0,1,2", "1", "-1", "2,0"}) {
        write_npy(a, complex_array({3, 4, 5}, fortran));
        ASSERT_EQ(skipper({"fft", a, b, "--norm", norm, "--axes", axes}).code, done);
        ASSERT_EQ(skipper({"fft", b, c, "--norm", norm, "--axes", axes, "--inverse"}).code, done);
        expect_near(read_npy(a), read_npy(c), 1e-13);
        EXPECT_EQ(read_npy(c).fortran_order, fortran);
      }
}

TEST(FftCommand, ComputesTheDefinitionAlongAnAxisInEitherOrder) {
  Folder const folder;
  for (bool const fortran : {false, true}) {
    NpyArray const in = complex_array({2, 3}, fortran);
    write_npy(folder.file("a.npy"), in);
    ASSERT_EQ(skipper({"fft", folder.file("a.npy"), folder.file("b.npy"), "--axes", "1"}).code, done);
    std::vector<double> const x = doubles(in), y = doubles(read_npy(folder.file("b.npy")));
    auto const at = [&](std::vector<double> const& v, int r, int c) {
      std::size_t const i = std::size_t(fortran ? r + 2 * c : 3 * r + c);
      return std::complex<double>(v[2 * i], v[2 * i + 1]);
    };
    for (int r = 0; r < 2; ++r)
      for (int k = 0; k < 3; ++k) {
        std::complex<double> sum = 0;
        for (int j = 0; j < 3; ++j) sum += at(x, r, j) * std::polar(1.0, -2 * M_PI * j * k / 3);
        EXPECT_NEAR(std::abs(sum - at(y, r, k)), 0, 1e-14);
      }
  }
}

TEST(FftCommand, RealTransforms) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  for (std::int64_t const n : {6, 7}) {
    NpyArray array{{false, Precision::f64}, false, {4, n}, {}};
    std::vector<double> values;
    for (int i = 0; i < 4 * n; ++i) values.push_back(std::sin(double(i * i)));
    array.data.resize(values.size() * 8);
    std::memcpy(array.data.data(), values.data(), array.data.size());
    write_npy(a, array);
    ASSERT_EQ(skipper({"fft", a, b, "--real"}).code, done);
    EXPECT_EQ(read_npy(b).shape, (std::vector<std::int64_t>{4, n / 2 + 1}));
    ASSERT_EQ(skipper({"fft", b, c, "--real", "--inverse", "--n", std::to_string(n)}).code, done);
    expect_near(read_npy(a), read_npy(c), 1e-13);
    ASSERT_EQ(skipper({"fft", a, b, "--precision", "f32"}).code, done);
    EXPECT_EQ(name(read_npy(b).type), "complex64");
  }
}

NpyArray real_array(std::vector<std::int64_t> const& shape) {
  NpyArray array{{false, Precision::f64}, false, shape, {}};
  std::vector<double> values;
  std::int64_t count = 1;
  for (std::int64_t n : shape) count *= n;
  for (int i = 0; i < count; ++i) values.push_back(std::sin(double(i * i)));
  array.data.resize(values.size() * 8);
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

TEST(FftCommand, HartleyTransforms) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  write_npy(a, real_array({4, 7}));
  ASSERT_EQ(skipper({"fft", a, b, "--kind", "dht", "--axes", "1"}).code, done);
  std::vector<double> const x = doubles(read_npy(a)), y = doubles(read_npy(b));
  for (int k = 0; k < 7; ++k) {
    double sum = 0;
    for (int j = 0; j < 7; ++j)
      sum += x[7 + std::size_t(j)] * (std::cos(2 * M_PI * j * k / 7) + std::sin(2 * M_PI * j * k / 7));
    EXPECT_NEAR(sum, y[7 + std::size_t(k)], 1e-13);
  }
  for (std::string const norm : {"backward", "ortho", "forward"}) {
    ASSERT_EQ(skipper({"fft", a, b, "--kinds", "dht,dct2", "--norm", norm}).code, done);
    ASSERT_EQ(skipper({"fft", b, c, "--kinds", "dht,dct2", "--norm", norm, "--inverse"}).code, done);
    expect_near(read_npy(a), read_npy(c), 1e-13);
  }
}

TEST(FftCommand, CosineAndSineKinds) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  write_npy(a, real_array({4, 6}));
  ASSERT_EQ(skipper({"fft", a, b, "--kind", "dct2", "--axes", "1"}).code, done);
  EXPECT_EQ(name(read_npy(b).type), "float64");
  std::vector<double> const x = doubles(read_npy(a)), y = doubles(read_npy(b));
  for (int k = 0; k < 6; ++k) {
    double sum = 0;
    for (int j = 0; j < 6; ++j) sum += 2 * x[6 + std::size_t(j)] * std::cos(M_PI * (j + 0.5) * k / 6);
    EXPECT_NEAR(sum, y[6 + std::size_t(k)], 1e-14);
  }
  for (std::string const norm : {"backward", "ortho", "forward"})
    for (std::vector<std::string> const& kinds : {std::vector<std::string>{"--kind", "dst3"},
                                                  {"--kinds", "dct1,dct4"},
                                                  {"--kinds", "fourier,dst1"}}) {
      ASSERT_EQ(skipper({"fft", a, b, "--norm", norm, kinds[0], kinds[1]}).code, done);
      ASSERT_EQ(skipper({"fft", b, c, "--norm", norm, "--inverse", kinds[0], kinds[1]}).code, done);
      std::vector<double> const back = doubles(read_npy(c));
      std::size_t const step = read_npy(c).type.complex ? 2 : 1;
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i * step], x[i], 1e-14) << kinds[1];
    }
}

TEST(FftCommand, HalfPrecisionInPairs) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  write_npy(a, real_array({4, 6}));
  ASSERT_EQ(skipper({"fft", a, b, "--precision", "f16"}).code, done);
  EXPECT_EQ(name(read_npy(b).type), "float16");
  EXPECT_EQ(read_npy(b).shape, (std::vector<std::int64_t>{4, 6, 2}));
  ASSERT_EQ(skipper({"fft", b, c, "--pairs", "--inverse", "--precision", "f64"}).code, done);
  std::vector<double> const x = doubles(read_npy(a)), back = doubles(read_npy(c));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[2 * i], x[i], 3e-3);
}

/// As ml_dtypes saves it, whatever byte order it says or does not say; NumPy reads and writes it as |V2.
TEST(FftCommand, BFloat16InPairs) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy"), c = folder.file("c.npy");
  write_npy(a, real_array({4, 6}));
  ASSERT_EQ(skipper({"fft", a, b, "--precision", "bf16"}).code, done);
  EXPECT_EQ(name(read_npy(b).type), "bfloat16");
  EXPECT_EQ(read_npy(b).shape, (std::vector<std::int64_t>{4, 6, 2}));
  for (std::string const precision : {"f64", "bf16"}) {
    ASSERT_EQ(skipper({"fft", b, c, "--pairs", "--inverse", "--precision", precision}).code, done);
    NpyArray result = read_npy(c);
    convert(result, {result.type.complex, Precision::f64});
    std::vector<double> const x = doubles(read_npy(a)), back = doubles(result);
    ASSERT_EQ(back.size(), 2 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[2 * i], x[i], 3e-2);
  }
  ASSERT_EQ(skipper({"fft", b, c, "--pairs", "--real", "--inverse", "--n", "10"}).code, done);
  EXPECT_EQ(name(read_npy(c).type), "bfloat16") << "that of the input";
}

TEST(FftCommand, RefusesBadArgumentsAndLeavesNoOutput) {
  Folder const folder;
  std::string const a = folder.file("a.npy"), b = folder.file("b.npy");
  write_npy(a, complex_array({4, 5}));
  expect_refused(bad_command_line, {"fft", a}, {"out.npy"});
  expect_refused(bad_command_line, {"fft", a, b, "--axes", "2"}, {"--axes", "2"});
  expect_refused(bad_command_line, {"fft", a, b, "--axes", "0,0"}, {"twice"});
  expect_refused(bad_command_line, {"fft", a, b, "--axes", "x"}, {"'x'"});
  expect_refused(bad_command_line, {"fft", a, b, "--real"}, {"--real", "complex128"});
  expect_refused(bad_command_line, {"fft", a, b, "--n", "0"}, {"--n", "'0'"});
  expect_refused(bad_command_line, {"fft", a, b, "--n", "4", "--s", "4x4"}, {"--n", "--s"});
  expect_refused(bad_command_line, {"fft", a, b, "--s", "4x4x4"}, {"--s", "3 lengths", "2 axes"});
  expect_refused(bad_command_line, {"fft", a, b, "--s", "4x4", "--axes", "0"}, {"--s", "2 lengths"});
  expect_refused(bad_command_line, {"fft", a, b, "--s", "4x-2"}, {"--s", "-2"});
  expect_refused(bad_command_line, {"fft", a, b, "--s", "4,4"}, {"--s", "'4,4'"});
  expect_refused(bad_command_line, {"fft", a, b, "--n", "1000000000000000"}, {"TiB", "--memory-limit"});
  expect_refused(bad_command_line, {"fft", a, b, "--norm", "loud"}, {"--norm", "ortho"});
  expect_refused(bad_command_line, {"fft", a, b, "--precision", "f8"}, {"--precision"});
  expect_refused(bad_command_line, {"fft", a, b, "--kind", "dct5"}, {"dct5", "fourier, dct1, dct2"});
  expect_refused(bad_command_line, {"fft", a, b, "--kinds", "dct1"}, {"--kinds", "2 axes"});
  expect_refused(bad_command_line, {"fft", a, b, "--kind", "dct1", "--real"}, {"--real"});
  expect_refused(bad_command_line, {"fft", a, b, "--pairs"}, {"--pairs"});
  expect_refused(bad_command_line, {"fft", a, b, "--device", "cuda:99"}, {"cuda:99", "use best"});
  expect_refused(bad_command_line, {"fft", a, b, "--threads", "many"}, {"--threads"});
  expect_refused(failure, {"fft", folder.file("none.npy"), b}, {"none.npy"});
  std::ofstream(folder.file("short.npy")) << "\x93NUMPY";
  expect_refused(failure, {"fft", folder.file("short.npy"), b}, {"truncated"});
  write_npy(folder.file("empty.npy"), complex_array({0, 5}));
  expect_refused(failure, {"fft", folder.file("empty.npy"), b}, {"no elements"});
  write_npy(folder.file("point.npy"), complex_array({}));
  expect_refused(bad_command_line, {"fft", folder.file("point.npy"), b}, {"single number"});
  EXPECT_FALSE(fs::exists(b));
}

TEST(VerifyCommand, FindsTheEngineGood) {
  for (char const* problem :
       {"c2c f32 forward 12x10", "c2c f64 inverse 17 batch 3 in-place", "r2c f64 forward 9x15",
        "c2r f32 inverse 8x6x10", "c2c f64 forward 16 batch 4 in 4/1 out 1/16",
        "r2c f32 forward 6x6 in-place", "c2c f32 forward 1", "r2r f64 forward 8 kinds dct2",
        "r2r f64 forward 9x5x6 kinds dct1,dct3,dct4", "r2r f32 forward 7x8x10x3 kinds dst1,dst2,dst3,dst4",
        "r2r f64 forward 6x7x5x8x4x3 kinds dct1,dct2,dct3,dst2,dst3,dst4 norm ortho",
        "r2c f64 forward 5x12x7 kinds dct1,fourier,dst3 norm ortho", "r2r f32 forward 30x17 kinds dht,dht",
        "r2r f64 forward 12x9x10 kinds dht,dct2,dst1 norm ortho", "r2r f16 forward 64 kinds dht batch 3"}) {
    Outcome const o = skipper({"verify", problem});
    EXPECT_EQ(o.code, done) << o.out << o.error;
    EXPECT_NE(o.out.find("good"), std::string::npos);
  }
  Json const json = parse_json(skipper({"verify", "30x30", "--precision", "f64", "--json"}).out);
  EXPECT_TRUE(json[0].at("good").get<bool>());
  expect_refused(bad_command_line, {"verify", "c2c f64 forward 8 reversed"}, {"order"});
  expect_refused(bad_command_line, {"verify", "8", "--instruction-set", "abacus"}, {"abacus"});
}

TEST(VerifyCommand, JudgesPaddedAndCroppedProblemsToo) {
  for (char const* problem :
       {"r2c f32 forward 64x48 load 40x33 keep 3+20x5+20", "c2r f64 inverse 30x17 load 9x0",
        "r2r f64 forward 40 kinds dct1 keep 7+9 norm ortho", "c2c f16 forward 9x7 load 4x5"})
    EXPECT_EQ(skipper({"verify", problem, "--device", "cpu"}).code, done) << problem;
}

TEST(VerifyCommand, DrawsProblemsAndSaysWhatTheyCover) {
  std::vector<std::string> const words{"verify",   "--random", "12",      "--seed", "3",
                                       "--device", "cpu",      "--bytes", "16K"};
  Outcome const o = skipper(words);
  EXPECT_EQ(o.code, done) << o.error;
  EXPECT_NE(o.out.find("single lines"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("12 problems, seed 3: 0 wrong, 0 refused\n"), std::string::npos) << o.out;
  std::vector<std::string> with_json = words;
  with_json.push_back("--json");
  Json const json = parse_json(skipper(with_json).out);
  EXPECT_EQ(json.at("seed").get<int>(), 3);
  EXPECT_EQ(json.at("problems").get<int>(), 12);
  EXPECT_TRUE(json.at("faults").empty());
  EXPECT_EQ(json.at("covered")[0].at("mechanism").get<std::string>(), "single lines");
  EXPECT_TRUE(json.at("covered")[0].at("with").contains("in place"));
}

/// The texts of problems, which come before the table.
std::vector<std::string> problems_in(std::string const& out) {
  std::vector<std::string> found;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line) && !line.starts_with("mechanism");) found.push_back(line);
  return found;
}

TEST(VerifyCommand, SharesOfWhatIsDrawnAreTheWhole) {
  auto const drawn = [](std::vector<std::string> const& share) {
    std::vector<std::string> words{"verify", "--random", "20", "--machine", "xeon-avx512", "--bytes", "4K"};
    words.insert(words.end(), share.begin(), share.end());
    return problems_in(skipper(words).out);
  };
  std::vector<std::string> const whole = drawn({}), first = drawn({"--share", "0/2"}),
                                 second = drawn({"--share", "1/2"});
  EXPECT_EQ(whole.size(), 20u);
  std::vector<std::string> both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(both, whole);
  EXPECT_NE(drawn({"--seed", "2"}), whole);
}

TEST(VerifyCommand, RefusesWhatCannotBeDrawn) {
  expect_refused(bad_command_line, {"verify", "--random", "4", "--share", "2/2"}, {"--share", "2/2", "0/16"});
  expect_refused(bad_command_line, {"verify", "--random", "4", "--share", "1"}, {"--share"});
  expect_refused(bad_command_line, {"verify", "--random", "0"}, {"--random"});
  expect_refused(bad_command_line, {"verify", "--random", "4", "64"}, {"--random"});
  expect_refused(bad_command_line, {"verify", "--random", "4", "--machine", "abacus"}, {"abacus"});
  expect_refused(bad_command_line, {"verify", "--seed", "4"}, {"--seed", "--random"});
}

TEST(BenchCommand, JsonHasTheFieldsOfResults) {
  Folder const folder;
  Outcome const o = skipper({"bench", "32x32", "--seconds", "0.01", "--repeats", "3", "--json",
                             "--peer-planning", "0.1", "--plot", folder.file("p.svg")});
  ASSERT_EQ(o.code, done) << o.error;
  EXPECT_EQ(o.error, "") << "quiet in a pipe";
  Json const json = parse_json(o.out);
  for (char const* key : {"machine", "date", "commit"}) EXPECT_FALSE(json.at(key).get<std::string>().empty());
  EXPECT_FALSE(json.at("versions").at("skipper").get<std::string>().empty());
  Json const& c = json.at("cases").at(0);
  EXPECT_EQ(c.at("problem").get<std::string>(), "c2c f32 forward 32x32");
  for (char const* key : {"seconds", "copy_seconds"}) EXPECT_GT(c.at(key).get<double>(), 0);
  EXPECT_LT(c.at("error_l2").get<double>(), 1e-6);
  EXPECT_LT(c.at("error_max").get<double>(), 1e-5);
  EXPECT_GE(c.at("spread").get<double>(), 0);
  for (auto const& [name, seconds] : c.at("peers").items()) EXPECT_GT(seconds.get<double>(), 0) << name;
  EXPECT_EQ(read_file(folder.file("p.svg")).substr(0, 4), "<svg");
}

TEST(BenchCommand, TakesSeveralProblems) {
  Outcome const o = skipper({"bench", "16", "8x8", "--seconds", "0.001", "--no-peers", "--json"});
  ASSERT_EQ(o.code, done) << o.error;
  Json const json = parse_json(o.out);
  ASSERT_EQ(json.at("cases").size(), 2u);
  EXPECT_EQ(json.at("cases")[1].at("problem").get<std::string>(), "c2c f32 forward 8x8");
  EXPECT_EQ(parse_json(skipper({"verify", "16", "8x8", "12", "--json"}).out).size(), 3u);
}

TEST(BenchCommand, HasNoPeerInSixteenBitStorage) {
  for (std::string const precision : {"f16", "bf16"}) {
    Outcome const o = skipper({"bench", "32x32", "--precision", precision, "--seconds", "0.001",
                               "--peer-planning", "0.1", "--device", "cpu", "--json"});
    ASSERT_EQ(o.code, done) << o.error;
    Json const c = parse_json(o.out).at("cases").at(0);
    EXPECT_EQ(c.at("problem").get<std::string>(), "c2c " + precision + " forward 32x32");
    EXPECT_TRUE(c.at("peers").empty());
  }
}

TEST(VerifyCommand, HoldsSixteenBitStorageToItsDigits) {
  for (std::string const problem : {"c2c f16 forward 1000", "c2c bf16 forward 1000", "r2c bf16 forward 12x20",
                                    "c2r bf16 inverse 63", "r2r bf16 forward 40 kinds dct2"}) {
    Json const c = parse_json(skipper({"verify", problem, "--json"}).out).at(0);
    double const unit = problem.find(" f16 ") == problem.npos ? 0x1p-8 : 0x1p-11;
    EXPECT_TRUE(c.at("good").get<bool>()) << problem;
    EXPECT_LT(c.at("error_l2").get<double>(), unit) << problem;
    EXPECT_GT(c.at("error_l2").get<double>(), unit / 8) << problem << ": outputs are rounded";
  }
}

TEST(BenchCommand, ListsPeers) {
  Outcome const o = skipper({"bench", "--peers"});
  EXPECT_EQ(o.code, done);
  EXPECT_TRUE(o.out.starts_with("fftw 3") || o.out.starts_with("none: ")) << o.out;
}

TEST(BenchCommand, TablesCsvAndLists) {
  Folder const folder;
  std::ofstream(folder.file("l.txt")) << "c2c f32 4 16\nr2c f64 1 20\nc2r f64 1 4 6\nc2c f64 forward 8 "
                                         "reversed\nc2c f64 forward 8x8 in-place\n";
  Outcome const o = skipper({"bench", "--list", folder.file("l.txt"), "--seconds", "0.01", "--no-peers"});
  EXPECT_EQ(o.code, answer_is_no) << o.error;
  EXPECT_NE(o.out.find("r2c f64 forward 20"), std::string::npos);
  EXPECT_NE(o.out.find("not measured: c2c f64 forward 8 reversed"), std::string::npos) << o.out;
  Outcome const c =
      skipper({"bench", "16", "--csv", "--peer-planning", "0.1", "--seconds", "0.01", "--threads", "1"});
  skipper({"bench", "16", "--peer-planning", "0.1", "--seconds", "0.01", "--wisdom", folder.file("w")});
  EXPECT_EQ(std::count(c.out.begin(), c.out.end(), '\n'), 2) << c.out;
  expect_refused(bad_command_line, {"bench", "16", "--csv", "--json"}, {"--csv", "--json"});
  expect_refused(bad_command_line, {"bench", "16", "--seconds", "soon"}, {"--seconds"});
  expect_refused(bad_command_line, {"bench", "--batch", "2"}, {"--batch", "shape"});
  expect_refused(bad_command_line, {"bench", "16", "--against", "abacus"}, {"--against", "'abacus'", "fftw"});
  expect_refused(bad_command_line, {"bench", "16", "--against", "fftw", "--no-peers"}, {"--no-peers"});
  expect_refused(bad_command_line, {"bench", "c2c f64 forward 8 reversed"}, {"order"});
  expect_refused(failure, {"bench", "16", "--seconds", "0.01", "--no-peers", "--plot", "/nowhere/p.svg"},
                 {"/nowhere/p.svg"});
}

std::string result_file(double seconds, double spread) {
  return json_text({{"machine", "m"},
                    {"date", "d"},
                    {"commit", "c"},
                    {"versions", Json::object()},
                    {"cases", Json::array({{{"problem", "c2c f32 forward 8"},
                                            {"seconds", seconds},
                                            {"copy_seconds", 1e-6},
                                            {"peers", Json::object()},
                                            {"error_l2", 0},
                                            {"error_max", 0},
                                            {"spread", spread}}})}});
}

TEST(CompareCommand, RegressionsBeyondTheSpreadExitWithOne) {
  Folder const folder;
  std::string const a = folder.file("a.json"), b = folder.file("b.json");
  write_file(a, result_file(1.0, 0.02), "");
  write_file(b, result_file(1.2, 0.02), "");
  EXPECT_EQ(skipper({"compare", a, b}).code, answer_is_no);
  EXPECT_EQ(skipper({"compare", b, a}).code, done);
  EXPECT_EQ(skipper({"compare", a, b, "--least", "0.3"}).code, done);
  write_file(b, result_file(1.2, 0.3), "");
  EXPECT_EQ(skipper({"compare", a, b}).code, done) << "within the noise";
  write_file(b, "{\"machine\": 1}", "");
  expect_refused(failure, {"compare", a, b}, {"b.json", "bench --json"});
  write_file(b, "nonsense", "");
  expect_refused(failure, {"compare", a, b}, {"b.json", "line 1"});
  expect_refused(bad_command_line, {"compare", a}, {"after.json"});
}

TEST(PlotCommand, DrawsBesideTheResults) {
  Folder const folder;
  std::string const result = folder.file("a.json");
  std::ofstream(result) << result_file(1e-5, 0.01);
  EXPECT_EQ(skipper({"plot", result}).out, folder.file("a.svg") + "\n");
  EXPECT_EQ(read_file(folder.file("a.svg")).substr(0, 4), "<svg");
  EXPECT_EQ(skipper({"plot", result, "--bars", "--out", folder.file("b.svg")}).code, done);
  EXPECT_TRUE(fs::exists(folder.file("b.svg")));
  expect_refused(bad_command_line, {"plot"}, {"result.json"});
  expect_refused(bad_command_line, {"plot", result, result, "--out", "x.svg"}, {"one result"});
  expect_refused(failure, {"plot", folder.file("none.json")}, {"none.json"});
  std::ofstream(result) << result_file(0, 0.01);
  expect_refused(failure, {"plot", result}, {"a.json", "seconds"});
}

TEST(RunCommand, ShowsTransformTableAndPlot) {
  Folder const folder;
  Outcome const o =
      skipper({"run", "--size", "16", "--quick", "--threads", "1", "--plot", folder.file("r.svg")});
  EXPECT_EQ(o.code, done) << o.out << o.error;
  EXPECT_NE(o.out.find("verified: yes"), std::string::npos) << o.out;
  EXPECT_TRUE(fs::exists(folder.file("r.svg")));
  expect_refused(bad_command_line, {"run", "--size", "0"}, {"--size"});
}

}  // namespace
}  // namespace skipper::cli
