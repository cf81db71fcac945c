// The kernels of golden programs, and of 500 of random problems (replay/programs.txt), by a hash of all their instructions: a change that
// should not change kernels leaves the hashes alone. SKIPPER_UPDATE_GOLDENS=1 writes them anew; SKIPPER_KERNELS_TO names a folder
// for the texts behind them, to be compared with those of another commit. With SKIPPER_QUICK=1 a sample.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gpu/cache.h"
#include "gpu/prepare.h"
#include "gpu/recorded.h"
#include "plan/lower/fused_passes.h"
#include "support/goldens.h"
#include "support/quick.h"
#include "support/source_dir.h"

namespace skipper::testing {
namespace {

/// All kernels of a program, the one behind the other.
std::string kernels_of(Program const& program) {
  Machine const h200 = machine("h200");
  gpu::Prepared prepared{program, {}};
  for (Lowered const& lowered : lower_all(program, h200))  // without the tables, which take long
    prepared.sweeps.push_back({lowered.spec, lowered.tiles, {}});
  gpu::set_flow(prepared, h200);
  std::string all;
  for (std::size_t s = 0; s < prepared.sweeps.size(); ++s) {
    if (gpu::is_fused_last(prepared.sweeps[s].spec)) continue;
    all += ir::text(gpu::recorded(prepared, s));
    if (gpu::is_fused_first(prepared.sweeps[s].spec))
      all += ir::text(gpu::recorded(prepared, s, gpu::FusedLaunch::deferred));
  }
  return all;
}

/// A program by its text, and the hash that its kernels had.
struct Kept {
  std::string name;
  Program program;
  std::string hash;
};

std::filesystem::path kept_path(char const* file) { return source_dir() / "tests/trace/replay" / file; }

/// A hash a line and then what it is of, to the end of the line.
std::vector<std::pair<std::string, std::string>> lines_of(char const* file) {
  std::ifstream in(kept_path(file));
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.emplace_back(line.substr(0, 16), line.substr(17));
  return lines;
}

/// A program in one line, its sweeps apart by bars.
Program from_one_line(std::string line) {
  for (std::size_t at; (at = line.find(" | ")) != std::string::npos;) line.replace(at, 3, "\n");
  return parse_program(line);
}

std::vector<Kept> kept_goldens() {
  std::map<std::string, std::string> hashes;
  for (auto const& [hash, name] : lines_of("goldens.txt")) hashes[name] = hash;
  std::vector<Kept> all;
  for (Golden const& golden : goldens("h200"))
    all.push_back({text(golden.problem), golden.program, hashes[text(golden.problem)]});
  return all;
}

std::vector<Kept> kept_programs() {
  std::vector<Kept> all;
  for (auto const& [hash, line] : lines_of("programs.txt")) all.push_back({line, from_one_line(line), hash});
  return all;
}

void write(std::string const& to, Kept const& kept, std::string const& kernels) {
  std::filesystem::create_directories(to);
  std::ofstream(std::filesystem::path(to) / (gpu::hex(gpu::hash(kept.name)) + ".txt")) << kept.name << "\n"
                                                                                       << kernels;
}

void replay(std::vector<Kept> all, char const* file) {
  bool const update = std::getenv("SKIPPER_UPDATE_GOLDENS") != nullptr;
  char const* const to = std::getenv("SKIPPER_KERNELS_TO");
  std::size_t number = 0;
  int changed = 0;
  for (Kept& kept : all) {
    if (!update && !takes(number++, 8)) continue;
    SCOPED_TRACE(kept.name);
    std::string kernels;
    try {
      kernels = kernels_of(kept.program);
    } catch (std::exception const& fault) {
      ADD_FAILURE() << fault.what();
    }
    std::string const hash = gpu::hex(gpu::hash(kernels));
    if (to) write(to, kept, kernels);
    if (hash != kept.hash && !update && ++changed <= 3) ADD_FAILURE() << "the kernels are not what they were";
    kept.hash = hash;
  }
  EXPECT_EQ(changed, 0)
      << "kernels are other ones; where they should be, SKIPPER_UPDATE_GOLDENS=1 keeps them";
  if (!update) return;
  std::ofstream out(kept_path(file));
  for (Kept const& kept : all) out << kept.hash << " " << kept.name << "\n";
}

TEST(Replay, OfGoldensGivesTheSameKernels) { replay(kept_goldens(), "goldens.txt"); }

TEST(Replay, OfRandomProblemsGivesTheSameKernels) {
  auto all = kept_programs();
  EXPECT_GE(all.size(), 500u);
  replay(std::move(all), "programs.txt");
}

}  // namespace
}  // namespace skipper::testing
