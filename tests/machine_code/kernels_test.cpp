// Kernels as ptxas leaves them: machine code of sm_90, run block by block (tests/sass) and compared with the emulator. The first, the
// middle and the last tile of each sweep of the problems in kernels.txt; of fused passes also the second launch, and that items are
// deferred. With SKIPPER_QUICK=1 a sample of the problems, with SKIPPER_LONG=1 those of fused.txt too, with SKIPPER_PROBLEM that
// problem alone. Skipped where there is no NVRTC or no nvdisasm.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>

#include "gpu/driver.h"
#include "gpu/jit.h"
#include "gpu/loaded.h"
#include "machine_code/launches.h"
#include "machine_code/listed_problems.h"
#include "plan/planner.h"
#include "support/nvdisasm.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

/// Why kernels cannot be had as machine code here; empty where they can.
std::string what_is_missing() {
  ::setenv("SKIPPER_CACHE", "", 1);  // compiled anew
  if (!gpu::nvrtc()) return "NVRTC is not installed here: kernels are not compiled";
  if (!nvdisasm()) return "nvdisasm is not installed here: machine code cannot be read";
  return "";
}

gpu::Prepared prepared_for(Problem const& problem) {
  Stopwatch watch;
  return gpu::prepared(problem, machine("h200"), {}, watch);
}

std::set<Index> tiles_of(gpu::PreparedSweep const& sweep) { return {0, sweep.tiles / 2, sweep.tiles - 1}; }

/// What the machine code of each sweep of a program is; of two that are fused both have the one of their kernel.
using Codes = std::vector<std::string>;
Codes listings_of(gpu::Prepared const& prepared, gpu::Residency const& residency = {}) {
  std::vector<kernel::SweepSpec> specs;
  for (gpu::PreparedSweep const& sweep : prepared.sweeps) specs.push_back(sweep.spec);
  bool const is_double = prepared.program.problem.precision == Precision::f64;
  Codes codes;
  for (gpu::Kernel const& kernel : gpu::compile(specs, is_double, "sm_90", prepared.user, residency))
    codes.push_back(kernel.cubin.empty() ? codes.back() : disassembled(*nvdisasm(), kernel.cubin));
  return codes;
}

/// What is wrong with a sweep; empty where nothing is.
template <class T>
std::string wrong(gpu::Prepared const& prepared, std::size_t s, sass::Code const& code) {
  Runs<T> const runs(prepared);
  auto const& sweeps = prepared.program.sweeps;
  bool const last = s > 0 && sweeps[s - 1].fused, fused = last || sweeps[s].fused;
  std::size_t const first = last ? s - 1 : s;
  std::string all;
  auto const add = [&](std::string const& what, Index tile) {
    if (!what.empty()) all += what + "in tile " + std::to_string(tile) + "; ";
  };
  for (Index const tile : tiles_of(prepared.sweeps[s]))
    add(fused ? runs.fused(first, code, last, tile, false) : runs.sweep(s, code, tile), tile);
  Index const middle = prepared.sweeps[s].tiles / 2;
  if (fused) add(runs.fused(first, code, last, middle, true), middle);
  if (last) add(runs.deferred(first, code, middle), middle);
  return all;
}

std::string wrong(gpu::Prepared const& prepared, std::size_t s, std::string const& listing) try {
  sass::Code const code = sass::decode(listing);
  bool const is_double = prepared.program.problem.precision == Precision::f64;
  return is_double ? wrong<double>(prepared, s, code) : wrong<float>(prepared, s, code);
} catch (sass::Fault const& fault) {
  return fault.what();
}

void expect_right(gpu::Prepared const& prepared, gpu::Residency const& residency = {}) {
  Codes const listings = listings_of(prepared, residency);
  for (std::size_t s = 0; s < listings.size(); ++s)
    EXPECT_EQ(wrong(prepared, s, listings[s]), "") << "sweep " << s;
}

TEST(Kernels, AsMachineCodeAreAsEmulated) {
  if (auto const missing = what_is_missing(); !missing.empty()) GTEST_SKIP() << missing;
  if (char const* const problem = std::getenv("SKIPPER_PROBLEM"))
    return expect_right(prepared_for(parse_problem(problem)));
  std::vector<Problem> problems = listed_problems("kernels.txt");
  if (thorough())
    for (Problem const& problem : listed_problems("fused.txt")) problems.push_back(problem);
  std::size_t number = 0;
  for (Problem const& problem : problems) {
    if (!takes(number++, 20)) continue;
    SCOPED_TRACE(text(problem));
    expect_right(prepared_for(problem));
  }
}

/// A convolution, and a division by a symbol that is nowhere zero.
TEST(Kernels, OfFusedInversesAreAsEmulated) {
  if (auto const missing = what_is_missing(); !missing.empty()) GTEST_SKIP() << missing;
  if (!takes(0, 2)) GTEST_SKIP() << "not in this sample";
  Machine const h200 = machine("h200");
  auto const sides = [](char const* problem) {
    Problem const there = parse_problem(problem);
    Problem back = there;
    back.direction = Direction::inverse;
    return ConvolutionSides{there, back};
  };
  Stopwatch watch;
  std::vector<std::complex<double>> spectrum;
  for (int k = 0; k < 64 * 64; ++k) spectrum.emplace_back(std::cos(k), std::sin(2 * k));
  expect_right(gpu::prepared(
      sides("c2c f32 forward 64x64 batch 200"), Factors::shared, [&](bool) { return spectrum; }, h200,
      watch));
  gpu::AxisSymbols symbols = {std::vector<double>(100, 0.5), {}, {}};
  for (int k = 0; k < 32; ++k) symbols[1].push_back(1 + k), symbols[2].push_back(2 + k % 7);
  expect_right(
      gpu::prepared(sides("c2c f64 forward 32x32 batch 100"), Factors::symbol, symbols, h200, watch));
}

/// A user's functions, as CUDA C++ and as the emulator calls them.
TEST(Kernels, OfUsersAreAsEmulated) {
  if (auto const missing = what_is_missing(); !missing.empty()) GTEST_SKIP() << missing;
  if (!takes(0, 2)) GTEST_SKIP() << "not in this sample";
  gpu::Prepared prepared = prepared_for(parse_problem("c2c f32 forward 1000 batch 601"));
  gpu::set_user(
      prepared, "Value on_load(Value x, long long place, void*) { x.re += float(place % 7); return x; }",
      "Value on_store(Value x, long long place, void*) { x.im *= place / 1001 % 2 ? 2 : 3; return x; }",
      nullptr);
  emulator::user_functions = {
      [](void* x, long long place, void*) { static_cast<float*>(x)[0] += float(place % 7); },
      [](void* x, long long place, void*) { static_cast<float*>(x)[1] *= place / 1001 % 2 ? 2 : 3; }};
  expect_right(prepared);
  emulator::user_functions = {};
}

/// Whatever the compiler was made to spill comes back as it was.
TEST(Kernels, ShortOfRegistersAreAsEmulated) {
  if (auto const missing = what_is_missing(); !missing.empty()) GTEST_SKIP() << missing;
  for (char const* problem : {"c2c f32 forward 1000 batch 601", "c2c f64 forward 26880 batch 624"}) {
    SCOPED_TRACE(problem);
    gpu::Prepared prepared = prepared_for(parse_problem(problem));
    constexpr int registers = 40, all_registers = 65536;  // of a thread, and of an SM
    for (gpu::PreparedSweep& sweep : prepared.sweeps)
      sweep.spec.resident = all_registers / (sweep.spec.threads * registers);
    gpu::Residency spills;
    spills.harmless = std::numeric_limits<int>::max();
    Codes const listings = listings_of(prepared, spills);
    for (std::size_t s = 0; s < listings.size(); ++s) {
      EXPECT_NE(listings[s].find("STL"), std::string::npos) << "sweep " << s << " spills nothing";
      EXPECT_EQ(wrong(prepared, s, listings[s]), "") << "sweep " << s;
    }
    if (quick()) break;
  }
}

/// A kernel in which one instruction is another.
TEST(Kernels, ThatAreBrokenAreNotAsEmulated) {
  if (auto const missing = what_is_missing(); !missing.empty()) GTEST_SKIP() << missing;
  gpu::Prepared const prepared = prepared_for(parse_problem("c2c f32 forward 256 batch 512"));
  std::string const listing = listings_of(prepared).front();
  EXPECT_EQ(wrong(prepared, 0, listing), "");
  struct {
    char const* instruction;
    char const* other;
    char const* fault;
  } const breaks[] = {{" FADD ", " FMUL ", "relative error"},
                      {" STG.E.64 ", " NOP ; // ", "bytes stored, not"},
                      {" BAR.SYNC", " NOP ; //", "numbers unset"},
                      {" LDG.E.64 ", " NOP ; // ", "numbers unset"},
                      {"c[0x0][0x218]", "c[0x0][0x210]", "read only"}};
  for (auto const& [instruction, other, fault] : breaks) {
    std::size_t const at = listing.find(instruction);
    ASSERT_NE(at, std::string::npos) << instruction;
    std::string broken = listing;
    broken.replace(at, std::strlen(instruction), other);
    std::string const what = wrong(prepared, 0, broken);
    EXPECT_NE(what.find(fault), std::string::npos) << instruction << "as" << other << ": " << what;
  }
}

}  // namespace
}  // namespace skipper::testing
