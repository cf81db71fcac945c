// The program's commands on a GPU, by their command lines, on the fake driver.
#include <skipper/skipper.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "cli/command_line.h"
#include "gpu/fake_driver/fixture.h"
#include "json.h"
#include "npy.h"

namespace skipper::testing {
namespace {

using cli::parse_json;

using Outcome = cli::CommandOutcome;

Outcome skipper(std::vector<std::string> const& words) { return cli::outcome_of(words); }

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

class Commands : public FakeDriver {
 protected:
  Commands() { std::filesystem::create_directories(folder_); }
  std::string file(std::string const& name) const { return (folder_ / name).string(); }
};

TEST_F(Commands, InfoShowsGpusFirst) {
  Outcome const o = skipper({"info"});
  EXPECT_LT(o.out.find("cuda:0: GPU Fake driver H200"), o.out.find("cpu: "));
  EXPECT_TRUE(has(o.out, "cuda:1: GPU Fake driver A100"));
  EXPECT_TRUE(has(o.out, "none; `skipper tune` writes " + tuning_file(Device("cuda:0")))) << o.out;
}

TEST_F(Commands, InfoSaysWhereKernelsAreAndWhyTheyAreNot) {
  std::string const where = "in " + folder_.string() + ", at most ";
  Outcome const good = skipper({"info"});
  EXPECT_TRUE(has(good.out, where + "256 MiB")) << good.out;
  EXPECT_TRUE(parse_json(skipper({"info", "--json"}).out).at("kernel_cache").at("faults").empty());
  std::filesystem::permissions(folder_, std::filesystem::perms(0777));
  ::setenv("SKIPPER_CACHE_BYTES", "256X", 1);
  Outcome const bad = skipper({"info"});
  EXPECT_TRUE(has(bad.out, "nothing is kept in '" + folder_.string() + "': others may write it")) << bad.out;
  EXPECT_TRUE(has(bad.out, "SKIPPER_CACHE_BYTES is '256X' but must be a number of bytes")) << bad.out;
  EXPECT_EQ(parse_json(skipper({"info", "--json"}).out).at("kernel_cache").at("faults").size(), 2u);
  ::setenv("SKIPPER_CACHE", "", 1);
  EXPECT_TRUE(has(skipper({"info"}).out, "compiled kernels: not kept"));
}

TEST_F(Commands, VerifyComparesWithTheDefinition) {
  EXPECT_EQ(skipper({"verify", "24x10", "--device", "cuda:0"}).code, cli::done);
  EXPECT_EQ(
      skipper({"verify", "100", "--precision", "f64", "--batch", "3", "--in-place", "--device", "cuda:1"})
          .code,
      cli::done);
}

TEST_F(Commands, ExchangesOfDevicesAreMeasuredAndTheBestIsKept) {
  Outcome const o =
      skipper({"bench", "--exchanges", "8x8x8", "--devices", "cuda:0,cuda:0", "--repeats", "1", "--json"});
  EXPECT_EQ(o.code, cli::done) << o.error;
  auto const json = parse_json(o.out);
  ASSERT_EQ(json.at("all").size(), 5u) << o.out;
  for (auto const& one : json.at("all")) EXPECT_GT(one.at("seconds").get<double>(), 0) << o.out;
  EXPECT_EQ(json.at("pieces").size(), 20u);
  std::vector<Device> const two(2, Device("cuda:0"));
  EXPECT_EQ(json.at("kept").get<std::string>(), name(kept_exchange(two)));
  EXPECT_EQ(skipper({"bench", "--exchanges", "--devices", "cuda:0"}).code, cli::bad_command_line);
}

TEST_F(Commands, ExchangesOfSeveralProblemsGoOnBehindABadOne) {
  std::vector<std::string> const words{"bench",     "--exchanges", "8x8x8",      "c2c f32 forward 8 reversed",
                                       "6x8x10",    "--only-all",  "--devices",  "cuda:0,cuda:0",
                                       "--repeats", "1",           "--exchange", "direct"};
  Outcome const o = skipper(words);
  EXPECT_EQ(o.code, cli::answer_is_no) << o.error;
  for (char const* part :
       {"8x8x8 over all 2", "not measured: c2c f32 forward 8 reversed: order", "6x8x10 over all 2"})
    EXPECT_TRUE(has(o.out, part)) << part << "\n" << o.out;
  std::vector<std::string> with_json = words;
  with_json.push_back("--json");
  auto const json = parse_json(skipper(with_json).out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0].at("all").size(), 1u);
  EXPECT_TRUE(has(json[1].at("fault").get<std::string>(), "order"));
  EXPECT_EQ(json[2].at("problem").get<std::string>(), "c2c f32 forward 6x8x10");
}

TEST_F(Commands, RanksComputeOnTheirDevices) {
  for (std::string const method : {"fused", "direct"})
    for (std::string const precision : {"f32", "f16", "bf16"}) {
      Outcome const o =
          skipper({"bench", "--distributed", "c2c " + precision + " forward 8x6x10", "--devices",
                   "cuda:0,cuda:1", "--repeats", "3", "--exchange", method, "--json"});
      ASSERT_EQ(o.code, cli::done) << o.error;
      auto const json = parse_json(o.out);
      EXPECT_EQ(json.at("ranks").get<double>(), 2);
      auto const& one = json.at("cases").at(0);
      EXPECT_TRUE(one.at("verified").get<bool>()) << o.out;
      EXPECT_EQ(one.at("exchange").get<std::string>(), method);
      EXPECT_EQ(one.at("bandwidth").get<double>() > 0, method == "direct") << o.out;
      EXPECT_GT(one.at("transform_seconds").get<double>(), 0) << o.out;
      EXPECT_EQ(one.at("stages").size(), 3u) << o.out;
    }
  Outcome const o = skipper({"bench", "--distributed", "8x6x10", "--devices", "cuda:0,cuda:0", "--repeats",
                             "3", "--exchange", "fused"});
  EXPECT_TRUE(has(o.out, "as it transforms")) << o.out;
  EXPECT_TRUE(has(o.out, "  grid 2x1x1 axes 1,2")) << o.out;
}

TEST_F(Commands, FilesAreTransformedOverDevices) {
  cli::NpyArray array{{true, Precision::f32}, false, {6, 10, 8}, std::vector<std::byte>(6 * 10 * 8 * 8)};
  auto const values = noise<float>(6 * 10 * 8);
  std::memcpy(array.data.data(), values.data(), array.data.size());
  cli::write_npy(file("in.npy"), array);
  ASSERT_EQ(skipper({"fft", file("in.npy"), file("one.npy"), "--device", "cpu"}).code, cli::done);
  Outcome const o = skipper({"fft", file("in.npy"), file("two.npy"), "--devices", "cuda:0,cuda:1,cuda:0"});
  ASSERT_EQ(o.code, cli::done) << o.error;
  cli::NpyArray const one = cli::read_npy(file("one.npy")), two = cli::read_npy(file("two.npy"));
  ASSERT_EQ(one.shape, two.shape);
  std::vector<std::complex<float>> x(values.size()), y(values.size());
  std::memcpy(x.data(), one.data.data(), one.data.size());
  std::memcpy(y.data(), two.data.data(), two.data.size());
  EXPECT_LT(distance(x, y), 1e-6);
}

TEST_F(Commands, BenchMeasuresAndChecks) {
  std::ofstream(file("list.txt")) << "c2c f32 3 16 16\nc2c f64 1 60\nc2c f32 134217728 16\n";
  Outcome const o = skipper({"bench", "--device", "cuda:0", "--no-peers", "--seconds", "0.001", "--repeats",
                             "3", "--list", file("list.txt"), "--save", file("saved.json"), "--json"});
  EXPECT_EQ(o.code, cli::answer_is_no) << o.error;
  auto const json = parse_json(o.out);
  EXPECT_EQ(json.at("device").get<std::string>(), "cuda:0");
  ASSERT_EQ(json.at("cases").size(), 2u) << o.out;
  for (auto const& c : json.at("cases")) {
    EXPECT_GT(c.at("seconds").get<double>(), 0);
    EXPECT_GT(c.at("copy_seconds").get<double>(), 0);
    EXPECT_GT(c.at("plan_seconds").get<double>(), 0);
    EXPECT_LT(c.at("error_l2").get<double>(), 1e-6);
  }
  EXPECT_EQ(json.at("skipped").size(), 1u) << "more than the device has";
  std::ifstream saved(file("saved.json"));
  EXPECT_EQ(parse_json(std::string{std::istreambuf_iterator<char>(saved), {}}), json);
  Outcome const late =
      skipper({"bench", "--device", "cuda:0", "--no-peers", "16", "--within", "1e-9", "--csv"});
  EXPECT_EQ(
      skipper({"bench", "--device", "cuda:0", "--no-peers", "16", "--seconds", "0.001", "--no-clusters"})
          .code,
      0);
  EXPECT_TRUE(has(late.error, "no time was left")) << late.error;
  EXPECT_TRUE(has(skipper({"bench", "--device", "cpu", "16", "--against", "cufft"}).error, "on a GPU alone"));
}

TEST_F(Commands, BenchFindsWrongResults) {
  std::ofstream(file("list.txt")) << "c2c f32 3 16 16\nc2c f64 1 60\n";
  fake_driver::spoil(true);
  Outcome const o = skipper(
      {"bench", "--device", "cuda:0", "--no-peers", "--seconds", "0.001", "--list", file("list.txt")});
  fake_driver::spoil(false);
  EXPECT_EQ(o.code, cli::answer_is_no);
  EXPECT_TRUE(has(o.out, "result: is wrong")) << o.out;
}

TEST_F(Commands, PrepareCompilesBeforehand) {
  std::ofstream(file("list.txt")) << "c2c f32 1 16 18\nc2c f32 1 16 20\n";
  Outcome const o = skipper({"bench", "--prepare", "--device", "cuda:0", "--list", file("list.txt")});
  EXPECT_EQ(o.code, cli::done) << o.out;
  EXPECT_TRUE(has(o.out, "2 plans in")) << o.out;
  EXPECT_TRUE(has(o.out, "the context, before all plans")) << o.out;
  for (char const* part : {"search ", "lowering ", "kernels "}) EXPECT_TRUE(has(o.out, part)) << o.out;
  EXPECT_GT(fake_driver::calls(compile_call()), 0);
}

TEST_F(Commands, TuneKeepsTheFastestForLaterPlans) {
  Outcome const o = skipper({"tune", "64x256", "--device", "cuda:0", "--candidates", "2"});
  EXPECT_EQ(o.code, cli::done) << o.error << o.out;
  std::string const path = tuning_file(Device("cuda:0"));
  EXPECT_TRUE(has(o.out, "kept in " + path)) << o.out;
  PlanSettings settings;
  settings.device = Device("cuda:0");
  Problem const problem = c2c({64, 256});
  EXPECT_TRUE(has(Plan(problem, settings).describe(), "tuned: " + path))
      << Plan(problem, settings).describe();
  EXPECT_FALSE(has(Plan(c2c({256, 128}), settings).describe(), "tuned: ")) << "of another problem";
  std::ofstream(file("list.txt")) << "c2c f32 1 64 256\nc2c f32 1 60\n";
  Outcome const benched = skipper({"bench", "--device", "cuda:0", "--no-peers", "--seconds", "0.001",
                                   "--repeats", "3", "--list", file("list.txt")});
  EXPECT_TRUE(has(benched.out, "tuned: " + path + " (1 of 2 plans)")) << benched.out;
  EXPECT_EQ(skipper({"tune", "16", "--device", "cpu"}).code, cli::bad_command_line);
  Outcome const reversed = skipper({"tune", "c2c f32 forward 64 reversed", "--device", "cuda:0"});
  EXPECT_EQ(reversed.code, cli::bad_command_line);
  EXPECT_TRUE(has(reversed.error, "order")) << reversed.error;
  Outcome const three =
      skipper({"tune", "60", "c2c f32 forward 64 reversed", "64", "--device", "cuda:0", "--candidates", "1"});
  EXPECT_EQ(three.code, cli::answer_is_no);
  EXPECT_TRUE(has(three.out, "not tuned: c2c f32 forward 64 reversed: order")) << three.out;
  EXPECT_TRUE(has(three.out, "forward 60 ") && has(three.out, "forward 64 ")) << three.out;

  // A program that no kernel can run any more is noted, and the planner's own runs.
  {
    std::ifstream in(path);
    std::string contents{std::istreambuf_iterator<char>(in), {}};
    in.close();
    std::string const head = contents.substr(0, contents.find("\n\n"));
    std::ofstream(path) << head << "\n\nc2c f32 forward 512x512\n"
                        << "{X(1,512,1,512,no-tw), Y(1,512,1,512,no-tw)} on block tile 2MB in -> out\n";
    std::string const said = Plan(c2c({512, 512}), settings).describe();
    EXPECT_TRUE(has(said, "not tuned: " + path)) << said;
    PlanSettings named = settings;
    named.gpu.tuning = path;
    EXPECT_THROW(Plan(c2c({512, 512}), named), Error);
    std::ofstream(path) << contents;
  }

  // For another machine or version: noted where the file is the usual one, an error where it was named.
  std::ifstream in(path);
  std::string contents{std::istreambuf_iterator<char>(in), {}};
  auto const rewrite = [&](std::string const& from, std::string const& to) {
    std::string changed = contents;
    changed.replace(changed.find(from), from.size(), to);
    std::ofstream(path) << changed;
  };
  for (auto const& [from, to] :
       {std::pair<std::string, std::string>{"version 0", "version 9"}, {"sms 132", "sms 131"}}) {
    rewrite(from, to);
    EXPECT_TRUE(has(Plan(problem, settings).describe(), "not tuned: ")) << to;
    PlanSettings named = settings;
    named.gpu.tuning = path;
    EXPECT_THROW(Plan(problem, named), Error) << to;
  }
  EXPECT_THROW(keep_tuned(path, Device("cuda:0"), {}), Error) << "the file is another machine's";
  std::filesystem::create_directories(file("folder"));
  EXPECT_THROW(keep_tuned(file("folder"), Device("cuda:0"), {}), Error) << "cannot be written there";
  PlanSettings astray = settings;
  astray.gpu.tuning = file("folder");
  EXPECT_THROW(Plan(problem, astray), Error) << "cannot be read there";
  for (auto const& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_FALSE(has(entry.path().string(), file("folder") + ".")) << "left behind: " << entry.path();
  PlanSettings absent = settings;
  absent.gpu.tuning = file("no-such.txt");
  EXPECT_THROW(Plan(problem, absent), Error);
  ::setenv("SKIPPER_TUNING", file("other.txt").c_str(), 1);
  EXPECT_THROW(Plan(problem, settings), Error);
  EXPECT_EQ(skipper({"tune", "60", "--device", "cuda:0"}).code, cli::done);
  EXPECT_TRUE(has(Plan(c2c({60}), settings).describe(), "tuned: " + file("other.txt")));
  ::unsetenv("SKIPPER_TUNING");
}

TEST_F(Commands, TuneFollowsLinksAndKeepsToRegularFiles) {
  namespace fs = std::filesystem;
  auto const tune = [&](std::string const& problem, std::string const& path) {
    return skipper({"tune", problem, "--device", "cuda:0", "--candidates", "1", "--file", path});
  };
  fs::create_directories(file("there"));
  fs::create_symlink("there/real.txt", file("link.txt"));
  EXPECT_EQ(tune("60", file("link.txt")).code, cli::done) << "the end of the link is not there yet";
  fs::permissions(file("there/real.txt"), fs::perms(0640));
  std::string const left = file("there/real.txt.part-0123456789abcdef");
  std::ofstream(left) << "of a run that was killed";
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(tune("64", file("link.txt")).code, cli::done);
  EXPECT_TRUE(fs::is_symlink(file("link.txt")));
  EXPECT_EQ(fs::status(file("there/real.txt")).permissions(), fs::perms(0640));
  EXPECT_EQ(std::distance(fs::directory_iterator(file("there")), fs::directory_iterator()), 1);
  std::ifstream kept(file("there/real.txt"));
  std::string const text{std::istreambuf_iterator<char>(kept), {}};
  EXPECT_TRUE(has(text, "forward 60") && has(text, "forward 64")) << text;

  ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
  for (std::string const& path : {file("fifo"), std::string("/dev/stdout"), std::string("-")}) {
    Outcome const o = tune("60", path);
    EXPECT_EQ(o.code, cli::bad_command_line) << path;
    EXPECT_TRUE(has(o.error, "regular file")) << o.error;
  }
  EXPECT_TRUE(fs::is_fifo(file("fifo")));
  fs::create_symlink("b", file("a"));
  fs::create_symlink("a", file("b"));
  EXPECT_EQ(tune("60", file("a")).code, cli::failure);
  EXPECT_THROW(keep_tuned(file("a"), Device("cuda:0"), {}), Error);
}

TEST_F(Commands, TunedProgramsAreKeptForTheirUserAlone) {
  namespace fs = std::filesystem;
  keep_tuned(file("new/tuned.txt"), Device("cuda:0"), {});
  EXPECT_EQ(fs::status(file("new")).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(file("new/tuned.txt")).permissions(), fs::perms(0600));
}

TEST_F(Commands, TuneFollowsNoLinksThatOthersPlanted) {
  namespace fs = std::filesystem;
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make links of others";
  fs::create_directories(file("shared"));
  fs::permissions(file("shared"), fs::perms(01777));
  fs::create_symlink("../new.txt", file("shared/mine.txt"));
  EXPECT_NO_THROW(keep_tuned(file("shared/mine.txt"), Device("cuda:0"), {}));
  EXPECT_TRUE(fs::exists(file("new.txt")));
  fs::create_symlink("../other.txt", file("shared/planted.txt"));
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(::lchown(file("shared/planted.txt").c_str(), nobody, gid_t(-1)), 0);
  EXPECT_THROW(keep_tuned(file("shared/planted.txt"), Device("cuda:0"), {}), Error);
  EXPECT_FALSE(fs::exists(file("other.txt")));
}

TEST_F(Commands, TuningBesideKernelsIsItsUsersOwn) {
  namespace fs = std::filesystem;
  std::string const usual = tuning_file(Device("cuda:0"));
  PlanSettings settings;
  settings.device = Device("cuda:0");
  keep_tuned(usual, settings.device, {});
  EXPECT_FALSE(has(Plan(c2c({64}), settings).describe(), "not tuned"));
  fs::permissions(usual, fs::perms(0666));
  EXPECT_TRUE(has(Plan(c2c({64}), settings).describe(), "not tuned: " + usual + ": others may write it"));
  EXPECT_THROW(keep_tuned(usual, settings.device, {}), Error);
  fs::permissions(usual, fs::perms(0600));
  fs::permissions(folder_, fs::perms(0777));
  EXPECT_TRUE(has(Plan(c2c({64}), settings).describe(), "not tuned: " + usual + ": its folder is not used"));
  fs::remove(usual);
  EXPECT_THROW(keep_tuned(usual, settings.device, {}), Error);
  EXPECT_FALSE(fs::exists(usual));
}

}  // namespace
}  // namespace skipper::testing
